"""Crawls wikis and sites from seeds, one record a page."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy_spider_metadata import Args  # type: ignore[attr-defined]

from wikicrawler import options
from wikicrawler.errors import ConfigError, ContentError, Reason
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.pages import Action, Failure
from wikicrawler.scope.admission import Admission
from wikicrawler.scope.link_guard import GUARDED, LinkLeftOut
from wikicrawler.scope.memory import PAGE
from wikicrawler.scope.redirected import asked_url, leads_back
from wikicrawler.scope.traps import family_of
from wikicrawler.signals import page_skipped
from wikicrawler.spiders import all_pages
from wikicrawler.spiders.arguments import WikiArguments
from wikicrawler.tiers import state as st
from wikicrawler.tiers.failures import TiersExhausted, failure_of
from wikicrawler.tiers.result import result_of
from wikicrawler.urls.seeds import Seeds, read_seeds
from wikicrawler.urls.sites import host_of, is_public_host, site_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.items import Attempt, CrawlResult
    from wikicrawler.pages import Link
    from wikicrawler.scope.memory import CrawlMemory
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.mediawiki.site import WikiSite

#: Meta key: how many links lie between a page and the seed that led to it.
DEPTH = "page_depth"

_LINKS_A_TURN = 1000
"""Links of a page that are looked at before others have their turn: a page may have 200,000."""


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
        self.state: dict[str, Any] = {}  # SpiderState replaces it where JOBDIR is set
        self._seeds = Seeds([], [])
        self._odd_namespaces: set[str] = set()
        self._admission: Admission | None = None
        self._freed: list[dict[str, Any]] = []  # meta of requests whose places are to be given on

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        if cls.start is WikiSpider._own_start:  # `scrapy check` and `parse` bring their own
            spider._read_seeds()
        crawler.signals.connect(spider._dropped, signals.request_dropped)
        return spider

    def _read_seeds(self) -> None:
        if self.args.seeds is None:
            raise ConfigError(
                "argument seeds is missing: scrapy crawl wiki -a seeds=https://wiki.example/ "
                "(URLs separated by commas, or the name of a file with one a line)"
            )
        options.SITE_MAX_PAGES.read(self.settings)  # a wrong one is told before the crawl
        self._seeds = read_seeds(self.args.seeds, Path.cwd())

    async def start(self) -> AsyncIterator[Any]:
        for problem in self._seeds.problems:
            self.logger.warning("Seed refused: %s", problem)
            self.count("wikicrawler/seeds/refused")
        self._check_contact()
        for url in self._seeds.urls:  # also where a job goes on, whose start has no requests
            policy_of(self.crawler).allow_url(url)
        memory = self.memory()
        if memory.seeded:
            if memory.began_with(self._seeds.urls):
                self.logger.info("Resuming: the seeds were asked for before")
            else:  # their hosts are named all the same: the operator has just named them
                self.logger.warning(
                    "Resuming with other seeds than this job began with: they are left out, and "
                    "the job goes on with its own. Another JOBDIR crawls them"
                )
            return
        memory.begin(self._seeds.urls)
        for url in self._seeds.urls:
            memory.widen(self._place(url))
        for url in self._seeds.urls:
            if self.admit(url, 0):
                yield self.page_request(url, 0, guarded=False)
        memory.seeds_done()

    _own_start = start

    async def parse(self, response: Response, **kwargs: Any) -> Any:
        """The record of a page, and requests for what it links to."""
        try:
            result = await result_of(response, self.crawler)
        except ContentError as error:
            result = Failure(error.reason, error.detail, Action.FINAL)
        if isinstance(result, Failure):
            attempts = response.meta.get(st.ATTEMPTS, ())
            self._report(response.url, result, attempts)
            for request in self._instead(response.meta):
                yield request
            return
        record, links, outward, namespace, sketch = result
        refusal = self._refusal(response, record, namespace)
        if refusal is not None:
            self._report(record.redirected_from or record.url, refusal, record.attempts)
            for request in self._instead(response.meta):
                yield request
            return
        yield record
        if self.args.scope != "host":
            links = (*links, *outward)
        leads_on = False
        async for request in self._onward(response, record, links):
            leads_on = leads_on or family_of(request.url) is None
            yield request
        if namespace is None and sketch is not None:
            self.admission.judge(record, sketch, response.meta.get(DEPTH, 0), leads_on=leads_on)

    def _refusal(
        self, response: Response, record: CrawlResult, namespace: int | None
    ) -> Failure | None:
        """Why a page that came is not written."""
        wiki: KnownWiki | None = response.meta.get(st.WIKI)
        if response.meta.get(DEPTH, 0) == 0:  # a seed's redirect is where the crawl is
            self.memory().widen(self._place(record.url))
        elif not self._in_scope(record.url):
            return Failure(Reason.OFFSITE, f"it redirects to {record.url}")
        elif wiki is not None and not self._in_namespaces(namespace, wiki.site):
            return Failure(Reason.NAMESPACE, f"{record.url} is in namespace {namespace}")
        assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
        if not self.admission.write(record, response.request):
            return Failure(Reason.DUPLICATE, f"it is {record.url}, which has its record")
        return None

    async def _onward(
        self, response: Response, record: CrawlResult, links: Iterable[Link]
    ) -> AsyncIterator[Request]:
        depth = response.meta.get(DEPTH, 0)
        wiki: KnownWiki | None = response.meta.get(st.WIKI)
        listed = self.args.all_pages and wiki is not None and wiki.has_api
        if self.args.all_pages and depth == 0:
            if wiki is not None and listed:
                assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
                if self.memory().list_wiki(wiki.api, response.request):
                    for batch in all_pages.first_batches(self, wiki):
                        yield batch
                return
            self.logger.error(
                "all_pages: %s; following links from %s instead",
                f"the API {wiki.api} cannot be used" if wiki else "no wiki was recognised",
                record.url,
            )
        elif listed:
            return
        if self.args.follow_links and depth != self.args.max_depth:
            asked = self.memory().asked
            for number, link in enumerate(links, 1):
                if not number % _LINKS_A_TURN:
                    await asyncio.sleep(0)
                guarded = link.namespace is None  # no page of the wiki
                if (  # of a wiki's page most are known: that is seen first
                    not asked(link.url)
                    and self.wants(link, wiki)
                    and self.admit(link.url, depth + 1, guarded=guarded)
                ):
                    yield self.page_request(link.url, depth + 1, guarded=guarded)

    def wants(self, link: Link, wiki: KnownWiki | None) -> bool:
        """Whether a link may be followed, by namespace, scope and patterns."""
        return (
            (wiki is None or self._in_namespaces(link.namespace, wiki.site))
            and self._in_scope(link.url)
            and (not self.args.follow or self.args.follow.search(link.url))
            and not (self.args.exclude and self.args.exclude.search(link.url))
            and self._fits(link.url)
        )

    def _fits(self, url: str) -> bool:
        """Whether *url* is within the bound, where Scrapy would drop it and tell nobody."""
        most = self.settings.getint("URLLENGTH_LIMIT")
        if not 0 < most < len(url):
            return True
        if self.memory().ask(url):  # it is told once
            detail = f"{len(url):,} characters (URLLENGTH_LIMIT allows {most:,})"
            self._report(url[:most], Failure(Reason.URL_LENGTH, detail), ())
        return False

    def _in_namespaces(self, namespace: int | None, site: WikiSite) -> bool:
        wanted = self.wanted_namespaces(site)
        if namespace is None or wanted is None:
            return namespace is None or namespace >= 0  # Special: has no pages to read
        return namespace in wanted

    def wanted_namespaces(self, site: WikiSite) -> frozenset[int] | None:
        """Numbers of the namespaces to follow into; None is all."""
        if self.args.namespaces == "all":
            return None
        if self.args.namespaces == "content":
            return site.content_namespaces
        numbers = set()
        for name in self.args.namespaces:
            number = name if isinstance(name, int) else site.namespace_number(name)
            if number is not None:
                numbers.add(number)
            elif str(name) not in self._odd_namespaces:
                self._odd_namespaces.add(str(name))
                self.logger.warning("namespaces: the wiki %s has no %r", site.api, name)
        return frozenset(numbers)

    # The pages that a wiki lists (all_pages)

    def parse_titles(self, response: Response, **batch: Any) -> Iterator[Request]:
        """Requests for the pages in a batch of a wiki's titles, and for the next batch."""
        return all_pages.read_batch(self, response, **batch)

    def titles_failed(self, failure: TwistedFailure) -> None:
        """Report a batch of titles that did not come."""
        all_pages.ended_early(self, failure.getErrorMessage())

    # Pages that are skipped

    def skipped(self, failure: TwistedFailure) -> Iterator[Request]:
        """Report a page that did not come."""
        error = failure.value
        assert error is not None  # noqa: S101 - only a cleared failure has none
        request: Request = failure.request  # type: ignore[attr-defined]
        if not isinstance(error, (TiersExhausted, LinkLeftOut)):  # the one is reported, one counted
            self._report_failure(error, request)
        yield from self._instead(request.meta)

    def _report_failure(self, error: BaseException, request: Request) -> None:
        found = failure_of(error)
        if found is None:
            self.logger.error("Error on %s", request.url, exc_info=error)
            found = Failure(Reason.ERROR, type(error).__name__)
        state = request.meta.get(st.STATE)  # of a tier's request, which may be the API's
        subject = getattr(error, "response", None) or request
        attempts = state["attempts"] if state else subject.meta.get(st.ATTEMPTS, ())
        url = state["url"] if state and subject is request else subject.url
        self._report(url, found, attempts)

    def _instead(self, meta: dict[str, Any]) -> Iterator[Request]:
        """Requests for what takes the place of a page that was skipped; *meta* is its request's."""
        for url, depth in self.admission.instead(meta):
            yield self.page_request(url, depth)

    def _report(self, url: str, failure: Failure, attempts: Sequence[Attempt]) -> None:
        self.crawler.signals.send_catch_log(
            page_skipped,
            url=url,
            reason=failure.reason,
            detail=failure.detail,
            attempts=list(attempts),
        )

    def _dropped(self, request: Request) -> None:
        """A page was asked for before, though not as this request: a redirect leads to it, or
        another spelling; or the crawl was killed, and asks for it again."""
        if DEPTH not in request.meta:
            return
        engine, asked = self.crawler.engine, asked_url(request)
        if leads_back(request, self.crawler.request_fingerprinter):  # Scrapy bounds how often
            engine.crawl(request.replace(dont_filter=True))
            return
        self._freed.append(request.meta)
        if asked is not None:
            state = request.meta.get(st.STATE)
            duplicate = Failure(Reason.DUPLICATE, f"it leads to {request.url}, which is asked for")
            self._report(asked, duplicate, state["attempts"] if state else ())
        if len(self._freed) > 1:
            return  # called from below
        while self._freed:
            for instead in self._instead(self._freed[0]):
                engine.crawl(instead)
            self._freed.pop(0)

    # What is asked for

    def page_request(self, url: str, depth: int, *, guarded: bool = True) -> Request:
        """The request for a page, *depth* links from its seed; a seed is not *guarded*."""
        # Not Scrapy's `depth`, which counts from the response that a request is yielded for: a page
        # that takes a skipped one's place is no step further than where it was found.
        meta = {DEPTH: depth, GUARDED: guarded, **PAGE, **self.admission.meta(url)}
        return Request(url, callback=self.parse, errback=self.skipped, meta=meta)

    def admit(self, url: str, depth: int, *, guarded: bool = False) -> bool:
        """Whether *url* is to be asked for now: see :meth:`Admission.admit`."""
        return self.admission.admit(url, depth, guarded=guarded)

    @property
    def admission(self) -> Admission:
        """What decides which pages are asked for, from when the crawl's requests are sent."""
        if self._admission is None:
            self._admission = Admission(self.crawler, self.state, self.args.max_pages)
        return self._admission

    def memory(self) -> CrawlMemory:
        """What is known of the crawl."""
        return self.admission.memory

    def _place(self, url: str) -> str:
        return site_of(url) if self.args.scope == "site" else host_of(url)

    def _in_scope(self, url: str) -> bool:
        return self.args.scope == "any" or self.memory().reaches(self._place(url))

    def _check_contact(self) -> None:
        if options.CONTACT.read(self.settings) or not any(
            is_public_host(host_of(url)) for url in self._seeds.urls
        ):
            return
        self.logger.warning(
            "%(contact)s is not set: site operators cannot reach you, and some wikis "
            "refuse such a User-Agent. Set it to a URL or an e-mail address, e.g. "
            "-s %(contact)s=you@example.org",
            {"contact": options.CONTACT.name},
        )

    def count(self, name: str) -> None:
        """Add one to a stat."""
        self.crawler.stats.inc_value(name)
