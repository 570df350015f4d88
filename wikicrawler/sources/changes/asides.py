"""Asides of a site at the edges of a document: about this moment, this reader, the machine that
made the page, or another page.

A text says the same whoever reads it, and whenever. An aside has a word for the moment or the
reader, a value or a slot that fits it, and no word of a fact. It is about something else than the
title. Each of the sentences of a line must be an aside; a greeting or a tip is one beside another.
"""

from __future__ import annotations

import re

from wikicrawler.sources.changes import aside_words as words
from wikicrawler.sources.changes.furniture import CLOCK_SIGN, DATE_SIGN, masked, signs_of
from wikicrawler.sources.changes.live_languages import N
from wikicrawler.sources.changes.phrases import IDENTIFIER
from wikicrawler.sources.changes.visit import is_of_visit
from wikicrawler.sources.changes.visit_words import FACT

MAX_LINE = 240
_MAX_SENTENCES = 4
_MAX_WORDS = 24
_MAX_LABEL = 8
_MOST_TIMES = 2
_MOST_BESIDE_COUNT = 9
_LEAST_STEM = 5
_LEAST_DIGITS = 4
_MOST_BESIDE_STAMP = 3
_WORD = re.compile(r"[^\W\d_]+(?:[-'][^\W\d_]+)*")
_DIGIT = re.compile(r"\d")
_SENTENCES = re.compile(r"(?:(?<=[^.\s]{2}[.!?])|(?<=and \d[.!?])) +(?=[A-ZÀ-Ý¿¡\d\[*\"])")
_COUNT = re.compile(rf"(?<![\w.,/]){N}(?![\w.,%/]*[\w%])", re.IGNORECASE)
_LABEL = re.compile(r"([^:?!]{3,80}[:?!])(?=[ \"]|$)")
_CLOCK = re.compile(r"\d{1,2}[:h.]\d{2}(?!\d)|\d ?[ap]\.?m\b", re.IGNORECASE)
_GOES_ON = re.compile(r"\b(?:are|is) (?:now )?[a-z]{3,12}ing$", re.IGNORECASE)
_SECONDS = re.compile(r"(?<![\d:.])\d{1,2}:\d{2}:\d{2}(?!\d)")


def stems(text: str) -> frozenset[str]:
    """The beginnings of the long words of *text*, by which a line is about the same subject."""
    return frozenset(
        word[:_LEAST_STEM] for word in _WORD.findall(text.casefold()) if len(word) >= _LEAST_STEM
    )


def is_aside(line: str, subject: frozenset[str]) -> bool:
    """Return True if all of *line*, of visible text at the edge of a document, is an aside.

    :param subject: the stems of the headings, which say what the document is about
    """
    line = line.strip(" *_")
    if not 4 < len(line) <= MAX_LINE or len(_WORD.findall(line)) > _MAX_WORDS:
        return False
    if _is_slot(line, subject):
        return True
    sentences = _SENTENCES.split(line, _MAX_SENTENCES)
    found = [
        is_sentence(sentence, subject) or is_of_visit(sentence, edge=True) for sentence in sentences
    ]
    return any(found) and all(
        aside or _is_beside(sentence) for aside, sentence in zip(found, sentences, strict=True)
    )


def is_sentence(sentence: str, subject: frozenset[str]) -> bool:
    """Return True if the one *sentence* is about the moment, the reader or the machine."""
    if len(sentence) > MAX_LINE:
        return False
    bare = sentence.strip(" .!*_()")
    if words.OPEN.fullmatch(bare) or words.SITE_COUNT.fullmatch(bare):
        return True
    if not _DIGIT.search(bare):
        return _is_sum(bare)
    if (
        _is_machine(bare)
        or _is_quote(bare, subject)
        or words.SERVING.fullmatch(bare)
        or (_SECONDS.search(bare) and _counts_down(bare))
    ):
        return True
    if FACT.search(bare) or IDENTIFIER.search(masked(bare)) or words.MONEY.search(bare):
        return False
    return (
        _is_moment(bare)
        or _is_sum(bare)
        or _is_of_reader(bare)
        or _is_service(bare, subject)
        or _is_condition(bare, subject)
    )


def _is_beside(sentence: str) -> bool:
    """Return True for a greeting, a tip or the time that is left, beside an aside."""
    bare = sentence.strip(" .!,")
    if words.BUSY.fullmatch(bare):
        return True
    if words.GREETING.fullmatch(bare) or (words.TIP.match(bare) and not _DIGIT.search(bare)):
        return True
    return _counts_down(bare)


def _counts_down(bare: str) -> bool:
    return bool(
        words.LENGTH.search(bare)
        and words.COUNTS_DOWN.search(bare)
        and not words.OBLIGES.search(bare)
        and len(_WORD.findall(bare)) <= _MAX_WORDS // 2
    )


