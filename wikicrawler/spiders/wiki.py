"""Crawls wikis and sites from seeds, one record a page."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy_spider_metadata import Args  # type: ignore[attr-defined]

from wikicrawler import options
from wikicrawler.errors import ConfigError, ContentError, Reason
from wikicrawler.frontier.state_folder import is_shared
from wikicrawler.items import DELETED
from wikicrawler.pages import Action, Failure, Link
from wikicrawler.scope import CrawlBounds, CrawlScope
from wikicrawler.scope.links import asked_for
from wikicrawler.scope.page_requests import depth_of, is_seed
from wikicrawler.scope.sitemaps import is_sitemap
from wikicrawler.spiders import all_pages, categories, category_lists, sitemaps
from wikicrawler.spiders.arguments import WikiArguments
from wikicrawler.spiders.namespaces import WantedNamespaces
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.progress import report_skipped
from wikicrawler.tiers.result import result_of
from wikicrawler.urls.seeds import Seeds, read_seeds
from wikicrawler.urls.sites import host_of, is_public_host

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.items import Attempt, CrawlResult
    from wikicrawler.spiders.since.crawl import SinceCrawl
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.mediawiki.site import WikiSite
    from wikicrawler.tiers.result import PageResult

_LEADING_ON = frozenset({Reason.NOINDEX, Reason.CHROME})
"""Reasons for which a page is not written, but its links are followed."""


class WikiSpider(Args[WikiArguments], Spider):
    """``scrapy crawl wiki -a seeds=…``: the pages at the seeds and those they link to.

    Each page is a :class:`~wikicrawler.items.CrawlResult`; each page that was asked for and has
    none is reported by the signal ``page_skipped``. The arguments are the fields of
    :class:`~wikicrawler.spiders.arguments.WikiArguments`.
    """

    name = "wiki"
    args: WikiArguments

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._seeds = Seeds([], [])
        self._namespaces = WantedNamespaces(self.args.namespaces)
        self.since: SinceCrawl | None = None
        self.lists_members = categories.are_listed(self.args)
        self.crawl_bounds = CrawlBounds(
            max_pages=self.args.max_pages,
            max_depth=self.args.max_depth,
            follow=self.args.follow,
            exclude=self.args.exclude,
            scope=self.args.scope,
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        if cls.start is WikiSpider._own_start:  # `scrapy check` and `parse` bring their own
            spider._check_shared()
            spider._read_seeds()
            spider._read_since()
        return spider

    @cached_property
    def crawl_scope(self) -> CrawlScope:
        """The scope of the crawl, from :meth:`start` on."""
        return CrawlScope.of(self.crawler)

    def _read_seeds(self) -> None:
        arguments = [*self.args.category_urls]
        if self.args.seeds is not None:
            arguments.insert(0, self.args.seeds)
        elif self._joins():
            return
        elif self.args.since is None and (not arguments or self.args.category_names):
            raise ConfigError(
                "argument seeds is missing: scrapy crawl wiki -a seeds=https://wiki.example/ "
                "(URLs separated by commas, or the name of a file with one a line)"
            )
        found = [read_seeds(argument, Path.cwd()) for argument in arguments]
        urls = list(dict.fromkeys(url for seeds in found for url in seeds.urls))
        problems = [problem for seeds in found for problem in seeds.problems]
        if (part := self.args.part) is not None:
            own = part.of_these(urls)
            self.logger.info("Part %s has %s of %s seeds", part, f"{len(own):,}", f"{len(urls):,}")
            urls = own
        self._seeds = Seeds(urls, problems)

    def _joins(self) -> bool:
        """Return True if the crawl is one of several workers, and another one has the seeds."""
        args = self.args
        return is_shared(self.crawler) and args.seeds is None and not args.categories

    def _check_shared(self) -> None:
        """
        :raises ConfigError: what several workers cannot share is asked of one of them
        """
        if not is_shared(self.crawler):
            return
        if self.args.since is not None:
            raise ConfigError(
                f"argument since cannot be used with {options.FRONTIER.name}: workers do not share "
                "it (remove since, or crawl with one worker)"
            )

    def _read_since(self) -> None:
        if self.args.since is not None:
            # Imported here because most crawls do without.
            from wikicrawler.spiders.since.setup import since_crawl  # noqa: PLC0415

            self.since = since_crawl(self, self.args.since)

    async def start(self) -> AsyncIterator[Any]:
        for problem in self._seeds.problems:
            self.logger.warning("Seed refused: %s", problem)
            self.crawler.stats.inc_value("wikicrawler/seeds/refused")
        self._check_contact()
        if self.since is not None:
            async for request in self.since.start():
                yield request
        if self._joins():
            await self.crawl_scope.join()
            return
        for request in self.crawl_scope.start(
            self._seeds.urls, callback=self.parse, errback=self.skipped
        ):
            yield request

    _own_start = start

    def parse(self, response: Response, **kwargs: Any) -> AsyncIterator[Any]:
        """The record of a page, and requests for what it links to."""
        if self.since is None and not is_seed(response):
            return self._page(response)
        return self._seed_or_known(response)

    async def _seed_or_known(self, response: Response) -> AsyncIterator[Any]:
        way = self._page
        if is_seed(response) and is_sitemap(response.url, response.body):
            way = self._sitemap_seed
        elif self.since is not None and self.since.changes.is_away(response):
            for request in self._instead(response):
                yield request
            return
        async for one in way(response):
            yield one
        if self.args.sitemaps and is_seed(response) and way == self._page:
            async for request in sitemaps.of_host(self, response):
                yield request

    async def _page(self, response: Response) -> AsyncIterator[Any]:
        try:
            result = await result_of(response, self.crawler)
        except ContentError as error:
            result = Failure(error.reason, error.detail, Action.FINAL)
        if isinstance(result, Failure):
            attempts = response.meta.get(st.ATTEMPTS, ())
            for request in self._skip(response, response.url, result, attempts):
                yield request
            return
        record = result.record
        if self.args.categories and is_seed(response):
            async for request in categories.instead_of_seed(self, response, result):
                yield request
            return
        refusal = self._refusal(response, record, result.namespace)
        for one in self._outcome(response, record, refusal):
            yield one
        if refusal is None or refusal.reason in _LEADING_ON:
            async for request in self._follow(response, result):
                yield request

    def _outcome(
        self, response: Response, record: CrawlResult, refusal: Failure | None
    ) -> Iterator[CrawlResult | Request]:
        """Yield what is written of a page, and what takes the place of one that is not."""
        if self.since is not None:
            changes = self.since.changes.of_page(response, record, is_refused=refusal is not None)
            has_record = False
            for one in changes:
                has_record = has_record or one.change != DELETED
                yield one
            if refusal is None and not has_record:
                yield from self._instead(response)
        elif refusal is None:
            yield record
        if refusal is not None:
            yield from self._skip(response, asked_for(response), refusal, record.attempts)

    # Sitemaps

    async def _sitemap_seed(self, response: Response) -> AsyncIterator[Any]:
        """Yield the requests for the URLs of a seed that is a sitemap."""
        self.crawl_scope.check_place(response, response.url)
        for request in self._instead(response):
            yield request
        self.crawl_scope.outlook.expect(sitemaps.NAME)
        async for request in self.parse_sitemap(response):
            yield request

    async def parse_sitemap(self, response: Response, level: int = 0) -> AsyncIterator[Request]:
        """Requests for the URLs of a sitemap, *level* indexes below a seed."""
        async for request in sitemaps.read_urls(self, response, level):
            yield request
        self.crawl_scope.outlook.read(sitemaps.NAME)

    def sitemap_failed(self, failure: TwistedFailure) -> None:
        """Report a sitemap that was not fetched, unless nothing says that there is one."""
        request: Request = failure.request  # type: ignore[attr-defined]
        if not sitemaps.is_guess(request):
            name, why = one_line(request.url, 200), one_line(failure.getErrorMessage())
            self.logger.warning("Sitemap %s: not read (%s)", name, why)
            self.crawler.stats.inc_value("wikicrawler/sitemaps/failed")
        self.crawl_scope.outlook.read(sitemaps.NAME)

    def _follow(self, response: Response, result: PageResult) -> AsyncIterator[Request]:
        """Return the requests for what a page links to, and for what its wiki lists."""
        if self.args.all_pages or self.args.categories or is_seed(response):
            return self._follow_and_list(response, result)
        return self._follow_links(response, result, is_followed=self.args.follow_links)

    async def _follow_and_list(
        self, response: Response, result: PageResult
    ) -> AsyncIterator[Request]:
        record = result.record
        wiki: KnownWiki | None = response.meta.get(st.WIKI)
        listed = self.args.all_pages and wiki is not None and wiki.has_api
        if self.args.all_pages and not depth_of(response) and self._may_list(response):
            for batch in self._listing(response, record, wiki if listed else None):
                yield batch
        follows = self.args.follow_links and not listed and not self.args.categories
        if follows and is_seed(response):
            async for request in categories.of_seed(self, response, result):
                yield request
        async for request in self._follow_links(response, result, is_followed=follows):
            yield request

    def _follow_links(
        self, response: Response, result: PageResult, *, is_followed: bool
    ) -> AsyncIterator[Request]:
        links: Iterable[Link] = result.links if is_followed else ()
        if is_followed and self.args.scope != "host":
            links = (*links, *result.outward)
        wiki: KnownWiki | None = response.meta.get(st.WIKI)
        return self.crawl_scope.follow(
            response,
            links,
            callback=self.parse,
            errback=self.skipped,
            wants=lambda link: self.wants(link, wiki),
        )

    def _skip(
        self, response: Response, url: str, failure: Failure, attempts: Sequence[Attempt]
    ) -> Iterator[Request]:
        """Report that the page at *url* is not written; yield what takes its place."""
        self.crawl_scope.report(url, failure, attempts)
        yield from self._instead(response)

    def _instead(self, response: Response) -> Iterator[Request]:
        """Yield what takes the place of the page *response*, which has no record."""
        assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
        yield from self.crawl_scope.instead(response.request)

    def _refusal(
        self, response: Response, record: CrawlResult, namespace: int | None
    ) -> Failure | None:
        """Return why a page is not written; None if it is."""
        failure = self.crawl_scope.check_place(response, record.url)
        if failure is not None:
            return failure
        link = Link(record.url, namespace)
        wiki: KnownWiki | None = response.meta.get(st.WIKI)
        if not is_seed(response) and wiki and not self.in_namespaces(link.namespace, wiki.site):
            return Failure(Reason.NAMESPACE, f"{record.url} is in namespace {namespace}")
        return self.crawl_scope.check_wanted(response, record.url) or self.crawl_scope.check_new(
            response, record.url
        )

    def _may_list(self, response: Response) -> bool:
        """Return True if the page is one whose wiki is asked for its pages."""
        return self.since is None or is_seed(response)  # the wikis of known pages are asked

    def _listing(
        self, response: Response, record: CrawlResult, listed: KnownWiki | None
    ) -> Iterator[Request]:
        """Yield requests for the first titles of a seed's wiki, once; None: it cannot be asked."""
        if listed is None:
            wiki: KnownWiki | None = response.meta.get(st.WIKI)
            self.logger.error(
                "all_pages: %s; following links from %s instead",
                f"the API {wiki.api} cannot be used" if wiki else "no wiki was recognised",
                record.url,
            )
            return
        assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
        if self.crawl_scope.memory.list_wiki(listed.api, response.request):
            yield from all_pages.first_batches(self, listed)

    def wants(self, link: Link, wiki: KnownWiki | None) -> bool:
        """Return True if *link* may be followed: its namespace is wanted, and it is not checked
        otherwise."""
        if self.since is not None and self.since.knows(link.url):
            return False
        return wiki is None or self.in_namespaces(link.namespace, wiki.site)

    def in_namespaces(self, namespace: int | None, site: WikiSite) -> bool:
        """Return True if a *namespace* of the wiki may be followed into."""
        return self._namespaces.has(namespace, site)

    def wanted_namespaces(self, site: WikiSite) -> frozenset[int] | None:
        """Numbers of the namespaces to follow into; None is all."""
        return self._namespaces.numbers(site)

    # The pages that a wiki lists (all_pages)

    def parse_titles(self, response: Response, **batch: Any) -> Iterator[Request]:
        """Requests for the pages in a batch of a wiki's titles, and for the next batch."""
        return all_pages.read_batch(self, response, **batch)

    def titles_failed(self, failure: TwistedFailure) -> None:
        """Report a batch of titles that did not come."""
        site: WikiSite = failure.request.cb_kwargs["site"]  # type: ignore[attr-defined]
        all_pages.ended_early(self, failure.getErrorMessage(), site.api)

    # The members of categories

    async def parse_members(self, response: Response, **batch: Any) -> AsyncIterator[Request]:
        """Requests for the members in a batch of a category's, and for the next batch."""
        async for request in category_lists.read_batch(self, response, **batch):
            yield request

    def members_failed(self, failure: TwistedFailure) -> Iterator[Request]:
        """Requests in place of a batch of members that did not come."""
        return category_lists.batch_failed(self, failure)

    # What has changed since an earlier crawl

    async def parse_since(self, response: Response, **batch: Any) -> AsyncIterator[Any]:
        """Requests for the pages that a wiki says to have changed, and records of deleted ones."""
        assert self.since is not None  # noqa: S101 - it has made the request
        async for one in self.since.read(response, **batch):
            yield one

    async def since_failed(self, failure: TwistedFailure) -> AsyncIterator[Any]:
        """Requests in place of those to a wiki that did not answer."""
        assert self.since is not None  # noqa: S101 - it has made the request
        async for one in self.since.failed(failure):
            yield one

    # Pages that are skipped

    async def skipped(self, failure: TwistedFailure) -> AsyncIterator[Any]:
        """Report a page that was not fetched; a category without a page has members all the
        same."""
        failed: Request = failure.request  # type: ignore[attr-defined]
        seed = await categories.empty_seed(self, failure)
        end = self.since.end_of(failure) if self.since is not None else None
        if end is not None:
            yield end
        elif seed is None:
            report_skipped(self.crawler, failure)
        for request in self.crawl_scope.instead(failed):
            yield request
        if seed is not None:
            async for request in categories.of_empty_seed(self, seed, failed):
                yield request

    def _check_contact(self) -> None:
        hosts = {host_of(url) for url in self._seeds.urls}
        hosts |= self.since.hosts.keys() if self.since is not None else set()
        if options.CONTACT.read(self.settings) or not any(map(is_public_host, hosts)):
            return
        self.logger.warning(
            "%(contact)s is not set: site operators cannot reach you, and some wikis "
            "refuse such a User-Agent. Set it to a URL or an e-mail address, e.g. "
            "-s %(contact)s=you@example.org",
            {"contact": options.CONTACT.name},
        )
