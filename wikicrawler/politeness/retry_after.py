"""The HTTP header Retry-After (RFC 9110, section 10.2.3)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

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
    if len(text) > _MAX_DATE:
        return None
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return min(max((date - now).total_seconds(), 0.0), MAX_WAIT)
