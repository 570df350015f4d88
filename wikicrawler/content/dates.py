"""Dates that a page states for machines, checked and written one way."""

from __future__ import annotations

import re
from datetime import date, datetime
from email.utils import parsedate_to_datetime

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
# Fractions of any length, and the zone's name in the place of its offset.
_FRACTION = re.compile(r"(?<=:\d\d)[.,]\d+")
_UTC = re.compile(r"\s*(?:UTC|GMT|Z)$", re.IGNORECASE)


def iso_date(stated: object) -> str | None:
    """*stated* as ISO 8601: ``2024-05-31`` or ``2024-05-31T08:30:00+02:00``.

    The day, the time and the offset are those that the page states: a time without an offset gets
    none. None for what is no full date, or no date at all.
    """
    if not isinstance(stated, str) or len(stated) > 100:
        return None
    text = " ".join(stated.split())
    try:
        if _DAY.fullmatch(text):
            return date.fromisoformat(text).isoformat()
        if _DAY.match(text):
            text = _UTC.sub("+00:00", _FRACTION.sub("", text))
            time = datetime.fromisoformat(re.sub(r"\s+(?=[+-]\d\d)", "", text))
        else:  # RFC 5322, as HTTP and feeds write it
            time = parsedate_to_datetime(text)
        return time.isoformat(timespec="seconds")
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
