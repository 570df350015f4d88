"""The requests of providers, sent by a running crawl."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from scrapy import Request

from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError, Reason
from wikicrawler.pages import STRICT_KEY, Failure
from wikicrawler.politeness.slots import THROTTLE_SLOT
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    RateLimitExceededError,
    ReportError,
    RequestTimeoutError,
)
from wikicrawler.reports.fetching import Answer, WebPage
from wikicrawler.reports.saving import DocumentSaver
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.inline_fetch import fetch
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.result import result_of
from wikicrawler.tiers.service.closing import is_closing, run_until_closing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.reports.fetching import SavedFile

T = TypeVar("T")

_LIMITED = frozenset(
    {Reason.BUSY, Reason.BLOCKED, Reason.BLOCKED_CAPTCHA, Reason.PAUSED, Reason.LOGIN}
)
_ANY_STATUS = {"tiers": False, "handle_httpstatus_all": True}


class CrawlFetcher:
    """A :class:`~wikicrawler.reports.fetching.Fetcher`, from ``spider_opened`` on."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._pool = ConversionPool.for_crawler(crawler)
        self._saver = DocumentSaver(crawler)

    async def get(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        slot: str | None = None,
        retries: bool = True,
    ) -> Answer:
        """Return the answer to a GET; see :meth:`Fetcher.get`."""
        meta: dict[str, Any] = dict(_ANY_STATUS)
        if max_bytes is not None:
            meta["download_maxsize"] = max_bytes
        if slot is not None:
            meta[THROTTLE_SLOT] = slot
        if not retries:
            meta["dont_retry"] = True
        response = await self._response(url, headers=dict(headers or {}), meta=meta)
        return Answer(response.url, response.status, headers_of(response), response.body)

    async def page(self, url: str) -> WebPage:
        """Return a page by the tiers; see :meth:`Fetcher.page`."""
        response = await self._response(url, meta={STRICT_KEY: True})
        try:
            found = await result_of(response, self._crawler)
        except ContentError as error:
            raise FetchError(f"{error.reason}: {error.detail}") from None
        if isinstance(found, Failure):
            raise error_of(found)
        page, record = response.meta[st.PAGE], found.record
        html = page.body.decode(page.encoding, "replace")
        return WebPage(record.url, record.title, html, record.content)

    async def save(
        self,
        url: str,
        target: Path,
        *,
        headers: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        slot: str | None = None,
        retries: bool = True,
    ) -> SavedFile:
        """Download a file; see :meth:`Fetcher.save`."""
        return await self._saver.save(
            url, target, headers=headers, max_bytes=max_bytes, slot=slot, retries=retries
        )

    async def run(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return what *function* returns in a worker process; see :meth:`Fetcher.run`."""
        result: T = await self._pool.run("", function, *arguments)
        return result

    async def sleep(self, seconds: float) -> None:
        """Wait; see :meth:`Fetcher.sleep`."""
        await run_until_closing(partial(is_closing, self._crawler), asyncio.sleep(seconds))

    async def _response(self, url: str, **arguments: Any) -> Response:
        try:
            request = Request(url, dont_filter=True, **arguments)
        except ValueError as error:
            raise FetchError(f"not a URL: {one_line(error, 200)}") from None
        try:
            return await fetch(self._crawler, request)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            raise error_of(failure) from None


def error_of(failure: Failure) -> ReportError:
    """Return the exception for a page or a file that was not fetched."""
    detail = one_line(failure.detail, 200)
    message = f"{failure.reason}: {detail}" if detail else str(failure.reason)
    if failure.reason is Reason.TIMEOUT:
        return RequestTimeoutError(message)
    if failure.reason is Reason.MISSING:
        return DocumentNotFoundError(message)
    if failure.reason in _LIMITED:
        return RateLimitExceededError(message, failure.retry_after)
    outcome = Outcome.ROBOTS if failure.reason is Reason.ROBOTS else Outcome.FAILED
    return FetchError(message, outcome)
