"""What an answer of SEC means: a block, a missing file, or a failure of the server."""

from __future__ import annotations

from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    RateLimitExceededError,
    ReportError,
    RequestTimeoutError,
)

MAX_BLOCK_PAGE = 65_536
"""Bytes; SEC's pages have some 5,000."""
_TOO_FAST = b"request rate threshold exceeded"
_UNDECLARED = b"undeclared automated tool"
_NO_FILE = b"accessdenied"


class BlockedError(Exception):
    """SEC blocks this address; the message says why, and what the operator can do."""


def check(status: int, body: bytes, retry_after: float | None = None) -> None:
    """Return if an answer has what was asked for.

    :param body: its first kilobytes, or all of it
    :raises BlockedError: it is a block, whatever its status
    :raises DocumentNotFoundError: there is no such file
    :raises RateLimitExceededError: the server is busy (503)
    :raises FetchError: any other status
    """
    if why := _block(status, body):
        raise BlockedError(why)
    if status in (404, 410) or (status == 403 and _NO_FILE in body[:MAX_BLOCK_PAGE].lower()):
        raise _with_status(DocumentNotFoundError(f"answers {status}: no such file"), status)
    if status == 503:
        raise _with_status(RateLimitExceededError("answers 503: busy", retry_after), status)
    if status != 200:
        raise _with_status(FetchError(f"answers {status}"), status)


def check_error(error: ReportError) -> None:
    """Return if *error* of a download is no block of SEC and no missing file.

    :raises BlockedError: it is a block
    :raises DocumentNotFoundError: there is no such file
    """
    status = error.status
    if status is None and isinstance(error, RateLimitExceededError):
        status = 429
    if status in (403, 429):
        try:
            check(status, error.body)
        except FetchError:
            return


def is_temporary(error: ReportError) -> bool:
    """Return True if the same request may succeed in a moment."""
    if isinstance(error, RequestTimeoutError):
        return True
    if error.status is not None:
        return error.status >= 500
    return isinstance(error, FetchError) and error.outcome is Outcome.FAILED


def _block(status: int, body: bytes) -> str | None:
    if status == 429:
        return "answers 429: too many requests from this address"
    start = body[:MAX_BLOCK_PAGE].lstrip()
    if status not in (200, 403) or not start.startswith(b"<") or len(body) > MAX_BLOCK_PAGE:
        return None
    start = start.lower()
    if _UNDECLARED in start:
        return (
            f"answers {status}: the User-Agent is not accepted (Undeclared Automated Tool): it has "
            "to have a name and your e-mail address; set WIKICRAWLER_CONTACT to the address"
        )
    if _TOO_FAST in start:
        return f"answers {status}: too many requests from this address (Request Rate Threshold)"
    return None


def _with_status(error: ReportError, status: int) -> ReportError:
    error.status = status
    return error