def _is_moment(bare: str) -> bool:
    """Return True for a sentence that says what time or day it is."""
    found = words.IT_IS.match(bare)
    if not found:
        return False
    hidden = masked(words.PLACE.sub("", bare[found.end() :]))
    signs = signs_of(hidden)
    return (
        0 < len(signs) <= _MOST_TIMES
        and set(signs) <= {CLOCK_SIGN, DATE_SIGN}
        and (signs[0] == DATE_SIGN or not found["day"])
        and (CLOCK_SIGN in signs or bool(found["day"]))
        and not _DIGIT.search(hidden)
        and words.BESIDE_TIME.issuperset(_WORD.findall(hidden.lower()))
    )


def _is_slot(line: str, subject: frozenset[str]) -> bool:
    """Return True for the label of a slot whose content changes by itself, and the content."""
    if any(slot.match(line) for slot in (words.PARTNER, words.NUMBERED_TIP)) or any(
        slot.fullmatch(line) for slot in (words.POLL, words.NAMED_SPEAKER)
    ):
        return True
    if FACT.search(line) or IDENTIFIER.search(line):
        return False
    if words.SURVEY.fullmatch(line) or any(
        start.match(line) for start in (words.SLOT, words.OF_APP, words.ANOTHER)
    ):
        return True
    found = _LABEL.match(line)
    if not found or not line[found.end() :].strip():
        return False
    label = found[1][:-1].strip(" ,")
    if words.ELSEWHERE.fullmatch(label) or words.MOST_USED.fullmatch(label):
        return True
    return (
        len(_WORD.findall(label)) <= _MAX_LABEL
        and not _DIGIT.search(label)
        and subject.isdisjoint(stems(label))
        and _is_fresh(label, line[found.end() :])
    )


def _is_fresh(label: str, content: str) -> bool:
    """Return True for the *label* of a slot that has another *content* soon."""
    if words.APPOINTMENT.search(label):
        return bool(_CLOCK.search(content))
    return any(slot.search(label) for slot in (words.OF_PERIOD, words.NEWEST, words.OF_TODAY))


def _is_of_reader(bare: str) -> bool:
    """Return True for the address of the reader, what is near, or what is left to the reader."""
    if found := words.IP.search(bare):
        return bool(
            words.READER.search(bare[: found.start()]) and not words.CONFIGURES.search(bare)
        )
    return bool(words.NEAREST.search(bare) or words.QUOTA.search(bare))


def _is_service(bare: str, subject: frozenset[str]) -> bool:
    """Return True for the number of those who are served today, this week, or now."""
    if words.OPEN_COUNT.search(bare):
        return bool(words.NOW.search(bare) or words.TODAY.search(bare))
    if words.HERE.search(bare):
        return len(_WORD.findall(bare)) <= _MOST_BESIDE_COUNT
    served = words.SERVED.search(bare)
    if not served or not (words.TODAY.search(bare) or _GOES_ON.search(served[0])):
        return False
    if len(_COUNT.findall(bare)) != 1 or signs_of(masked(bare)):
        return False
    return len(_WORD.findall(bare)) <= _MOST_BESIDE_COUNT and subject.isdisjoint(stems(bare))


def _is_condition(bare: str, subject: frozenset[str]) -> bool:
    """Return True for weather, traffic and the like as they are now."""
    if not words.CONDITIONS.search(bare) or DATE_SIGN in masked(bare):
        return False
    if not (words.AS_OF.search(bare) or words.NOW.search(bare) or words.TODAY.search(bare)):
        return False
    if not words.STATE.search(bare):
        return False
    return subject.isdisjoint(stems(bare))


def _is_machine(bare: str) -> bool:
    """Return True for a run of a program, the stamp of an output, or the program of the site."""
    if words.SOFTWARE.fullmatch(bare):
        return True
    found = words.JOB.fullmatch(bare)
    if found and len(_DIGIT.findall(found["value"] or found["other"])) >= _LEAST_DIGITS:
        return True
    start = words.STAMP.match(bare)
    if not start or not _SECONDS.search(bare):
        return False
    rest = words.WEEKDAY_AND_YEAR.sub(" ", bare[start.end() :])
    rest = masked(words.BY_WHOM.sub(" ", rest))
    return len(_WORD.findall(rest)) <= _MOST_BESIDE_STAMP and len(signs_of(rest)) in (1, 2)


def _is_quote(bare: str, subject: frozenset[str]) -> bool:
    """Return True for the price of a currency or a share with its change, unless the document is
    about such prices."""
    return (
        subject.isdisjoint(words.OF_MARKETS)
        and bool(words.TRADED.search(bare) and words.ARROW.search(bare))
        and len(_WORD.findall(bare)) <= _MAX_LABEL
    )


def _is_sum(bare: str) -> bool:
    """Return True for a sum that the reader has to solve, in figures or words."""
    if not words.SUM.search(bare):
        return False
    return any(
        all(part.isdigit() or part.lower() in words.NUMERALS for part in found)
        for found in words.SUM_SIGN.findall(bare)
    )
