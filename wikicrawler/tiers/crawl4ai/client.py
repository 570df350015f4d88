"""Talks to crawl4ai's server: one for a crawl, whoever asks."""

from __future__ import annotations

import asyncio
import logging
from http import HTTPStatus
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request
from scrapy.exceptions import DownloadCancelledError, DownloadTimeoutError

from wikicrawler.errors import TierInterruptedError
from wikicrawler.tiers.crawl4ai.errors import (
    BrowserConfigError,
    BrowserTimeoutError,
    BrowserUnavailableError,
)
from wikicrawler.tiers.crawl4ai.protocol import (
    PassingError,
    Version,
    is_lasting,
    is_of_content,
    read_result,
    read_stream,
    read_version,
    refusal,
    request_body,
)
from wikicrawler.tiers.service.breaker import Breaker
from wikicrawler.tiers.service.closing import unless

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from scrapy.http import Response
    from scrapy.statscollectors import StatsCollector

    from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
    from wikicrawler.tiers.crawl4ai.protocol import Rendered

logger = logging.getLogger(__name__)

_TRIAL = "raw:<html><body><p>Is anybody there?</p></body></html>"
"""A page that needs no network. ``/health`` is answered by servers whose browsers all hang."""
_SHORT = 10.0
"""Seconds in which a server that is well answers what needs no network."""
_SPARE = 2.0
"""Seconds by which our own deadline comes after the ordinary handler's."""
_PACKED = 8
"""Bytes of an answer for each of the page: JSON's escapes, and what older servers send with it."""
_GRACE = 5.0
"""Seconds that a crawl under way may still take when the spider is closed."""


class _Wanted(NamedTuple):
    """A page that is asked for."""

    url: str
    parameters: Mapping[str, Any] | None
    max_size: int
    stealth: bool = False


