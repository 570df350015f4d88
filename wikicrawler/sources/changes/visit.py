"""Lines about the visit, by several signs that agree, whatever their other words.

A line is about the visit only if a word says so, the value fits the word (a clock time for a
retrieval, a count for readers, minutes for a queue), nothing in it is the sign of a fact, and few
of its words are unknown. At the edge of a document more words may be unknown than in its text.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes import furniture_words
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
_MAX_COMMAND = 7
_MAX_BANNER = 60
"""Words of a banner about cookies, a letter of news or the state of the site."""
_LEAST_ID = 8
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_DIGIT = re.compile(r"\d")
_SECONDS = re.compile(r"(?<![\d:.])\d{1,2}:\d{2}:(?!00|59)\d{2}(?!\d)")
"""A time with seconds is that of a machine; people close things at 17:00:00 or 23:59:59."""
_HAS_CLOCK = re.compile(r"(?<![\d:.])\d{1,2}[:h]\d{2}(?!\d)|\d ?[ap]\.?m\b", re.IGNORECASE)
_COUNT = re.compile(rf"(?<![\w.,]){N}(?![\w.,%]*[\w%])", re.IGNORECASE)
_YEAR = re.compile(r"\b(since|seit|depuis|desde|dal|sinds|from) (?:19|20)\d{2}\b", re.IGNORECASE)
_MINUTES = re.compile(
    r"\b\d{1,3}(?: ?(?:-|to|bis|à|a) ?\d{1,3})? ?(?:h|hrs?|hours?|stunden?|heures?|horas?|ore|uur)?"
    r" ?(?:min(?:ute[ns]?|utos?|uti|uten|\.)?|secs?|seconds?)(?!\w)",
    re.IGNORECASE,
)
_SCALE = re.compile(
    r"(?:\b1[ /|]{1,3}2[ /|]{1,3}3[ /|]{1,3}4[ /|]{1,3}5\b(?:[ /|\d]{0,20})?)|[★☆⭐]{2,10}"
)
_STAR = re.compile(r"[★☆⭐]")
_SCORE = re.compile(r"(?<![\w.,])\d{1,2}(?:[.,]\d{1,2})?(?![\w%])")
_VOTES = re.compile(
    rf"[(\[,·-] ?{N} ([^\W\d_]{{2,20}}(?: [^\W\d_]{{2,20}})?)[)\]]?$|[(\[]{N}[)\]]$", re.IGNORECASE
)
_DEGREES = re.compile(r"[-−]?\d{1,3} ?°(?: ?[CF]\b)?")
_PLACE = re.compile(
    r"(?:(?:showing|viewing|displaying|result|record|item|document|entry|match|hit|treffer|eintrag|"
    r"résultat|resultado|risultato|resultaat)s? )?\d[\d,.]{0,8}(?: ?[-–] ?\d[\d,.]{0,8})? "
    r"(?:of|von|sur|de|di|van) \d[\d,.]{0,10} "
    r"(?:results?|records?|items?|documents?|entries|matches|hits|labels|treffern?|einträgen?|"
    r"résultats?|resultados?|risultati|resultaten)|"
    r"(?:result|record|item|document|entry|match|hit|treffer)s? \d[\d,.]{0,8} (?:of|von) \d[\d,.]{0,10}",
    re.IGNORECASE,
)
"""The place of the page among the results of a search."""


def is_of_visit(line: str, *, edge: bool) -> bool:
    """Return True if *line*, of visible text, is about the visit; *edge* if it stands at the
    edge of the document."""
    line = line.strip(" *_")
    if not 2 < len(line) <= MAX_LINE:
        return False
    if not _DIGIT.search(line):
        return is_command(line) or is_request(line)
    if words.FACT.search(line) or IDENTIFIER.search(line):
        return False
    if is_request(line) or _is_rating(line) or _names_visit(line):
        return True
    if edge and _PLACE.fullmatch(line):
        return True
    shown = _YEAR.sub(r"\1", line)
    hidden = masked(shown)
    most = _MOST_UNKNOWN_AT_EDGE if edge else _MOST_UNKNOWN
    if len(_WORD.findall(hidden)) > _MAX_WORDS:
        return False
    return (
        _is_access(line, hidden, most, edge=edge)
        or _is_count(_COUNT.findall(hidden), hidden, most, edge=edge)
        or _is_time(shown, most, edge=edge)
        or (edge and _is_weather(line))
    )


def _unknown(text: str, *signs: re.Pattern[str]) -> int:
    """The number of words of *text* that neither a sign nor the known words have."""
    for sign in signs:
        text = sign.sub(lambda found: "" if found[0] else " ", text)
    return sum(len(word) > 1 and word not in words.KNOWN for word in _WORD.findall(text.lower()))


def _is_access(line: str, hidden: str, most: int, *, edge: bool) -> bool:
    """Return True for the time at which a machine made the page or somebody asked for it."""
    found = [sign for sign in signs_of(hidden) if sign != TOOK]
    if not found or len(found) > 2 or set(found) - {DATE, CLOCK, AGO}:
        return False
    if _DIGIT.search(hidden):
        return False
    seconds, clock = bool(_SECONDS.search(line)), bool(_HAS_CLOCK.search(line)) or AGO in found
    rest = _WORD.findall(hidden)
    if edge and seconds and not rest:
        return True
    if words.CLOCK.search(hidden):
        return clock and _unknown(hidden, words.CLOCK) == 0
    if words.ACCESS.search(hidden) and (clock or (edge and words.LOOKED_UP.search(hidden))):
        return _unknown(hidden, words.ACCESS) <= (most if clock else most // 2)
    if edge and seconds and (words.UPDATED.search(hidden) or words.MACHINE.search(line)):
        return _unknown(hidden, words.UPDATED) < most
    return False


def _is_count(counts: list[str], hidden: str, most: int, *, edge: bool) -> bool:
    """Return True for the number of those who have read this page, or read it now."""
    if len(counts) != 1 or signs_of(hidden) not in ([], [DATE]):
        return False
    rest = _COUNT.sub("", hidden)
    if _DIGIT.search(rest):
        return False
    if words.ONLINE.search(rest) and words.PEOPLE.search(rest):
        if words.NOW.search(rest) or edge:
            unknown = _unknown(rest, words.ONLINE, words.PEOPLE, words.NOW)
            return unknown <= (most // 2 if words.NOW.search(rest) else 0)
        return False
    if not words.USED.search(rest):
        return False
    listed = frozenset(_WORD.findall(rest.lower()))
    read = not listed.isdisjoint(words.SUBJECT) and not listed.isdisjoint(furniture_words.THIS)
    if not read and not (edge and words.SPAN.search(rest)):
        return False
    return _unknown(rest, words.USED, words.SPAN) <= most // 2


def _is_time(line: str, most: int, *, edge: bool) -> bool:
    """Return True for minutes to wait now, or to read the page."""
    found = _MINUTES.findall(line)
    rest = _MINUTES.sub("", line)
    if len(found) != 1 or _DIGIT.search(rest):
        return False
    if words.WAIT.search(rest):
        unknown = _unknown(rest, words.WAIT, words.NOW)
        return unknown <= max(2, most) if words.NOW.search(rest) else edge and unknown == 0
    return bool(words.READ.search(rest)) and _unknown(rest, words.READ) == 0


def _is_rating(line: str) -> bool:
    """Return True for a score with the number of its votes, or a scale to pick from."""
    if not (_STAR.search(line) or words.RATED.search(line)):
        return False
    rest = _SCALE.sub(" ", line)
    votes = _VOTES.search(rest)
    if not votes or not (words.VOTES.fullmatch(votes[1] or "") or _STAR.search(line)):
        return False
    before = rest[: votes.start()]
    scores = _SCORE.findall(before)
    return len(scores) == 1 and _unknown(before, words.RATED) <= 2


def _names_visit(line: str) -> bool:
    """Return True for a random value behind a label such as ``Request ID``."""
    found = words.ID_LABEL.fullmatch(line.strip(" ."))
    return bool(found) and len(found[1]) >= _LEAST_ID and is_random(found[1])


def _is_weather(line: str) -> bool:
    if not _DEGREES.search(line) or not words.WEATHER.search(line):
        return False
    rest = _DEGREES.sub("", line)
    return not _DIGIT.search(rest) and _unknown(rest, words.WEATHER) <= 1


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
    line = _SCALE.sub(" ", line)
    listed = _WORD.findall(line.lower())
    if not 2 < len(listed) <= _MAX_WORDS or _DIGIT.search(line):
        return False
    shown = frozenset(listed)
    if shown.isdisjoint(furniture_words.PAGE) or shown.isdisjoint(furniture_words.THIS):
        return False
    asks = "?" in line or listed[0] in furniture_words.RATES
    if not asks or shown.isdisjoint(words.OPINION):
        return False
    return (
        sum(word not in furniture_words.ASKING and word not in words.KNOWN for word in listed) <= 2
    )


def is_sponsored(line: str) -> bool:
    """Return True for an advertisement, or a thought of the day, behind its label."""
    return len(line) <= 2 * MAX_LINE and bool(
        words.SPONSORED.match(line) or words.OF_DAY.match(line)
    )


def is_invitation(line: str) -> bool:
    """Return True for a notice about cookies, or an invitation to get letters of news."""
    if _DIGIT.search(line) or len(_WORD.findall(line)) > _MAX_BANNER:
        return False
    return bool(
        (words.COOKIES.search(line) and words.CONSENT.search(line) and words.OURS.search(line))
        or (words.NEWSLETTER.search(line) and words.INVITES.search(line))
    )


def is_state_of_site(line: str) -> bool:
    """Return True for a notice that the site is maintained, or offices have a holiday."""
    if len(_WORD.findall(line)) > _MAX_BANNER // 2 or words.FACT.search(line):
        return False
    if words.SITE.search(line) and (
        words.MAINTENANCE.search(line)
        or (words.UNAVAILABLE.search(line) and words.SOON.search(line))
    ):
        return True
    return bool(
        _DIGIT.search(line)
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
    return len(line) <= MAX_LINE and any(
        pattern.fullmatch(line.strip(" ."))
        for pattern in (words.MACHINE, words.BUILD, words.POWERED)
    )
