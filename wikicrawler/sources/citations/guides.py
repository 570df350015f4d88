"""Guides of agencies: Mortgagee Letters, handbooks of HUD and USDA, Fannie Mae's guides."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.citations.model import Found, Reading

if TYPE_CHECKING:
    from wikicrawler.sources.citations.known import KnownParts

_BETWEEN = r"(?:[,;] ?(?:and |or |& )?+| (?:and|or|&|through|to) )"
_CHAPTER = r"[IVX]{1,4}(?:\.[A-Za-z0-9]{1,5}){1,8}(?![A-Za-z0-9-])"

LETTER = (
    r"\b(?:Mortgagee Letters?|MORTGAGEE LETTERS?|(?<![0-9] )MLs?)(?: ?Nos?\.)?[ -]?"
    r"(?=[0-9]{2,4}-[0-9])"
)
"""Anchor of a Mortgagee Letter."""
HANDBOOK = (
    rf"\b(?:[Ss]ection (?P<chapter>{_CHAPTER}) of (?:the )?)?"
    r"(?:(?:HUD|FHA)(?:'s|’s)? )?(?:(?:SF|SFH|Single[ -]Family) )?"
    r"(?:(?:Housing )?(?:Policy )?(?:Handbooks?|HANDBOOK|Hdbk\.?|HB) (?:No\. )?"
    r"|(?<=HUD )|(?<!\w)(?=4000\.1 [IVX]{1,4}\.[A-Z]))"
    r"(?=[1-9][0-9]{3}\.[0-9])"
)
"""Anchor of a handbook of HUD."""
USDA = (
    r"\b(?:(?:USDA|RD) )?(?:(?:[Hh]andbook|HANDBOOK)[ -](?:HB[ -])?|HB[ -])"
    r"(?P<handbook>[1-9]-35[0-9]{2})(?![0-9A-Za-z]|-[0-9])"
)
"""Anchor of a handbook of USDA Rural Development."""
TOPIC = (
    r"(?<![\w.-])(?P<topic>[A-F](?:[0-9]{1,2})?-[0-9]{1,2}(?:\.[0-9]{1,2})?-[0-9]{2})"
    r"(?![\w]|-\w|\.[0-9])"
)
"""Anchor of a topic of Fannie Mae's Selling Guide or Servicing Guide."""

FANNIE_MAE = re.compile(r"(?i)Fannie ?Mae|\b(?:Selling|Servicing) Guide\b|\bFNMA\b")
"""What a text says that is about Fannie Mae's guides."""

_LETTER = re.compile(r"((?:19|20)?[0-9]{2})-([0-9]{1,2})(?![0-9A-Za-z]|-[0-9])")
_NEXT_LETTER = re.compile(rf"{_BETWEEN}(?:Mortgagee Letter |ML[ -]?)?(?=(?:19|20)?[0-9]{{2}}-)")
_HANDBOOK = re.compile(r"([1-9][0-9]{3}\.[0-9]{1,2})(?![0-9A-Za-z%]|\.[0-9])(?: ?REV-?[0-9]{1,2})?")
_NEXT_HANDBOOK = re.compile(rf"{_BETWEEN}(?:HUD )?(?:Handbook )?(?=[1-9][0-9]{{3}}\.[0-9])")
_CHAPTER_AFTER = re.compile(rf"\)?,? (?:\(?(?:[Ss]ections?|[Pp]art|§) ?)?({_CHAPTER})")


def read_letter(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read Mortgagee Letters: of a year with four digits after ``ML``, else also with two."""
    found: list[Found] = []
    start, position, end = anchor.start(), anchor.end(), anchor.end()
    while letter := _LETTER.match(text, position):
        year = letter[1]
        if len(year) == 2:
            if anchor[0].startswith("ML"):
                break
            year = ("19" if year > "70" else "20") + year
        found.append(Found(f"ml:{year}-{letter[2]:0>2}", start, letter.end()))
        end = letter.end()
        if (following := _NEXT_LETTER.match(text, end)) is None:
            break
        start = position = following.end()
    return Reading(found, end)


def read_handbook(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read handbooks of HUD, the last one with its chapter."""
    found: list[Found] = []
    start, position, end = anchor.start(), anchor.end(), anchor.end()
    while handbook := _HANDBOOK.match(text, position):
        key = f"hud:{handbook[1]}"
        end = handbook.end()
        if anchor["chapter"] and not found:
            key = f"{key}/{anchor['chapter']}"
        elif chapter := _CHAPTER_AFTER.match(text, end):
            key, end = f"{key}/{chapter[1]}", chapter.end()
        found.append(Found(key, start, end))
        if (following := _NEXT_HANDBOOK.match(text, end)) is None:
            break
        start = position = following.end()
    return Reading(found, end)


def read_usda(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read a handbook of USDA Rural Development."""
    return Reading([Found(f"usda:HB-{anchor['handbook']}", *anchor.span())], anchor.end())


def read_topic(anchor: re.Match[str], *, of_fannie_mae: bool) -> Reading:
    """Read a topic of Fannie Mae's guides. Without a point it looks like numbers of other things,
    and is ambiguous in a text that does not name the guides."""
    topic = anchor["topic"]
    has_chapter = topic[1] != "-"
    if not (of_fannie_mae or has_chapter):
        return Reading([], anchor.end())
    found = Found(f"fnma:{topic}", *anchor.span(), not (of_fannie_mae or "." in topic))
    return Reading([found], anchor.end())
