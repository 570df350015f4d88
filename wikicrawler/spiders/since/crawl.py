"""``-a since=FEED``: what has changed since an earlier crawl."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.errors import Reason
from wikicrawler.spiders.since import checks
from wikicrawler.spiders.since.job import note
from wikicrawler.spiders.since.titles import Titles
from wikicrawler.spiders.since.updating import Updating
from wikicrawler.spiders.since.wiki_check import Wiki, WikiCheck
from wikicrawler.spiders.wiki_finding import find_wiki
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.failures import TiersExhausted, failure_of
from wikicrawler.tiers.mediawiki.titles import wiki_host
from wikicrawler.tiers.progress import progress_of
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy import Request
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.feeds.known_pages import KnownPages
    from wikicrawler.items import PageChange
    from wikicrawler.spiders.since.spider import SinceSpider
    from wikicrawler.tiers.mediawiki.site import WikiSite

logger = logging.getLogger(__name__)


class Known(NamedTuple):
    """The known pages of a host, as they are checked."""

    wiki: list[str]
    """Those of a MediaWiki: it is asked about many at once."""
    plain: list[str]
    """The others: each is fetched and compared."""


class SinceCrawl(Updating):
    """The part of a crawl of *spider* that brings the pages of an earlier crawl up to date.

    Wikis are asked which of the pages have changed; only those are fetched, with what their links
    lead to. The answers of wikis are read by :mod:`~wikicrawler.spiders.since.checks`, and
    :class:`~wikicrawler.spiders.since.changes.Changes` makes the records.
    """

    def __init__(self, spider: SinceSpider, known: KnownPages) -> None:
        super().__init__(spider, known)
        self._titles: dict[tuple[str, str], Titles] = {}
        self._reading = asyncio.Lock()
        self.hosts: dict[str, str] = {}
        """A known URL of each host."""
        found: defaultdict[str, Known] = defaultdict(lambda: Known([], []))
        for url, page in known.items():
            self.hosts.setdefault(host_of(url), url)
            of_host = found[wiki_host(url) or ""]
            (of_host.wiki if page.is_wiki else of_host.plain).append(url)
        self._by_host = dict(found)

    async def start(self) -> AsyncIterator[Request]:
        """Yield the requests that check the known pages; none where a job is resumed.

        Call it before the requests for seeds.
        """
        scope = self.spider.crawl_scope
        scope.reach(self.hosts.values())
        if scope.memory.seeded:
            return
        note(self.spider.crawler)
        self.spider.crawler.stats.set_value("wikicrawler/since/known_count", len(self.known))
        for host, known in self._by_host.items():
            for url in known.plain:
                for request in self.page(url):
                    yield request
            async for request in self._check_wikis(host, known.wiki):
                yield request

    def knows(self, url: str) -> bool:
        """Return True if the page at *url* is checked, and is not fetched because of a link."""
        return url in self.known

    async def read(
        self, response: Response, wiki: Wiki, **batch: Any
    ) -> AsyncIterator[Request | PageChange]:
        """Yield what the answer of a wiki leads to."""
        check = await self._check(*wiki)
        for one in checks.read(check, response, **batch):
            yield one

    async def failed(self, failure: TwistedFailure) -> AsyncIterator[Request]:
        """Yield the requests in place of a check that failed."""
        request: Request = failure.request  # type: ignore[attr-defined]
        batch = dict(request.cb_kwargs)
        check = await self._check(*batch.pop("wiki"))
        for one in checks.failed(check, failure.getErrorMessage(), **batch):
            yield one

    async def _check(self, site: WikiSite, api_meta: dict[str, str], host: str) -> WikiCheck:
        """Return the check of the wiki *site*, which has pages at *host*."""
        key = site.api, host
        async with self._reading:
            if key not in self._titles:
                urls = self._by_host[host].wiki if host in self._by_host else []
                self._titles[key] = await asyncio.to_thread(Titles, urls, site)
        return WikiCheck(self, Wiki(site, api_meta, host), self._titles[key])

    def end_of(self, failure: TwistedFailure) -> PageChange | None:
        """Return the record of the end of a page, if the *failure* is that there is none where a
        known page was, or that a wiki's page has no text any more."""
        error = failure.value
        found = failure_of(error) if error is not None else None
        request: Request = failure.request  # type: ignore[attr-defined]
        progress = progress_of(request)
        url = error.url if isinstance(error, TiersExhausted) else request.url
        url = progress.url if progress is not None else url
        known = self.known.get(url)
        if found is None or known is None:
            return None
        is_end = found.reason is Reason.MISSING or (known.is_wiki and found.reason is Reason.EMPTY)
        return self.changes.deleted(url) if is_end else None

    async def _check_wikis(self, host: str, urls: list[str]) -> AsyncIterator[Request]:
        """Yield the requests that check the pages *urls* of the wikis at *host*."""
        while urls:
            wiki = await find_wiki(self.spider, urls[0])
            site = wiki.siteinfo if wiki is not None and wiki.has_api else None
            own: list[str] = []
            if wiki is not None and site is not None:
                check = await self._check(site, dict(wiki.api_meta), host)
                own = [url for url in urls if check.titles.has(url)]
            if wiki is None or site is None or urls[0] not in own:
                why = "no wiki was found" if wiki is None else f"the API {wiki.api} cannot be used"
                if self.spider.args.all_pages or self.spider.args.category_names:
                    logger.error("since: %s, so its lists are not read", one_line(why))
                logger.warning(
                    "since: %s: %s, so each of its %d known pages is fetched",
                    one_line(host_of(urls[0])),
                    one_line(why),
                    len(urls),
                )
                for url in urls:
                    for request in self.page(url):
                        yield request
                return
            async for request in checks.begin(check, wiki, own):
                yield request
            done = set(own)
            urls = [url for url in urls if url not in done]
