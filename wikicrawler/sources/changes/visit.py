"""Lines about the visit, by several signs that agree, whatever their other words.

A line is about the visit only if a word says so, the value fits the word (a clock time for a
retrieval, a count for readers, minutes for a queue), nothing in it is the sign of a fact, and few
of its words are unknown. At the edge of a document more words may be unknown than in its text.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes import furniture_words, notices
from wikicrawler.sources.changes import visit_words as words
from wikicrawler.sources.changes.addresses import is_random
from wikicrawler.sources.changes.furniture import AGO_SIGN as AGO
from wikicrawler.sources.changes.furniture import CLOCK_SIGN as CLOCK
from wikicrawler.sources.changes.furniture import DATE_SIGN as DATE
from wikicrawler.sources.changes.furniture import TOOK_SIGN as TOOK
from wikicrawler.sources.changes.furniture import masked, signs_of
from wikicrawler.sources.changes.live_languages import N
from wikicrawler.sources.changes.phrases import IDENTIFIER

MAX_LINE = 160
_MAX_WORDS = 18
_MOST_UNKNOWN = 1
_MOST_UNKNOWN_AT_EDGE = 4
_MAX_LABEL = 4
_MOST_BESIDE_RATING = 2
_MOST_TIMES = 2
_LEAST_ID = 8
_MOST_BESIDE_WEATHER = 2
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DIGIT = re.compile(r"\d")
_BOUNDARY = re.compile(r"[^.\s]{3}[.!?] +[A-ZÀ-Ý\d]")
"""The end of a sentence before another: each is judged alone."""
_SECONDS = re.compile(r"(?<![\d:.])\d{1,2}:\d{2}:(?!00|59)\d{2}(?!\d)")
"""A time with seconds is that of a machine; people close things at 17:00:00 or 23:59:59."""
_HAS_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}[:h]\d{2}(?!\d)|\d ?[ap]\.?m\b", re.IGNORECASE)
_COUNT = re.compile(rf"(?<![\w.,]){N}(?![\w.,%]*[\w%])", re.IGNORECASE)
_YEAR = re.compile(r"\b(since|seit|depuis|desde|dal|sinds|from) (?:19|20)\d{2}\b", re.IGNORECASE)
_PARENTHESISED = re.compile(r"\d{1,4} ?\)")
_STAR = re.compile(r"[★☆⭐]")
_SCORE = re.compile(r"(?<![\w.,])\d{1,2}(?:[.,]\d{1,2})?(?![\w%])")
_VOTES = re.compile(
    rf"[(\[,·-] ?{N} ([^\W\d_]{{2,20}}(?: [^\W\d_]{{2,20}})?)[)\]]?$|[(\[]{N}[)\]]$", re.IGNORECASE
)
_DEGREES = re.compile(r"[-−]?\d{1,3} ?°(?: ?[CF]\b)?")


def is_of_visit(line: str, *, edge: bool) -> bool:
    """Return True if *line*, of visible text, is about the visit; *edge* if it stands at the
    edge of the document."""
    line = line.strip(" *_")
    if not 2 < len(line) <= MAX_LINE:
        return False
    if not _DIGIT.search(line):
        return notices.is_command(line) or notices.is_request(line)
    shown = _YEAR.sub(r"\1", line)
    hidden = masked(shown)
    if words.FACT.search(line) or IDENTIFIER.search(hidden):
        return False
    if _BOUNDARY.search(hidden.strip()):
        return notices.is_request(line)
    most = _MOST_UNKNOWN_AT_EDGE if edge else _MOST_UNKNOWN
    return (
        notices.is_request(line)
        or _is_rating(line)
        or _names_visit(line)
        or (len(_WORD.findall(hidden)) <= _MAX_WORDS and _is_access(line, hidden, most, edge=edge))
        or _is_count(_COUNT.findall(hidden), hidden, most, edge=edge)
        or _is_time(shown, most, edge=edge)
        or (edge and _is_aside(line))
    )


def has_fact(line: str) -> bool:
    """Return True if *line* has the sign of a fact: a word such as ``fee``, an amount, a number of
    a document."""
    return bool(words.FACT.search(line) or IDENTIFIER.search(line))


def _is_aside(line: str) -> bool:
    """Return True for what is no fact only at the edge of a document."""
    return bool(words.PLACE.fullmatch(line.strip(" ."))) or _is_alone(line) or _is_weather(line)


def _unknown(text: str, *signs: re.Pattern[str]) -> int:
    """The number of words of *text* that are neither known nor one of the *signs*."""
    for sign in signs:
        text = sign.sub("", text)
    return sum(len(word) > 1 and word not in words.KNOWN for word in _WORD.findall(text.lower()))


def _is_access(line: str, hidden: str, most: int, *, edge: bool) -> bool:
    """Return True for the time at which a machine made the page or somebody asked for it."""
    if edge and _is_duration(line):
        return True
    found = [sign for sign in signs_of(hidden) if sign != TOOK]
    if not 0 < len(found) <= _MOST_TIMES or _DIGIT.search(hidden):
        return False
    seconds = bool(_SECONDS.search(line))
    clock = AGO in found or bool(_HAS_CLOCK.search(line))
    if words.CLOCK.search(hidden):
        return clock and _unknown(hidden, words.CLOCK) == 0
    if words.ACCESS.search(hidden) and (clock or (edge and words.LOOKED_UP.search(hidden))):
        return _unknown(hidden, words.ACCESS) <= (most if seconds else min(most, 2))
    return edge and _is_moment(hidden, found, most, seconds=seconds)


def _is_moment(hidden: str, found: list[str], most: int, *, seconds: bool) -> bool:
    """Return True for the time of the visit, or the moment at which a machine updated a page."""
    if not _WORD.search(hidden):
        return seconds
    if words.TODAY.match(hidden.strip()) and found == [DATE]:
        return _unknown(hidden, words.TODAY) == 0
    if not words.UPDATED.search(hidden):
        return False
    unknown = _unknown(hidden, words.UPDATED, words.NOW)
    return unknown < most if seconds else found == [CLOCK] and unknown == 0


def _is_duration(line: str) -> bool:
    """Return True for how long a machine took."""
    rest, count = words.SHORT_TIME.subn("", line)
    if count != 1 or not words.TOOK.search(rest):
        return False
    return not _DIGIT.search(masked(rest)) and _unknown(masked(rest), words.TOOK) == 0


def _is_count(counts: list[str], hidden: str, most: int, *, edge: bool) -> bool:
    """Return True for the number of those who have read this page, or read it now."""
    if len(counts) != 1 or signs_of(hidden) not in ([], [DATE]):
        return False
    rest = _COUNT.sub("", hidden)
    if _DIGIT.search(rest):
        return False
    if words.ONLINE.search(rest) and words.PEOPLE.search(rest):
        now = bool(words.NOW.search(rest))
        unknown = _unknown(rest, words.ONLINE, words.PEOPLE, words.NOW)
        if now:
            return unknown <= most // 2
        return edge and unknown == 0 and _stands_apart(hidden)
    listed = frozenset(_WORD.findall(rest.lower()))
    read = not listed.isdisjoint(words.SUBJECT) and not listed.isdisjoint(furniture_words.THIS)
    return (
        bool(words.USED.search(rest))
        and _stands_apart(hidden)
        and (read or (edge and bool(words.SPAN.search(rest))))
        and _unknown(rest, words.USED, words.SPAN) <= most // 2
    )


def _stands_apart(line: str) -> bool:
    """Return True if the count is the first or last of *line*, or its last word is what it counts:
    a count within a sentence is a statement."""
    shown = line.strip(" ()[].:!")
    found = _COUNT.search(shown)
    if not found:
        return False
    behind = shown[found.end() :].split()
    return (
        found.start() == 0 or not behind or (len(behind) == 1 and bool(words.USED.match(behind[0])))
    )


def _is_time(line: str, most: int, *, edge: bool) -> bool:
    """Return True for minutes to wait now, or to read the page."""
    found = words.MINUTES.findall(line)
    rest = words.MINUTES.sub("", line)
    if len(found) != 1 or _DIGIT.search(rest):
        return False
    if words.WAIT.search(rest):
        unknown = _unknown(rest, words.WAIT, words.NOW)
        return unknown <= max(2, most) if words.NOW.search(rest) else edge and unknown == 0
    return bool(words.READ.search(rest)) and _unknown(rest, words.READ, words.NOW) == 0


def _is_alone(line: str) -> bool:
    """Return True for the program or machine of a site, or a list of the visitor with a count."""
    if any(pattern.fullmatch(line.strip(" .")) for pattern in (words.POWERED, words.HOST)):
        return True
    label, _, count = line.partition("(")
    listed = label.lower().split()
    return (
        0 < len(listed) <= _MAX_LABEL
        and bool(_PARENTHESISED.fullmatch(count))
        and not words.LISTS.isdisjoint(listed)
        and all(word in words.LISTS or word in words.BESIDE_LISTS for word in listed)
    )


def _is_rating(line: str) -> bool:
    """Return True for a score with the number of its votes, or a scale to pick from."""
    if not (_STAR.search(line) or words.RATED.search(line)):
        return False
    rest = words.SCALE.sub(" ", line)
    votes = _VOTES.search(rest)
    if not votes:
        return False
    before = rest[: votes.start()]
    if not _STAR.search(line) and not (
        words.VOTES.fullmatch(votes[1] or "") and words.RATED.search(before)
    ):
        return False
    scores = _SCORE.findall(before)
    return len(scores) == 1 and _unknown(before, words.RATED) <= _MOST_BESIDE_RATING


def _names_visit(line: str) -> bool:
    """Return True for a random value behind a label such as ``Request ID``."""
    found = words.ID_LABEL.fullmatch(line.strip(" ."))
    return found is not None and len(found[1]) >= _LEAST_ID and is_random(found[1])


def _is_weather(line: str) -> bool:
    if not _DEGREES.search(line) or not words.WEATHER.search(line):
        return False
    rest = _DEGREES.sub("", line)
    return not _DIGIT.search(rest) and _unknown(rest, words.WEATHER) <= _MOST_BESIDE_WEATHER
