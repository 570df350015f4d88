"""For spiders: how far the page of a request has come, and the report of a page that failed."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.scope.link_guard import LinkLeftOut
from wikicrawler.signals import page_skipped
from wikicrawler.tiers import state as st
from wikicrawler.tiers.failures import TiersExhausted, failure_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.items import Attempt

logger = logging.getLogger(__name__)


class Progress(NamedTuple):
    """How far a page has come through its tiers."""

    url: str
    """The page's own URL: never the API's, and another than the spider's after a redirect."""
    attempts: tuple[Attempt, ...]
    """The tiers tried so far, in order."""


def progress_of(request: Request) -> Progress | None:
    """Return how far the page of *request* has come; None if no tier has handled it.

    *request* may be one that a tier made, as ``failure.request`` in an errback is.
    """
    state: st.State | None = request.meta.get(st.STATE)
    return None if state is None else Progress(state["url"], tuple(state["attempts"]))


def attempts_of(request: Request) -> tuple[Attempt, ...]:
    """Return the attempts so far at the page of *request*."""
    progress = progress_of(request)
    return progress.attempts if progress is not None else ()


def report_skipped(crawler: Crawler, failure: TwistedFailure) -> None:
    """Send the signal ``page_skipped`` for the page of *failure*, which an errback received.

    A page that was reported before (:class:`~wikicrawler.tiers.failures.TiersExhausted`) or that is
    counted instead (:class:`~wikicrawler.scope.link_guard.LinkLeftOut`) is not reported. What is no
    failure of a fetch is logged with its traceback, and reported as ``error``.
    """
    error = failure.value
    assert error is not None  # noqa: S101 - only a cleared failure has none
    if isinstance(error, TiersExhausted | LinkLeftOut):
        return
    request: Request = failure.request  # type: ignore[attr-defined]
    found = failure_of(error)
    if found is None:
        logger.error("Error on %s", request.url, exc_info=error)
        found = Failure(Reason.ERROR, type(error).__name__)
    progress = progress_of(request)
    subject = getattr(error, "response", None) or request
    attempts = subject.meta.get(st.ATTEMPTS, ()) if progress is None else progress.attempts
    crawler.signals.send_catch_log(
        page_skipped,
        url=progress.url if progress is not None and subject is request else subject.url,
        reason=found.reason,
        detail=found.detail,
        attempts=list(attempts),
    )
