"""The values of a run as a table for a terminal.

::

    Field  Value          Note                 Where
    title  The Salt Road                       https://shop.example/books#2-15
    price  14.5                                https://shop.example/books#24-29
           15.0           conflict             https://shop.example/sale#10-14
    isbn   null           stated on none of 2 pages

    Cost: 2 requests, 1,204 tokens of prompts and 56 of answers, $0.000214
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size

from wikicrawler.fields.models import Usage
from wikicrawler.fields.report.escaping import text_of
from wikicrawler.fields.report.money import costs_of, counted, format_cost
from wikicrawler.fields.report.places import places_by_field
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.fields.budget import Sums
    from wikicrawler.fields.models import CrawlState, FieldDefinition, ScrapeResult
    from wikicrawler.fields.report.places import FieldPlaces, Place

MAX_LINES = 20
"""Findings of one field that are shown."""
MAX_COST_LINES = 5
"""Lines of costs by URL, by field, by model and by key, each."""
MAX_TEXT = 300
"""Characters of a cell."""
LEAST_WIDTH = 40
"""Columns below which nothing more is cut."""
LEAST_URL = 4
"""Columns of a URL that stand before the offsets, else the offsets are cut, too."""
_GAP = "  "

_Line = tuple[str, str, str, str]
"""The name of a field, a value, a note and a place. Without a place the note may have its room."""


def field_table(
    results: Sequence[ScrapeResult],
    fields: Sequence[FieldDefinition],
    state: CrawlState | None = None,
    sums: Sums | None = None,
    *,
    width: int | None = None,
) -> str:
    """Return the table, one finding a line, and below it what it cost.

    Each text of a page, a model or a server is printable, and one line.

    :param state: of a crawl over a site: its merged values are those that count
    :param sums: what a budget has counted; without, the cost is that of *results*
    :param width: columns of the terminal, in which each line fits; None: nothing is cut for it
    """
    found = places_by_field(results, fields, state)
    lines: list[_Line] = [("Field", "Value", "Note", "Where")]
    for field in found:
        lines += _lines_of(field)
    total = sums.total if sums else sum((result.usage for result in results), Usage())
    costs = [f"Cost: {_used(total)}", *(_cost_lines(sums) if sums else ())]
    room = None if width is None else max(width, LEAST_WIDTH)
    shown = [*_aligned(lines, room), "", *(cut(line, room) for line in costs)]
    return "\n".join(shown)


def cut(text: str, width: int | None) -> str:
    """Return the beginning of *text* that has at most *width* columns, with ``…`` if it is cut."""
    if width is None or cell_len(text) <= width:
        return text
    return f"{set_cell_size(text, max(width - 1, 0)).rstrip()}…" if width > 0 else ""


def _lines_of(field: FieldPlaces) -> Iterator[_Line]:
    name = one_line(field.name, 64)
    if field.why_null is not None:
        yield name, "null", one_line(field.why_null, MAX_TEXT), ""
        name = ""
    for place in field.places[:MAX_LINES]:
        value = place.finding.rejected if place.kind == "rejected" else place.finding.value
        yield name, one_line(text_of(value), MAX_TEXT), _note(place), _where(place)
        name = ""
    if len(field.places) > MAX_LINES:
        yield "", f"… and {len(field.places) - MAX_LINES:,} more", "", ""


def _note(place: Place) -> str:
    """Return what is to be said of a value: what became of it, and its marks."""
    parts: list[str] = [] if place.kind == "value" else [place.kind]
    parts += [str(place.finding.reason)] if place.finding.reason else []
    return one_line(", ".join((*parts, *place.finding.marks)), MAX_TEXT)


def _where(place: Place) -> str:
    return one_line(place.url, MAX_TEXT) + one_line(place.offsets, MAX_TEXT)


def _aligned(lines: Sequence[_Line], width: int | None) -> Iterator[str]:
    """Yield *lines* in columns that fit *width* together."""
    full = [line for line in lines if line[3]]
    widths = [max(map(cell_len, column)) for column in zip(*full, strict=True)]
    widths[0] = max(cell_len(line[0]) for line in lines)
    widths[1] = max(cell_len(line[1]) for line in lines)
    if width is not None:
        _narrow(widths, width)
    name_width, value_width, note_width, where_width = widths
    for name, value, note, where in lines:
        start = f"{_cell(name, name_width)}{_GAP}{_cell(value, value_width)}{_GAP}"
        if where:
            rest = f"{_cell(note, note_width)}{_GAP}{_shorter(where, where_width)}"
        else:
            left = None if width is None else width - cell_len(start)
            rest = cut(note, left)
        yield (start + rest).rstrip()


def _narrow(widths: list[int], width: int) -> None:
    """Make the columns fit *width*: the widest one loses first."""
    while sum(widths) + len(_GAP) * (len(widths) - 1) > width:
        widest = max(range(len(widths)), key=widths.__getitem__)
        widths[widest] -= 1


def _cell(text: str, width: int) -> str:
    return set_cell_size(cut(text, width), width)


def _shorter(where: str, width: int) -> str:
    """Return a place in *width* columns. The offsets at its end are kept if they leave room."""
    url, mark, span = where.rpartition("#")
    tail = mark + span
    if cell_len(where) <= width or not mark or cell_len(tail) > width - LEAST_URL:
        return cut(where, width)
    return cut(url, width - cell_len(tail)) + tail


def _used(usage: Usage) -> str:
    cached = f" ({counted(usage.cached, 'answer')} from the cache)" if usage.cached else ""
    return f"{counted(usage.requests, 'request')}{cached}, {_tokens(usage)}"


def _tokens(usage: Usage) -> str:
    cost = "cost unknown" if usage.cost is None else format_cost(usage.cost)
    return (
        f"{usage.prompt_tokens:,} tokens of prompts and {usage.completion_tokens:,} of answers,"
        f" {cost}"
    )


def _cost_lines(sums: Sums) -> Iterator[str]:
    for costs in costs_of(sums, MAX_COST_LINES):
        for name, usage in costs.lines:
            # A request asks for several fields.
            used = _tokens(usage) if costs.by == "field" else _used(usage)
            yield f"  by {costs.by}  {one_line(name, 100)}  {used}"
