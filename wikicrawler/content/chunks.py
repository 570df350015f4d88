"""Markdown in chunks that fit a model.

::

    for chunk in split_markdown(text, max_tokens=2000):
        ...chunk.headings, chunk.prefix + chunk.text...

A chunk ends before a heading where it can, else between two blocks: paragraphs, list items, tables,
fenced code. A block that exceeds the limit alone is split between its rows, lines, sentences or
words, in this order. A row and a word are never split, so a chunk of one of these may exceed the
limit. An image with the link around it is a word.

Definitions of links at the end of a text (``[1]: URL``) are in no chunk; each chunk has those of
its links in its prefix.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wikicrawler.content.chunking.definitions import definitions_at_end, definitions_at_start
from wikicrawler.content.chunking.tokens import estimate_tokens
from wikicrawler.content.chunking.units import MAX_WORD, parts, sections, sentences

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.content.chunking.definitions import Definitions
    from wikicrawler.content.chunking.units import Section, Unit

__all__ = ["MAX_WORD", "Chunk", "estimate_tokens", "split_markdown", "split_smaller"]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A part of a document."""

    text: str
    """``document[start:end]``."""
    start: int
    end: int
    headings: tuple[str, ...] = ()
    """The headings that stand above the chunk, outermost first, at most 200 characters of each.
    Those in the chunk are not among them."""
    tokens: int = 0
    """Of the prefix and the text."""
    prefix: str = ""
    """The definitions of the chunk's links, if they are at the end of the document, and the header
    of the table in whose middle the chunk begins."""


def split_markdown(
    text: str,
    *,
    max_tokens: int,
    overlap: int = 0,
    count: Callable[[str], int] = estimate_tokens,
) -> list[Chunk]:
    """Split *text*. The chunks are in order, and each character is in at least one, but for the
    definitions of links at its end.

    :param max_tokens: limit of a chunk with its prefix. What exceeds it: a single word, of up to
        :data:`MAX_WORD` characters, an image, and a single row with its header
    :param overlap: tokens that a chunk repeats of the one before, in whole blocks or sentences. A
        chunk that begins at a heading repeats nothing
    :param count: number of tokens of a text. It is called with texts whose lengths add up to a
        small multiple of that of *text*
    :raises ValueError: *max_tokens* is below 1, or *overlap* is not between 0 and half of it
    """
    if max_tokens < 1:
        raise ValueError(f"max_tokens is {max_tokens}, not 1 or more")
    if not 0 <= overlap <= max_tokens // 2:
        raise ValueError(f"overlap is {overlap}, not between 0 and half of {max_tokens}")
    body, definitions = definitions_at_end(text)
    chunks = _split(body, max_tokens, overlap, definitions.counted(count))
    return [_defined(chunk, definitions) for chunk in chunks]


def split_smaller(
    chunk: Chunk, *, max_tokens: int, count: Callable[[str], int] = estimate_tokens
) -> list[Chunk]:
    """Split *chunk* again. The offsets remain those of its document.

    The list has one chunk if it cannot be split.
    """
    found: list[Chunk] = []
    header, definitions = definitions_at_start(chunk.prefix)
    lead = len(header)
    for one in _split(header + chunk.text, max_tokens, 0, definitions.counted(count)):
        if one.end <= lead:
            continue
        text, prefix = one.text, one.prefix
        if one.start < lead:
            text, prefix = one.text[lead - one.start :], header
        part = replace(
            one,
            text=text,
            prefix=prefix,
            start=chunk.start + max(one.start - lead, 0),
            end=chunk.start + one.end - lead,
            headings=(*chunk.headings, *one.headings),
        )
        found.append(_defined(part, definitions))
    return found


def _split(text: str, max_tokens: int, overlap: int, count: Callable[[str], int]) -> list[Chunk]:
    packer = _Packer(text, max_tokens, overlap, count)
    for section in sections(text, count):
        packer.add_section(section)
    packer.flush(last=True)
    return packer.chunks


