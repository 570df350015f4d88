"""What a failed fetch means for the schedule of its source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.sources.schedule.retry import VisitError

if TYPE_CHECKING:
    from wikicrawler.pages import Failure

_BY_STATUS = {
    429: VisitError.RATE_LIMITED,
    503: VisitError.UNAVAILABLE,
    403: VisitError.FORBIDDEN,
    404: VisitError.MISSING,
    410: VisitError.MISSING,
}
_BY_REASON = {
    Reason.BLOCKED: VisitError.FORBIDDEN,
    Reason.ROBOTS: VisitError.FORBIDDEN,
    Reason.BLOCKED_CAPTCHA: VisitError.CAPTCHA,
    Reason.MISSING: VisitError.MISSING,
    Reason.TIMEOUT: VisitError.TIMEOUT,
    Reason.BUSY: VisitError.UNAVAILABLE,
    Reason.NOT_HTML: VisitError.PARSE,
    Reason.EMPTY: VisitError.PARSE,
    Reason.CONVERSION: VisitError.PARSE,
    Reason.CPU_LIMIT: VisitError.PARSE,
    Reason.MEMORY_LIMIT: VisitError.PARSE,
}
_BY_VENDOR = {Reason.BLOCKED: VisitError.FORBIDDEN, Reason.BUSY: VisitError.RATE_LIMITED}


def error_kind(failure: Failure) -> VisitError:
    """Return the kind of *failure*."""
    if failure.reason is Reason.BLOCKED_CAPTCHA:
        return VisitError.CAPTCHA
    if failure.vendor and failure.reason in _BY_VENDOR:  # it decided, whatever the status is
        return _BY_VENDOR[failure.reason]
    if failure.status in _BY_STATUS:
        return _BY_STATUS[failure.status]
    if failure.reason is Reason.BUSY and failure.status is not None:  # a page that says so
        return VisitError.RATE_LIMITED
    return _BY_REASON.get(failure.reason, VisitError.OTHER)
