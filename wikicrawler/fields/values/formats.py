"""Formats of strings, as JSON Schema names them, with small strict checks in linear time."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_LENGTH = 2_000
"""Characters of a string with a format."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME = re.compile(
    r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?", re.ASCII
)
_DURATION = re.compile(
    r"-?P(?!$)(\d+W|(\d+Y)?(\d+M)?(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?)", re.ASCII
)
_LOCAL = re.compile(r"[^\s@<>()\[\],;:\"\\\x00-\x1f\x7f]{1,64}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}")
_NO_URI = re.compile(r"[\s<>\"{}|\\^`\x00-\x1f\x7f]")
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE | re.ASCII)
_HOSTS = ("http", "https", "ftp", "ws", "wss")


def has_format(text: str, name: str) -> bool:
    """Return whether *text* has the format *name*, one of :data:`FORMATS`."""
    return len(text) <= MAX_LENGTH and FORMATS[name](text)


def _is_date(text: str) -> bool:
    if _DATE.fullmatch(text):
        with suppress(ValueError):
            date.fromisoformat(text)
            return True
    return False


def _is_time(text: str) -> bool:
    return _TIME.fullmatch(text) is not None


def _is_date_time(text: str) -> bool:
    has_sign = text[10:11] in ("T", "t", " ")
    return has_sign and _is_date(text[:10]) and _is_time(text[11:].upper())


def _is_duration(text: str) -> bool:
    return _DURATION.fullmatch(text) is not None


def _is_hostname(text: str) -> bool:
    labels = text.removesuffix(".").split(".")
    return len(text) <= 253 and all(
        1 <= len(label) <= 63
        and label.replace("-", "").isalnum()
        and not label.startswith("-")
        and not label.endswith("-")
        for label in labels
    )


def _is_email(text: str) -> bool:
    local, _, domain = text.rpartition("@")
    dots_fit = not local.startswith(".") and not local.endswith(".") and ".." not in local
    is_local = bool(_LOCAL.fullmatch(local)) and dots_fit
    return is_local and "." in domain[:-1] and _is_hostname(domain)


def _is_uri(text: str) -> bool:
    scheme, colon, rest = text.partition(":")
    if not colon or not rest or not _SCHEME.fullmatch(scheme) or _NO_URI.search(text):
        return False
    if scheme.lower() not in _HOSTS:
        return True
    with suppress(ValueError):
        parts = urlsplit(text)
        return bool(parts.hostname) and (parts.port is None or parts.port >= 0)
    return False


def _is_uuid(text: str) -> bool:
    return _UUID.fullmatch(text) is not None


def _is_ipv4(text: str) -> bool:
    with suppress(ValueError):
        IPv4Address(text)
        return True
    return False


def _is_ipv6(text: str) -> bool:
    with suppress(ValueError):
        IPv6Address(text)
        return True
    return False


FORMATS: dict[str, Callable[[str], bool]] = {
    "date": _is_date,
    "date-time": _is_date_time,
    "time": _is_time,
    "duration": _is_duration,
    "email": _is_email,
    "hostname": _is_hostname,
    "ipv4": _is_ipv4,
    "ipv6": _is_ipv6,
    "uri": _is_uri,
    "uuid": _is_uuid,
}
"""The formats that are known, with their checks. A date-time and a time need no time zone, because
pages seldom name one; a date is ``2026-11-23``."""
EXAMPLES = {
    "date": "2026-11-23",
    "date-time": "2026-11-23T18:30:00Z",
    "time": "18:30:00",
    "duration": "P1DT2H",
    "email": "name@example.org",
    "hostname": "www.example.org",
    "ipv4": "192.0.2.1",
    "ipv6": "2001:db8::1",
    "uri": "https://example.org/page",
    "uuid": "123e4567-e89b-12d3-a456-426614174000",
}
