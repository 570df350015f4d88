"""Real feeds, and feeds that somebody wrote by hand, for the tests of Fields and Reports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

from tests.dashboard.screens.sources_project import PAYLOAD, SETTINGS
from tests.servers import openai_twists as twists
from tests.servers.dashboard import RealDashboard
from tests.servers.openai_model import ScriptedModel
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.demo.company import Company

if TYPE_CHECKING:
    from pathlib import Path

_REPORTS = "import sys; from pathlib import Path; from wikicrawler.demo.reports import run; "
EVIL = f"{PAYLOAD}\"'><b>\u202etxt\u2066\ud800\x1b[31m{{{{7*7}}}}"
"""A text that is markup, turns the direction of writing, and is no UTF-8."""


def project(folder: Path, **settings: Any) -> RealDashboard:
    """A dashboard that has not been started, over the feeds of *folder*."""
    return RealDashboard(folder, {**SETTINGS, **settings})


def crawl_reports(folder: Path) -> None:
    """Write ``reports.jsonl`` by the demonstration of the reports."""
    (folder / "work").mkdir()
    subprocess.run(
        [
            *(sys.executable, "-c", _REPORTS + "sys.exit(run(*map(Path, sys.argv[1:])))"),
            *(folder / "reports.jsonl", folder / "work"),
        ],
        cwd=folder,
        env=os.environ,
        check=True,
        capture_output=True,
        timeout=300,
    )


def crawl_fields(dashboard: RealDashboard) -> None:
    """Write ``fields.jsonl``: a page that states its values for machines, one that a model reads,
    one whose model invents a price, and one that is not there."""
    words = "This is the text of a page that is long enough to be read as one by anybody."
    article = "<!doctype html><title>{0}</title><main><h1>{0}</h1><p>{1}</p>{2}</main>"
    with ScriptedModel(["sk-one"]) as model, ScriptedServer() as site, Company() as company:
        about = article.format("Acme", words, "<p>Price: 14.50 EUR</p><p>Founded: 1987</p>")
        site.on("/about", Reply(body=about))
        site.on("/invented", Reply(body=article.format("Invented", words, "<p>Price: 3 EUR</p>")))
        model.for_text("Invented", twists.obeying(price=99))
        urls = [f"{company.url}/hive", *map(site.url, ("/about", "/invented", "/gone"))]
        (dashboard.folder / "urls.txt").write_text("\n".join(urls))
        given = {
            "WIKICRAWLER_FIELDS_BASE_URL": model.base_url,
            "WIKICRAWLER_FIELDS_API_KEYS": "sk-one",
            "WIKICRAWLER_FIELDS_MODEL": "any",
            "WIKICRAWLER_FIELDS_CACHE": str(dashboard.folder / "answers"),
            "ROBOTSTXT_OBEY": "False",
        }
        dashboard.scrapy(
            *("crawl", "fields", "-a", "urls=urls.txt"),
            *("-a", "fields=name: string, price: number, founded: integer, sku: string"),
            *(part for name, value in given.items() for part in ("-s", f"{name}={value}")),
            *("-O", "fields.jsonl"),
        )


def page_record(**more: Any) -> dict[str, Any]:
    """A record of a page whose content has the evidence of its only field."""
    content = "The book costs 5 EUR, said the seller."
    evidence = {"url": "https://a.test/", "start": 15, "end": 20, "text": "5 EUR"}
    finding = {"field": "price", "value": 5, "evidence": {**evidence, "method": "exact"}}
    return {
        "type": "page",
        "url": "https://a.test/",
        "data": {"price": 5},
        "findings": [finding],
        "content": content,
        **more,
    }


def report_record(**more: Any) -> dict[str, Any]:
    """A record of a report without candidates."""
    return {"type": "report", "company": {"name": "Acme"}, "year": 2023, **more}


def hostile_page() -> dict[str, Any]:
    """A record in which each text is :data:`EVIL`, and each URL runs a script."""
    content = f"before {EVIL} after"
    place = {"url": "javascript:window.ran=1", "start": 7, "end": 7 + len(EVIL), "text": EVIL}
    finding = {
        "field": EVIL,
        "value": EVIL,
        "url": "javascript:window.ran=1//",
        "marks": ["hidden", EVIL],
        "evidence": {**place, "method": EVIL, "path": EVIL, "score": 1e14},
    }
    rejected = {"field": EVIL, "reason": EVIL, "rejected": [EVIL, {EVIL: EVIL}]}
    return {
        "type": "page",
        "url": "javascript:window.ran=1",
        "data": {EVIL: EVIL, "other": {EVIL: [EVIL]}, "n": 10**400},
        "findings": [finding, rejected, {"field": None, "evidence": {"start": 10**30}}],
        "conflicts": [finding],
        "error": EVIL,
        "partial": EVIL,
        "tier": EVIL,
        "content": content,
        "usage": {"cost": 1e300, "requests": -(10**40), "prompt_tokens": True},
    }


def hostile_report() -> dict[str, Any]:
    """A record of a report like :func:`hostile_page`."""
    candidate = {
        **dict.fromkeys(("provider", "content_type", "title", "form", "filed", "note"), EVIL),
        "url": "javascript:window.ran=1",
        "tier": 10**400,
        "priority_score": -(10**400),
    }
    attempts = [{"rank": 1, "outcome": EVIL, "detail": EVIL}, {"rank": 2, "outcome": "ok"}]
    return report_record(
        company={"name": EVIL, "ticker": EVIL, "cik": EVIL},
        year=10**400,
        size=10**400,
        local_path="../../etc/passwd",
        sha256=EVIL,
        evidence=[EVIL] * 3,
        candidates=[candidate, candidate, candidate],
        attempts=attempts,
        searches=[{"provider": EVIL, "outcome": EVIL, "detail": EVIL, "found": 10**40}],
    )


def written(path: Path, *records: dict[str, Any] | str) -> Path:
    """A feed of *records*; a text is a line as it is."""
    lines = (one if isinstance(one, str) else json.dumps(one) + "\n" for one in records)
    path.write_text("".join(lines), "utf-8")
    return path


def path_of(dashboard: RealDashboard, kind: str, name: str) -> str:
    """The path of the page of the feed *name*, by the list of the screen."""
    page = dashboard.get(f"/{kind}").text
    before = page[: page.index(f"<bdi>{name}</bdi>")]
    return before[before.rindex('href="') + 6 :].split('"')[0]
