"""Formatting of text output in lines of at most :data:`WIDTH` columns. All input is escaped."""

from __future__ import annotations

import textwrap
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import datetime

    from wikicrawler.explain.facts import ExplainedBudget

WIDTH = 100
_INDENT = "  "
_LABEL = 12
_MAX_TEXT = 2000


def heading(text: str) -> str:
    """Return *text* on one line, truncated to :data:`WIDTH`."""
    shown = one_line(text, _MAX_TEXT)
    return shown if len(shown) <= WIDTH else f"{shown[: WIDTH - 1]}…"


def entry(label: str, text: str) -> Iterator[str]:
    """Yield the lines of a paragraph with a *label*."""
    return paragraph(text, f"{_INDENT}{label:<{_LABEL}}", _INDENT + " " * _LABEL)


def paragraph(text: str, first: str = _INDENT, others: str = _INDENT) -> Iterator[str]:
    """Yield *text* in wrapped lines. They begin with *first* and *others*."""
    yield from textwrap.wrap(
        one_line(text, _MAX_TEXT),
        WIDTH,
        initial_indent=first,
        subsequent_indent=others,
        break_on_hyphens=False,
    )


def table(
    heads: Sequence[str],
    rows: Iterable[Sequence[str]],
    *,
    left: Collection[int] = (0,),
    gap: int = 2,
) -> Iterator[str]:
    """Yield the lines of a table.

    :param left: numbers of the left-aligned columns. The last of them is truncated if the table is
        too wide.
    """
    made = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False)
    for number, head in enumerate(heads):
        made.add_column(
            _cell(head),
            justify="left" if number in left else "right",
            no_wrap=number != max(left),
        )
    for row in rows:
        made.add_row(*map(_cell, row))
    console = Console(file=StringIO(), width=WIDTH - len(_INDENT), color_system=None)
    with console.capture() as captured:
        console.print(made)
    for line in captured.get().splitlines():
        yield f"{_INDENT}{line}".rstrip()


def time_text(at: datetime) -> str:
    """Return *at*, which is in UTC, to the second."""
    return f"{at:%Y-%m-%d %H:%M:%S}"


def budget_text(budget: ExplainedBudget) -> str:
    """Return a description of *budget*: its name, pause and attempts."""
    text = budget.name
    if budget.is_paused and budget.paused_until is not None:
        text += f", paused until {time_text(budget.paused_until)}"
        text += f" because of {budget.reason}" if budget.reason else ""
    else:
        text += ", not paused"
    if budget.risk_level:
        text += f"; pauses in a row: {budget.risk_level}"
    if budget.last_attempt_at is not None:
        text += f"; {budget.attempt_count:,} attempts, the last {time_text(budget.last_attempt_at)}"
    return text


def _cell(text: str) -> Text:
    return Text(one_line(text, _MAX_TEXT), no_wrap=True, overflow="ellipsis")
