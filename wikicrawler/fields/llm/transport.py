"""Requests to the server of a model: by Scrapy's download handlers, or by litellm."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request, signals
from scrapy.exceptions import DownloadTimeoutError

from wikicrawler.fields.litellm_extra import litellm_folder
from wikicrawler.fields.llm.litellm_process import LitellmProcess
from wikicrawler.fields.llm.requests import HttpResponse, TransportError
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.services import as_service
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.service.handler import plain_handler

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.fields.llm.requests import HttpRequest

_REQUESTS = "fields/llm/request_count"
_IN_FLIGHT = "fields/llm/in_flight_max"
_STATUS = "fields/llm/status_count/{}"
_FAILED = "fields/llm/exception_count"


class _CountedTransport:
    """Bounds and counts the requests of a crawl.

    Stats: ``fields/llm/request_count``, ``fields/llm/status_count/<status>``,
    ``fields/llm/exception_count`` and ``fields/llm/in_flight_max``.

    :param concurrency: maximum number of requests in flight
    """

    def __init__(self, crawler: Crawler, concurrency: int) -> None:
        self._stats = crawler.stats
        self._places = asyncio.Semaphore(concurrency)
        self._in_flight = 0
        crawler.signals.connect(self.close, signals.spider_closed)

    async def close(self) -> None:
        """Close the connections."""
        raise NotImplementedError

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Return the response, whatever its status.

        :raises TimeoutError: the time was up
        :raises TransportError: the connection failed or broke
        """
        async with self._places:
            self._in_flight += 1
            self._stats.max_value(_IN_FLIGHT, self._in_flight)
            self._stats.inc_value(_REQUESTS)
            try:
                response = await self._received(request)
            except BaseException:
                self._stats.inc_value(_FAILED)
                raise
            finally:
                self._in_flight -= 1
            self._stats.inc_value(_STATUS.format(response.status))
            return response

    async def _received(self, request: HttpRequest) -> HttpResponse:
        raise NotImplementedError


class HandlerTransport(_CountedTransport):
    """Sends requests by a handler of the kind that *crawler* downloads pages with.

    The handler has connections of its own, and the requests pass no downloader middleware: no key
    reaches a proxy of the pages, a cache or the log. No page may lead to the server. It is closed
    with the spider.

    :param base_url: of the server; requests go to its host only
    :param setting: name of the setting that has it, for messages
    """

    def __init__(self, crawler: Crawler, base_url: str, setting: str, concurrency: int) -> None:
        super().__init__(crawler, concurrency)
        policy_of(crawler).services.register(base_url, setting)
        self._handler = plain_handler(crawler, urlsplit(base_url).scheme)
        self._send: Callable[[Request], Awaitable[Response]]
        self._send = as_service(self._handler.download_request)

    async def close(self) -> None:
        await self._handler.close()

    async def _received(self, request: HttpRequest) -> HttpResponse:
        sent = Request(
            request.url,
            method=request.method,
            headers=request.headers,
            body=request.body,
            meta={
                "download_timeout": request.timeout,
                "download_maxsize": request.max_body,
                "download_warnsize": 0,
            },
        )
        failure: type[Exception] = TransportError
        why = ""
        try:
            async with asyncio.timeout(request.timeout):
                response = await self._send(sent)
        except (TimeoutError, DownloadTimeoutError):
            failure = TimeoutError
        except Exception as error:
            why = type(error).__name__
        else:
            return HttpResponse(response.status, headers_of(response), response.body)
        # Outside the handler: the exception has the request, and with it the key.
        raise failure(why)


class LitellmTransport(_CountedTransport):
    """Asks the providers that litellm knows, in a process that ends with the spider.

    :param base_url: of the server, to which no page may lead; empty: that of the provider
    :param setting: name of the setting that has it, for messages
    :raises ConfigError: litellm is not installed
    """

    def __init__(self, crawler: Crawler, base_url: str, setting: str, concurrency: int) -> None:
        super().__init__(crawler, concurrency)
        if base_url:
            policy_of(crawler).services.register(base_url, setting)
        self._process = LitellmProcess(litellm_folder(), base_url or None)

    async def close(self) -> None:
        await self._process.close()

    async def _received(self, request: HttpRequest) -> HttpResponse:
        return await self._process.ask(request)
