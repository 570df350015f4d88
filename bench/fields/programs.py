"""The programs that extract fields: ours as its users run it, and the peers in environments of
their own."""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from bench.crawls import tree
from bench.environments import PEERS, ROOT, Environment, own_environment, versions_of
from bench.fields.model_server import KEY, Counts
from bench.fields.score import Score, score

if TYPE_CHECKING:
    from pathlib import Path

    from bench.fields.corpus import Page, Site
    from bench.fields.model_server import ModelServer

OURS = "ours"


@dataclass(frozen=True)
class Program:
    """Something that reads a task and writes the values of each page as JSON lines."""

    name: str
    what: str
    """In words, with the library's names."""
    environment: Environment | None = None
    """None for ours."""
    arguments: tuple[str, ...] = ()
    shows: str = "no"
    """Whether it says where a value stands."""

    def command(self, task: Path, out: Path) -> list[str]:
        """What extracts the fields of *task* to *out*."""
        files = [str(task), str(out), *self.arguments]
        if self.environment is None:
            return [sys.executable, "-m", "bench.fields.ours", *files]
        return [self.environment.python, str(PEERS / self.environment.folder / "fields.py"), *files]

    def versions(self) -> dict[str, str]:
        """Version by name of its packages."""
        if self.environment is None:
            return versions_of(sys.executable, ["scrapy", "pydantic"])
        return self.environment.versions()


class Run(NamedTuple):
    """Of one program on some pages with one model."""

    counts: Counts
    score: Score
    aligned: Score
    """The same of the values that it aligned with the page, where it also gives others."""
    seconds: float
    cpu: float
    """CPU seconds of its processes, without the model's server."""
    errors: list[str]
    """Pages without an answer, with the reason."""


def run(
    program: Program,
    pages: list[Page],
    site: Site,
    model: ModelServer,
    folder: Path,
    *,
    timeout: float,
) -> Run:
    """Run *program* once on all of *pages*, or return what an earlier run left in *folder*.

    :param folder: for its files, which stay
    """
    left = folder / "run.json"
    if left.is_file():
        return _read(folder, pages)
    shutil.rmtree(folder, ignore_errors=True)  # of a run that was ended
    folder.mkdir(parents=True)
    task, out, output = folder / "task.json", folder / "answers.jsonl", folder / "output"
    asked = [{"url": site.url + page.path, "fields": _asked(page)} for page in pages]
    task.write_text(json.dumps({"base_url": model.base_url, "key": KEY, "pages": asked}), "utf-8")
    model.reset()
    environment = own_environment() | {
        # Some keep configuration, caches and identifiers there.
        "HOME": str(folder),
        "CRAWL4_AI_BASE_DIRECTORY": str(folder),
    }
    if program.environment is None:
        environment["PYTHONPATH"] = str(ROOT)
    cost = tree.run(
        program.command(task, out),
        output=output,
        environment=environment,
        cwd=ROOT if program.environment is None else folder,
        timeout=timeout,
    )
    errors = []
    if cost.exit_code != 0:
        end = output.read_text("utf-8", "replace").strip()[-300:]
        errors = [f"exit code {cost.exit_code}: {end}"]
    left.write_text(
        json.dumps([asdict(model.counts), cost.seconds, cost.cpu_seconds, errors]), "utf-8"
    )
    return _read(folder, pages)


def _read(folder: Path, pages: list[Page]) -> Run:
    counts, seconds, cpu, errors = json.loads((folder / "run.json").read_text("utf-8"))
    answers = _answers(folder / "answers.jsonl")
    errors += [f"{path}: {one['error']}" for path, one in answers.items() if one.get("error")]
    errors += [f"{page.path}: no answer" for page in pages if page.path not in answers]
    aligned = {path: _aligned(one) for path, one in answers.items()}
    return Run(Counts(**counts), score(pages, answers), score(pages, aligned), seconds, cpu, errors)


def _asked(page: Page) -> list[dict[str, str]]:
    return [
        {"name": one.name, "type": one.type, "description": one.description} for one in page.fields
    ]


def _answers(out: Path) -> dict[str, dict[str, Any]]:
    lines = out.read_text("utf-8").splitlines() if out.is_file() else []
    return {urlsplit(one["url"]).path: one for one in map(json.loads, lines)}


def _aligned(answer: dict[str, Any]) -> dict[str, Any]:
    if "aligned" not in answer:
        return answer
    return answer | {"values": answer["aligned"], "shown": list(answer["aligned"])}


PROGRAMS = (
    Program(OURS, "`wikicrawler.fields.Scraper`, defaults", shows="yes"),
    Program(
        "ours-no-quotes", "the same without quotes (`quotes=False`)", None, ("--no-quotes",), "yes"
    ),
    Program(
        "crawl4ai",
        "crawl4ai's LLMExtractionStrategy with a schema, on its HTTP strategy",
        Environment("crawl4ai"),
    ),
    Program(
        "scrapegraphai",
        "ScrapeGraphAI's SmartScraperGraph with a pydantic schema",
        Environment("scrapegraphai", minor=12),
    ),
    Program(
        "langextract",
        "langextract with its OpenAI provider and an output schema, on html2text's Markdown",
        Environment("langextract"),
        shows="where it can",
    ),
)
