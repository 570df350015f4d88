"""Runs the programs in turn, round by round, and keeps what each run gave."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bench.crawls import floor, tree
from bench.crawls.corpus import Page, start_page
from bench.crawls.judge import fidelity, read_records
from bench.crawls.programs import Crawl
from bench.crawls.site import Site

if TYPE_CHECKING:
    from bench.crawls.corpus import Corpus
    from bench.crawls.floor import Floor
    from bench.crawls.programs import Program

_START = Page("/start", b"")  # not "/", which a wiki's main page has
_ALONE = Page(
    "/alone",
    b'<!DOCTYPE html><html lang="en"><title>Alone</title><main><h1>Alone</h1>'
    b"<p>A page without a link, to see what a program needs to start and to end.</p></main></html>",
)


@dataclass
class Run:
    """One crawl of the whole site by one program."""

    seconds: float
    """From the start of the process to its end."""
    cpu: float
    """CPU seconds of all its processes."""
    memory: int
    """Peak of their proportional set sizes, bytes."""
    rss: int
    start_seconds: float
    """Of the same program that crawls a single small page."""
    start_cpu: float
    pages: int
    """That came."""
    missing: int
    repeated: int
    requests: int
    """That the site got, robots.txt included."""

    @property
    def rate(self) -> float:
        """Pages a second, start and end included."""
        return self.pages / self.seconds

    @property
    def cpu_a_page(self) -> float:
        return self.cpu / max(self.pages, 1)

    @property
    def steady_cpu_a_page(self) -> float:
        return (self.cpu - self.start_cpu) / max(self.pages, 1)


@dataclass
class Results:
    """Of all rounds but the first, by the program's name."""

    runs: dict[str, list[Run]] = field(default_factory=dict)
    fidelity: dict[str, dict[str, float]] = field(default_factory=dict)
    floors: list[Floor] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)
    """Programs that ended with an error, and the end of their output."""


def run_all(
    programs: list[Program], corpus: Corpus, rounds: int, *, warm_up: bool, timeout: float
) -> Results:
    """Crawl *corpus* with each of *programs*, *rounds* times in turn.

    *warm_up*: one more round before them, which is dropped.
    """
    results = Results()
    pages = corpus.pages
    with tempfile.TemporaryDirectory(prefix="bench-") as scratch, Site(Path(scratch)) as site:
        for page in pages:
            site.add(page)
        site.add(_START._replace(html=start_page(pages)))
        site.add(_ALONE)
        if corpus.api is not None:
            site.add_api(corpus.api)
        for number in range(rounds + warm_up):
            dropped = warm_up and number == 0
            for program in programs:
                if program.name in results.failures:
                    continue
                folder = Path(scratch, "runs", f"{number}-{program.name}")
                folder.mkdir(parents=True)
                run = _run(program, site, pages, folder, timeout=timeout, results=results)
                if run is None or dropped:
                    continue
                results.runs.setdefault(program.name, []).append(run)
                _say(number + 1 - warm_up, program, run)
            if not dropped:
                results.floors.append(floor.measure(pages))
    return results


def _run(
    program: Program,
    site: Site,
    pages: list[Page],
    folder: Path,
    *,
    timeout: float,
    results: Results,
) -> Run | None:
    costs: list[tree.Cost] = []
    for path in (_ALONE.path, _START.path):
        crawl = Crawl(site.url, path, folder / f"{len(costs)}.jsonl", folder / f"{len(costs)}.log")
        output = folder / f"{len(costs)}.output"
        site.clear_log()
        cost = tree.run(
            program.command(crawl),
            output=output,
            environment=program.environment(),
            cwd=program.folder_of(folder),
            timeout=timeout,
        )
        if cost.exit_code != 0:
            told = [file for file in (output, crawl.log) if file.is_file()]
            end = "".join(file.read_text("utf-8", "replace")[-1500:] for file in told)
            results.failures[program.name] = f"exit code {cost.exit_code}: …{end}"
            print(f"bench: {program.name} failed with {results.failures[program.name]}")
            return None
        if cost.left:
            print(f"bench: {program.name} left {cost.left} processes, whose CPU is not counted")
        costs.append(cost)
    records = read_records(crawl.out, pages)
    if program.name not in results.fidelity and not program.floor:
        results.fidelity[program.name] = fidelity(records.markdown, pages, site.url)
    crawl.out.unlink(missing_ok=True)
    alone, whole = costs
    return Run(
        seconds=whole.seconds,
        cpu=whole.cpu_seconds,
        memory=whole.peak_pss,
        rss=whole.peak_rss,
        start_seconds=alone.seconds,
        start_cpu=alone.cpu_seconds,
        pages=records.pages,
        missing=len(records.missing),
        repeated=records.repeated,
        requests=len(site.times()),
    )


def _say(number: int, program: Program, run: Run) -> None:
    print(
        f"bench: round {number}: {program.name:22} {run.rate:7.1f} pages/s, "
        f"{run.cpu_a_page * 1000:6.1f} ms CPU a page, {run.memory / 1e6:5.0f} MB"
        + (f", {run.missing} pages missing" if run.missing else ""),
        flush=True,
    )
