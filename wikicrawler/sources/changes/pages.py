"""Folios and running heads: what stands at the edges of the pages of a PDF, or of printed text."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from wikicrawler.sources.changes.characters import one_space

_MARKER = re.compile(r"\[page (\d{1,7})\]")
_EDGE = 3
"""Lines at the top and at the end of a page that may be its head or foot."""
_LEAST = 3
"""Pages that have a running head; fewer if all of them have it."""
_MAX_LINE = 160
_MAX_PAGES = 5_000
_COMPOUND = re.compile(r"(\d{1,3}|[A-Z]{1,2})[-–](\d{1,3})")
_ROMAN = re.compile(r"[ivxlc]{2,7}")
_NUMBER = re.compile(r"\d{1,4}")
_INDENT = 20
"""Spaces before the folio of printed text, which is centred or at the right."""
_OF = re.compile(r"\bpage \d{1,5}(?: (?:of|/) \d{1,5})?\b", re.IGNORECASE)
_FOLIO = "\x01"
"""What stands for a line of nothing but the number of its page."""
_GOES_ON = re.compile(r"[^.:;!?\])\"'|]$")


class _Edge(NamedTuple):
    line: int
    page: int
    text: str


def with_markers(text: str) -> str:
    """Return *text*, whose pages end with form feeds, as that of a PDF; other text as it is."""
    if "\f" not in text.strip() or text.count("\f") > _MAX_PAGES or text.lstrip()[:1] in "<{[":
        return text
    pages = text.strip("\f\n ").split("\f")
    return "\n".join(f"[page {number}]\n{page}" for number, page in enumerate(pages, 1))


def without_furniture(text: str) -> str:
    """Return the folded *text* without folios, and with each running head once.

    A lone number is a folio if it counts the pages: an amount does not. A line is a running head
    only if it is the same on several pages, so that any change of one of them shows.
    """
    lines = text.split("\n")
    if text.startswith("[page 1]"):
        return "\n".join(_joined(_of_pages(lines)))
    return "\n".join(_of_print(lines)) if " " * _INDENT in text and "```" not in text else text


def _of_pages(lines: list[str]) -> list[str]:
    edges, pages = _edges(lines)
    keys: dict[int, list[tuple[str, str]]] = {edge.line: _keys(edge) for edge in edges}
    seen: dict[tuple[str, str], set[int]] = {}
    for edge in edges:
        for key in keys[edge.line]:
            seen.setdefault(key, set()).add(edge.page)
    running = {
        key for key, on in seen.items() if len(on) >= (min(_LEAST, max(2, pages)) if key[1] else 2)
    }
    kept: set[tuple[str, str]] = set()
    gone: set[int] = set()
    for edge in edges:
        repeated = [key for key in keys[edge.line] if key in running]
        if not repeated:
            continue
        key = repeated[0]
        if key[1] in ("", _FOLIO) or key in kept:
            gone.add(edge.line)
        else:
            lines[edge.line] = _head(edge, key)
        kept.add(key)
    return [line for at, line in enumerate(lines) if at not in gone]


def _edges(lines: list[str]) -> tuple[list[_Edge], int]:
    """Return the lines at the edges of each page, and the number of pages."""
    edges: list[_Edge] = []
    pages = 0
    filled: list[int] = []
    for at, line in enumerate([*lines, "[page 0]"]):
        if _MARKER.fullmatch(line.strip()):
            for place in sorted({*filled[:_EDGE], *filled[-_EDGE:]}):
                shown = one_space(lines[place])
                if len(shown) <= _MAX_LINE and pages <= _MAX_PAGES:
                    edges.append(_Edge(place, pages, shown))
            pages += 1
            filled = []
        elif line.strip():
            filled.append(at)
    return edges, pages - 1


def _keys(edge: _Edge) -> list[tuple[str, str]]:
    """What *edge* has in common with the same line of other pages: how the number of the page
    differs from its count, and the rest of the line."""
    words = edge.text.split(" ")
    found = []
    for word, rest in ((words[0], words[1:]), (words[-1], words[:-1])):
        if compound := _COMPOUND.fullmatch(word):
            offset = f"{compound[1]}-{int(compound[2]) - edge.page}"
        elif (number := _value(word)) is not None:
            offset = f"{number - edge.page}"
        else:
            continue
        found.append((offset, " ".join(rest)))
    if (masked := _OF.sub("Page", edge.text)) != edge.text or len(edge.text) >= 4:
        # A title in capitals is the first of the heads that repeat it.
        found.append(("", _FOLIO if masked == "Page" else masked.casefold()))
    return found


def _head(edge: _Edge, key: tuple[str, str]) -> str:
    """The line that stands for all running heads with *key*: the first without its folio."""
    return key[1] if key[0] else _OF.sub("Page", edge.text)


def _value(word: str) -> int | None:
    if _NUMBER.fullmatch(word):
        return int(word)
    if (len(word) > 1 and _ROMAN.fullmatch(word)) or word in ("i", "v", "x"):
        values = [{"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}[letter] for letter in word]
        pairs = zip(values, [*values[1:], 0], strict=True)
        return sum(-value if value < after else value for value, after in pairs) + 10_000
    return None


def _is_marker(line: str) -> bool:
    return bool(_MARKER.fullmatch(line.strip()))


def _joined(lines: list[str]) -> list[str]:
    """Return *lines* with the paragraphs that go on behind the end of a page in one piece.

    Where no blank line parts paragraphs, the end of a page does not, either.
    """
    if all(
        _is_marker(neighbour)
        for at, line in enumerate(lines)
        if not line.strip()
        for neighbour in lines[max(0, at - 1) : at] + lines[at + 1 : at + 2]
    ):
        return [
            line for at, line in enumerate(lines) if line.strip() and not (at and _is_marker(line))
        ]
    kept: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if kept and _MARKER.fullmatch(line.strip()):
            following = at + 1
            while following < len(lines) and not lines[following].strip():
                following += 1
            last = len(kept)
            while last and not kept[last - 1].strip():
                last -= 1
            goes_on = (
                last
                and following < len(lines)
                and lines[following].strip()[:1].islower()
                and _GOES_ON.search(kept[last - 1].rstrip())
            )
            if goes_on:
                del kept[last:]
                at = following
                continue
        kept.append(line)
        at += 1
    return kept


def _of_print(lines: list[str]) -> list[str]:
    """Return *lines* without the folios, which stand alone in the middle or at the right."""
    lone: list[int] = []
    gone: set[int] = set()
    for at, line in enumerate(lines):
        if not line.startswith(" " * _INDENT) or any(
            neighbour.strip() for neighbour in lines[max(0, at - 1) : at] + lines[at + 1 : at + 2]
        ):
            continue
        shown = line.strip()
        if _COMPOUND.fullmatch(shown) or _ROMAN.fullmatch(shown):
            gone.add(at)
        elif _NUMBER.fullmatch(shown):
            lone.append(at)
    for one, other in pairwise(lone):
        if int(lines[other]) == int(lines[one]) + 1:
            gone |= {one, other}
    return ["" if at in gone else line for at, line in enumerate(lines)]
