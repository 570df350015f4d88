"""The text of a page with its evidence highlighted, cut around it."""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.fields.report.escaping import html_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

CONTEXT = 300
"""Characters that are shown before and behind an evidence."""
WHOLE = 3_000
"""Characters of a page that is shown whole."""
MAX_SHOWN = 20_000
"""Characters of a page that are shown."""
MAX_HIGHLIGHT = 10_000
"""Characters of an evidence that is highlighted."""
MAX_HIGHLIGHTS = 100
"""Of one page."""
_BEGINNING = 1_000
"""Characters that are shown of a page without evidence."""


class Highlight(NamedTuple):
    """A part of a page's text, ``text[start:end]``, that is evidence."""

    start: int
    end: int
    id: str
    note: str
    """The names of the fields, for a person."""
    kinds: tuple[str, ...] = ()
    """Classes of the element."""


class Excerpt(NamedTuple):
    """The HTML of a page's text, and which highlights are in it."""

    html: str
    ids: frozenset[str]
    left_out: int
    """Characters."""


def is_place(text: str, start: int, end: int, expected: str) -> bool:
    """Return whether *expected* is ``text[start:end]`` and can be highlighted."""
    return (
        0 <= start < end <= len(text)
        and end - start <= MAX_HIGHLIGHT
        and (text[start:end] == expected)
    )


def excerpt(text: str, highlights: Iterable[Highlight], room: int = MAX_SHOWN) -> Excerpt:
    """Return *text* around *highlights*, which must be within it.

    :param room: characters of the text that may be shown; the first highlights win
    """
    kept: list[Highlight] = []
    windows: list[tuple[int, int]] = [(0, 0)]
    if len(text) <= min(WHOLE, room):
        windows = [(0, len(text))]
    for one in sorted(highlights)[:MAX_HIGHLIGHTS]:
        wider = _with_window(windows, one, len(text))
        if sum(end - start for start, end in wider) > room:
            break
        windows = wider
        kept.append(one)
    if not kept and windows == [(0, 0)]:
        windows = [(0, min(_BEGINNING, room, len(text)))]
    parts = []
    at = 0
    for start, end in windows:
        if start > at:
            parts.append(_gap(start - at))
        if end > start:
            inside = [one for one in kept if start <= one.start and one.end <= end]
            parts.append(f'<div class="text" lang="" dir="auto">{marked(text, inside, start, end)}')
            parts.append("</div>\n")
        at = end
    if at < len(text):
        parts.append(_gap(len(text) - at))
    shown = sum(end - start for start, end in windows)
    return Excerpt("".join(parts), frozenset(one.id for one in kept), len(text) - shown)


def marked(text: str, highlights: Sequence[Highlight], start: int, end: int) -> str:
    """Return ``text[start:end]`` as HTML in which *highlights* are ``<mark>`` elements.

    A highlight that lies within another one is an element within its element. Of two that overlap,
    the later one is cut at the end of the earlier one: its first element has the id, and a further
    one has ``data-continues`` with the id.
    """
    return "".join(_pieces(text, highlights, start, end))


def _pieces(text: str, highlights: Sequence[Highlight], start: int, end: int) -> Iterator[str]:
    waiting = [(one.start, -one.end, index, True) for index, one in enumerate(highlights)]
    heapify(waiting)
    ends: list[int] = []  # of the elements that are open, the innermost last
    at = start
    while waiting:
        first, last, index, is_first = heappop(waiting)
        last = -last
        while ends and ends[-1] <= first:
            yield f"{html_of(text[at : ends[-1]])}</mark>"
            at = ends.pop()
        if ends and last > ends[-1]:
            heappush(waiting, (ends[-1], -last, index, False))
            last = ends[-1]
        yield html_of(text[at:first])
        yield _opening(highlights[index], is_first=is_first)
        at = first
        ends.append(last)
    while ends:
        yield f"{html_of(text[at : ends[-1]])}</mark>"
        at = ends.pop()
    yield html_of(text[at:end])


def _opening(highlight: Highlight, *, is_first: bool) -> str:
    kinds = f' class="{html_of(" ".join(highlight.kinds))}"' if highlight.kinds else ""
    if not is_first:
        return f'<mark{kinds} data-continues="{html_of(highlight.id)}">'
    return f'<mark id="{html_of(highlight.id)}"{kinds} data-note="{html_of(highlight.note)}">'


def _with_window(
    windows: Sequence[tuple[int, int]], one: Highlight, length: int
) -> list[tuple[int, int]]:
    """Return *windows* with that of *one*, which begins behind the beginning of the last one."""
    start, end = max(0, one.start - CONTEXT), min(length, one.end + CONTEXT)
    first, last = windows[-1]
    if start <= last:
        return [*windows[:-1], (first, max(last, end))]
    return [*windows, (start, end)]


def _gap(characters: int) -> str:
    return f'<p class="cut">{characters:,} characters left out</p>\n'
