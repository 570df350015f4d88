"""The HTTP headers of downloads that are continued (RFC 9110, sections 8.8, 13.1.5 and 14)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scrapy.http import Headers

_CONTENT_RANGE = re.compile(
    r"\s*bytes\s+(?:([0-9]{1,18})-([0-9]{1,18})|\*)\s*/\s*([0-9]{1,18}|\*)\s*", re.IGNORECASE
)
_STRONG_ETAG = re.compile(r'"[\x21\x23-\x7e\x80-\xff]{1,500}"')
_MAX_DATE = 64


class ContentRange(NamedTuple):
    """The value of a header Content-Range."""

    first: int | None
    """Position of the first byte; None where the range cannot be satisfied (416)."""
    last: int | None
    total: int | None
    """Bytes of the whole file; None if unknown."""


def header(headers: Headers, name: str) -> str:
    """Return the value of a header; empty without one."""
    value = headers.get(name)
    return value.decode("latin-1").strip() if value else ""


def content_range(headers: Headers) -> ContentRange | None:
    """Return the Content-Range; None without a valid one."""
    found = _CONTENT_RANGE.fullmatch(header(headers, "Content-Range")[:200])
    if found is None:
        return None
    first, last, total = (None if v in {None, "*"} else int(v) for v in found.groups())
    if first is not None and last is not None and not first <= last < (total or last + 1):
        return None
    return ContentRange(first, last, total)


def declared_length(headers: Headers) -> int | None:
    """Return the Content-Length; None without a valid one."""
    value = header(headers, "Content-Length")
    return int(value) if re.fullmatch(r"[0-9]{1,18}", value, re.ASCII) else None


def is_encoded(headers: Headers) -> bool:
    """Return whether the body has a content coding."""
    return header(headers, "Content-Encoding").lower() not in {"", "identity"}


def validator(headers: Headers) -> str | None:
    """Return the value for ``If-Range``: the strong ETag, else the date of the last modification if
    it is strong; None without either.

    A date is strong if the response is at least a second younger: the file may have changed twice
    within a second.
    """
    etag = header(headers, "ETag")
    if _STRONG_ETAG.fullmatch(etag):
        return etag
    modified = header(headers, "Last-Modified")
    changed, sent = _date(modified), _date(header(headers, "Date"))
    if changed is None or sent is None or (sent - changed).total_seconds() < 1:
        return None
    return modified


def _date(value: str) -> datetime | None:
    if not value or len(value) > _MAX_DATE:
        return None
    try:
        found = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
