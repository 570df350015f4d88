"""The HTTP header Retry-After (RFC 9110, section 10.2.3)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrapy.http.headers import Headers

MAX_WAIT = 366 * 86_400.0
"""Maximum result in seconds. Callers cap it far lower."""

_SECONDS = re.compile(r"[0-9]+(?:\.[0-9]+)?", re.ASCII)
_MAX_DATE = 64
_MAX_DIGITS = 400
"""Digits that are read of a number; a float has at most 309 before its point."""


def parse_retry_after(value: bytes | str | None, now: datetime) -> float | None:
    """Return the seconds to wait from *now* (with a time zone) that the header's *value* asks for.

    The result is between 0 (a date in the past) and :data:`MAX_WAIT`; None without a value, or if
    it is neither a number of seconds nor a date. Never raises, because a server writes the value.
    """
    if value is None:
        return None
    value = value[: _MAX_DIGITS + _MAX_DATE]
    text = (value.decode("latin-1") if isinstance(value, bytes) else value).strip()[:_MAX_DIGITS]
    if _SECONDS.fullmatch(text):
        return min(float(text), MAX_WAIT)  # float() returns inf for thousands of digits
    date = _date_in(text)
    return None if date is None else min(max((date - now).total_seconds(), 0.0), MAX_WAIT)


def retry_after_of(headers: Headers) -> float | None:
    """Return what :func:`parse_retry_after` does, of the *headers* of a response. A date counts
    from the response's own, if it has one: the clock of this machine may be wrong."""
    value = headers.get(b"Retry-After")
    if value is None:
        return None
    date = (headers.get(b"Date") or b"")[: _MAX_DATE + 1].decode("latin-1")
    return parse_retry_after(value, _date_in(date) or datetime.now(UTC))


def _date_in(text: str) -> datetime | None:
    """Return the date, with a time zone, that *text* is; None if it is none."""
    if len(text) > _MAX_DATE:
        return None
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return date.replace(tzinfo=UTC) if date.tzinfo is None else date
