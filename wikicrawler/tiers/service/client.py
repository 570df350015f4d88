"""HTTP client for a tier's service, with limits on the load that it causes."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.exceptions import DownloadTimeoutError

from wikicrawler.errors import Reason, TierError
from wikicrawler.guard.connection_errors import KeptConnectionLostError
from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.tiers.service.breaker import OTHERS_TRIAL, Breaker
from wikicrawler.tiers.service.closing import run_until_closing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy import Request
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

_REFUSALS = frozenset({401, 402, 403})
_GRACE = 5.0
"""Seconds that a request in flight may still take when the spider is closed."""


class ServiceDownError(TierError):
    """The service is down, busy or too slow, or its breaker is open."""

    reason = Reason.SERVICE_DOWN


class ServiceRefusedError(TierError):
    """The service rejects the token, the configuration, further requests, or this page."""

    reason = Reason.SERVICE_CONFIG

    def __init__(self, message: str, *, is_permanent: bool = False) -> None:
        super().__init__(message)
        self.is_permanent = is_permanent
        """Whether it rejects all requests of this crawl: none is sent any more."""


class ServiceClient:
    """Client of a service, with a concurrency limit, a deadline per request and a circuit
    :class:`~wikicrawler.tiers.service.breaker.Breaker`.

    Stats, prefixed with *name*: ``/request_count``, ``/failure_count``, ``/in_flight_max`` and
    ``/breaker/opened_count``.

    A subclass may override :meth:`error_of`.

    :param name: name of the service, for logs, stats and messages
    :param send: sends a request to the service; a
        :class:`~wikicrawler.tiers.service.handler.ServiceHandler` provides it
    :param concurrency: maximum number of requests in flight
    :param timeout: deadline of a request, in seconds
    :param is_closing: returns True when the spider is being closed
    """

    def __init__(
        self,
        name: str,
        send: Callable[[Request], Awaitable[Response]],
        *,
        stats: StatsCollector,
        concurrency: int = 2,
        timeout: float = 60.0,
        breaker: Breaker | None = None,
        is_closing: Callable[[], bool] = lambda: False,
    ) -> None:
        self._name = name
        self._send = send
        self._stats = stats
        self._timeout = timeout
        self.breaker = breaker or Breaker()
        self.breaker.trial_seconds = timeout + _GRACE
        self._is_closing = is_closing
        self._semaphore = asyncio.Semaphore(concurrency)
        self._in_flight = 0
        self._refused = ""

    @property
    def refusal(self) -> str:
        """Why no request of this crawl is sent any more; empty if they are."""
        return self._refused

    def error_of(self, response: Response) -> Exception | None:
        """Return the error that *response* of the service stands for.

        A :class:`ServiceDownError` counts for the breaker. Any other exception is the page's, or
        says that the service works but refuses.
        """
        if response.status == 429 or response.status >= 500:
            header = response.headers.get(b"Retry-After")
            error = ServiceDownError(f"{self._name}: HTTP {response.status}")
            error.retry_after = parse_retry_after(header, datetime.now(UTC))
            return error
        if response.status in _REFUSALS:
            return ServiceRefusedError(f"{self._name} answers HTTP {response.status}")
        return None

    async def send(self, request: Request) -> Response:
        """Send *request* and return the response.

        :raises ServiceDownError: no response, status 429, or a status of 500 or more
        :raises ServiceRefusedError: status 401, 402 or 403
        :raises TierInterruptedError: the spider is being closed
        :raises Exception: another error of :meth:`error_of`
        """
        await run_until_closing(self._is_closing, self._semaphore.acquire())
        self._in_flight += 1
        self._stats.max_value(f"{self._name}/in_flight_max", self._in_flight)
        try:
            if self._refused:
                raise ServiceRefusedError(self._refused)
            if self.breaker.state == "open":
                raise self._left_alone(self.breaker.remaining)
            if self.breaker.state == "half_open" and not await self.breaker.may_try():
                raise self._left_alone(self.breaker.remaining or OTHERS_TRIAL)
            return self._judged(await self._receive(request))
        finally:
            self._in_flight -= 1
            self._semaphore.release()

    def _left_alone(self, seconds: float) -> ServiceDownError:
        """Return the error for a page that is not sent."""
        error = ServiceDownError(
            f"{self._name} keeps failing and is left alone for {seconds:.0f} s"
        )
        error.retry_after = seconds
        return error

    async def _receive(self, request: Request) -> Response:
        """Send *request* and return the response, whatever its status."""
        self._stats.inc_value(f"{self._name}/request_count")
        request.meta.setdefault("download_timeout", self._timeout)
        try:
            async with asyncio.timeout(self._timeout):
                try:
                    return await run_until_closing(self._is_closing, self._send(request), _GRACE)
                except KeptConnectionLostError:  # says nothing of the server: it was idle too long
                    return await run_until_closing(self._is_closing, self._send(request), _GRACE)
        except (TimeoutError, DownloadTimeoutError):
            error = ServiceDownError(f"{self._name}: no answer in {self._timeout:.4g} s")
            raise self._failed(error) from None
        except TierError:
            raise
        except Exception as error:
            why = ServiceDownError(f"{self._name}: no answer: {type(error).__name__}")
            raise self._failed(why) from error

    def _judged(self, response: Response) -> Response:
        error = self.error_of(response)
        if isinstance(error, ServiceDownError):
            raise self._failed(error)
        self.breaker.succeeded()
        if error is None:
            return response
        if isinstance(error, TierError):
            self._stats.inc_value(f"{self._name}/failure_count")
        if isinstance(error, ServiceRefusedError) and error.is_permanent and not self._refused:
            self._refused = str(error)
            logger.error("%s is not used any more in this crawl: %s", self._name, error)
        raise error

    def _failed(self, error: ServiceDownError) -> ServiceDownError:
        """Count *error*, and return it with the time for which the service is left alone."""
        self._stats.inc_value(f"{self._name}/failure_count")
        if self.breaker.failed():
            self._stats.inc_value(f"{self._name}/breaker/opened_count")
            logger.warning(
                "%s keeps failing (%s): next attempt in %.0f s",
                self._name,
                error,
                self.breaker.remaining,
            )
        error.retry_after = max(self.breaker.remaining, error.retry_after or 0.0) or None
        return error
