"""The Markdown of bench/RESULTS.md, a section for each kind of run."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from bench.crawls.programs import CONCURRENCY, OURS, SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bench.crawls.programs import Program
    from bench.crawls.rounds import Results, Run

_TITLE = "# Results\n\nWritten by the runs themselves.\n"


class Setting(NamedTuple):
    """What a comparison was made with."""

    title: str
    """Of the pages, as of a section."""
    source: str
    """In words: how many pages, and from where."""
    kilobytes: float
    """Of HTML a page, on average."""
    links: float
    """That programs follow, different ones a page, on average."""
    rounds: int
    command: str


class Ratio(NamedTuple):
    """Of a program to ours, over the rounds."""

    middle: float
    lowest: float
    highest: float

    def __str__(self) -> str:
        return f"{_short(self.middle)}× ({_short(self.lowest)}–{_short(self.highest)})"


def ratio(theirs: Sequence[float], ours: Sequence[float]) -> Ratio:
    """How many times ours each of *theirs* is; both in the order of the rounds."""
    values = [a / b for a, b in zip(theirs, ours, strict=True)]
    return Ratio(median(values), min(values), max(values))


def write(file: Path, section: str, text: str) -> None:
    """Put *text* in the place of *section* of *file*, or at its end; all else stays."""
    old = file.read_text("utf-8") if file.is_file() else _TITLE
    begin, end = f"<!-- {section} -->\n", f"\n<!-- end of {section} -->"
    new = f"{begin}{text.strip()}{end}"
    if begin in old and end in old:
        before, _, rest = old.partition(begin)
        file.write_text(before + new + rest.partition(end)[2], "utf-8")
    else:
        file.write_text(f"{old.rstrip()}\n\n{new}\n", "utf-8")


def machine() -> str:
    """Processor, cores, memory and system, in a line."""
    info = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.*)", info.read_text() if info.is_file() else "")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = platform.freedesktop_os_release().get("PRETTY_NAME", platform.platform())
    return (
        f"{model[1] if model else platform.machine()}, {len(os.sched_getaffinity(0))} cores, "
        f"{memory:.0f} GB of memory, {system}, Linux {platform.release()}, "
        f"Python {platform.python_version()}, load {os.getloadavg()[0]:.1f} at the end"
    )


def head(title: str, command: str) -> str:
    """The title of a section, and where, when and by what it was made."""
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return (
        f"## {title}\n\n{datetime.now(UTC):%Y-%m-%d}, {machine()}.  \n"
        f"`{command.strip()}`{f', commit {commit}' if commit else ''}."
    )


def crawls(results: Results, programs: list[Program], setting: Setting) -> str:
    """The section of a comparison."""
    parts = [
        head(f"Whole crawls: {setting.title}", setting.command),
        f"{setting.source}, {setting.kilobytes:.0f} kB of HTML and {setting.links:.0f} links a "
        "page on average, from nginx on loopback. "
        f"Medians of {setting.rounds} rounds, the programs taking turns; in brackets how far the "
        f"rounds lie apart. {CONCURRENCY} requests at once, no delay, robots.txt obeyed where the "
        "program can. Whole processes, from start to end. Ratios are to ours in the same round.",
        whole_crawls(results, programs),
        _by_api(results, programs),
        "CPU time without what each program takes to crawl a single small page:",
        _steady(results, programs),
        _floor(results),
        _faithful(results, programs),
        _failed(results),
        _versions(programs),
        "Ours with " + ", ".join(f"`{name}={value}`" for name, value in SETTINGS.items()) + ".",
    ]
    return "\n\n".join(part for part in parts if part)


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def whole_crawls(results: Results, programs: list[Program]) -> str:
    """The first table: each program over whole processes."""
    rows = []
    for program in _ran(results, programs):
        runs = results.runs[program.name]
        run = runs[0]
        came = f"{run.pages} of {run.pages + run.missing}"
        rows.append(
            [
                f"**{program.name}**" if program.name == OURS else program.name,
                program.what,
                came + (f", {run.repeated} twice" if run.repeated else ""),
                *_pair(results, program, lambda run: run.rate, 1, "{:.1f}", inverse=True),
                *_pair(results, program, lambda run: run.cpu_a_page, 1000, "{:.1f}"),
                *_pair(results, program, lambda run: run.memory, 1e-6, "{:.0f}"),
                f"{max(run.rss for run in runs) / 1e6:.0f}",
            ]
        )
    header = ["program", "what", "pages", "pages/s", "ours is faster", "CPU ms a page", "of ours"]
    return table([*header, "peak PSS MB", "of ours", "RSS MB"], rows)


def _by_api(results: Results, programs: list[Program]) -> str:
    names = [f"`{program.name}`" for program in _ran(results, programs) if program.asks_api]
    if not names:
        return ""
    return (
        f"{', '.join(names)}: answers of the wiki's API, recorded and served by the same nginx. "
        "They are other bytes than the pages, and the work of the wiki is not in them: a "
        "comparison with ours, not with the others."
    )


def _steady(results: Results, programs: list[Program]) -> str:
    rows = [
        [
            program.name,
            *_pair(results, program, lambda run: run.steady_cpu_a_page, 1000, "{:.1f}"),
            f"{median(run.start_seconds for run in results.runs[program.name]):.1f}",
            f"{median(run.start_cpu for run in results.runs[program.name]):.1f}",
        ]
        for program in _ran(results, programs)
    ]
    header = ["program", "CPU ms a page", "of ours"]
    return table([*header, "start and end s", "their CPU s"], rows)


def _pair(
    results: Results,
    program: Program,
    figure: Callable[[Run], float],
    unit: float,
    form: str,
    *,
    inverse: bool = False,
) -> list[str]:
    theirs = [figure(run) for run in results.runs[program.name]]
    ours = [figure(run) for run in results.runs.get(OURS, [])]
    shown = form.format(median(theirs) * unit)
    if len(ours) != len(theirs) or not all(ours) or not all(theirs):
        return [shown, ""]
    if program.name == OURS:  # its own spread
        return [f"{shown} ({form.format(min(ours) * unit)}–{form.format(max(ours) * unit)})", ""]
    return [shown, str(ratio(ours, theirs) if inverse else ratio(theirs, ours))]


def _floor(results: Results) -> str:
    if not results.floors:
        return ""
    parse = median(floor.parse for floor in results.floors) * 1000
    both = median(floor.parse_and_serialise for floor in results.floors) * 1000
    ours = results.runs.get(OURS)
    said = ""
    if ours:
        steady = median(run.steady_cpu_a_page for run in ours) * 1000
        said = f" Ours takes {steady / both:.1f} times the latter without its start, all in all."
    return (
        f"The floor, lxml on the same bytes in one process: {parse:.1f} ms CPU a page for the "
        f"parse, {both:.1f} ms for parse and serialisation.{said}"
    )


def _faithful(results: Results, programs: list[Program]) -> str:
    scores = {p.name: results.fidelity[p.name] for p in programs if results.fidelity.get(p.name)}
    if not scores:
        return ""
    kinds = list(next(iter(scores.values())))
    rows = [[name, *(f"{score[kind]:.3f}" for kind in kinds)] for name, score in scores.items()]
    return (
        "What of the pages is in the Markdown (recall), and the share of the chrome that is in it "
        "too, of the first round's records:\n\n" + table(["program", *kinds], rows)
    )


def _failed(results: Results) -> str:
    return "\n".join(
        f"- `{name}` failed: `{' '.join(told.split())[:300]}`"
        for name, told in results.failures.items()
    )


def _versions(programs: list[Program]) -> str:
    lines = []
    for program in {p.folder: p for p in programs}.values():
        found = ", ".join(f"{name} {version}" for name, version in program.versions().items())
        lines.append(f"- {program.folder or OURS}: {found}")
    return "Versions:\n\n" + "\n".join(lines)


def _ran(results: Results, programs: list[Program]) -> list[Program]:
    return [program for program in programs if results.runs.get(program.name)]


def _short(value: float) -> str:
    return f"{value:.2f}" if value < 1 else f"{value:.1f}" if value < 20 else f"{value:.0f}"
