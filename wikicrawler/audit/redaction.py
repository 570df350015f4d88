"""Removal of secrets from what the audit log records.

A record can never be deleted, so the rules prefer to hide too much. A value that is hidden is
``***``. Only the headers of :data:`SHOWN_HEADERS` keep their values. In URLs the login, the values
of parameters whose names are those of secrets, and the fragment are hidden.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus

from wikicrawler.text.safe import hide_logins, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

HIDDEN = "***"
MAX_URL = 8_000
"""Maximum length of a URL in a record, in characters."""
MAX_VALUE = 1_000
"""Maximum length of a header's value or an error, in characters."""
MAX_HEADERS = 50

SHOWN_HEADERS = frozenset(
    (
        *("accept", "accept-charset", "accept-encoding", "accept-language", "cache-control"),
        *("content-encoding", "content-language", "content-length", "content-type", "date"),
        *("etag", "expires", "from", "host", "if-match", "if-modified-since", "if-none-match"),
        *("if-range", "last-modified", "link", "location", "pragma", "range", "referer"),
        *("retry-after", "server", "user-agent", "vary", "via", "x-robots-tag"),
        *("content-range", "age", "allow", "x-cache", "cf-ray", "cf-mitigated", "x-request-id"),
    )
)
"""Headers, of requests and of responses, whose values are recorded, in lower case."""
_URLS = frozenset(("location", "referer", "link"))

_WORDS = (
    "token|secret|password|passwd|passphrase|passcode|pwd|pass|credentials?|auth|authorization|"
    "api-?key|access-?key|private-?key|secret-?key|signature|session-?id|sid|jwt|otp"
)
# As x-api-key, X-Amz-Signature, access_token, user[password], apiKey, PHPSESSID; and some alone.
_SECRET_NAME = re.compile(
    rf"(?:.*[-.\[])?(?:{_WORDS})\]?|[a-z]*(?:token|secret|password|apikey|sess(?:ion)?id)"
    r"|key|sig|sess|session",
    re.DOTALL,
)
_MAX_NAME = 100
_SEPARATOR = re.compile(r"([?&;#\s])")
_ENCODED_SEPARATOR = re.compile(r"(%(?:3F|26|3B|23))", re.IGNORECASE)
_ENCODED_EQUALS = re.compile("(%3D)", re.IGNORECASE)


def redact_url(url: str) -> str:
    """Return *url* without secrets and without its fragment, cut to :data:`MAX_URL` characters."""
    whole = url[: MAX_URL + 1].partition("#")[0]
    shown = redact_parameters(hide_logins(whole))
    return shown if len(whole) <= MAX_URL else shown[:MAX_URL] + "…"


def redact_parameters(text: str) -> str:
    """Return *text* with each ``name=value`` hidden whose name is that of a secret, also in a URL
    that is itself a parameter. Takes linear time."""
    if "=" not in text:
        return text
    return "".join(map(_redact_piece, _SEPARATOR.split(text)))


def _redact_piece(piece: str) -> str:
    name, equals, value = piece.partition("=")
    if not equals:
        return piece
    if is_secret_name(name.rpartition("/")[2]):
        return f"{name}={HIDDEN}"
    if "%3" in value:
        value = "".join(map(_redact_encoded, _ENCODED_SEPARATOR.split(value)))
    return f"{name}={value}"


def _redact_encoded(piece: str) -> str:
    name, *rest = _ENCODED_EQUALS.split(piece, maxsplit=1)
    return f"{name}{rest[0]}{HIDDEN}" if rest and is_secret_name(name) else piece


def is_secret_name(name: str) -> bool:
    """Return whether a parameter *name* is that of a secret."""
    plain = unquote_plus(name[-3 * _MAX_NAME :])[-_MAX_NAME:].lower().replace("_", "-")
    return bool(_SECRET_NAME.fullmatch(plain))


def redact_error(text: object) -> str:
    """Return an error message in one printable line without secrets."""
    return redact_parameters(one_line(text, MAX_VALUE))


def redact_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return *headers* sorted, with names in lower case, and without secrets."""
    found = []
    for name, value in headers:
        low = name[:_MAX_NAME].lower()
        if low not in SHOWN_HEADERS:
            shown = HIDDEN
        elif low in _URLS:
            shown = redact_url(value)
        else:
            shown = value[:MAX_VALUE]
        found.append((low, shown))
    return sorted(found)[:MAX_HEADERS]
