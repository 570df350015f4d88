"""Sections and parts of the Code of Federal Regulations (CFR)."""

from __future__ import annotations

import re
from typing import NamedTuple

from wikicrawler.sources.citations.attachments import read_attachments
from wikicrawler.sources.citations.known import BANKING, REGULATIONS, KnownParts
from wikicrawler.sources.citations.model import Found, Reading
from wikicrawler.sources.citations.numbers import (
    CODE,
    END,
    LIST,
    OTHER_WORK,
    PART_WORD,
    RANGE,
    SECTION_SIGN,
)
from wikicrawler.sources.citations.paragraphs import read_paragraphs

LAST_TITLE = 50
_HYPHENS = {"26", "48"}
"""Titles whose sections have hyphens, like 1.6045-4."""
_HYPHENS_AFTER_LETTERS = {"17"}
"""Titles whose sections have hyphens after letters, like 240.10b-5."""
_HYPHENS_IN_PARTS = {"41"}
"""Titles whose parts have hyphens, like 60-1."""

CFR = (
    rf"(?<![\w.$])(?:(?:[Tt]itle )?+(?P<title>[0-9]{{1,2}}+)(?:,? ?(?:of the )?+){CODE}),?+ ?"
    rf"(?P<kind>{SECTION_SIGN}|{PART_WORD})?+(?=[0-9])"
)
"""Anchor of a citation with its title."""
SECTION_ALONE = rf"(?<![\w.]){SECTION_SIGN}(?=[0-9]{{1,4}}[a-z]?\.[0-9])"
"""Anchor of a section without a title."""
PART_ALONE = r"\b(?:[Pp]arts?|PARTS?) (?=[0-9]{1,4}(?![0-9.,]?[0-9]))"
"""Anchor of a part without a title."""
NUMBER_ALONE = r"(?<![\w.,$€£#/+-])(?<![$€£] )[0-9]{3,4}(?=\.[1-9])"
"""Anchor of a section without a sign."""
THIS_PART = r"\b[Tt]his part\b(?! of\b)"

_SECTION = re.compile(rf"([1-9][0-9]{{0,3}}+[a-z]?)\.([1-9][0-9]{{0,4}}+[a-z]{{0,2}}+){END}")
_HYPHENED_SECTION = re.compile(
    r"([1-9][0-9]{0,3}+)\.([1-9][0-9]{0,4}+[a-z]{0,2}+-[0-9]{1,3}+[A-Z]?)(?![0-9A-Za-z])"
)
_HYPHENED_PART = re.compile(
    r"([1-9][0-9]{0,2}+-[0-9]{1,3}+)(?:\.([1-9][0-9]{0,4}+[a-z]{0,2}+))?+" + END
)
_PART = re.compile(rf"([1-9][0-9]{{0,3}}+){END}{OTHER_WORK}")
_BETWEEN = re.compile(rf"{LIST}({SECTION_SIGN}|{PART_WORD})?+(?=[0-9])")
_SHORT = re.compile(rf"{LIST}\.([1-9][0-9]{{0,4}}+[a-z]{{0,2}}+){END}")
_TO = re.compile(rf"{RANGE}(?:{SECTION_SIGN})?+(?=[0-9])")
_TO_SHORT = re.compile(rf"(?: ?- ?\.?| (?:through|to) \.)([1-9][0-9]{{0,4}}+){END}")
_OF_PAGE = re.compile(r" of (?:this|the same) (?:title|chapter)\b")

_STATE = re.compile(
    r"(?:\b(?:Codes?|Stats?|Statutes?|Ann|Laws?|Guide|Const|Admin|Regs?|Rules?|Circular)\b"
    r"|(?:\b[A-Z]\.){2,6}|\b[A-Z]{2,4})\.?(?: Ann\.)?,? ?$"
)
_CONTRACT = re.compile(
    r",? (?:of|in|to|under) (?:the|this|that|your|our|such|an?|each|any|said) (?:\w{1,20} ){0,3}"
    r"(?:contract|agreement|lease|note|deed|mortgage|policy|terms|guide|manual|bylaws|plan"
    r"|handbook|declaration|report|instructions|paper|study|tool|document)s?\b"
)
_BEFORE = 40  # characters
_SMALLEST_ALONE = 100
"""A smaller part without a title is more often a section of a contract or report."""


class _Item(NamedTuple):
    key: str
    part: str
    number: str
    """The section; empty for a part."""
    end: int


