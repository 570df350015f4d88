"""The sections of a document: below each heading, or each numbered paragraph."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from wikicrawler.sources.changes.inline import plain
from wikicrawler.sources.changes.noise import is_links_only
from wikicrawler.sources.changes.words import Words, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.sources.changes.block import Block

_MAX_HEADING = 300
_PARAGRAPH = re.compile(
    r"(§{1,2} ?\d[\w.-]*\w|§ ?\d|(?:Section|Sec\.) \d(?:[\w.-]*\w)?)(?=[.\s]|$)"
)
_MARKERS = re.compile(r"(?:\(([A-Za-z]{1,5}|\d{1,3})\))+(?=\s|$)")
_MARKER = re.compile(r"\(([A-Za-z]{1,5}|\d{1,3})\)")
_ROMAN = [
    "i",
    "ii",
    "iii",
    "iv",
    "v",
    "vi",
    "vii",
    "viii",
    "ix",
    "x",
    "xi",
    "xii",
    "xiii",
    "xiv",
    "xv",
    "xvi",
    "xvii",
    "xviii",
    "xix",
    "xx",
]
_Heading = tuple[int, str, str]
"""The level of a heading, its text in one spelling, and as it is written."""
_KINDS = ("lower", "digit", "roman", "upper")
"""The levels of the Code of Federal Regulations: (a)(1)(i)(A)."""


@dataclass(frozen=True)
class Section:
    """A heading and the blocks up to the next heading of any level."""

    headings: tuple[str, ...]
    """Headings from the top of the document to this section, as they are written; empty before
    the first one."""
    path: tuple[str, ...]
    """The headings in one spelling, for comparison."""
    blocks: tuple[Block, ...]

    @cached_property
    def words(self) -> Words:
        return words(self.blocks)

    @cached_property
    def key(self) -> tuple[str, ...]:
        """The words, for comparison."""
        return tuple(self.words.keys)

    @cached_property
    def body(self) -> tuple[str, ...]:
        """The words without the links behind the text, which stay if the section moves."""
        return tuple(words(self.blocks[: len(self.blocks) - len(self.links)]).keys)

    @cached_property
    def links(self) -> tuple[str, ...]:
        """The lines of nothing but links behind the text."""
        end = len(self.blocks)
        while end > 1 and self.blocks[end - 1].kind == "paragraph":
            if not is_links_only(self.blocks[end - 1].text):
                break
            end -= 1
        return tuple(block.text for block in self.blocks[end:])

    @cached_property
    def text(self) -> str:
        return "\n".join(map(str, self.blocks))


def sections(blocks: Sequence[Block]) -> list[Section]:
    """Return the sections of *blocks*; the first one may be empty of headings."""
    if any(block.kind == "heading" for block in blocks):
        return list(_headed(blocks))
    return list(_numbered(blocks))


def _headed(blocks: Sequence[Block]) -> Iterator[Section]:
    path: list[_Heading] = []
    start = 0
    for at, block in enumerate(blocks):
        if block.kind != "heading":
            continue
        first = before = at
        while before > start and _is_tag(blocks[before - 1]):
            before -= 1
            if blocks[before].kind == "tag":  # an empty element may be the end of the part above
                first = before
        if first > start:
            yield _section(path, blocks[start:first])
        while path and path[-1][0] >= block.level:
            path.pop()
        shown = plain(block.text)
        path.append((block.level, shown[:_MAX_HEADING], (block.written or shown)[:_MAX_HEADING]))
        start = first
    if start < len(blocks):
        yield _section(path, blocks[start:])


def _is_tag(block: Block) -> bool:
    """Return True for a tag of XML, which before a heading belongs to the section of it."""
    return block.kind in ("tag", "void") and block.text.startswith("<")


def _section(path: Sequence[_Heading], blocks: Sequence[Block]) -> Section:
    return Section(
        tuple(written for _, _, written in path),
        tuple(heading.casefold() for _, heading, _ in path),
        tuple(blocks),
    )


def _numbered(blocks: Sequence[Block]) -> Iterator[Section]:
    path: list[_Heading] = []
    start = 0
    for at, block in enumerate(blocks):
        if block.kind not in ("paragraph", "item"):
            continue
        shown = plain(block.text[:_MAX_HEADING])
        found = _PARAGRAPH.match(shown)
        markers = None if found else _MARKERS.match(shown)
        if not found and not markers:
            continue
        if at > start:
            yield _section(path, blocks[start:at])
        start = at
        if found:
            path = [(0, found[1], found[1])]
        elif markers:
            for marker in _MARKER.findall(markers[0]):
                _descend(path, marker)
    if start < len(blocks):
        yield _section(path, blocks[start:])


def _descend(path: list[_Heading], marker: str) -> None:
    """Put *marker* in its place below the markers of *path*."""
    for depth in range(len(path) - 1, -1, -1):
        level, text, _ = path[depth]
        if level and _follows(text.strip("()"), marker, _KINDS[level - 1]):
            del path[depth:]
            path.append((level, f"({marker})", f"({marker})"))
            return
    last = path[-1][0] if path else 0
    kinds = [at for at, kind in enumerate(_KINDS, 1) if _place(marker, kind) is not None]
    # The first of its kind opens a level; (i) below (1) is a number, (i) after (h) was a letter.
    level = next((at for at in kinds if at > last and _place(marker, _KINDS[at - 1]) == 0), 0)
    if not level and len(marker) > 1:  # (ii) whose (i) stands in the line of its parent
        level = next((at for at in kinds if at > last), 0)
    level = level or (kinds[0] if kinds else 1)
    while path and path[-1][0] >= level:
        path.pop()
    path.append((level, f"({marker})", f"({marker})"))


def _follows(before: str, after: str, kind: str) -> bool:
    one, other = _place(before, kind), _place(after, kind)
    return one is not None and other == one + 1


def _place(marker: str, kind: str) -> int | None:
    """The place of *marker* in the sequence of *kind*, from 0; None if it is of another kind."""
    if kind == "digit":
        return int(marker) - 1 if marker.isdigit() else None
    if kind == "roman":
        return _ROMAN.index(marker) if marker in _ROMAN else None
    if not marker.isalpha() or marker.isupper() != (kind == "upper"):
        return None
    if len(set(marker.lower())) > 1 or len(marker) > 2 or not marker.isascii():
        return None
    return ord(marker[0].lower()) - ord("a") + 26 * (len(marker) - 1)
