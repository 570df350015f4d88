"""Responses for code that awaits them, in a running crawl."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from wikicrawler.tiers.service.closing import is_closing, run_until_closing

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure


async def fetch(crawler: Crawler, request: Request) -> Response:
    """Have the crawl fetch *request*, and return the response.

    It goes through the scheduler, not straight to the downloader: only there can a request wait for
    a service or a paused site. Its callback and errback are replaced.

    :raises TierInterruptedError: the crawl is being stopped
    :raises Exception: the one that an errback would get
    """
    done: asyncio.Future[Response] = asyncio.get_running_loop().create_future()

    def received(response: Response) -> None:
        if not done.done():
            done.set_result(response)

    def failed(failure: TwistedFailure) -> None:
        if not done.done():
            done.set_exception(failure.value or RuntimeError("no reason"))

    engine = crawler.engine
    assert engine is not None  # noqa: S101 - the crawl runs
    engine.crawl(request.replace(callback=received, errback=failed))
    return await run_until_closing(partial(is_closing, crawler), done)
