"""A tier's service over HTTP, as a client that spares it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import DownloadTimeoutError

from wikicrawler.errors import Reason, TierError
from wikicrawler.tiers.service.breaker import Breaker
from wikicrawler.tiers.service.closing import unless

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy import Request
    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

logger = logging.getLogger(__name__)

_REFUSALS = frozenset({401, 402, 403})
_GRACE = 5.0
"""Seconds that a request under way may still take when the spider is closed."""


class ServiceDownError(TierError):
    """The service is down, busy or too slow, or is left alone for a while."""

    reason = Reason.SERVICE_DOWN


class ServiceRefusedError(TierError):
    """The service refuses the token, the configuration or more requests."""

    reason = Reason.SERVICE_CONFIG


class ServiceClient:
    """Sends requests to a service: so many at once, each with a deadline, none while it keeps
    failing (:class:`~wikicrawler.tiers.service.breaker.Breaker`).

    Stats, with *name* before them: ``/request_count``, ``/failure_count``, ``/in_flight_max`` and
    ``/breaker/opened_count``.

    :param name: of the service, for logs, stats and messages
    :param send: sends a request to the service, as a
        :class:`~wikicrawler.tiers.service.handler.ServiceHandler` gives it
    :param concurrency: number of requests under way at once
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
        self._breaker = breaker or Breaker()
        self._is_closing = is_closing
        self._places = asyncio.Semaphore(concurrency)
        self._in_flight = 0

    async def send(self, request: Request) -> Response:
        """Send *request*, and return a response whose status is neither 401, 402, 403 nor 429, and
        below 500.

        :raises ServiceDownError: there was none
        :raises ServiceRefusedError: its status is 401, 402 or 403
        :raises TierInterruptedError: the spider is being closed
        """
        await unless(self._is_closing, self._places.acquire())
        self._in_flight += 1
        self._stats.max_value(f"{self._name}/in_flight_max", self._in_flight)
        try:
            if self._breaker.state == "open":
                raise ServiceDownError(
                    f"{self._name} keeps failing and is left alone for "
                    f"{self._breaker.remaining:.0f} s"
                )
            return await self._answered(request)
        finally:
            self._in_flight -= 1
            self._places.release()

    async def _answered(self, request: Request) -> Response:
        self._stats.inc_value(f"{self._name}/request_count")
        request.meta.setdefault("download_timeout", self._timeout)
        try:
            async with asyncio.timeout(self._timeout):
                response = await unless(self._is_closing, self._send(request), _GRACE)
        except (TimeoutError, DownloadTimeoutError):
            raise self._failed(f"no answer in {self._timeout:.4g} s") from None
        except TierError:
            raise
        except Exception as error:
            raise self._failed(f"no answer: {type(error).__name__}") from error
        if response.status == 429 or response.status >= 500:
            raise self._failed(f"HTTP {response.status}")
        self._breaker.succeeded()
        if response.status in _REFUSALS:
            self._stats.inc_value(f"{self._name}/failure_count")
            raise ServiceRefusedError(f"{self._name} answers HTTP {response.status}")
        return response

    def _failed(self, why: str) -> ServiceDownError:
        self._stats.inc_value(f"{self._name}/failure_count")
        if self._breaker.failed():
            self._stats.inc_value(f"{self._name}/breaker/opened_count")
            logger.warning(
                "%s keeps failing (%s): it is left alone for %.0f s, then tried again",
                self._name,
                why,
                self._breaker.remaining,
            )
        return ServiceDownError(f"{self._name}: {why}")
