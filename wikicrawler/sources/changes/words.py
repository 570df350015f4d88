"""Words, numbers and signs that have a meaning, without the spelling that has none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.changes.addresses import same_target
from wikicrawler.sources.changes.noise import is_links_only

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.sources.changes.block import Block

_INLINE_CODE = re.compile(r"`[^`]++`")
_ROW = "¦"
"""Stands for the border of a cell: an amount in another column is another amount."""
_TOKEN = re.compile(
    r"\]\((?P<address>[^\s()]*+(?:\([^\s()]*\)[^\s()]*+)*)\)"
    r"|(?P<word>[^\W\d_]+(?:'[^\W\d_]+)*)"
    r"|(?P<number>(?:(?<![\w.])\.)?\d+(?:[.,:/–—−-]\d+)*)"
    r"|(?P<negative>(?<![\w.)–—−-])[–−-](?=[$€£]?\.?\d)|\((?=\$[\d,.]+\)|\d{1,3}(?:,\d{3})+(?:\.\d+)?\)|\d+\.\d+\)))"
    r"|(?P<sign>\\\*|[^\w\s.,;:!?'\"()\[\]{}|*`•·‣◦▪«»‹›\\–—−-])"
)
_CODE_TOKEN = re.compile(r"[^\W\d_]+|\d+|\S")
"""In code each sign has a meaning."""
_DASHES = str.maketrans(dict.fromkeys("–—−", "-"))
_BRACKETS = str.maketrans("{[}]", "⟦⟦⟧⟧")


class Words(NamedTuple):
    """The words of a part of a document."""

    text: str
    keys: list[str]
    """What is compared: one key for each word, number or sign. Those of code have capitals, and
    each quotation mark and comma of code is one."""
    spans: list[tuple[int, int]]
    """Where each key is in the text."""
    folded: list[str]
    """The keys without capitals and punctuation, in code, too: no formatting changes them."""
    code: list[str]
    """The pieces of code, each in one spelling of white space."""

    def shown(self, start: int, end: int, most: int) -> str:
        """Return the text of the words from *start* to *end*, of at most *most* characters."""
        if start >= end:
            return ""
        first, last = self.spans[start][0], self.spans[end - 1][1]
        text = self.text[first : min(last, first + most)]
        return text.replace(_ROW, "|") + ("…" if last - first > most else "")


def words(blocks: Sequence[Block]) -> Words:
    """Return the words of *blocks*."""
    ordered = _ordered(blocks)
    parts = [_substance(block) for block in ordered]
    text = "\n".join(parts)
    found = Words(text, [], [], [], [])
    at = 0
    for start, end in _code(ordered, parts):
        _add(found, at, start)
        piece = text[start:end].strip("`")
        found.code.append(" ".join(_CODE_TOKEN.findall(piece)))
        offset = start + text[start:end].index(piece) if piece else start
        for token in _CODE_TOKEN.finditer(piece):
            found.keys.append(token[0])
            found.spans.append((offset + token.start(), offset + token.end()))
        found.folded.extend(key for key, _ in _tokens(text, start, end))
        at = end
    _add(found, at, len(text))
    return found


def _add(found: Words, start: int, end: int) -> None:
    """Add the words of the text from *start* to *end*, which are no code."""
    for key, span in _tokens(found.text, start, end):
        found.keys.append(key)
        found.spans.append(span)
        found.folded.append(key)


def _tokens(text: str, start: int, end: int) -> Iterator[tuple[str, tuple[int, int]]]:
    for found in _TOKEN.finditer(text, start, end):
        kind, value = found.lastgroup, found[0]
        if kind == "address":
            yield "](" + same_target(found["address"]), (found.start() + 2, found.end() - 1)
            continue
        if kind == "number":
            value = value.translate(_DASHES)
        elif kind == "negative":
            value = "(-" if value == "(" else "-"
        yield value.casefold(), found.span()


def _code(blocks: Sequence[Block], parts: Sequence[str]) -> list[tuple[int, int]]:
    """Return where code is in the joined *parts*: its capitals have a meaning."""
    found: list[tuple[int, int]] = []
    start = 0
    for block, part in zip(blocks, parts, strict=True):
        if block.kind == "code":
            found.append((start, start + len(part)))
        elif block.kind == "data":  # the key; the value is text
            found.append((start, start + max(0, part.find(": "))))
        elif "`" in part and block.kind in ("paragraph", "item", "row", "heading"):
            found += [(start + at.start(), start + at.end()) for at in _INLINE_CODE.finditer(part)]
        start += len(part) + 1
    return found


def _substance(block: Block) -> str:
    if block.kind == "row":
        return block.text.replace(" | ", f" {_ROW} ")
    if block.kind == "tag" and block.text[-1:] in "{[}]":
        return block.text[:-1] + block.text[-1].translate(_BRACKETS)
    if block.kind in ("data", "code"):
        return f"⇥{len(block.text) - len(block.text.lstrip())} {block.text}"
    if block.kind == "item" and block.marker != "-":
        return f"{block.marker} {block.text}"
    return block.text


def _ordered(blocks: Sequence[Block]) -> list[Block]:
    """Return *blocks* with the links of each list of links in alphabetical order."""
    ordered: list[Block] = []
    at = 0
    while at < len(blocks):
        end = at
        while end < len(blocks) and blocks[end].marker == "-" and is_links_only(blocks[end].text):
            end += 1
        if end - at > 1:
            ordered += sorted(blocks[at:end], key=lambda block: block.text.casefold())
            at = end
        else:
            ordered.append(blocks[at])
            at += 1
    return ordered
