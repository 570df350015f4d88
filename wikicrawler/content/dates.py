"""Validation and normalisation of machine-readable dates in page metadata."""

from __future__ import annotations

import re
from datetime import date, datetime

_DAY = re.compile(r"\d{4}-\d\d-\d\d")
# datetime.fromisoformat() accepts neither long fractions nor zone names.
_FRACTION = re.compile(r"(?<=:\d\d)[.,]\d+")
_UTC = re.compile(r"\s*(?:UTC|GMT|Z)$", re.IGNORECASE)


def iso_date(stated: object) -> str | None:
    """Return *stated* in ISO 8601: ``2024-05-31`` or ``2024-05-31T08:30:00+02:00``.

    Day, time and offset are kept as stated; a missing offset is not added. Return None if *stated*
    is not a complete date.
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
        else:  # RFC 5322, as in HTTP headers and feeds
            # Imported here because few pages have one, and it takes long.
            from email.utils import parsedate_to_datetime  # noqa: PLC0415

            time = parsedate_to_datetime(text)
        return time.isoformat(timespec="seconds")
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
