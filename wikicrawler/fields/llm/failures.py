"""What an unsuccessful response means, and how long to wait after it."""

from __future__ import annotations

import re
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from typing import TYPE_CHECKING

from wikicrawler.fields.llm.requests import Format

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.fields.llm.requests import Habits, Question
    from wikicrawler.fields.llm.responses import ErrorBody

MAX_WAIT = 86_400.0
"""Seconds; a longer wait is taken for this."""


class Meaning(Enum):
    """What to do after an unsuccessful response."""

    SHRINK = auto()
    """The prompt is too long."""
    BAD = auto()
    """The request is refused for ever."""
    KEY = auto()
    """The key is refused."""
    MODEL = auto()
    """There is no such model, or no such API."""
    MONEY = auto()
    """The account of the key is used up."""
    WAIT = auto()
    """Too many requests with this key."""
    RETRY = auto()
    """The server failed."""


_LONG_CODES = {"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"}
_LONG = re.compile(
    r"maximum context length|context[ _]length|context window|context size|prompt is too long"
    r"|too many tokens|reduce the length|input is too long|exceeds the maximum number of tokens",
    re.IGNORECASE,
)
_MONEY = {
    "insufficient_quota",
    "credit_balance_exhausted",
    "organization_spend_limit_exceeded",
    "project_spend_limit_exceeded",
    "organization_usage_limit_exceeded",
    "billing_hard_limit_reached",
    "billing_not_active",
    "insufficient_balance",
}
_MONEY_TEXT = re.compile(
    r"insufficient (?:quota|balance|credits)|exceeded your current quota", re.IGNORECASE
)
_GEMINI_RATE = re.compile(r"per ?(?:minute|day)|retry in", re.IGNORECASE)
_FORMAT = re.compile(
    r"response_?format|json_?schema|json_?object|structured[ _]output|guided_|grammar",
    re.IGNORECASE,
)
_BAD_SCHEMA = re.compile(r"invalid schema|schema (?:is )?invalid|bad schema", re.IGNORECASE)
_NO_MODEL = re.compile(r"model[^.]{0,200}(?:not found|does not exist|not exist)", re.IGNORECASE)
_KEY_CODES = {"invalid_api_key", "authentication_error"}


def meaning_of(status: int, error: ErrorBody) -> Meaning:  # noqa: PLR0911 - a table
    """Return what a response that is no answer means."""
    names = {error.code, error.type}
    if status == 402 or (status in {400, 403, 429} and _is_about_money(error)):
        return Meaning.MONEY
    if status == 413 or names & _LONG_CODES:
        return Meaning.SHRINK
    if status in {400, 422} and _LONG.search(error.message):
        return Meaning.SHRINK
    if status == 429 and error.message.lower().startswith("request too large"):
        return Meaning.SHRINK  # larger than a minute's tokens: it would never pass
    if status in {401, 403} or names & _KEY_CODES:
        return Meaning.KEY
    if status == 404 or error.code == "model_not_found":
        return Meaning.MODEL
    if status == 400 and _NO_MODEL.search(error.message):
        return Meaning.MODEL
    if status == 429:
        return Meaning.WAIT
    if status in {408, 409, 425} or status >= 500:
        return Meaning.RETRY
    return Meaning.BAD


def adapt(question: Question, sent: Habits, habits: Habits, error: ErrorBody) -> bool:
    """Change *habits* so that a request that was refused with *error* is made in another way.

    Return False if there is none.

    :param sent: the habits with which the refused request was made; another call may have changed
        *habits* since
    """
    now = habits.for_request(question)
    text = f"{error.param} {error.message}"
    form = sent.best_format
    if now != sent:
        return True
    if "max_completion_tokens" in text and sent.max_tokens_name == "max_tokens":
        habits.max_tokens_name = "max_completion_tokens"
    elif "temperature" in text and sent.takes_temperature:
        habits.takes_temperature = False
    elif form is Format.PLAIN or not _FORMAT.search(text):
        return False
    elif form is Format.SCHEMA and _BAD_SCHEMA.search(text):
        habits.rejected_schemas.add(question.schema_hash)
    else:
        habits.best_format = Format(form - 1)
    return True


def wait_of(headers: Mapping[str, str], now: float) -> float | None:
    """Return the seconds to wait that a response names, from 0 to :data:`MAX_WAIT`; else None.

    ``retry-after-ms`` precedes ``retry-after`` (seconds, or a date), which precede
    ``x-ratelimit-reset-requests`` and ``-tokens`` (``12ms``, ``1m3s``; the one whose ``remaining``
    is 0, or the longer one).

    :param now: seconds since 1970
    """
    given = {name.lower(): value.strip() for name, value in headers.items()}
    if (milliseconds := _number(given.get("retry-after-ms", ""))) is not None:
        return min(milliseconds / 1000, MAX_WAIT)
    after = given.get("retry-after", "")
    if (seconds := _number(after)) is not None:
        return min(seconds, MAX_WAIT)
    if (until := _date(after)) is not None:
        return min(max(until - now, 0.0), MAX_WAIT)
    resets = {
        kind: wait
        for kind in ("requests", "tokens")
        if (wait := parse_duration(given.get(f"x-ratelimit-reset-{kind}", ""))) is not None
    }
    used_up = [
        wait
        for kind, wait in resets.items()
        if given.get(f"x-ratelimit-remaining-{kind}", "") == "0"
    ]
    waits = used_up or list(resets.values())
    return min(max(waits), MAX_WAIT) if waits else None


_PART = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(ms|d|h|m|s)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_MAX_DURATION = 60


def parse_duration(text: str) -> float | None:
    """Return the seconds of a duration like ``12ms``, ``1m3s``, ``6h0m1.5s`` or ``2``."""
    text = text.strip().lower()
    if not text or len(text) > _MAX_DURATION:
        return None
    if (seconds := _number(text)) is not None:
        return seconds
    total, at = 0.0, 0
    while at < len(text):
        found = _PART.match(text, at)
        if found is None:
            return None
        total += float(found[1]) * _UNITS[found[2]]
        at = found.end()
    return total


def _is_about_money(error: ErrorBody) -> bool:
    if {error.code, error.type} & _MONEY:
        return True
    # Gemini's message about a limit a minute is worded like that of an account without money.
    return bool(_MONEY_TEXT.search(error.message)) and not _GEMINI_RATE.search(error.message)


def _number(text: str) -> float | None:
    try:
        number = float(text[:40])
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _date(text: str) -> float | None:
    try:
        return parsedate_to_datetime(text[:60]).timestamp()
    except (ValueError, TypeError, OverflowError, IndexError):
        return None
