"""Extraction of fields from pages, for programs with an event loop."""

from __future__ import annotations

from contextlib import aclosing
from itertools import islice
from typing import TYPE_CHECKING, Any, Self

from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.scraper.arguments import (
    address_of,
    config_of,
    not_fetched,
    settings_of,
    urls_of,
)
from wikicrawler.fields.scraper.crawling import crawl_site
from wikicrawler.fields.scraper.service import FieldService
from wikicrawler.fields.scraper.window import in_window

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping

    from wikicrawler.fields.models import CrawlState, FieldDefinition, ScraperConfig, ScrapeResult
    from wikicrawler.fields.scraper.arguments import Address
    from wikicrawler.fields.scraper.crawling import Crawl
    from wikicrawler.fields.scraper.service import Job


class Scraper:
    """Extracts fields from pages::

        async with Scraper(model="openai/gpt-4o-mini") as scraper:
            result = await scraper.scrape("https://books.example/1", "title: string")

    The block has a child process, in which Scrapy crawls; its start takes a second or two. The
    methods may be called by several tasks at a time, of the event loop that entered the block. At
    most ``max_concurrent`` pages are in work at once, of all of them together.

    A page that fails is a result whose ``success`` is false. What would fail for each further page,
    too, is raised: :class:`~wikicrawler.fields.errors.AllKeysExhaustedError`, and other
    :class:`~wikicrawler.fields.errors.ScraperError`.

    :param config: the configuration; None: that of
        :func:`~wikicrawler.fields.config.load_config`
    :param settings: Scrapy settings for the crawl, by name, like ``DOWNLOAD_TIMEOUT``
    :param overrides: settings of field extraction, which win
    :raises ConfigError: the configuration or a setting is invalid
    """

    def __init__(
        self,
        config: ScraperConfig | None = None,
        *,
        settings: Mapping[str, Any] | None = None,
        **overrides: Any,
    ) -> None:
        self.config = config_of(config, overrides)
        self._settings = settings_of(settings)
        self._service: FieldService | None = None
        self._state: CrawlState | None = None

    async def __aenter__(self) -> Self:
        if self._service is not None:
            raise RuntimeError("the scraper is in use already: make another one")
        self._service = FieldService(self.config, self._settings)
        try:
            await self._service.start()
        except BaseException:
            self._service = None
            raise
        return self

    async def __aexit__(self, *exc: object) -> None:
        service, self._service = self._service, None
        if service is not None:
            await service.close()

    def _entered(self) -> FieldService:
        if self._service is None:
            raise RuntimeError("the scraper is not in use: write `async with Scraper(...) as …:`")
        return self._service

    async def scrape(self, url: str, fields: Any) -> ScrapeResult:
        """Return the values of *fields* in the page at *url*.

        :param fields: as in :func:`~wikicrawler.fields.definitions.define.define_fields`
        :raises ConfigError: a definition is invalid, or there is none
        :raises ScraperError: no page could be extracted
        """
        service, defined, address = self._entered(), define_fields(fields), address_of(url)
        async with service.job(defined) as job:
            return await _scrape(job, address, defined)

    def scrape_many(self, urls: Iterable[str], fields: Any) -> AsyncGenerator[ScrapeResult, None]:
        """Yield the values of *fields* in each page, in the order in which they are there.

        Of equal URLs the first one counts. The URLs are taken one by one: at most
        ``max_concurrent`` pages are ahead of the one that the loop works on.

        :param urls: a list, or anything else to iterate over
        :param fields: as in :func:`~wikicrawler.fields.definitions.define.define_fields`
        :raises ConfigError: a definition is invalid, or there is none
        :raises ScraperError: no further page can be extracted
        """
        service, defined = self._entered(), define_fields(fields)
        return _scrape_many(service, urls_of(urls), defined, self.config.max_concurrent)

    def crawl(
        self,
        start_url: str,
        fields: Any,
        max_pages: int | None = None,
        max_depth: int | None = None,
    ) -> Crawl:
        """Read the pages of a site, from the one at *start_url* on, until each of *fields* has a
        value; yield the values of each page.

        Links to the same host are followed, breadth first; of each depth, those come first that
        promise a field which is missing. With a list among the fields it ends at *max_pages*, or
        without further links. After the page that completes the data, those come that were in work.
        What the pages say together is in :attr:`state`.

        :param fields: as in :func:`~wikicrawler.fields.definitions.define.define_fields`
        :param max_pages: pages to read; None: as configured
        :param max_depth: links between the start and another page; None: as configured
        :raises ConfigError: a definition or a limit is invalid, or there is no field
        :raises ScraperError: no further page can be extracted
        """
        service, defined, start = self._entered(), define_fields(fields), address_of(start_url)
        limits = {"max_pages": max_pages, "max_depth": max_depth}
        crawl = crawl_site(service, start, defined, config_of(self.config, limits))
        self._state = crawl.state
        return crawl

    @property
    def state(self) -> CrawlState | None:
        """What the pages of the crawl say together that was begun last; None without a crawl.

        For several crawls at a time, each has its own: ``crawl = scraper.crawl(...)``, then
        ``crawl.state``.
        """
        return self._state


async def _scrape(job: Job, address: Address, fields: list[FieldDefinition]) -> ScrapeResult:
    if address.fault:
        return not_fetched(address, fields)
    return (await job.page(address.url)).result


async def _scrape_many(
    service: FieldService, urls: Iterator[str], fields: list[FieldDefinition], window: int
) -> AsyncGenerator[ScrapeResult, None]:
    async with service.job(fields) as job:
        work = (_scrape(job, address, fields) for address in _distinct(urls))
        async with aclosing(in_window(lambda room: islice(work, room), window)) as results:
            async for result in results:
                yield result


def _distinct(urls: Iterator[str]) -> Iterator[Address]:
    """Yield the addresses in *urls*, each once."""
    seen = set()
    for address in map(address_of, urls):
        if address not in seen:
            seen.add(address)
            yield address
