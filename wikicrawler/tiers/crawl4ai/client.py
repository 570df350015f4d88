"""Client of crawl4ai's server. Each crawl has one."""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from http import HTTPStatus
from math import inf
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request
from scrapy.exceptions import DownloadCancelledError, DownloadTimeoutError

from wikicrawler.errors import TierInterruptedError
from wikicrawler.politeness.retry_after import parse_retry_after
from wikicrawler.tiers.crawl4ai.errors import (
    BrowserConfigError,
    BrowserHungError,
    BrowserTimeoutError,
    BrowserUnavailableError,
)
from wikicrawler.tiers.crawl4ai.protocol import (
    TransientError,
    Version,
    is_permanent,
    is_request_error,
    read_result,
    read_stream,
    read_version,
    refusal,
    request_body,
)
from wikicrawler.tiers.service.breaker import OTHERS_TRIAL, Breaker
from wikicrawler.tiers.service.closing import run_until_closing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
    from wikicrawler.tiers.crawl4ai.errors import BrowserError
    from wikicrawler.tiers.crawl4ai.protocol import Rendered

logger = logging.getLogger(__name__)

_TRIAL_PAGE = "raw:<html><body><p>Is anybody there?</p></body></html>"
"""A page that needs no network. ``/health`` does not detect a server whose browsers all hang."""
_TRIAL_TIMEOUT = 10.0
"""Seconds within which a healthy server answers a request that needs no network."""
_TIMEOUT_MARGIN = 2.0
"""Seconds by which our own deadline exceeds the ordinary handler's."""
_OVERHEAD_FACTOR = 8
"""Maximum size of a response, relative to the page in it: JSON escapes, and extra fields of older
servers."""
_GRACE = 5.0
"""Seconds that a crawl in flight may still take when the spider is closed."""


class _UnprovenTimeoutError(BrowserTimeoutError):
    """A time-out while no other page was rendered: the server may have been down, and works now."""


class _CrawlRequest(NamedTuple):
    """A page to crawl."""

    url: str
    parameters: Mapping[str, Any] | None
    max_size: int
    stealth: bool = False


