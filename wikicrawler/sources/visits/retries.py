"""Retries of the requests of watched sources."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.http import Response

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.politeness.retry import NETWORK, TIMEOUT, read_table
from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.sources.schedule.retry import DELAYS, VisitError, next_delay
from wikicrawler.sources.visits.error_kinds import error_kind
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.verdict import judge_response, judge_status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

_JUDGED = 256 * 1024
"""Bytes of a body in which the marks of a challenge are searched. Challenges are shorter."""
_OF_THE_SITE = frozenset({VisitError.RATE_LIMITED, VisitError.UNAVAILABLE})
"""Errors by which a site asks to come back later, whichever tier asked it."""
_ROWS: dict[VisitError, int | str] = {
    VisitError.RATE_LIMITED: 429,
    VisitError.UNAVAILABLE: 503,
    VisitError.TIMEOUT: TIMEOUT,
}
"""Rows of ``WIKICRAWLER_RETRY``; other errors have the row of their status."""


class SourceRetries:
    """The policy of ``WIKICRAWLER_RETRY_POLICY`` for the spider ``sources``: the delays of
    :data:`~wikicrawler.sources.schedule.retry.DELAYS`, unless ``WIKICRAWLER_RETRY`` has a row for
    the error. ``RETRY_TIMES`` has no effect.
    """

    def __init__(self, own: dict[int | str, tuple[float, ...]]) -> None:
        self._own = own

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(read_table(crawler.settings))

    def delay(self, request: Request, failed: Response | Exception | Failure) -> float | None:
        """Return the seconds until *request* is repeated; None if it is not."""
        failure = failure_in(failed)
        if failure is None:
            return None
        kind = error_kind(failure)
        delays = self._delays(kind, failure)
        limit = request.meta.get("max_retry_times")
        if limit is not None and kind not in _OF_THE_SITE:  # of a tier whose requests are expensive
            delays = delays[: max(limit, 0)]
        return next_delay(delays, request.meta.get("retry_times", 0), failure.retry_after)

    def _delays(self, kind: VisitError, failure: Failure) -> Sequence[float]:
        if kind in {VisitError.CAPTCHA, VisitError.FORBIDDEN} and failure.vendor:
            return ()  # whatever its status, another request would be answered the same
        row = _ROWS.get(kind) or (NETWORK if failure.reason is Reason.NETWORK else failure.status)
        return DELAYS[kind] if row is None else self._own.get(row, DELAYS[kind])


def failure_in(failed: Response | Exception | Failure) -> Failure | None:
    """Return the failure that a response or an exception stands for; None if it is none."""
    if isinstance(failed, Failure):
        return failed
    if not isinstance(failed, Response):
        return failure_of(failed)
    headers = headers_of(failed)
    found = judge_response(failed.status, headers, failed.body[:_JUDGED])
    if found is None or not found.vendor:
        found = judge_status(failed.status) or found
    if found is None:
        return None
    return with_retry_after(found, failed)


def with_retry_after(failure: Failure, response: Response) -> Failure:
    """Return *failure* with the seconds that the Retry-After of *response* asks for."""
    asked = parse_retry_after(response.headers.get(b"Retry-After"), datetime.now(UTC))
    if asked is None:
        return failure
    return replace(failure, retry_after=asked)
