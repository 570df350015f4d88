"""The section of bench/RESULTS.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bench.crawls.report import head
from bench.fields.programs import OURS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.fields.corpus import Page
    from bench.fields.programs import Program, Run

HALVES = {1: "first half, from which was learned", 2: "second half, unseen until the end"}


class Table(NamedTuple):
    """The runs of the programs with one model on one half."""

    model: str
    half: int
    pages: list[Page]
    runs: dict[str, Run]


def section(
    tables: Sequence[Table],
    programs: Sequence[Program],
    notes: Sequence[str],
    command: str,
    models: dict[str, str],
    *,
    title: str = "Fields",
) -> str:
    """Return the section.

    :param notes: what is missing, and why
    :param models: what the models are, by name
    """
    parts = [
        head(title, command),
        "Fields of labelled pages, by the same model behind the same server on loopback, which "
        "counts. Each program runs once on all pages of a half, one page at a time. *Right*, "
        "*wrong* and *missed* are of the fields that a page states, *invented* of those that it "
        "does not. *Shown* are right values with their place on the page. *CPU* is that of the "
        "program's processes with their start, without the model's server. Ratios are to ours.",
        "\n".join(f"- {program.name}: {program.what}" for program in programs),
        *notes,
    ]
    for name, what in models.items():
        parts.append(f"### {name[0].upper()}{name[1:]}")
        parts.append(what)
        for table in tables:
            if table.model == name:
                parts += [_caption(table), _table(table, programs)]
                parts += _errors(table)
    versions = [
        f"- {program.name}: {', '.join(map(' '.join, program.versions().items()))}"
        for program in programs
    ]
    return "\n\n".join([*parts, "Versions:", "\n".join(versions)])


def _caption(table: Table) -> str:
    sources: dict[str, int] = {}
    for page in table.pages:
        sources[page.source] = sources.get(page.source, 0) + 1
    fields = [field for page in table.pages for field in page.fields]
    stated = sum(bool(field.right) for field in fields)
    listed = ", ".join(f"{count} of {source}" for source, count in sources.items())
    return (
        f"{HALVES[table.half].capitalize()}: {len(table.pages)} pages ({listed}), {stated} fields "
        f"that they state, {len(fields) - stated} that they do not."
    )


def _table(table: Table, programs: Sequence[Program]) -> str:
    ours = table.runs.get(OURS)
    rows = [
        "| program | requests | prompt tokens | answer tokens | right | wrong | invented | missed "
        "| shown | CPU s |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for program in programs:
        if program.name not in table.runs:
            continue
        run = table.runs[program.name]
        rows.append(_row(program.name, run, ours))
        aligned, score = run.aligned, run.score
        if program.shows == "where it can" and (aligned.right, aligned.untrue) != (
            score.right,
            score.untrue,
        ):
            cells = (aligned.right, aligned.wrong, aligned.invented, aligned.missed, aligned.shown)
            rows.append(
                f"| {program.name}, aligned ones only | | | | {' | '.join(map(str, cells))} | |"
            )
    return "\n".join(rows)


def _row(name: str, run: Run, ours: Run | None) -> str:
    def cell(of: Callable[[Run], float], form: str = "{:,.0f}") -> str:
        value = form.format(of(run))
        if ours is None or name == OURS or not of(ours):
            return value
        return f"{value} ({of(run) / of(ours):.2g}×)"

    cells = [
        f"**{name}**" if name == OURS else name,
        cell(lambda one: one.counts.requests),
        cell(lambda one: one.counts.prompt_tokens),
        cell(lambda one: one.counts.completion_tokens),
        cell(lambda one: one.score.right),
        str(run.score.wrong),
        cell(lambda one: one.score.invented),
        str(run.score.missed),
        str(run.score.shown),
        cell(lambda one: one.cpu, "{:.1f}"),
    ]
    return f"| {' | '.join(cells)} |"


def _errors(table: Table) -> list[str]:
    lines = []
    for name, run in table.runs.items():
        said = []
        if run.counts.failed:
            said.append(f"{run.counts.failed} requests refused")
        if run.counts.cut:
            said.append(f"{run.counts.cut} answers cut off at the limit")
        if run.errors:
            said.append(f"{len(run.errors)} pages without an answer")
        if said:
            lines.append(f"- {name}: {', '.join(said)}")
    return ["\n".join(lines)] if lines else []
