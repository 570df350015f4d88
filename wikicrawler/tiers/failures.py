"""Conversion of Scrapy's exceptions to failures, and the exception for exhausted tiers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest
from scrapy.spidermiddlewares.httperror import HttpError

from wikicrawler.errors import Reason, TierError, TierInterruptedError
from wikicrawler.guard.bodies import EncodingError
from wikicrawler.guard.connection_errors import (
    CertificateError,
    HeadersTooLargeError,
    KeptConnectionLostError,
)
from wikicrawler.pages import Action, Failure
from wikicrawler.politeness.fetch_errors import CANCELLED, NETWORK_ERRORS, TIMEOUTS
from wikicrawler.politeness.robots import RobotsDisallowed
from wikicrawler.tiers.verdict import judge_status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.http import Response

    from wikicrawler.items import Attempt

_KINDS: tuple[tuple[tuple[type[Exception], ...], Reason, Action], ...] = (
    (TIMEOUTS, Reason.TIMEOUT, Action.NEXT),
    (CANCELLED, Reason.TOO_LARGE, Action.FINAL),  # another tier would meet the limit too
    # Final: crawl4ai's browser does not verify certificates, so it would accept this one.
    ((CertificateError,), Reason.NETWORK, Action.FINAL),
    (NETWORK_ERRORS, Reason.NETWORK, Action.NEXT),
)
_OURS = (CertificateError, EncodingError, HeadersTooLargeError, KeptConnectionLostError)


_UNREACHED = frozenset({Reason.NETWORK, Reason.TIMEOUT})


class TiersExhausted(IgnoreRequest):
    """Every usable tier has failed. The page's reason is that of the last failure."""

    def __init__(self, url: str, reason: Reason, attempts: Sequence[Attempt]) -> None:
        tried = ", ".join(f"{a['tier']}: {a['reason']}" for a in attempts) or "nothing tried"
        super().__init__(f"{reason} ({tried})")
        self.url = url
        self.reason = reason
        self.attempts = list(attempts)


WITHOUT_TEXT = frozenset({Reason.MISSING, Reason.EMPTY, Reason.JS_SHELL})


class OnlyMembers(IgnoreRequest):
    """The page of a category has no text of its own, and lists members.

    Only a spider with a true attribute ``lists_members`` gets it, for a seed. The page was not
    reported as skipped.
    """

    def __init__(self, failure: Failure, response: Response) -> None:
        super().__init__(failure.detail)
        self.failure = failure
        self.response = response


def failure_of(exception: BaseException) -> Failure | None:
    """Return the failure that *exception* stands for; None if it is not a failed fetch (a bug)."""
    if isinstance(exception, IgnoreRequest):
        return _failure_of_ignored(exception)
    if isinstance(exception, TierInterruptedError):
        return None
    if isinstance(exception, TierError):
        action = Action.FINAL if exception.is_final else Action.NEXT
        return Failure(exception.reason, str(exception), action, retry_after=exception.retry_after)
    for classes, reason, action in _KINDS:
        if isinstance(exception, classes):
            own = isinstance(exception, _OURS)  # our own message: safe to record
            return Failure(reason, str(exception) if own else type(exception).__name__, action)
    return None


def _failure_of_ignored(exception: IgnoreRequest) -> Failure:
    if isinstance(exception, TiersExhausted):
        return Failure(exception.reason, str(exception), Action.FINAL)
    if isinstance(exception, OnlyMembers):
        return exception.failure
    if isinstance(exception, HttpError):
        status = exception.response.status
        return judge_status(status) or Failure(Reason.HTTP_ERROR, f"HTTP {status}", status=status)
    return Failure(_reason_to_ignore(exception), str(exception), Action.FINAL)


def _reason_to_ignore(exception: IgnoreRequest) -> Reason:
    if isinstance(exception, RobotsDisallowed):
        # If robots.txt was unreachable, the cause is the network, not a rule.
        why = failure_of(exception.cause) if exception.cause is not None else None
        return why.reason if why and why.reason in _UNREACHED else Reason.ROBOTS
    if "DOWNLOAD_MAXSIZE" in str(exception):  # a decompression bomb
        return Reason.TOO_LARGE
    return Reason.OFFSITE if "offsite" in str(exception) else Reason.HTTP_ERROR
