"""What a chunk is made of, and how a unit that is too large is split."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.content.chunking.blocks import blocks, heading_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_WORD = 1000
"""Characters of a word. A longer run without a space is no word, and is cut; an image is not."""

_TARGET = r"\([^\s()]{0,6500}+(?:\([^\s()]{0,6500}+\)[^\s()]{0,6500}+){0,20}+\)"
_IMAGE = rf"(?<!\\)!\[(?:[^\[\]\\\n]|\\.){{0,1500}}+\]{_TARGET}"
_IMAGES = rf"(?:\[{_IMAGE}\](?:{_TARGET}|\[[0-9]{{1,9}}\])|{_IMAGE})"
"""Matches an image, with a link around it. It is one word, whatever spaces its text has."""
_SENTENCE = re.compile(
    rf"(?P<image>{_IMAGES})"
    r"""|[.!?…][)"'\]”’»*_]{0,3}\s+|[。！？][」』）”]{0,2}\s*""",
)
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
"""Scripts without spaces between words."""
_WORD = re.compile(
    rf"{_IMAGES}\s{{0,1000}}|[{_UNSPACED}]{{1,4}}\s{{0,1000}}"
    rf"|(?:[^\s{_UNSPACED}!\[]|(?!{_IMAGES})[!\[]){{1,{MAX_WORD}}}\s{{0,1000}}|\s{{1,1000}}"
)


class Lead(NamedTuple):
    """The header of a table, which is repeated before rows that stand in another chunk."""

    text: str
    tokens: int


class Unit(NamedTuple):
    """``text[start:end]``: a block, or a part of one."""

    kind: str
    """That of a block, or ``header``, ``row``, ``line``, ``sentence``, ``word``."""
    start: int
    end: int
    tokens: int
    header: int = 0
    """Offset behind the header of a table; 0 if it has none."""
    lead: Lead | None = None
    above: tuple[str, ...] = ()
    """Of a heading: those above it."""


class Section(NamedTuple):
    """A heading and the blocks up to the next one."""

    above: tuple[str, ...]
    """The headings above, outermost first, without its own."""
    path: tuple[str, ...]
    """The same with its own."""
    units: list[Unit]


def sections(text: str, count: Callable[[str], int]) -> Iterator[Section]:
    """Yield the sections of *text*; what precedes the first heading is one."""
    stack: list[tuple[int, str]] = []
    section = Section((), (), [])
    for block in blocks(text):
        if block.kind == "heading":
            if section.units:
                yield section
            while stack and stack[-1][0] >= block.level:
                stack.pop()
            above = tuple(heading for _, heading in stack)
            own = heading_text(text, block)
            stack.append((block.level, own))
            section = Section(above, (*above, own), [])
        tokens = count(text[block.start : block.end])
        section.units.append(
            Unit(block.kind, block.start, block.end, tokens, block.header, above=section.above)
        )
    if section.units:
        yield section


def parts(text: str, unit: Unit, count: Callable[[str], int], max_tokens: int) -> list[Unit]:
    """Return the parts of *unit*, or nothing if it cannot be split."""
    if unit.kind == "table":
        return _rows(text, unit, count, max_tokens)
    if unit.kind in {"row", "header", "word"}:
        return []
    ends: Iterator[int]
    if unit.kind == "sentence":
        kind, ends = "word", (found.end() for found in _WORD.finditer(text, unit.start, unit.end))
    elif unit.kind == "line":
        kind, ends = "sentence", _sentence_ends(text, unit)
    else:
        kind, ends = "line", _line_ends(text, unit)
    return _cut(text, unit, kind, ends, count)


def sentences(text: str, unit: Unit, count: Callable[[str], int]) -> list[Unit]:
    """Return the sentences of a paragraph, an item, or a line; the unit itself if it is another."""
    if unit.kind in {"paragraph", "item"}:
        lines = _cut(text, unit, "line", _line_ends(text, unit), count)
        return [one for line in lines for one in sentences(text, line, count)]
    if unit.kind == "line":
        return _cut(text, unit, "sentence", _sentence_ends(text, unit), count)
    return [unit]


def _rows(text: str, unit: Unit, count: Callable[[str], int], max_tokens: int) -> list[Unit]:
    ends = [end for end in _line_ends(text, unit) if end >= unit.header]
    rows = _cut(text, unit, "row", iter(ends), count)
    if not unit.header:
        return rows
    header = text[unit.start : unit.header].lstrip("\n")
    if not header.endswith("\n"):
        header += "\n"
    lead = Lead(header, count(header))
    if 2 * lead.tokens > max_tokens:  # else it would be most of each chunk
        return [rows[0]._replace(kind="header"), *rows[1:]]
    return [rows[0]._replace(kind="header"), *(row._replace(lead=lead) for row in rows[1:])]


def _cut(
    text: str, unit: Unit, kind: str, ends: Iterator[int], count: Callable[[str], int]
) -> list[Unit]:
    """Cut *unit* at *ends*; the rest behind the last one is a part, too."""
    found: list[Unit] = []
    start = unit.start
    for end in (*ends, unit.end):
        if start < end <= unit.end:
            tokens = count(text[start:end])
            found.append(Unit(kind, start, end, tokens, lead=unit.lead))
            start = end
    return found


def _sentence_ends(text: str, unit: Unit) -> Iterator[int]:
    for found in _SENTENCE.finditer(text, unit.start, unit.end):
        if found["image"] is None:
            yield found.end()


def _line_ends(text: str, unit: Unit) -> Iterator[int]:
    """Yield the offsets behind the lines; blank lines belong to the line before them."""
    at = text.find("\n", unit.start, unit.end) + 1
    while at:
        behind = text.find("\n", at, unit.end) + 1
        line_end = behind or unit.end
        if not text[at:line_end].isspace():
            yield at
        at = behind
