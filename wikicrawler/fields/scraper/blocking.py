"""Extraction of fields from pages, for programs without an event loop, and for notebooks.

Each call has a child process and an event loop of its own, in a thread. So the functions work
inside of a running loop, too, and beside a reactor of Twisted; that loop stands still while they
wait. For many calls :class:`~wikicrawler.fields.scraper.scraper.Scraper` starts one process only.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.models import ScrapeResult
from wikicrawler.fields.scraper.arguments import urls_of
from wikicrawler.fields.scraper.event_loop import LoopThread
from wikicrawler.fields.scraper.scraper import Scraper

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikicrawler.fields.models import CrawlState, ScraperConfig
    from wikicrawler.fields.scraper.crawling import Crawl


Begin = Callable[[Scraper], "AsyncGenerator[ScrapeResult, None] | Crawl"]


class _Loop:
    """A loop over results, and its end. It does not refer to who iterates."""

    def __init__(self, scraper: Scraper, begin: Begin) -> None:
        self._scraper = scraper
        self._begin = begin
        self._results: AsyncGenerator[ScrapeResult, None] | Crawl | None = None

    @property
    def state(self) -> CrawlState | None:
        return self._scraper.state

    async def next(self) -> ScrapeResult | None:
        if self._results is None:
            await self._scraper.__aenter__()
            self._results = self._begin(self._scraper)
        return await anext(self._results, None)

    async def end(self) -> None:
        if self._results is not None:
            await self._results.aclose()
        await self._scraper.__aexit__()


class Results(Iterator[ScrapeResult]):
    """The results of a loop, which starts its child process with the first one.

    The process ends with the last result, with :meth:`close`, at the end of a ``with`` block, and
    when nothing refers to the object any more.
    """

    def __init__(self, scraper: Scraper, begin: Begin) -> None:
        self._loop = _Loop(scraper, begin)
        self._thread: LoopThread | None = None
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Without a wait: it may be called in any thread, at any time.
        if self._thread is not None:
            with suppress(Exception):  # the interpreter may be ending
                self._thread.close(waits=False)

    def __next__(self) -> ScrapeResult:
        result = None
        try:
            if not self._is_closed:
                if self._thread is None:
                    self._thread = LoopThread(self._loop.end)
                result = self._thread.run(self._loop.next())
        finally:
            if result is None:
                self.close()
        if result is None:
            raise StopIteration
        return result

    @property
    def state(self) -> CrawlState | None:
        """What the pages of a crawl say together so far; None before the first one."""
        return self._loop.state

    def close(self) -> None:
        """End the loop and its process. A second time it does nothing."""
        thread, self._thread, self._is_closed = self._thread, None, True
        if thread is not None:
            thread.close()


def scrape_sync(
    url: str,
    fields: Any,
    config: ScraperConfig | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    **overrides: Any,
) -> ScrapeResult:
    """Return the values of *fields* in the page at *url*.

    It is :meth:`Scraper.scrape() <wikicrawler.fields.scraper.scraper.Scraper.scrape>`; the other
    arguments are those of the class.
    """
    scraper, defined = Scraper(config, settings=settings, **overrides), define_fields(fields)

    async def work() -> ScrapeResult:
        await scraper.__aenter__()
        return await scraper.scrape(url, defined)

    with LoopThread(scraper.__aexit__) as thread:
        return thread.run(work())


def scrape_many_sync(
    urls: Iterable[str],
    fields: Any,
    config: ScraperConfig | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    **overrides: Any,
) -> Results:
    """Return an iterator over the values of *fields* in each page.

    It is :meth:`Scraper.scrape_many() <wikicrawler.fields.scraper.scraper.Scraper.scrape_many>`;
    the other arguments are those of the class. *urls* is iterated over in another thread.
    """
    scraper, defined = Scraper(config, settings=settings, **overrides), define_fields(fields)
    given = urls_of(urls)
    return Results(scraper, lambda entered: entered.scrape_many(given, defined))


def crawl_sync(
    start_url: str,
    fields: Any,
    max_pages: int | None = None,
    max_depth: int | None = None,
    config: ScraperConfig | None = None,
    *,
    settings: Mapping[str, Any] | None = None,
    **overrides: Any,
) -> Results:
    """Return an iterator over the values of *fields* in each page of a site; its ``state`` has what
    the pages say together.

    It is :meth:`Scraper.crawl() <wikicrawler.fields.scraper.scraper.Scraper.crawl>`; the other
    arguments are those of the class.
    """
    limits = {"max_pages": max_pages, "max_depth": max_depth}
    scraper = Scraper(config, settings=settings, **{**overrides, **limits})
    defined = define_fields(fields)
    return Results(scraper, lambda entered: entered.crawl(start_url, defined))
