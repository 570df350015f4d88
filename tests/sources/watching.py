"""Crawls over watched sources, in the test's process."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.crawling import FAST, project_settings, run
from wikicrawler.sources.envelopes.schema import faults_of
from wikicrawler.sources.manifest.reader import read_manifest
from wikicrawler.spiders.sources import SourcesSpider

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawling import Outcome
    from wikicrawler.sources.manifest.model import Source


def source(url: str, source_id: str = "reg-x", **fields: Any) -> dict[str, Any]:
    """A source of a manifest."""
    return {
        "id": source_id,
        "name": "Regulation X",
        "url": url,
        "domain": url.split("/")[2].split(":", maxsplit=1)[0],
        "regulatory_domain": "RESPA",
        "citation": "12 C.F.R. Part 1024",
        "jurisdiction": "federal",
        "source_type": "regulation",
        "content_type": "html",
        "method": "crawl",
        "frequency": "weekly",
        "priority": "high",
        "status": "active",
        "metadata": {"agency": "CFPB"},
    } | fields


def manifest_of(*sources: dict[str, Any]) -> dict[str, Any]:
    """A manifest."""
    at = "2026-02-13T00:00:00Z"
    return {
        "version": "1.0.0",
        "created": at,
        "updated": at,
        "vertical": "fthb",
        "sources": list(sources),
    }


def read_source(described: dict[str, Any]) -> Source:
    """*described* as the crawl reads it."""
    reading = read_manifest(json.dumps(manifest_of(described)).encode())
    assert reading.manifest is not None, reading.faults
    return reading.manifest.sources[0]


class Watch:
    """A manifest, its database and its staging folder, in *folder*."""

    def __init__(self, folder: Path, *sources: dict[str, Any]) -> None:
        self.file = folder / "manifest.json"
        self.staged = folder / "staged"
        self.database_url = f"sqlite:///{folder / 'db.sqlite'}"
        self.settings: dict[str, Any] = {
            "WIKICRAWLER_STAGING": str(self.staged),
            "WIKICRAWLER_DATABASE_URL": self.database_url,
            # Without a row of its own, a status is retried after the seconds of real visits.
            "WIKICRAWLER_RETRY": json.dumps(
                {str(row): delays for row, delays in FAST["WIKICRAWLER_RETRY"].items()}
                | {"500": [0.05]}
            ),
        }
        self.describe(*sources)

    def describe(self, *sources: dict[str, Any]) -> None:
        """Write the manifest."""
        self.file.write_text(json.dumps(manifest_of(*sources)))

    async def crawl(self, *, settings: dict[str, Any] | None = None, **arguments: str) -> Outcome:
        """Crawl to the end; all sources, whether they are due or not, unless told otherwise."""
        arguments = {"manifest": str(self.file), "force": "true"} | arguments
        own = self.settings | (settings or {})
        return await run(SourcesSpider, project_settings(**own), **arguments)

    def index(self) -> list[dict[str, Any]]:
        """The lines of the index."""
        return _lines(self.staged / "_index.jsonl")

    def errors(self) -> list[dict[str, Any]]:
        """The lines of the list of errors."""
        return _lines(self.staged / "_errors.jsonl")

    def envelopes(self) -> list[dict[str, Any]]:
        """All envelopes in the order of the index; each is valid, and no file is without a line."""
        paths = [line["path"] for line in self.index()]
        files = {str(path.relative_to(self.staged)) for path in self.staged.glob("*/*/*.json")}
        assert len(set(paths)) == len(paths)
        assert files == set(paths)
        found = [json.loads((self.staged / path).read_text("utf-8")) for path in paths]
        for envelope in found:
            assert faults_of(envelope) == []
        return found


def changes(done: Outcome) -> dict[str, str]:
    """What became of each document by its path: the change, or why there is none."""
    return {
        "/" + item["url"].split("/", 3)[3]: item["change_type"] or item["reason"]
        for item in done.items
        if item["type"] == "document"
    }


def summaries(done: Outcome) -> dict[str, dict[str, Any]]:
    """The summary of each visit by its source."""
    return {item["source"]: item for item in done.items if item["type"] == "visit"}


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
