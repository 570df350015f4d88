"""What ``api.php`` answered: its JSON, or why there is none to use.

Every application error of MediaWiki comes with HTTP 200 and ``{"error": {"code", "info"}}``
(https://www.mediawiki.org/wiki/API:Errors_and_warnings). Only the code is ever repeated: the rest
may hold what the page says.
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

#: Bytes of an answer that are still read: the JSON parser lets nothing else run meanwhile. Larger
#: pages than any of a wiki's come by the next tier.
MAX_BYTES = 10 * 1024 * 1024

_MISSING = {"missingtitle", "nosuchpageid"}
_INVALID = {"invalidtitle", "pagecannotexist"}
_BUSY = {"maxlag", "ratelimited", "concurrency-limit"}

_BY_STATUS = {
    401: Reason.BLOCKED,
    403: Reason.BLOCKED,
    404: Reason.API_OFF,  # not the page, whose absence is an error with status 200: the API itself
    410: Reason.API_OFF,
    429: Reason.BUSY,  # has been retried by now
    503: Reason.BUSY,
}

_CODE = re.compile(r"[a-z0-9_-]{1,80}")


def read_answer(body: bytes, headers: Mapping[str, str], status: int) -> dict[str, Any] | Failure:
    """The JSON object in an answer of the API. Never raises, whatever the answer is.

    *headers* have lower-case names.
    """
    failure = _judge_response(body, headers, status)
    if failure is not None:
        return failure
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):  # cut short, no UTF-8, an endless number, nested too deep
        data = None
    if isinstance(data, dict) and "error" in data:
        return _judge_error(data["error"], headers)
    if status >= 300:
        return Failure(Reason.HTTP_ERROR, f"HTTP {status}", status=status)
    if not isinstance(data, dict):
        return Failure(Reason.API_ERROR, "JSON that is broken or no object")
    return data


def as_dict(value: object) -> dict[str, Any]:
    """*value* if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """*value* if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else []


def flag(record: Mapping[str, Any], key: str) -> bool:
    """A boolean: ``true`` in format version 2, the key with an empty string in version 1."""
    return record.get(key) not in (None, False)


def text(record: Mapping[str, Any], key: str) -> str | None:
    """A string: under its own name in format version 2, under ``*`` in version 1."""
    value = record.get(key, record.get("*"))
    return value if isinstance(value, str) else None


def _judge_response(body: bytes, headers: Mapping[str, str], status: int) -> Failure | None:
    """Why an answer holds no JSON, by what is seen without parsing it."""
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
    return Failure(Reason.API_ERROR, code)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    return parse_retry_after(headers.get("retry-after"), datetime.now(UTC))
