"""Regulations by their letter: Regulation Z."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.citations.known import BANKING, REGULATIONS
from wikicrawler.sources.citations.model import Found, Reading

if TYPE_CHECKING:
    from wikicrawler.sources.citations.known import KnownParts

_LETTER = r"[A-HJ-Z](?![\w&/-])(?!\.[A-Za-z])"
LETTER = rf"\b(?:Regulation|REGULATION|Reg\.?)(?P<several>s|S)?\.? (?={_LETTER})"
"""Anchor of a regulation. A capital I is more often the pronoun."""

_FIRST = re.compile(_LETTER)
_NEXT = re.compile(rf"(?:, ?(?:and |or |& )?+| (?:and|or|&|and/or) )({_LETTER})")


def read_letter(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read a regulation, or several after the plural. Letters that several agencies use, or that
    are not known here, are ambiguous."""
    found = []
    letter = _FIRST.match(text, anchor.end())
    start = anchor.start()
    name, end = (letter[0], letter.end()) if letter else ("", anchor.end())
    while name:
        part = REGULATIONS.get(name)
        key = f"cfr:{BANKING}/{part}" if part else f"reg:{name}"
        found.append(Found(key, start, end, part is None))
        following = _NEXT.match(text, end) if anchor["several"] else None
        if following is None:
            break
        name, start, end = following[1], following.start(1), following.end()
    return Reading(found, end)
