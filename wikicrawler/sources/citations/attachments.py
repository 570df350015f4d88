"""Subparts, appendices and supplements of parts: ``Appendix C to Part 1024``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.citations.known import BANKING, REGULATIONS
from wikicrawler.sources.citations.model import Found, Reading
from wikicrawler.sources.citations.numbers import CODE, END

if TYPE_CHECKING:
    from wikicrawler.sources.citations.known import KnownParts

_WORDS = {"sub": "subpart", "app": "app", "sup": "supp"}
_WORD = (
    r"(?:(?:[Ss]ub|SUB)(?:parts?|PARTS?)|(?:[Aa]pp|APP)(?:endix|endices|ENDIX|s?\.)"
    r"|(?:[Ss]upp|SUPP)(?:lements?|LEMENT|\.))"
)
_NAME = r"(?:[IV]{1,4}|[A-Z]{1,2}(?:-?[0-9]{1,2}[A-Z]?)?)\b(?!['’.]?[A-Za-z0-9])"
_BETWEEN = r"(?:, ?(?:and |or |& )?+| (?:and|or|&|through|to) |-)"

ATTACHMENT = rf"\b(?P<word>{_WORD}) (?P<names>{_NAME}(?:{_BETWEEN}{_NAME}){{0,20}})"
"""Anchor of a subpart, an appendix or a supplement."""

_TARGET = re.compile(
    rf",? (?:of|to|in) (?:(?:[Tt]itle )?([0-9]{{1,2}}) ?{CODE},? ?(?:[Pp]arts? |[Pp]t\. )?"
    rf"([1-9][0-9]{{0,3}}){END}|(?:[Pp]art|PART) ([1-9][0-9]{{0,3}}){END}|(this part)\b"
    r"|Reg(?:ulation|\.)? ([A-Z])(?![\w-]))"
)
_ATTACHED = re.compile(rf",? ?(?:\(?(?:and |at )?)({_WORD}) ({_NAME}(?:{_BETWEEN}{_NAME}){{0,20}})")
_NAMES = re.compile(_NAME)


class Attachment(NamedTuple):
    key: str
    """What the key of the part is continued by: ``/app-c``."""
    start: int
    end: int


def read_attachment(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read attachments that name their part after them."""
    target = _TARGET.match(text, anchor.end())
    if target is None:
        return Reading([], anchor.start("names"))
    cited_title, cited_part, part, this_part, letter = target.groups()
    if cited_part:
        title, part = cited_title, cited_part
    elif letter:
        title, part = BANKING, REGULATIONS.get(letter)
    elif this_part:
        title, part = known.title, known.part
    else:
        title = known.title_of(part)
    if part is None or (title is None and this_part):
        return Reading([], target.end())
    found = [
        Found(f"cfr:{title or '?'}/{part}{each.key}", each.start, each.end, title is None)
        for each in _named(anchor["word"], anchor, "names")
    ]
    found[0] = found[0]._replace(start=anchor.start())
    found[-1] = found[-1]._replace(end=target.end())
    return Reading(found, target.end())


def read_attachments(text: str, position: int) -> list[Attachment]:
    """Return the attachments that follow their part at *position*."""
    attached = _ATTACHED.match(text, position)
    return _named(attached[1], attached, 2) if attached else []


def _named(word: str, found: re.Match[str], group: str | int) -> list[Attachment]:
    kind = _WORDS[word[:3].lower()]
    named: list[Attachment] = []
    for name in _NAMES.finditer(found.string, *found.span(group)):
        key = f"/{kind}-{name[0].lower()}"
        if named and found.string[named[-1].end : name.start()] in (" through ", " to ", "-"):
            last = named.pop()
            named.append(Attachment(f"{last.key}..{name[0].lower()}", last.start, name.end()))
        else:
            named.append(Attachment(key, name.start(), name.end()))
    return named
