"""The parts of a Markdown text that are compared: sections of lines, and words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1780-\u17ff"
"""Scripts without spaces between words: each character is compared by itself."""
_WORD = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+|\s+|[^\w\s]")


@dataclass(frozen=True)
class Section:
    """Lines below a heading, which is the first of them."""

    heading: str
    level: int
    """1 to 6; 0 before the first heading."""
    start: int
    """Index of the first line in the document."""
    lines: tuple[str, ...]

    @cached_property
    def body(self) -> tuple[str, ...]:
        """The lines with text below the heading."""
        return tuple(line for line in self.lines[1 if self.level else 0 :] if line.strip())


def sections(lines: list[str]) -> list[Section]:
    """Return the sections of a document. A ``#`` in fenced code begins none."""
    starts: list[tuple[int, int, str]] = [(0, 0, "")]
    fence = ""
    for at, line in enumerate(lines):
        if found := _FENCE.match(line):
            mark = found[1]
            if not fence:
                fence = mark
            elif mark.startswith(fence) and not line.strip().strip(mark[0]):
                fence = ""
        elif not fence and (heading := _HEADING.match(line[:1000])):
            title = (heading[2] or "").strip().rstrip("#").strip()
            starts.append((at, len(heading[1]), title))
    ends = [at for at, *_ in starts[1:]] + [len(lines)]
    return [
        Section(title, level, at, tuple(lines[at:end]))
        for (at, level, title), end in zip(starts, ends, strict=True)
        if end > at
    ]


def words(line: str) -> list[str]:
    """Return *line* as words, white space, and single characters of punctuation."""
    return _WORD.findall(line)
