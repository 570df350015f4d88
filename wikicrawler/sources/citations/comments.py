"""Official comments to regulations: ``comment 19(e)(1)(i)-1``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.citations.known import BANKING, REGULATIONS
from wikicrawler.sources.citations.model import Found, Reading
from wikicrawler.sources.citations.paragraphs import PATH

if TYPE_CHECKING:
    from wikicrawler.sources.citations.known import KnownParts

_OF = rf"(?:[0-9]{{1,3}}[a-z]?(?:{PATH})?+|I|(?:app(?:endix|\.) ?)?[A-Z]{{1,2}})"
_NUMBER = r"-[0-9]{1,2}(?:\.(?:[ivx]{1,6}|[A-Z]|[0-9]{1,2})\b){0,5}(?![0-9A-Za-z-])"
COMMENT = (
    r"\b(?:[Oo]fficial )?(?:[Cc]omments?|COMMENTS?|[Cc]mts?\.) (?:§ ?)?"
    rf"(?=(?:[1-9][0-9]{{2,3}}\.)?(?:{_OF} ?{_NUMBER}|[0-9]{{1,3}}[a-z]?{PATH}))"
)
"""Anchor of a comment."""

_ITEM = re.compile(
    rf"(?:([1-9][0-9]{{2,3}})\.)?(?:({_OF}) ?({_NUMBER})|([0-9]{{1,3}}[a-z]?{PATH}))"
)
_NEXT = re.compile(
    rf"(?:[,;] ?(?:and |or |& )?+| (?:and|or|&) )(?=-[0-9]|(?:[1-9][0-9]{{2,3}}\.)?{_OF} ?-[0-9])"
)
_MORE = re.compile(_NUMBER)
_TO = re.compile(rf"(?: through | to | ?- ?)(?:({_OF}) ?)?({_NUMBER})")
_OF_LETTER = re.compile(r" (?:to|of|under) Reg(?:ulation|\.)? ([A-Z])(?![\w-])")


def read_comment(
    text: str, anchor: re.Match[str], known: KnownParts, before: Found | None
) -> Reading:
    """Read comments. Their part is in them, directly before them, after them, or the page's."""
    found: list[Found] = []
    part: str | None = None
    position = start = anchor.end()
    subject = ""
    while True:
        if more := _MORE.match(text, position) if subject else None:
            key, end = subject + more[0], more.end()
        elif item := _ITEM.match(text, position):
            part = item[1] or part
            subject = item[2] or ""
            key, end = item[4] or subject + item[3], item.end()
        else:
            break
        if (to := _TO.match(text, end)) and to[1] in (None, subject):
            key, end = f"{key}..{to[0].lstrip(' thougr')}", to.end()
        found.append(Found(key, position, end))
        if (following := _NEXT.match(text, end)) is None:
            break
        position = following.end()
    if not found:
        return Reading([], anchor.end())
    end = found[-1].end
    part = part or _part_before(text, anchor.start(), before) or _part_after(text, end)
    if part is None and known.title in (None, BANKING):  # other titles have no official comments
        part = known.part
    found = [
        each._replace(key=f"comment:{part or '?'}/{each.key}", ambiguous=part is None)
        for each in found
    ]
    found[0] = found[0]._replace(start=anchor.start())
    return Reading(found, max(end, start))


def _part_before(text: str, start: int, before: Found | None) -> str | None:
    """Return the part that is cited directly before: ``12 CFR part 1026, Supp. I, cmt. 19-1``."""
    if before is None or text[before.end : start] not in (
        " ",
        ", ",
        "; ",
        "'s ",
        "’s ",
        ", official ",
    ):
        return None
    cited = re.match(r"cfr:12/([0-9]+)(?:/supp-i)?$", before.key)
    return cited[1] if cited else None


def _part_after(text: str, end: int) -> str | None:
    letter = _OF_LETTER.match(text, end)
    return REGULATIONS.get(letter[1]) if letter else None