def _defined(chunk: Chunk, definitions: Definitions) -> Chunk:
    """Return *chunk* with the definitions of its links, which its tokens include already."""
    lines = definitions.of(chunk.prefix + chunk.text)
    return replace(chunk, prefix=lines + chunk.prefix) if lines else chunk


class _Packer:
    """Fills one chunk after the other."""

    def __init__(
        self, text: str, max_tokens: int, overlap: int, count: Callable[[str], int]
    ) -> None:
        self.chunks: list[Chunk] = []
        self._text = text
        self._max = max_tokens
        self._overlap = overlap
        self._count = count
        self._units: list[Unit] = []
        self._tokens = 0  # of the units
        self._above: tuple[str, ...] = ()
        self._path: tuple[str, ...] = ()  # below the heading that was last

    def add_section(self, section: Section) -> None:
        """Add a section: whole if it fits into this chunk or into one, else in parts."""
        total = sum(unit.tokens for unit in section.units)
        if not self._fits(total) and not self._is_bare:
            self.flush()
        if not self._units:
            self._above = section.above
        self._path = section.path
        if self._fits(total):
            self._units += section.units
            self._tokens += total
            return
        for unit in section.units:
            self._add(unit)

    def flush(self, *, overlap: bool = False, last: bool = False) -> None:
        """End the chunk. Headings at its end go to the next one, with their text."""
        if not self._units:
            return
        end = len(self._units)
        while end > 1 and self._units[end - 1].kind == "heading" and not last:
            end -= 1
        if end == 1 and self._units[0].kind == "heading":
            end = len(self._units)  # nothing but headings
        carried = self._units[end:]
        del self._units[end:]
        first, final = self._units[0], self._units[-1]
        text = self._text[first.start : final.end]
        prefix = first.lead.text if first.lead else ""
        tokens = self._lead_tokens + self._count(text)
        self.chunks.append(Chunk(text, first.start, final.end, self._above, tokens, prefix))
        self._units = carried or (self._tail() if overlap and self._overlap else [])
        self._tokens = sum(unit.tokens for unit in self._units)
        self._above = carried[0].above if carried else self._path

    @property
    def _lead_tokens(self) -> int:
        lead = self._units[0].lead if self._units else None
        return lead.tokens if lead else 0

    @property
    def _is_bare(self) -> bool:
        """True if the chunk has only headings, which say nothing alone."""
        return bool(self._units) and all(unit.kind == "heading" for unit in self._units)

    def _fits(self, tokens: int) -> bool:
        return self._lead_tokens + self._tokens + tokens <= self._max

    def _add(self, unit: Unit) -> None:
        if not self._units or self._fits(unit.tokens):
            whole = unit.tokens <= self._max
        else:
            whole = unit.tokens <= self._max and not (self._is_bare and unit.kind != "code")
        divided = [] if whole else parts(self._text, unit, self._count, self._max)
        if divided:
            if divided[0].kind == "header":
                self._make_room(sum(one.tokens for one in divided[:2]))
            for one in divided:
                self._add(one)
            return
        self._make_room(unit.tokens)
        self._units.append(unit)
        self._tokens += unit.tokens

    def _make_room(self, tokens: int) -> None:
        """End the chunk if *tokens* do not fit, and repeat of it what fits beside them."""
        if not self._units or self._fits(tokens):
            return
        self.flush(overlap=True)
        if self._is_bare and not self._fits(tokens):
            self.flush()
        while self._units and not self._fits(tokens):
            self._tokens -= self._units.pop(0).tokens

    def _tail(self) -> list[Unit]:
        """The last blocks or sentences of the chunk, as many as the overlap has room for."""
        found: list[Unit] = []
        room = self._overlap
        for unit in reversed(self._units[1:]):
            if unit.kind in {"heading", "header", "word"}:
                break
            if unit.tokens <= room:
                found.append(unit)
                room -= unit.tokens
                continue
            for sentence in reversed(sentences(self._text, unit, self._count)[1:]):
                if sentence.tokens > room:
                    break
                found.append(sentence)
                room -= sentence.tokens
            break
        return found[::-1]