def read_cfr(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read a citation that names its title, and those that are listed after it."""
    title = anchor["title"].lstrip("0")
    if not title or int(title) > LAST_TITLE:
        return Reading([], anchor.end())
    found: list[Found] = []
    end = _read_list(text, anchor.start(), anchor.end(), title, found)
    return Reading(found, end)


def read_section_alone(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read sections after § or the word, whose title is known or not."""
    found: list[Found] = []
    end = _read_list(text, anchor.start(), anchor.end(), "?", found)
    before = text[max(0, anchor.start() - _BEFORE) : anchor.start()]
    of_state = _STATE.search(before)
    of_contract = _CONTRACT.match(text, end)
    resolved = []
    for each in found:
        part = part_of(each.key)
        title = known.title_of(part)
        if of_state and (title is None or not of_state[0].strip(" ,").isupper()):
            continue
        if title is not None:
            resolved.append(each._replace(key=each.key.replace("?", title, 1)))
        elif not of_contract and (int(part) >= _SMALLEST_ALONE or "(" in each.key):
            resolved.append(each._replace(ambiguous=True))
    return Reading(resolved, end)


def read_part_alone(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read parts whose title is known."""
    found: list[Found] = []
    end = _read_list(text, anchor.start(), anchor.end(), "?", found, parts=True)
    of_page = _OF_PAGE.match(text, end)
    resolved = []
    for each in found:
        part = part_of(each.key)
        title = known.title_of(part) if int(part) >= _SMALLEST_ALONE else None
        if title is None and of_page:
            title = known.title
        if title is not None:
            resolved.append(each._replace(key=each.key.replace("?", title, 1)))
    return Reading(resolved, end)


def read_number_alone(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read sections without a sign: of the page's part, of a regulation, or with a paragraph."""
    part = anchor[0]
    title = known.title_of(part)
    if title is None:
        return Reading([], anchor.end())
    found: list[Found] = []
    end = _read_list(text, anchor.start(), anchor.start(), title, found)
    certain = part == known.part or (title == BANKING and part in REGULATIONS.values())
    if not found or not (certain or "(" in found[0].key):
        return Reading([], max(end, anchor.end()))
    return Reading(found, end)


def read_this_part(text: str, anchor: re.Match[str], known: KnownParts) -> Reading:
    """Read "this part" on a page whose part is known."""
    if known.part is None or known.title is None:
        return Reading([], anchor.end())
    key = f"cfr:{known.title}/{known.part}"
    return Reading([Found(key, anchor.start(), anchor.end())], anchor.end())


def part_of(key: str) -> str:
    """Return the part in the key of a citation of the CFR."""
    number = re.match(r"[0-9]*", key.partition("/")[2])
    return number[0] if number else ""


def _read_list(
    text: str, start: int, position: int, title: str, found: list[Found], *, parts: bool = False
) -> int:
    """Add the citations at *position* to *found*. Return where they end."""
    end = position
    while item := _read_item(text, position, title, parts_only=parts and not found):
        if not item.number and found and not parts:
            break  # a number after a list of sections
        parts = not item.number
        end = _add(text, position if found else start, item, title, found)
        while item.number and (short := _SHORT.match(text, end)):
            following = _Item(f"{item.part}.{short[1]}", item.part, short[1], short.end())
            end = _add(text, short.start(1), following, title, found)
        between = _BETWEEN.match(text, end)
        if between is None:
            break
        position = between.end()
        if between[1] and between[1][0] in "Pp":
            parts = True
    return end


def _add(text: str, start: int, item: _Item, title: str, found: list[Found]) -> int:
    """Add the citations of one section or part: its range, paragraphs or attachments."""
    key = f"cfr:{title}/{item.key}"
    if item.number and (paragraphs := read_paragraphs(text, item.end)):
        for index, paragraph in enumerate(paragraphs):
            begin = paragraph.start if index else start
            found.append(Found(key + paragraph.key, begin, paragraph.end))
        last, end = found[-1], paragraphs[-1].end
        if ".." not in last.key and (until := _read_range(text, end, item, title)):
            found[-1] = Found(f"{last.key}..{until.key}", last.start, until.end)
            return until.end
        return end
    if until := _read_range(text, item.end, item, title):
        found.append(Found(f"{key}..{until.key}", start, until.end))
        return until.end
    if not item.number and (attached := read_attachments(text, item.end)):
        for index, each in enumerate(attached):
            found.append(Found(key + each.key, each.start if index else start, each.end))
        return attached[-1].end
    found.append(Found(key, start, item.end))
    return item.end


def _read_item(text: str, position: int, title: str, *, parts_only: bool = False) -> _Item | None:
    if title in _HYPHENS_IN_PARTS and (item := _HYPHENED_PART.match(text, position)):
        number = item[2] or ""
        return _Item(f"{item[1]}.{number}" if number else item[1], item[1], number, item.end())
    if (
        title in _HYPHENS | _HYPHENS_AFTER_LETTERS
        and (item := _HYPHENED_SECTION.match(text, position))
        and (title in _HYPHENS or not item[2].partition("-")[0].isdigit())
    ):
        return _Item(item[0], item[1], item[2], item.end())
    if not parts_only and (item := _SECTION.match(text, position)):
        return _Item(item[0], item[1], item[2], item.end())
    if item := _PART.match(text, position):
        return _Item(item[1], item[1], "", item.end())
    return None


def _read_range(text: str, position: int, first: _Item, title: str) -> _Item | None:
    """Return the end of a range that starts with *first*, or None."""
    if to := _TO.match(text, position):
        last = _read_item(text, to.end(), title)
        if last and bool(last.number) == bool(first.number) and _is_after(last, first):
            paragraphs = read_paragraphs(text, last.end) if last.number else []
            if paragraphs and ".." not in paragraphs[0].key:
                return last._replace(key=last.key + paragraphs[0].key, end=paragraphs[0].end)
            return last
    if first.number and (short := _TO_SHORT.match(text, position)):
        last = _Item(f"{first.part}.{short[1]}", first.part, short[1], short.end())
        return last if _is_after(last, first) else None
    return None


def _is_after(last: _Item, first: _Item) -> bool:
    return _rank(last) > _rank(first)


def _rank(item: _Item) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"[0-9]+", f"{item.part}.{item.number}")[:2]))
