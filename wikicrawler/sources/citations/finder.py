"""Citations in a Markdown text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.citations import (
    attachments,
    comments,
    guides,
    letters,
    regulations,
    statutes,
)
from wikicrawler.sources.citations.known import KnownParts
from wikicrawler.sources.citations.model import Citation, Found, Reading
from wikicrawler.sources.citations.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reader = Callable[[str, re.Match[str], KnownParts], Reading]

_READERS: dict[str, tuple[str, Reader]] = {
    "cfr": (regulations.CFR, regulations.read_cfr),
    "code": (statutes.USC, statutes.read_code),
    "title_last": (statutes.TITLE_LAST, statutes.read_title_last),
    "register": (statutes.REGISTER, statutes.read_register),
    "law": (statutes.LAW, statutes.read_law),
    "letter": (letters.LETTER, letters.read_letter),
    "attachment": (attachments.ATTACHMENT, attachments.read_attachment),
    "this_part": (regulations.THIS_PART, regulations.read_this_part),
    "handbook": (guides.HANDBOOK, guides.read_handbook),
    "usda": (guides.USDA, guides.read_usda),
    "mortgagee_letter": (guides.LETTER, guides.read_letter),
    "section": (regulations.SECTION_ALONE, regulations.read_section_alone),
    "part": (regulations.PART_ALONE, regulations.read_part_alone),
    "number": (regulations.NUMBER_ALONE, regulations.read_number_alone),
}
"""The anchors and readers of kinds, in the order in which they are tried at one place."""
_TEACHERS = ("cfr", "letter")
"""The kinds that tell the title of a part."""


_START = r"(?<!\w)(?=[0-9§A-FHMO-Uachopst])"
"""Where an anchor may start. Most places of a text fail here, before any alternative is tried."""


def _anchors(patterns: dict[str, str]) -> re.Pattern[str]:
    choices = "|".join(f"(?P<read_{name}>{each})" for name, each in patterns.items())
    return re.compile(f"{_START}(?:{choices})")


_PATTERNS = {name: pattern for name, (pattern, _) in _READERS.items()}
_ANCHOR = _anchors(_PATTERNS | {"comment": comments.COMMENT, "topic": guides.TOPIC})
_TEACHER = _anchors({name: _PATTERNS[name] for name in _TEACHERS})


def find_citations(
    text: str, *, part: str | None = None, title: str | None = None, limit: int = 1000
) -> list[Citation]:
    """Return the first *limit* citations in *text*, a Markdown document, in their order.

    *part* and *title* are the page's own. Sections without a title, comments and "this part" are
    resolved by them; *text* itself may tell the title of further parts.
    """
    plain = Plain(text)
    known = KnownParts(title, part)
    for found in _read_all(plain.text, _TEACHER, known):
        known.learn(found.key)
    citations: list[Citation] = []
    for found in _read_all(plain.text, _ANCHOR, known):
        if len(citations) >= limit:
            break
        start, end = plain.origin(found.start), plain.origin(found.end - 1) + 1
        citations.append(Citation(found.key, text[start:end], start, end, found.ambiguous))
    return citations


def _read_all(text: str, anchors: re.Pattern[str], known: KnownParts) -> Iterator[Found]:
    of_fannie_mae: bool | None = None
    before: Found | None = None
    position = 0
    while anchor := anchors.search(text, position):
        kind = str(anchor.lastgroup).removeprefix("read_")
        if kind == "comment":
            reading = comments.read_comment(text, anchor, known, before)
        elif kind == "topic":
            if of_fannie_mae is None:
                of_fannie_mae = guides.FANNIE_MAE.search(text) is not None
            reading = guides.read_topic(anchor, of_fannie_mae=of_fannie_mae)
        else:
            reading = _READERS[kind][1](text, anchor, known)
        yield from reading.found
        if reading.found:
            before = reading.found[-1]
        position = max(reading.end, anchor.start() + 1)