class Crawl4AIClient:
    """Crawls by ``POST /crawl/stream``, one URL a request.

    The stream, because leaving it frees the server's page, which leaving ``/crawl`` does not.
    *send* brings a request by ordinary HTTP. At most ``concurrency`` crawls are under way. What
    passes is retried; a server that keeps failing is left alone, as :class:`Breaker` says. When
    *is_closing* says that the spider is being closed, what waits is given up at once, and what is
    under way soon.
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
        self._breaker = breaker or Breaker()
        self._is_closing = is_closing
        self._places = asyncio.Semaphore(config.concurrency)
        self._in_flight = 0
        self._checking = asyncio.Lock()
        self._asked_version = False
        self._refused = ""
        self._has_stealth = True  # until the server refuses it

    async def crawl(
        self,
        url: str,
        parameters: Mapping[str, Any] | None = None,
        max_size: int | None = None,
        *,
        stealth: bool = False,
    ) -> tuple[Rendered, float]:
        """The page at *url*, and the seconds that it took. With *stealth* it is rendered by a
        browser that hides that it is automated, if the server has such.

        :raises BrowserError: the server brought none
        :raises DownloadFailedError, DownloadTimeoutError, DownloadConnectionRefusedError,
            CannotResolveHostError: the browser could not load it
        :raises DownloadCancelledError: it has more than *max_size* bytes
        """
        size = self.config.max_size if max_size is None else max_size
        wanted = _Wanted(url, parameters, size, stealth)
        for delay in self.config.retry_delays:
            try:
                return await self._crawl_once(wanted)
            except PassingError as error:
                if self._breaker.state != "closed":
                    raise
                self._count("retry_count")
                logger.debug("crawl4ai is asked again in %.4g s: %s", delay, error)
            await unless(self._is_closing, asyncio.sleep(delay))
        return await self._crawl_once(wanted)

    async def check(self) -> Version | None:
        """Make sure that the server crawls: the version it states, None where it states none.

        :raises BrowserError: it does not
        """
        await self._ask_version()
        await self._try()
        return self.version

    async def _crawl_once(self, wanted: _Wanted) -> tuple[Rendered, float]:
        await unless(self._is_closing, self._places.acquire())
        try:
            if self._refused:
                raise BrowserConfigError(self._refused)
            await self._be_ready()
            return await self._timed_crawl(wanted)
        finally:
            self._places.release()

    async def _timed_crawl(self, wanted: _Wanted) -> tuple[Rendered, float]:
        self._in_flight += 1
        self._most_in_flight()
        started = monotonic()
        crawl = self._answered(wanted)
        try:
            result = await unless(self._is_closing, crawl, _GRACE)
            page = read_result(result, wanted.url, wanted.max_size)
        except BrowserTimeoutError as error:
            await self._timed_out(error)
            raise
        except BrowserUnavailableError as error:
            self._failed(error)
            raise
        except BrowserConfigError as error:
            self._note_refusal(error, wanted.parameters)
            raise
        except TierInterruptedError:
            raise  # which says nothing of the server
        except Exception:
            self._succeeded()  # the page is what is wrong
            raise
        finally:
            self._in_flight -= 1
        self._succeeded()
        return page, monotonic() - started

    async def _be_ready(self) -> None:
        """Return when the server may be asked: known, and not given up just now."""
        if self._breaker.state == "closed" and self._asked_version:
            return
        async with self._checking:
            state = self._breaker.state
            if state == "open":
                raise BrowserUnavailableError(
                    f"crawl4ai keeps failing and is left alone for {self._breaker.remaining:.0f} s"
                )
            try:
                if not self._asked_version:
                    await self._ask_version()
                if state == "half_open":
                    await self._try()
                    self._succeeded()
            except (BrowserUnavailableError, BrowserTimeoutError) as error:
                self._failed(error)
                raise
            except BrowserConfigError as error:
                self._note_refusal(error, None)
                raise

    async def _ask_version(self) -> None:
        response = await self._fetch("/health", b"", _SHORT, 1 << 20)
        if response.status >= 500:
            raise refusal(response.status, response.body)
        self.version = read_version(response.body) if response.status == HTTPStatus.OK else None
        self._asked_version = True
        logger.info(
            "crawl4ai at %s states %s",
            self.config.url,
            "version " + ".".join(map(str, self.version)) if self.version else "no version",
        )

    async def _try(self) -> None:
        """Crawl a page that needs no network.

        :raises BrowserError: it is not brought
        """
        deadline = min(_SHORT, self.config.timeout)
        trial = self._exchange(_Wanted(_TRIAL, None, self.config.max_size), deadline)
        await unless(self._is_closing, trial, _GRACE)

    async def _answered(self, wanted: _Wanted) -> dict[str, Any]:
        """The result for what is *wanted*, without stealth where the server has none."""
        plain = wanted._replace(stealth=False)
        if not (wanted.stealth and self._has_stealth):
            return await self._exchange(plain, self.config.timeout)
        self._count("stealth_count")
        try:
            return await self._exchange(wanted, self.config.timeout)
        except BrowserConfigError as error:
            if not is_of_content(str(error)):
                raise
            answer = await self._exchange(plain, self.config.timeout)
            if self._has_stealth:  # else another page has found out meanwhile
                self._has_stealth = False
                logger.warning(
                    "crawl4ai at %s has no browser with stealth, and is asked without it: %s",
                    self.config.url,
                    error,
                )
            return answer

    async def _exchange(self, wanted: _Wanted, deadline: float) -> dict[str, Any]:
        body = request_body(
            self.config, wanted.url, self.version, wanted.parameters, stealth=wanted.stealth
        )
        self._count("request_count")
        response = await self._fetch("/crawl/stream", body, deadline, _PACKED * wanted.max_size)
        if response.status != HTTPStatus.OK:
            raise refusal(response.status, response.body)
        return read_stream(response.body)

    async def _fetch(self, path: str, body: bytes, deadline: float, max_size: int) -> Response:
        """One exchange, whole or not at all, within *deadline* seconds."""
        # Made from nothing: a page's request would bring its headers (Accept-Encoding, cookies).
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
            # Other handlers than Scrapy's first take their time-out for one step of many.
            async with asyncio.timeout(deadline + _SPARE):
                return await self._send(request)
        except (TimeoutError, DownloadTimeoutError):
            raise BrowserTimeoutError(f"crawl4ai gave no answer in {deadline:.4g} s") from None
        except DownloadCancelledError:
            raise
        except Exception as error:
            raise PassingError(f"no whole answer of crawl4ai: {type(error).__name__}") from error

    # What becomes of it

    async def _timed_out(self, error: BrowserTimeoutError) -> None:
        """Deadlines alone may be the doing of pages, as scripts that never end are: before the
        server is left alone for them it may show that it is well."""
        if self._breaker.is_last_chance:
            try:
                await self._try()
            except (BrowserUnavailableError, BrowserTimeoutError):
                pass
            else:
                self._count(f"failure_count/{_kind(error)}")
                self._succeeded()
                return
        self._failed(error)

    def _failed(self, error: Exception) -> None:
        self._count(f"failure_count/{_kind(error)}")
        if self._breaker.failed():
            self._count("breaker/opened_count")
            logger.warning(
                "crawl4ai at %s keeps failing (%s): no page is asked of it for %.0f s, then it is "
                "tried again",
                self.config.url,
                error,
                self._breaker.remaining,
            )
        self._note_state()

    def _succeeded(self) -> None:
        if self._breaker.succeeded():
            logger.info("crawl4ai at %s is well again", self.config.url)
        self._note_state()

    def _note_refusal(
        self, error: BrowserConfigError, parameters: Mapping[str, Any] | None
    ) -> None:
        """A refusal of what is the same for all pages ends the use of the server."""
        self._count("failure_count/config")
        self._succeeded()  # it is up
        if parameters or self._refused or not is_lasting(str(error)):
            return
        self._refused = str(error)
        hint = " (check CRAWL4AI_API_TOKEN)" if "HTTP 401" in self._refused else ""
        logger.error(
            "crawl4ai at %s is not used any more: %s%s", self.config.url, self._refused, hint
        )

    def _note_state(self) -> None:
        if self._stats is not None:
            self._stats.set_value("crawl4ai/breaker/state", self._breaker.state)

    def _most_in_flight(self) -> None:
        if self._stats is not None:
            self._stats.max_value("crawl4ai/in_flight_max", self._in_flight)

    def _count(self, name: str) -> None:
        if self._stats is not None:
            self._stats.inc_value(f"crawl4ai/{name}")


def _kind(error: Exception) -> str:
    return "timeout" if isinstance(error, BrowserTimeoutError) else "unavailable"
