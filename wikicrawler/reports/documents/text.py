"""The text of a document, as the rules read it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_TEXT = 2_000_000
"""Characters that are examined of a document."""
COVER, OPENING = 3_000, 30_000
"""Characters of the cover, and of the part of a document that says what it is."""
_MAX_TITLE_LINE, _MAX_TITLE_WORDS, _MAX_TITLE_LINES = 130, 16, 40
_PAGE = re.compile(r"\[page [0-9]{1,5}\]")
_SPACES = re.compile(r"[ \t\r\f\v\u00a0\u2000-\u200b\u202f\u3000]+")


@dataclass(frozen=True)
class DocumentText:
    """What a document says."""

    text: str
    """Lines as a reader sees them."""
    title: str = ""
    """Of HTML: ``<title>``. That of a PDF is often the name of a file, and is not used."""
    heading: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Facts of inline XBRL about the document, by their name in the taxonomy ``dei``."""

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the opening that are not empty, each with single spaces."""
        opening = self.text[: OPENING + 2_000]
        found = (_SPACES.sub(" ", line).strip() for line in opening.split("\n"))
        return [line for line in found if line and not _PAGE.fullmatch(line)]

    @cached_property
    def cover(self) -> list[str]:
        """The lines of the cover."""
        return _first(self.lines, COVER)

    @cached_property
    def opening(self) -> str:
        """The opening on one line, in lower case."""
        return " ".join(_first(self.lines, OPENING)).casefold()

    @cached_property
    def whole(self) -> str:
        """All of the text on one line, in lower case."""
        return " ".join(self.text[:MAX_TEXT].split()).casefold()

    @cached_property
    def title_lines(self) -> list[str]:
        """The title and the lines of the cover that are no sentences."""
        lines = [self.title, *self.cover] if self.title else self.cover
        return [line for line in lines if _is_title(line)][:_MAX_TITLE_LINES]


def _first(lines: list[str], length: int) -> list[str]:
    kept: list[str] = []
    for line in lines:
        if length <= 0:
            break
        kept.append(line[:length])
        length -= len(line) + 1
    return kept


def _is_title(line: str) -> bool:
    return (
        len(line) <= _MAX_TITLE_LINE
        and len(line.split()) <= _MAX_TITLE_WORDS
        and ". " not in line
        and "。" not in line
    )


def word_set(text: str) -> frozenset[str]:
    """Return the words of a list of the rules."""
    return frozenset(text.split())


def letters(text: str) -> int:
    """Return the number of letters and digits of *text*."""
    return sum(map(str.isalnum, _PAGE.sub("", text)))
