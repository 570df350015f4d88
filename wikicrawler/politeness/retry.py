"""Retries, with a pause of the site before each."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.retry import RetryMiddleware, get_retry_request
from scrapy.utils.response import response_status_message

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.frontier.not_before import NOT_BEFORE
from wikicrawler.guard.connection_errors import CertificateError, KeptConnectionLostError
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.politeness.fetch_errors import TIMEOUTS
from wikicrawler.politeness.retry_after import retry_after_of
from wikicrawler.politeness.retry_policy import (
    RETRY_COUNT,
    RetryPolicy,
    is_by_policy,
    load_retry_policy,
)
from wikicrawler.signals import fetch_retried, site_busy

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from wikicrawler.pages import Failure

RetryPauses = tuple[float, ...]
"""Seconds to pause the site before each retry. The length is the number of retries."""

TIMEOUT, NETWORK = "timeout", "network"

RETRY_TRANSIENT = "retry_transient"
"""Meta key (bool): False if the sender of the request handles timeouts and network errors. The loss
of a kept connection says nothing of the server and is retried all the same."""

RETRY_TABLE: Mapping[int | str, RetryPauses] = {
    429: (30.0, 60.0, 120.0, 300.0, 600.0),
    503: (10.0, 30.0, 60.0),
    TIMEOUT: (15.0, 15.0),
    NETWORK: (2.0, 5.0),
}
"""Other statuses are retried as in Scrapy: those of ``RETRY_HTTP_CODES`` (500, 502, 504…, not 403
and 404), ``RETRY_TIMES`` times, without a pause."""


class SiteRetryMiddleware(RetryMiddleware):
    """Scrapy's RetryMiddleware that pauses the request's site, according to :data:`RETRY_TABLE`.

    A retry waits in the slot of its site, which the throttle pauses; other sites continue. A
    longer Retry-After overrides the table. A refused certificate is not retried. Without the
    throttle (``DOMAIN_THROTTLE_ENABLED = False``) retries are sent at once, as in Scrapy.

    Settings: ``WIKICRAWLER_RETRY`` replaces rows of the table, as ``{"429": [5, 10], "timeout":
    [15]}``; an empty list means no retry. ``RETRY_TIMES``, where it is set, is the number of
    retries of every row that ``WIKICRAWLER_RETRY`` does not replace; 0 is that of those, too.
    ``RETRY_ENABLED``, ``RETRY_HTTP_CODES`` and ``RETRY_EXCEPTIONS`` are as in Scrapy; a status in
    ``WIKICRAWLER_RETRY`` need not be in ``RETRY_HTTP_CODES``. ``WIKICRAWLER_RETRY_POLICY`` decides
    on requests with the meta key ``retry_by_policy``: their retries wait in the scheduler, and the
    throttle alone decides whether their site rests.

    Meta keys: with ``retry_transient`` False, timeouts and network errors are not retried;
    ``dont_retry``, ``max_retry_times`` (the last pause of the row repeats), ``priority_adjust`` and
    ``give_up_log_level`` are Scrapy's.
    """

    policy: RetryPolicy | None = None
    """Decides on the requests with the meta key ``retry_by_policy``."""

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        own = read_table(settings)
        self._table = {**RETRY_TABLE, **own}
        # Of Scrapy's default nobody has said that it is the number of retries.
        says_times = (settings.getpriority("RETRY_TIMES") or 0) > 0
        self._counted = {*self._table} - {*own} if says_times else set()
        if says_times and self.max_retry_times <= 0:
            self._counted = {*self._table}
        statuses = {status for status, pauses in own.items() if isinstance(status, int) and pauses}
        # Only rows of the setting add statuses: those of the built-in table may be missing from
        # RETRY_HTTP_CODES on purpose.
        self.retry_http_codes = (self.retry_http_codes | statuses) - {
            status for status, pauses in own.items() if not pauses
        }

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        middleware = super().from_crawler(crawler)
        middleware.policy = load_retry_policy(crawler)
        return middleware

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        if request.meta.get("dont_retry") or response.status not in self.retry_http_codes:
            return response
        reason = response_status_message(response.status)
        if self.has_policy(request):
            retry = self.retry_by_policy(request, response, reason)
        else:
            retry_after = retry_after_of(response.headers)
            retry = self._pause_and_retry(request, reason, response.status, retry_after)
        if retry is None:
            return response
        self._send_retried(request, response=response)
        return retry

    def process_exception(self, request: Request, exception: Exception) -> Request | None:  # type: ignore[override]
        if request.meta.get("dont_retry"):
            return None
        was_kept = isinstance(exception, KeptConnectionLostError)
        if not was_kept and not request.meta.get(RETRY_TRANSIENT, True):
            return None
        if not isinstance(exception, self.exceptions_to_retry):
            return None
        if isinstance(exception, CertificateError):
            return None
        if policy_of(self.crawler).refused(request.url):  # a retry would be refused too
            return None
        row = TIMEOUT if isinstance(exception, TIMEOUTS) else NETWORK
        if self.has_policy(request):
            retry = self.retry_by_policy(request, exception, exception)
        else:
            retry = self._pause_and_retry(request, exception, row) if self._table[row] else None
        if retry is not None:
            self._send_retried(request, exception=exception)
        return retry

    def has_policy(self, request: Request) -> bool:
        """Return whether a policy decides on the retries of *request*."""
        return self.policy is not None and is_by_policy(request)

    def retry_by_policy(
        self, request: Request, failed: Response | Exception | Failure, reason: str | Exception
    ) -> Request | None:
        """Return the retry of *request* as the policy decides, delayed; None if it has none."""
        assert self.policy is not None  # noqa: S101 - see has_policy()
        delay = self.policy.delay(request, failed)
        times = request.meta.get("retry_times", 0)
        if delay is None and not times:
            return None
        retry = self._next_request(request, reason, times if delay is None else times + 1)
        if retry is not None and delay is not None:
            retry.meta[RETRY_COUNT] = request.meta.get(RETRY_COUNT, 0) + 1
            retry.meta[NOT_BEFORE] = time() + delay
        return retry

    def _send_retried(
        self,
        request: Request,
        response: Response | None = None,
        exception: Exception | None = None,
    ) -> None:
        self.crawler.signals.send_catch_log(
            fetch_retried, request=request, response=response, exception=exception
        )

    def _pause_and_retry(
        self,
        request: Request,
        reason: str | Exception,
        row: int | str,
        retry_after: float | None = None,
    ) -> Request | None:
        """Pause the site and return the retry of *request*; None if no retry is left."""
        pauses = self._table.get(row)
        is_counted = pauses is None or row in self._counted
        times = self.max_retry_times if is_counted else len(pauses or ())
        retry = self._next_request(request, reason, request.meta.get("max_retry_times", times))
        if retry and pauses:
            pause = pauses[min(retry.meta["retry_times"], len(pauses)) - 1]
            why = reason if isinstance(reason, str) else type(reason).__name__
            self.crawler.signals.send_catch_log(
                site_busy,
                slot=request.meta.get("download_slot", ""),
                seconds=max(pause, retry_after or 0.0),
                reason=f"retry {retry.meta['retry_times']} after {why}",
            )
        return retry

    def _next_request(
        self, request: Request, reason: str | Exception, max_times: int
    ) -> Request | None:
        """Return the retry of *request*; None if it was retried *max_times* times."""
        return get_retry_request(
            request,
            reason=reason,
            spider=self.crawler.spider,  # type: ignore[arg-type]  # set before the first request
            max_retry_times=max_times,
            priority_adjust=request.meta.get("priority_adjust", self.priority_adjust),
            give_up_log_level=request.meta.get("give_up_log_level", self.give_up_log_level),
        )


def read_table(settings: BaseSettings) -> dict[int | str, RetryPauses]:
    """Return the rows of the setting ``WIKICRAWLER_RETRY``.

    Its keys are HTTP statuses (as numbers or strings), ``timeout`` and ``network``; its values are
    lists of seconds.

    :raises ConfigError: a key or value is wrong
    """
    rows = options.RETRY.read(settings)
    return {_parse_key(key): _parse_pauses(key, value) for key, value in rows.items()}


def _parse_key(key: object) -> int | str:
    if key in (TIMEOUT, NETWORK):
        return str(key)
    text = str(key)
    if text.isascii() and text.isdigit() and len(text) == 3 and 100 <= int(text) <= 599:
        return int(text)
    raise ConfigError(
        f"{options.RETRY.name} has the key {key!r}: it must be an HTTP status (100 to 599), "
        f"{TIMEOUT!r} or {NETWORK!r}"
    )


def _parse_pauses(key: object, value: object) -> RetryPauses:
    if isinstance(value, (list, tuple)) and all(
        isinstance(s, (int, float)) and not isinstance(s, bool) and 0 <= s < float("inf")
        for s in value
    ):
        return tuple(float(s) for s in value)
    raise ConfigError(
        f"{options.RETRY.name}[{key!r}] is {value!r}: it must be a list of seconds, one for each "
        f"retry; {options.RETRY.right}"
    )
