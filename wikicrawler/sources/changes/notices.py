"""Notices and labels of a site without a number: buttons, requests for feedback, banners.

As in ``visit``, several signs agree: a word of the kind, and one that says what it is about.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes import furniture_words
from wikicrawler.sources.changes import visit_words as words

_MAX_LINE = 320
_MAX_COMMAND = 7
_MAX_WORDS = 18
_MAX_BANNER = 60
"""Words of a notice about cookies or letters of news."""
_MAX_STATE = 30
_MOST_UNKNOWN = 2
_MOST_NUMBERS = 2
"""Numbers of the date at which an office is closed; with more it is a list of holidays."""
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")


def is_consent(line: str) -> bool:
    """Return True for the buttons of a notice about cookies."""
    listed = frozenset(_WORD.findall(line.lower()))
    return (
        1 < len(listed) <= _MAX_COMMAND
        and len(listed & words.CONSENTS) > 0
        and listed <= words.CONSENTS | words.BESIDE_CONSENTS
    )


def is_related(label: str) -> bool:
    """Return True for a label of pages that readers may like, too."""
    listed = frozenset(_WORD.findall(label.lower()))
    return (
        1 < len(listed) <= _MAX_COMMAND
        and not listed.isdisjoint(words.RELATING)
        and listed <= words.RELATING | words.BESIDE_RELATING
    )


def is_command(line: str) -> bool:
    """Return True for the label of a button that does something with the page."""
    listed = [word for word in re.split(r"[\s,]+", line.lower().strip(" .:")) if word]
    if not 1 < len(listed) <= _MAX_COMMAND or listed[0] not in words.COMMANDS:
        return False
    return not words.OBJECTS.isdisjoint(listed) and all(
        word in words.COMMANDS or word in words.OBJECTS or word in words.BESIDE_COMMANDS
        for word in listed
    )


def is_request(line: str) -> bool:
    """Return True for a question about the page, or a request to rate it, with its scale."""
    line = words.SCALE.sub(" ", line)
    listed = _WORD.findall(line.lower())
    if not 2 < len(listed) <= _MAX_WORDS or _DIGIT.search(line):
        return False
    shown = frozenset(listed)
    if shown.isdisjoint(words.ASKED_ABOUT) or shown.isdisjoint(furniture_words.THIS):
        return False
    asks = "?" in line or listed[0] in furniture_words.RATES
    known = furniture_words.ASKING | words.KNOWN
    return (
        asks
        and not shown.isdisjoint(words.OPINION)
        and sum(word not in known for word in listed) <= _MOST_UNKNOWN
    )


def is_sponsored(line: str) -> bool:
    """Return True for the label of an advertisement with what it is for."""
    return len(line) <= _MAX_LINE and bool(words.SPONSORED.match(line))


def is_of_day(line: str) -> bool:
    """Return True for a tip of the day, or another that changes by itself."""
    return len(line) <= _MAX_LINE and bool(words.OF_DAY.match(line))


def is_invitation(line: str) -> bool:
    """Return True for a notice about cookies, or an invitation to get letters of news."""
    if _DIGIT.search(line) or len(_WORD.findall(line)) > _MAX_BANNER or words.FACT.search(line):
        return False
    return bool(
        (
            words.COOKIES.search(line)
            and words.OURS.search(line)
            and len({found.lower() for found in words.CONSENT.findall(line)}) > 1
            and not words.NEGATION.search(line)
        )
        or (words.NEWSLETTER.search(line) and words.INVITES.search(line))
    )


def is_state_of_site(line: str) -> bool:
    """Return True for a notice that the site is maintained, or offices have a holiday."""
    if len(_WORD.findall(line)) > _MAX_STATE or words.FACT.search(line):
        return False
    if words.MAINTENANCE.search(line) and words.SITE.search(line):
        return bool(words.SOON.search(line))
    return bool(
        0 < len(_NUMBER.findall(line)) <= _MOST_NUMBERS
        and words.CLOSED.search(line)
        and words.OFFICES.search(line)
        and words.HOLIDAY.search(line)
    )


def is_promotion(line: str) -> bool:
    """Return True for words of an offer, and none of a fact."""
    return (
        len(_WORD.findall(line)) <= _MAX_WORDS
        and bool(words.PROMOTES.search(line))
        and not words.FACT.search(line)
    )


def is_of_machine(line: str) -> bool:
    """Return True for the machine or program that made the page, beside other parts of its foot."""
    return len(line) <= _MAX_LINE and any(
        pattern.fullmatch(line.strip(" ."))
        for pattern in (words.MACHINE, words.BUILD, words.POWERED)
    )
