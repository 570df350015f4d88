"""Words, numbers and signs that have a meaning, without the spelling that has none."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.changes.addresses import same_target
from wikicrawler.sources.changes.noise import is_links_only

if TYPE_CHECKING:
    from collections.abc import Sequence

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
_DASHES = str.maketrans(dict.fromkeys("–—−", "-"))
_BRACKETS = str.maketrans("{[}]", "⟦⟦⟧⟧")


class Words(NamedTuple):
    """The words of a part of a document."""

    text: str
    keys: list[str]
    """What is compared: one key for each word, number or sign."""
    spans: list[tuple[int, int]]
    """Where each key is in the text."""

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
    code = _code(ordered, parts)
    ends = [end for _, end in code]
    keys: list[str] = []
    spans: list[tuple[int, int]] = []
    for found in _TOKEN.finditer(text):
        kind, value = found.lastgroup, found[0]
        if kind == "address":
            keys.append("](" + same_target(found["address"]))
            spans.append((found.start() + 2, found.end() - 1))
            continue
        if kind == "number":
            value = value.translate(_DASHES)
        elif kind == "negative":
            value = "(-" if value == "(" else "-"
        at = bisect_right(ends, found.start())
        is_code = at < len(code) and code[at][0] <= found.start()
        keys.append(value if is_code else value.casefold())
        spans.append(found.span())
    return Words(text, keys, spans)


def _code(blocks: Sequence[Block], parts: Sequence[str]) -> list[tuple[int, int]]:
    """Return where code is in the joined *parts*: its capitals have a meaning."""
    found: list[tuple[int, int]] = []
    start = 0
    for block, part in zip(blocks, parts, strict=True):
        if block.kind == "code":
            found.append((start, start + len(part)))
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
