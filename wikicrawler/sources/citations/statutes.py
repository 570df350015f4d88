"""The United States Code, Public Laws, and the Federal Register."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.citations.model import Found, Reading
from wikicrawler.sources.citations.numbers import END, LIST, OTHER_WORK, SECTION_SIGN
from wikicrawler.sources.citations.paragraphs import PATH, read_paragraphs

if TYPE_CHECKING:
    from wikicrawler.sources.citations.known import KnownParts

LAST_TITLE = 54
LAST_CONGRESS = 150
LAST_VOLUME = 150

USC = (
    r"(?<![\w.$])(?:[Tt]itle )?+(?P<usc>[0-9]{1,2}+)"
    r"(?: ?U\.? ?S\.? ?C(?:\b\.?(?: ?[AS]\b\.?)?|[AS]\b|ode\b)"
    r"|,? (?:of the )?United States Code(?: \(U\.S\.C\.\))?),? ?"
    rf"(?:{SECTION_SIGN})?+(?=[1-9])"
)
"""Anchor of a section of the United States Code."""
TITLE_LAST = (
    r"\b[Ss]ections? (?P<of_title>[1-9][0-9]{0,4}[a-z]{0,2}(?:-[0-9]{1,3})?) ?"
    rf"(?P<of_title_paragraph>{PATH})?+,? of [Tt]itle (?P<title_last>[0-9]{{1,2}})"
    r"(?:,? (?:of the )?(?:United States|U\.S\.) Code|,? U\.S\.C\b\.?)"
)
"""Anchor of a section whose title comes last."""
REGISTER = (
    r"(?<![\w.,$])(?P<volume>[0-9]{1,3}+) ?"
    r"(?:FR|F\.R\.|F(?:ed|ED)\.? ?R(?:eg|EG)\.?|Federal Register),? ?(?:at |p\. ?)?(?=[0-9])"
)
"""Anchor of a page of the Federal Register."""
LAW = (
    r"\b(?:Pub(?:lic|\.)? ?L(?:aws?|\.)?|P\. ?L\.|PL)(?: ?(?:Nos?\.?|Number))? ?"
    r"(?=[0-9]{1,3}- ?[0-9])"
)
"""Anchor of a Public Law."""

_SECTION = re.compile(
    r"([1-9][0-9]{0,4}+)((?!et\b)[a-z]{1,3}(?:-[0-9]{1,3}[a-z]{0,2})?)?"
    r"(?![0-9A-Za-z_])(?![.,][0-9])(?! ?%)"
)
_LISTED = re.compile(rf"{LIST}(?:{SECTION_SIGN})?+(?=[1-9])")
_LISTED_END = re.compile(f"{END}{OTHER_WORK}")
_TO = re.compile(rf"(?: ?--? ?| through | to )(?:{SECTION_SIGN})?+(?=[1-9])")
_SEQUEL = re.compile(r",? ?et\.? seq\b\.?")
_NOTE = re.compile(r",? note\b")

_PAGE = re.compile(
    r"([1-9][0-9]{0,2},[0-9]{3}|[1-9][0-9]{1,5}+)(?![0-9A-Za-z])(?!,[0-9]{3}(?![0-9]))"
)
_PIN = re.compile(r"(?:, ?| at |-)([1-9][0-9]{0,2},[0-9]{3}|[1-9][0-9]{1,5})(?![0-9A-Za-z])")
_LONGEST_DOCUMENT = 3_000  # pages

_NUMBER = re.compile(r"([1-9][0-9]{0,2})- ?0{0,2}([1-9][0-9]{0,3})(?![0-9A-Za-z]|-[0-9])")
_NEXT_LAW = re.compile(rf"{LIST}(?=[1-9][0-9]{{1,2}}-[0-9])")


def read_code(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read sections of the United States Code."""
    title = anchor["usc"].lstrip("0")
    if not title or int(title) > LAST_TITLE:
        return Reading([], anchor.end())
    found: list[Found] = []
    start, position, end = anchor.start(), anchor.end(), anchor.end()
    while section := _SECTION.match(text, position):
        if found and not _LISTED_END.match(text, section.end()):
            break
        paragraphs = _paragraphs(text, section, start)
        found += [each._replace(key=f"usc:{title}/{each.key}") for each in paragraphs]
        end = found[-1].end
        if (listed := _LISTED.match(text, end)) is None:
            break
        start = position = listed.end()
    return Reading(found, end)


def read_title_last(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read ``section 143(d) of title 26, United States Code``."""
    key = f"usc:{anchor['title_last']}/{anchor['of_title']}{anchor['of_title_paragraph'] or ''}"
    return Reading([Found(key, *anchor.span())], anchor.end())


def _paragraphs(text: str, section: re.Match[str], start: int) -> list[Found]:
    """Return the paragraphs of a section, or the range that it starts, or the section."""
    number = section[0]
    found = [Found(number, start, section.end())]
    if paragraphs := read_paragraphs(text, section.end()):
        found = [
            Found(number + each.key, each.start if index else start, each.end)
            for index, each in enumerate(paragraphs)
        ]
    last = found[-1]
    if (to := _TO.match(text, last.end)) and (until := _SECTION.match(text, to.end())):
        full = _completed(section[1], until[1], abbreviated="-" in to[0])
        if int(full) > int(section[1]) or (full == section[1] and until[2]):
            last = last._replace(key=f"{last.key}..{full}{until[2] or ''}", end=until.end())
        elif to[0] == "-":  # a section with a hyphen and no letter
            last = last._replace(key=f"{last.key}-{until[0]}", end=until.end())
    if sequel := _SEQUEL.match(text, last.end):
        last = last._replace(key=f"{last.key}+", end=sequel.end())
    elif note := _NOTE.match(text, last.end):
        last = last._replace(key=f"{last.key} note", end=note.end())
    return [*found[:-1], last]


def _completed(first: str, last: str, *, abbreviated: bool) -> str:
    """Return the last section of a range: 3619 in ``3601-19``."""
    if abbreviated and len(last) < len(first):
        return first[: len(first) - len(last)] + last
    return last


def read_register(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read a page of the Federal Register; further pages of the document belong to it."""
    page = _PAGE.match(text, anchor.end())
    volume = anchor["volume"].lstrip("0")
    if page is None or not volume or int(volume) > LAST_VOLUME:
        return Reading([], anchor.end())
    first = page[1].replace(",", "")
    end = page.end()
    for _ in range(20):
        pin = _PIN.match(text, end)
        if pin is None:
            break
        number = _completed(first, pin[1].replace(",", ""), abbreviated=pin[0][0] == "-")
        if not int(first) < int(number) <= int(first) + _LONGEST_DOCUMENT:
            break
        if not _LISTED_END.match(text, pin.end()):
            break
        end = pin.end()
    return Reading([Found(f"fr:{volume}/{first}", anchor.start(), end)], end)


def read_law(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read Public Laws."""
    found: list[Found] = []
    start, position, end = anchor.start(), anchor.end(), anchor.end()
    while law := _NUMBER.match(text, position):
        short = anchor[0].startswith("PL") and len(law[1]) < 3
        if short or int(law[1]) > LAST_CONGRESS:
            break
        found.append(Found(f"pl:{law[1]}-{law[2]}", start, law.end()))
        end = law.end()
        if (following := _NEXT_LAW.match(text, end)) is None:
            break
        start = position = following.end()
    return Reading(found, end)
