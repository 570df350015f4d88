"""The pages of one site, read until the fields have their values."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, Self

from wikicrawler.fields.models import CrawlState
from wikicrawler.fields.scraper.arguments import not_fetched
from wikicrawler.fields.scraper.window import in_window
from wikicrawler.fields.site_crawl import SiteCrawl
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Coroutine, Iterator, Sequence

    from wikicrawler.fields.models import FieldDefinition, ScraperConfig, ScrapeResult
    from wikicrawler.fields.scraper.arguments import Address
    from wikicrawler.fields.scraper.protocol import Done
    from wikicrawler.fields.scraper.service import FieldService, Job
    from wikicrawler.fields.site_crawl import WaitingPage


class Crawl:
    """The results of the pages of a site, for ``async for``, and what they say together."""

    def __init__(self, results: AsyncGenerator[ScrapeResult, None], state: CrawlState) -> None:
        self._results = results
        self.state = state
        """The values of the pages so far, with their evidence and conflicts."""

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> ScrapeResult:
        return await anext(self._results)

    async def aclose(self) -> None:
        """End the crawl; pages in work are dropped."""
        await self._results.aclose()


def crawl_site(
    service: FieldService,
    start: Address,
    fields: Sequence[FieldDefinition],
    config: ScraperConfig,
) -> Crawl:
    """Return the crawl of the site with the page at *start*."""
    site = SiteCrawl(
        fields,
        at_once=config.max_concurrent,
        max_pages=config.max_pages,
        max_depth=config.max_depth,
        state=CrawlState(start_url=start.url),
    )
    return Crawl(_results(service, start, fields, site, config.max_concurrent), site.state)


async def _results(
    service: FieldService,
    start: Address,
    fields: Sequence[FieldDefinition],
    site: SiteCrawl,
    window: int,
) -> AsyncGenerator[ScrapeResult, None]:
    if start.fault:
        yield not_fetched(start, fields)
        return
    site.add([start.url], 0)
    hosts = {host_of(start.url)}
    async with service.job(fields) as job:

        def more(_: int) -> Iterator[Coroutine[Any, Any, tuple[WaitingPage, Done]]]:
            for page in site.next_pages():
                yield _read(job, page, hosts)

        async with aclosing(in_window(more, window)) as pages:
            # What a page adds to the site counts when it is taken, so that a consumer who is slow
            # keeps further pages from being fetched.
            async for page, done in pages:
                site.done(page.url, done.result)
                if done.limit is not None:
                    site.stop()
                if done.own_url is not None:
                    if not page.depth:
                        hosts.add(host_of(done.own_url))
                    site.add(done.links, page.depth + 1)
                yield done.result


async def _read(job: Job, page: WaitingPage, hosts: set[str]) -> tuple[WaitingPage, Done]:
    return page, await job.page(page.url, depth=page.depth, hosts=sorted(hosts))
