"""Which failures are retried, how often, and after what pause of the site."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.downloadermiddlewares.retry import RetryMiddleware, get_retry_request
from scrapy.exceptions import DownloadTimeoutError, NotConfigured
from scrapy.utils.response import response_status_message
from twisted.internet.error import TimeoutError as TwistedTimeoutError

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.signals import fetch_retried, site_busy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

Steps = tuple[float, ...]
"""Seconds that the site rests before the first, second… retry; as many retries as there are."""

TIMEOUT, NETWORK = "timeout", "network"

RETRY_TRANSIENT = "retry_transient"
"""Meta key (bool): False where time-outs and network errors are seen to by who made the request."""

RETRY_TABLE: Mapping[int | str, Steps] = {
    429: (30.0, 60.0, 120.0, 300.0, 600.0),
    503: (10.0, 30.0, 60.0),
    TIMEOUT: (15.0, 15.0),
    NETWORK: (2.0, 5.0),
}
"""Statuses that are not here are retried as Scrapy does: those of ``RETRY_HTTP_CODES`` (500, 502,
504…, not 403 and 404), ``RETRY_TIMES`` times, without a pause."""


class SiteRetryMiddleware(RetryMiddleware):
    """Scrapy's RetryMiddleware with pauses of the request's site, by :data:`RETRY_TABLE`.

    A retry waits in the slot of its site, which the throttle pauses; other sites go on. A
    Retry-After that asks for more than the table wins. Without the throttle
    (``DOMAIN_THROTTLE_ENABLED = False``) retries go at once, as Scrapy's do.

    Settings: ``WIKICRAWLER_RETRY`` replaces rows of the table, as ``{"429": [5, 10], "timeout":
    [15]}``; an empty list means no retry. ``RETRY_ENABLED = False`` and ``RETRY_TIMES = 0`` switch
    it off; ``RETRY_HTTP_CODES`` and ``RETRY_EXCEPTIONS`` say as ever what is retried, except that a
    status named in ``WIKICRAWLER_RETRY`` needs no mention there. Where the meta key
    ``retry_transient`` is False time-outs and network errors are not retried; ``dont_retry``,
    ``max_retry_times`` (the last pause of the row repeats), ``priority_adjust`` and
    ``give_up_log_level`` are Scrapy's.
    """

    def __init__(self, settings: BaseSettings) -> None:
        super().__init__(settings)
        if self.max_retry_times <= 0:
            raise NotConfigured
        own = read_table(settings)
        self._table = {**RETRY_TABLE, **own}
        statuses = {status for status, steps in own.items() if isinstance(status, int) and steps}
        # A row of the built-in table does not bring back what RETRY_HTTP_CODES leaves out.
        self.retry_http_codes = (self.retry_http_codes | statuses) - {
            status for status, steps in own.items() if not steps
        }

    def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        if request.meta.get("dont_retry") or response.status not in self.retry_http_codes:
            return response
        asked = parse_retry_after(response.headers.get(b"Retry-After"), datetime.now(UTC))
        reason = response_status_message(response.status)
        retry = self._again(request, reason, self._table.get(response.status), asked)
        if retry is None:
            return response
        self._tell(request, response=response)
        return retry

    def process_exception(self, request: Request, exception: Exception) -> Request | None:  # type: ignore[override]
        if request.meta.get("dont_retry") or not request.meta.get(RETRY_TRANSIENT, True):
            return None
        if not isinstance(exception, self.exceptions_to_retry):
            return None
        if policy_of(self.crawler).refused(request.url):  # its address does not change
            return None
        timed_out = isinstance(exception, (DownloadTimeoutError, TwistedTimeoutError, TimeoutError))
        steps = self._table[TIMEOUT if timed_out else NETWORK]
        retry = self._again(request, exception, steps) if steps else None
        if retry is not None:
            self._tell(request, exception=exception)
        return retry

    def _tell(
        self,
        request: Request,
        response: Response | None = None,
        exception: Exception | None = None,
    ) -> None:
        self.crawler.signals.send_catch_log(
            fetch_retried, request=request, response=response, exception=exception
        )

    def _again(
        self,
        request: Request,
        reason: str | Exception,
        steps: Steps | None,
        asked: float | None = None,
    ) -> Request | None:
        """The request to retry with, and the pause of its site; None when it is given up."""
        times = self.max_retry_times if steps is None else len(steps)
        retry = get_retry_request(
            request,
            reason=reason,
            spider=self.crawler.spider,  # type: ignore[arg-type]  # there is one by now
            max_retry_times=request.meta.get("max_retry_times", times),
            priority_adjust=request.meta.get("priority_adjust", self.priority_adjust),
            give_up_log_level=request.meta.get("give_up_log_level", self.give_up_log_level),
        )
        if retry and steps:
            step = steps[min(retry.meta["retry_times"], len(steps)) - 1]
            why = reason if isinstance(reason, str) else type(reason).__name__
            self.crawler.signals.send_catch_log(
                site_busy,
                slot=request.meta.get("download_slot", ""),
                seconds=max(step, asked or 0.0),
                reason=f"retry {retry.meta['retry_times']} after {why}",
            )
        return retry


def read_table(settings: BaseSettings) -> dict[int | str, Steps]:
    """Return the rows of the setting ``WIKICRAWLER_RETRY``.

    Its keys are HTTP statuses (as numbers or strings), ``timeout`` and ``network``; its values are
    lists of seconds.

    :raises ConfigError: a key or value is wrong
    """
    rows = options.RETRY.read(settings)
    return {_row(key): _steps(key, steps) for key, steps in rows.items()}


def _row(key: object) -> int | str:
    if key in (TIMEOUT, NETWORK):
        return str(key)
    text = str(key)
    if text.isascii() and text.isdigit() and len(text) == 3 and 100 <= int(text) <= 599:
        return int(text)
    raise ConfigError(
        f"{options.RETRY.name} has the key {key!r}: it must be an HTTP status (100 to 599), "
        f"{TIMEOUT!r} or {NETWORK!r}"
    )


def _steps(key: object, value: object) -> Steps:
    if isinstance(value, (list, tuple)) and all(
        isinstance(s, (int, float)) and not isinstance(s, bool) and 0 <= s < float("inf")
        for s in value
    ):
        return tuple(float(s) for s in value)
    raise ConfigError(
        f"{options.RETRY.name}[{key!r}] is {value!r}: it must be a list of seconds, one for each "
        f"retry; {options.RETRY.right}"
    )
