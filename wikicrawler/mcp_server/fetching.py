"""Pages that the running crawl requests for a call."""

from __future__ import annotations

import asyncio
import logging
from itertools import count
from typing import TYPE_CHECKING

from scrapy import Request, signals

from wikicrawler.errors import Reason
from wikicrawler.mcp_server.failures import PageFailed
from wikicrawler.pages import STRICT_KEY, Failure
from wikicrawler.scope.page_requests import DEPTH
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.failures import TiersExhausted, failure_of
from wikicrawler.tiers.progress import attempts_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.items import Attempt

logger = logging.getLogger(__name__)

NUMBER = "_mcp_request"
"""Meta key: number of the page that a call waits for. The requests of its other tiers have it
too."""


class NotWantedError(Exception):
    """No call waits for the page any more."""


class PageRequests:
    """Sends requests into the crawl, and hands the responses to those who wait."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._numbers = count(1)
        self._awaited: dict[int, asyncio.Future[Response]] = {}
        crawler.signals.connect(self._idle, signals.spider_idle)

    async def fetch(self, url: str, *, depth: int = 0) -> Response:
        """Return the response to a request for the page at *url*, by whichever tier.

        If the task is cancelled, what has not been sent of the page is not sent.

        :param depth: number of links from the URL that the caller named
        :raises PageFailed: there is none
        """
        number = next(self._numbers)
        arrival: asyncio.Future[Response] = asyncio.get_running_loop().create_future()
        self._awaited[number] = arrival
        request = Request(
            url,
            callback=self._arrived,
            errback=self._failed,
            dont_filter=True,  # another call may have asked for it
            meta={STRICT_KEY: True, DEPTH: depth, NUMBER: number},
            cb_kwargs={"number": number, "url": url},
        )
        try:
            engine = self._crawler.engine
            assert engine is not None  # noqa: S101 - the crawl runs
            engine.crawl(request)
            return await arrival
        finally:
            del self._awaited[number]

    def is_wanted(self, request: Request) -> bool:
        """Return False if the call that *request* was made for has ended."""
        number = request.meta.get(NUMBER)
        return number is None or number in self._awaited

    def _arrived(self, response: Response, number: int, url: str) -> None:
        arrival = self._awaited.get(number)
        if arrival is not None and not arrival.done():
            arrival.set_result(response)

    def _failed(self, failure: TwistedFailure) -> None:
        request: Request = failure.request  # type: ignore[attr-defined]
        error = failure.value
        assert error is not None  # noqa: S101 - only a cleared failure has none
        arrival = self._awaited.get(request.cb_kwargs["number"])
        if arrival is None or arrival.done():
            return
        attempts: Sequence[Attempt] = attempts_of(request)
        why = failure_of(error)
        if isinstance(error, TiersExhausted):  # whose message repeats all attempts
            attempts = error.attempts
            why = Failure(error.reason, attempts[-1]["detail"] if attempts else "")
        elif why is None:
            logger.error("Error on %s", one_line(request.url, 200), exc_info=error)
            why = Failure(Reason.ERROR, type(error).__name__)
        arrival.set_exception(PageFailed(request.cb_kwargs["url"], why, attempts))

    def _idle(self) -> None:
        """Answer for requests that a component dropped without a word."""
        for arrival in self._awaited.values():
            if not arrival.done():
                why = Failure(Reason.ERROR, "the request was dropped")
                arrival.set_exception(PageFailed("", why))


class NotWantedMiddleware:
    """Downloader middleware: drops the requests of calls that have ended.

    It comes before all others, robots.txt included, for a spider with ``page_requests``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> None:
        """Drop *request* if nobody waits for it.

        :raises NotWantedError: nobody does. The tiers do not count it as a failure of the site
        """
        requests: PageRequests | None = getattr(self._crawler.spider, "page_requests", None)
        if requests is not None and not requests.is_wanted(request):
            raise NotWantedError(one_line(request.url, 200))
