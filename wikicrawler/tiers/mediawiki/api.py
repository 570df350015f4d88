"""Parsing of responses of ``api.php``.

MediaWiki reports application errors with HTTP 200 and ``{"error": {"code", "info"}}``
(https://www.mediawiki.org/wiki/API:Errors_and_warnings). Only the code is recorded: ``info`` may
contain text of the page.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.tiers.verdict import judge_response

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Maximum size of a response in bytes: the JSON parser blocks the event loop. It exceeds the pages
#: of wikis; the next tier fetches larger ones.
MAX_BYTES = 10 * 1024 * 1024

_MISSING = {"missingtitle", "nosuchpageid"}
_INVALID = {"invalidtitle", "pagecannotexist"}
_BUSY = {"maxlag", "ratelimited", "concurrency-limit"}
_LOGIN = {
    *("readapidenied", "assertuserfailed", "assertnameduserfailed", "notloggedin"),
    "mustbeloggedin",
}
_OAUTH = "mwoauth-invalid-authorization"  # there are others that begin so

_BY_STATUS = {
    401: Reason.BLOCKED,
    403: Reason.BLOCKED,
    404: Reason.API_OFF,  # the API itself is missing; for a missing page the status is 200
    410: Reason.API_OFF,
    429: Reason.BUSY,  # after the retries
    503: Reason.BUSY,
}

_CODE = re.compile(r"[a-z0-9_-]{1,80}")


def read_answer(body: bytes, headers: Mapping[str, str], status: int) -> dict[str, Any] | Failure:
    """Return the JSON object in a response of the API. Never raises.

    :param headers: headers with lower-case names
    """
    failure = _judge_response(body, headers, status)
    if failure is not None:
        return failure
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):  # truncated, not UTF-8, a huge number, nested too deeply
        data = None
    if isinstance(data, dict) and "error" in data:
        return _judge_error(data["error"], headers)
    if status >= 300:
        return Failure(Reason.HTTP_ERROR, f"HTTP {status}", status=status)
    if not isinstance(data, dict):
        return Failure(Reason.API_ERROR, "JSON that is broken or no object")
    return data


def is_login_code(code: str) -> bool:
    """Return True if the error *code* says that nobody is logged in, or that the user may read
    nothing."""
    return code in _LOGIN or code.startswith(_OAUTH)


def as_dict(value: object) -> dict[str, Any]:
    """Return *value* if it is a JSON object, else an empty dict."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return *value* if it is a JSON array, else an empty list."""
    return value if isinstance(value, list) else []


def flag(record: Mapping[str, Any], key: str) -> bool:
    """Return a boolean field: ``true`` in format version 2, an empty string in version 1."""
    return record.get(key) not in (None, False)


def text(record: Mapping[str, Any], key: str) -> str | None:
    """Return a string field: under its own name in format version 2, under ``*`` in version 1."""
    value = record.get(key, record.get("*"))
    return value if isinstance(value, str) else None


def _judge_response(body: bytes, headers: Mapping[str, str], status: int) -> Failure | None:
    """Return a failure if the response is not usable JSON, as far as visible without parsing."""
    start = body[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if start == b"<":
        blocked = judge_response(status, headers, body)
        if blocked is not None and blocked.reason in {Reason.BLOCKED, Reason.BLOCKED_CAPTCHA}:
            return replace(blocked, action=Action.NEXT)
    said = f"HTTP {status}"
    if status in _BY_STATUS:
        wait = _retry_after(headers)
        return Failure(_BY_STATUS[status], said, status=status, retry_after=wait)
    if len(body) > MAX_BYTES:
        return Failure(Reason.TOO_LARGE, f"more than {MAX_BYTES >> 20} MB of JSON")
    if start not in {b"{", b"["}:
        kind = {b"<": "HTML", b"": "nothing"}.get(start, "something else")
        if status < 300:
            return Failure(Reason.API_OFF, f"{kind} instead of JSON")
        return Failure(Reason.HTTP_ERROR, said, status=status)
    return None


def _judge_error(error: object, headers: Mapping[str, str]) -> Failure:
    code = error.get("code") if isinstance(error, dict) else None
    code = code.lower() if isinstance(code, str) else ""
    if not _CODE.fullmatch(code):
        return Failure(Reason.API_ERROR, "an error without a readable code")
    if code in _MISSING:
        return Failure(Reason.MISSING, code, Action.FINAL, 404)
    if code in _INVALID:
        return Failure(Reason.INVALID_TITLE, code, Action.FINAL)
    if code in _BUSY:
        return Failure(Reason.BUSY, code, Action.WAIT, retry_after=_retry_after(headers))
    if is_login_code(code):
        return Failure(Reason.LOGIN, code)
    return Failure(Reason.API_ERROR, code)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    return parse_retry_after(headers.get("retry-after"), datetime.now(UTC))
