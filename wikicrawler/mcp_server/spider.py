"""The spider of the server: it has no page of its own, and requests those of the calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Spider, signals
from scrapy.exceptions import DontCloseSpider

from wikicrawler import options
from wikicrawler.mcp_server.fetching import PageRequests
from wikicrawler.mcp_server.protocol import server_of
from wikicrawler.mcp_server.reading import PageReader
from wikicrawler.mcp_server.stdio import message_streams
from wikicrawler.mcp_server.tools import Tools
from wikicrawler.process.stopping import stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

    from scrapy.crawler import Crawler


class Pipes(NamedTuple):
    """File descriptors of the messages."""

    source: int
    sink: int


class McpSpider(Spider):
    """Serves a client until it closes its end of the pipe."""

    name = "mcp"
    page_requests: PageRequests
    _reader: PageReader
    _tools: Tools

    def __init__(self, *, pipes: Pipes, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._pipes = pipes
        self._serving: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        spider.page_requests = PageRequests(crawler)
        spider._reader = PageReader(crawler, spider.page_requests)
        spider._tools = Tools(crawler, spider._reader)
        crawler.signals.connect(spider._idle, signals.spider_idle)
        crawler.signals.connect(spider._close, signals.spider_closed)
        return spider

    async def start(self) -> AsyncIterator[Any]:
        if not options.CONTACT.read(self.settings):
            self.logger.warning(
                "%(contact)s is not set: site operators cannot reach you, and some wikis refuse "
                "such a User-Agent. Set it to a URL or an e-mail address, e.g. "
                "-s %(contact)s=you@example.org",
                {"contact": options.CONTACT.name},
            )
        self._serving = asyncio.create_task(self._serve())
        return
        yield  # it is a generator

    async def _serve(self) -> None:
        """Answer the client until it has no more to say."""
        server = server_of(self._tools)
        try:
            async with message_streams(*self._pipes) as (incoming, outgoing):
                await server.run(incoming, outgoing, server.create_initialization_options())
        except Exception:
            self.logger.exception("The connection to the client has failed")
        stop(self.crawler, "finished")

    def _idle(self) -> None:
        """Wait for more calls.

        :raises DontCloseSpider: always; the end of the messages closes the spider
        """
        raise DontCloseSpider

    async def _close(self) -> None:
        if self._serving is not None:
            self._serving.cancel()