class Crawl4AIClient:
    """Client that crawls with ``POST /crawl/stream``, one URL per request.

    It uses the stream because disconnecting from it frees the server's page; disconnecting from
    ``/crawl`` does not. At most ``concurrency`` crawls are in flight. Transient errors are retried,
    and a :class:`Breaker` pauses a server that keeps failing.

    :param send: sends a request by ordinary HTTP
    :param is_closing: returns True when the spider is being closed; waiting crawls are then
        cancelled at once, those in flight within 5 seconds
    """

    def __init__(
        self,
        config: Crawl4AIConfig,
        send: Callable[[Request], Awaitable[Response]],
        stats: StatsCollector | None = None,
        breaker: Breaker | None = None,
        is_closing: Callable[[], bool] = lambda: False,
    ) -> None:
        self.config = config
        self.version: Version | None = None
        self._send = send
        self._stats = stats
        self.breaker = breaker or Breaker()
        self._is_closing = is_closing
        self._semaphore = asyncio.Semaphore(config.concurrency)
        self._in_flight = 0
        self._checking = asyncio.Lock()
        self._asked_version = False
        self._refused = ""
        self._answered = -inf  # time of the last result for a page
        self._passed_trial = -inf  # time of the last trial that succeeded
        self._has_stealth = True  # until the server refuses it

    async def crawl(
        self,
        url: str,
        parameters: Mapping[str, Any] | None = None,
        max_size: int | None = None,
        *,
        stealth: bool = False,
        site_delay: Callable[[], float] = lambda: 0.0,
    ) -> tuple[Rendered, float]:
        """Crawl *url* and return the page and the time taken in seconds.

        :param stealth: use a browser that hides that it is automated, if the server supports it
        :param site_delay: returns the minimum delay in seconds before a retry: the failed crawl may
            have loaded the page, so that the retry is another request to its site
        :raises BrowserError: the server failed
        :raises DownloadFailedError, DownloadTimeoutError, DownloadConnectionRefusedError,
            CannotResolveHostError: the browser could not load the page
        :raises DownloadCancelledError: the page has more than *max_size* bytes
        """
        size = self.config.max_size if max_size is None else max_size
        crawl_request = _CrawlRequest(url, parameters, size, stealth)
        delays = iter(self.config.retry_delays)
        repeated = False
        while True:
            try:
                return await self._crawl_once(crawl_request)
            except TransientError as error:
                delay = next(delays, -1.0)
                if self.breaker.state != "closed" or delay < (error.retry_after or 0.0):
                    raise
                logger.debug("Retrying crawl4ai after %s", error)
            except _UnprovenTimeoutError:
                if repeated:
                    raise
                repeated, delay = True, 0.0
            self._count("retry_count")
            wait = max(delay, site_delay())
            await run_until_closing(self._is_closing, asyncio.sleep(wait))

    async def check(self) -> Version | None:
        """Check that the server can crawl. Return the version that it states, if any.

        :raises BrowserError: it cannot crawl
        """
        await self._ask_version()
        await self._run_trial()
        return self.version

    async def _crawl_once(self, crawl_request: _CrawlRequest) -> tuple[Rendered, float]:
        await run_until_closing(self._is_closing, self._semaphore.acquire())
        try:
            if self._refused:
                raise BrowserConfigError(self._refused)
            await self._ensure_ready()
            return await self._timed_crawl(crawl_request)
        finally:
            self._semaphore.release()

    async def _timed_crawl(self, crawl_request: _CrawlRequest) -> tuple[Rendered, float]:
        self._in_flight += 1
        self._record_in_flight()
        sent = monotonic()
        crawl = self._result_of(crawl_request)
        try:
            result = await run_until_closing(self._is_closing, crawl, _GRACE)
            page = read_result(result, crawl_request.url, crawl_request.max_size)
        except BrowserTimeoutError as error:
            raise await self._timed_out(error, sent) from None
        except BrowserUnavailableError as error:
            self._failed(error)
            raise
        except BrowserConfigError as error:
            self._handle_refusal(error, crawl_request.parameters)
            raise
        except TierInterruptedError:
            raise  # not the server's fault
        except Exception:
            self._answered = monotonic()
            self._succeeded()  # the failure is the page's
            raise
        finally:
            self._in_flight -= 1
        self._answered = monotonic()
        self._succeeded()
        return page, self._answered - sent

    async def _ensure_ready(self) -> None:
        """Ask for the server's version and run a pending trial before a crawl.

        :raises BrowserError: the server is not usable now
        """
        if self.breaker.state == "closed" and self._asked_version:
            return
        async with self._checking:
            state = self.breaker.state
            if state == "open":
                raise self._left_alone(self.breaker.remaining)
            if state == "half_open" and not await self.breaker.may_try():
                raise self._left_alone(self.breaker.remaining or OTHERS_TRIAL)
            try:
                if not self._asked_version:
                    await self._ask_version()
                if state == "half_open":
                    await self._run_trial()
                    self._succeeded()
            except BrowserTimeoutError as error:
                hung = BrowserHungError(str(error))
                self._failed(hung, at_once=True)
                raise hung from None
            except BrowserUnavailableError as error:
                self._failed(error)
                raise
            except BrowserConfigError as error:
                self._handle_refusal(error, None)
                raise

    async def _ask_version(self) -> None:
        response = await self._fetch("/health", b"", _TRIAL_TIMEOUT, 1 << 20)
        if response.status >= 500:
            raise _refusal(response)
        self.version = read_version(response.body) if response.status == HTTPStatus.OK else None
        self._asked_version = True
        logger.info(
            "crawl4ai at %s reports %s",
            self.config.url,
            "version " + ".".join(map(str, self.version)) if self.version else "no version",
        )

    async def _run_trial(self) -> None:
        """Crawl a page that needs no network.

        :raises BrowserError: the crawl failed
        """
        deadline = min(_TRIAL_TIMEOUT, self.config.timeout)
        trial = self._exchange(_CrawlRequest(_TRIAL_PAGE, None, self.config.max_size), deadline)
        await run_until_closing(self._is_closing, trial, _GRACE)

    async def _result_of(self, crawl_request: _CrawlRequest) -> dict[str, Any]:
        """Return the result of *crawl_request*; without stealth if the server does not support
        it."""
        plain = crawl_request._replace(stealth=False)
        if not (crawl_request.stealth and self._has_stealth):
            return await self._exchange(plain, self.config.timeout)
        self._count("stealth_count")
        try:
            return await self._exchange(crawl_request, self.config.timeout)
        except BrowserConfigError as error:
            if not is_request_error(str(error)):
                raise
            answer = await self._exchange(plain, self.config.timeout)
            if self._has_stealth:  # another crawl may have cleared it meanwhile
                self._has_stealth = False
                logger.warning(
                    "crawl4ai at %s does not support stealth; crawling without it: %s",
                    self.config.url,
                    error,
                )
            return answer

    async def _exchange(self, crawl_request: _CrawlRequest, deadline: float) -> dict[str, Any]:
        body = request_body(
            self.config,
            crawl_request.url,
            self.version,
            crawl_request.parameters,
            stealth=crawl_request.stealth,
        )
        self._count("request_count")
        response = await self._fetch(
            "/crawl/stream", body, deadline, _OVERHEAD_FACTOR * crawl_request.max_size
        )
        if response.status != HTTPStatus.OK:
            raise _refusal(response)
        return read_stream(response.body)

    async def _fetch(self, path: str, body: bytes, deadline: float, max_size: int) -> Response:
        """Send one request and return the complete response, within *deadline* seconds."""
        # Not derived from the page's request, which has headers of its own (Accept-Encoding,
        # cookies).
        headers = {"Accept": "application/x-ndjson, application/json"}
        if body:
            headers["Content-Type"] = "application/json"
        if self.config.token:
            headers["Authorization"] = f"Bearer {self.config.token}"
        request = Request(
            self.config.url + path,
            method="POST" if body else "GET",
            body=body,
            headers=headers,
            meta={
                "download_timeout": deadline,
                "download_maxsize": max_size,
                "download_fail_on_dataloss": True,
            },
        )
        try:
            # Some handlers apply their time-out to single steps of a request only.
            async with asyncio.timeout(deadline + _TIMEOUT_MARGIN):
                return await self._send(request)
        except (TimeoutError, DownloadTimeoutError):
            raise BrowserTimeoutError(f"crawl4ai gave no answer in {deadline:.4g} s") from None
        except DownloadCancelledError:
            raise
        except Exception as error:
            raise TransientError(f"no whole answer of crawl4ai: {type(error).__name__}") from error

    # Outcomes

    async def _timed_out(self, error: BrowserTimeoutError, sent: float) -> BrowserTimeoutError:
        """Count a time-out and return the error to raise. A trial tells whether the server hangs,
        which opens the breaker at once, or the page: endless scripts cause time-outs too.

        :param sent: time of the request
        """
        noticed = monotonic()
        async with self._checking:
            if self.breaker.state == "closed" and self._passed_trial < noticed:
                try:
                    await self._run_trial()
                except (BrowserUnavailableError, BrowserTimeoutError):
                    pass
                else:
                    self._passed_trial = monotonic()
            if self._passed_trial < noticed:
                hung = BrowserHungError(str(error))
                self._failed(hung, at_once=True)
                return hung
        self._count(f"failure_count/{_kind(error)}")
        self._succeeded()
        return error if self._answered > sent else _UnprovenTimeoutError(str(error))

    def _left_alone(self, seconds: float) -> BrowserUnavailableError:
        """Return the error for a page that is not sent because the breaker is not closed."""
        self._record_state()
        error = BrowserUnavailableError(
            f"crawl4ai keeps failing and is left alone for {seconds:.0f} s"
        )
        error.retry_after = seconds
        return error

    def _failed(self, error: BrowserError, *, at_once: bool = False) -> None:
        self._count(f"failure_count/{_kind(error)}")
        if self.breaker.failed(at_once=at_once):
            self._count("breaker/opened_count")
            logger.warning(
                "crawl4ai at %s keeps failing (%s): next attempt in %.0f s",
                self.config.url,
                error,
                self.breaker.remaining,
            )
        if self.breaker.state == "open":
            error.retry_after = max(self.breaker.remaining, error.retry_after or 0.0)
        self._record_state()

    def _succeeded(self) -> None:
        if self.breaker.succeeded():
            logger.info("crawl4ai at %s works again", self.config.url)
        self._record_state()

    def _handle_refusal(
        self, error: BrowserConfigError, parameters: Mapping[str, Any] | None
    ) -> None:
        """Stop using the server if it refuses something that is the same for all pages."""
        self._count("failure_count/config")
        self._succeeded()  # the server is up
        if parameters or self._refused or not is_permanent(str(error)):
            return
        self._refused = str(error)
        hint = " (check CRAWL4AI_API_TOKEN)" if "HTTP 401" in self._refused else ""
        logger.error("crawl4ai at %s is no longer used: %s%s", self.config.url, self._refused, hint)

    def _record_state(self) -> None:
        if self._stats is not None:
            self._stats.set_value("crawl4ai/breaker/state", self.breaker.state)

    def _record_in_flight(self) -> None:
        if self._stats is not None:
            self._stats.max_value("crawl4ai/in_flight_max", self._in_flight)

    def _count(self, name: str) -> None:
        if self._stats is not None:
            self._stats.inc_value(f"crawl4ai/{name}")


def _refusal(response: Response) -> BrowserError:
    header = response.headers.get(b"Retry-After")
    error = refusal(response.status, response.body)
    if isinstance(error, BrowserUnavailableError):
        error.retry_after = parse_retry_after(header, datetime.now(UTC)) or None
    return error


def _kind(error: Exception) -> str:
    return "timeout" if isinstance(error, BrowserTimeoutError) else "unavailable"
