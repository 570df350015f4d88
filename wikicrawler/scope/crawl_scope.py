"""The scope of a crawl: which links a spider follows, and which pages it writes."""

from __future__ import annotations

import asyncio
import logging
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from scrapy import signals

from wikicrawler import options
from wikicrawler.errors import ConfigError, Reason
from wikicrawler.frontier.state_folder import is_shared
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.pages import Failure
from wikicrawler.process.command import is_crawl
from wikicrawler.scope.admission import Admission
from wikicrawler.scope.bounds import CrawlBounds
from wikicrawler.scope.dropped import DroppedRequests
from wikicrawler.scope.engines import shipped_engines
from wikicrawler.scope.link_guard import LinkGuard
from wikicrawler.scope.links import WikiLinks, asked_for, url_of_link
from wikicrawler.scope.memory import state_of
from wikicrawler.scope.outlook import Outlook
from wikicrawler.scope.page_links import PageLinks
from wikicrawler.scope.page_requests import PageRequests, depth_of, is_page, is_seed
from wikicrawler.scope.robots_rules import RobotsRules
from wikicrawler.scope.traps import family_of
from wikicrawler.signals import page_redirected, page_skipped
from wikicrawler.urls.sites import host_of, site_of
from wikicrawler.urls.views import page_of_view

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Collection, Iterable, Iterator, Sequence
    from typing import Self

    from scrapy import Request, Spider
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.items import Attempt
    from wikicrawler.scope.links import Linked
    from wikicrawler.scope.memory import CrawlMemory
    from wikicrawler.scope.outlook import PagesLeft
    from wikicrawler.scope.page_requests import Method

logger = logging.getLogger(__name__)

_LOOK_SECONDS = 0.25
_LINKS_A_TURN = 1000
"""Number of links after which other tasks have their turn: a page may have 200,000."""


class CrawlScope:
    """Scrapy extension: decides which pages a crawl requests. ``docs/scope.md`` has an example.

    A spider declares its :class:`~wikicrawler.scope.bounds.CrawlBounds` as ``crawl_bounds``, gets
    its scope by :meth:`of`, and yields the requests of :meth:`start`, :meth:`follow` (or
    :meth:`request`) and :meth:`instead`. They carry the meta keys ``page_depth`` and
    ``guarded_link``, and ``page_site`` where sites have budgets. With ``JOBDIR`` all decisions
    survive a stop, and with the add-on's scheduler a kill.

    A request that the scheduler drops as a duplicate is reported by the signal ``page_skipped`` if
    a redirect led to it, and its place is given to a link that waits.

    Stats: ``wikicrawler/left_out/{rule}``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        options.SITE_MAX_PAGES.read(crawler.settings)  # a wrong value ends the start
        self.guard = LinkGuard(crawler.settings, crawler.stats)
        """Knows the crawler traps."""
        _share_families(crawler, self.guard)
        self.robots = RobotsRules(crawler.settings)
        """Knows what pages ask of robots."""
        shipped_engines()  # read now, for it takes long
        self.outlook = Outlook()
        """What spiders report of the pages to come."""
        self._page_links: WeakKeyDictionary[Response, PageLinks] = WeakKeyDictionary()
        self._longest = crawler.settings.getint("URLLENGTH_LIMIT")
        self.attempts_of: Callable[[Request], Sequence[Attempt]] = lambda _: ()
        """Returns the attempts so far at the page of a request; set by the tiers."""
        self._dropped = DroppedRequests(
            crawler,
            report=lambda url, why, request: self.report(url, why, self.attempts_of(request)),
            instead=self.instead,
        )
        crawler.signals.connect(self._dropped.dropped, signals.request_dropped)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @classmethod
    def of(cls, crawler: Crawler) -> Self:
        """Return the scope of *crawler*; a spider may call it from its ``start`` on.

        :raises ConfigError: the project lacks the extension
        """
        scope = crawler.get_extension(cls)
        if scope is None:
            raise ConfigError(
                "the extension wikicrawler.scope.CrawlScope is missing: ADDONS needs "
                '{"wikicrawler.addon.WikiCrawler": 500}'
            )
        return scope

    # The links

    def start(
        self,
        urls: Collection[str],
        *,
        callback: Method | None = None,
        errback: Method | None = None,
    ) -> Iterator[Request]:
        """Yield the requests for the seeds *urls*; none where a job is resumed, or another worker
        has requested its seeds.

        Links may lead to the hosts (or sites) of the seeds, and no trap rule applies to a seed.
        """
        memory = self.memory
        for url in urls:  # also of a resumed job, whose start has no requests
            policy_of(self._crawler).allow_url(url)
        if memory.seeded:
            self.outlook.follows_links = True  # those of the pages before are not known
            if memory.began_with(urls):
                logger.info("Resuming: the seeds were requested before")
            else:
                logger.warning(
                    "Resuming with other seeds than this job began with: they are left out, and "
                    "the job goes on with its own. Another JOBDIR crawls them (for several "
                    "workers: another %s)",
                    options.FRONTIER_JOB.name,
                )
            return
        memory.begin(urls)
        for url in urls:
            memory.widen(self._place(url))
        for url in urls:
            request = self.requests.admitted(url, 0, callback, errback, {}, guarded=False)
            if request is not None:
                yield request
        memory.seeds_done()

    async def join(self) -> None:
        """Wait until the seeds of the crawl were requested, by another worker of it."""
        if self.memory.seeded:
            return
        logger.info("Waiting for a worker of this crawl that has its seeds")
        while not self.memory.seeded:  # noqa: ASYNC110 - another process notes it
            await asyncio.sleep(_LOOK_SECONDS)
        self.outlook.follows_links = True

    def reach(self, urls: Iterable[str]) -> None:
        """Let links lead to the hosts (or sites) of *urls*, which the operator has named."""
        for url in urls:
            policy_of(self._crawler).allow_url(url)
            self.memory.widen(self._place(url))

    async def follow(
        self,
        response: Response,
        links: Iterable[str | Linked],
        *,
        callback: Method | None = None,
        errback: Method | None = None,
        wants: Callable[[Any], bool] | None = None,
        **arguments: Any,
    ) -> AsyncIterator[Request]:
        """Yield requests for those *links* of the page *response* that the scope admits.

        *links* are absolute URLs, or objects with one as ``url``. *wants* is called with each that
        was not requested before; False leaves it out. *arguments* are those of
        :class:`scrapy.Request`. Call it once for a page, even without links: at its end the page's
        text is compared with other pages (rule ``nothing_new``).
        """
        depth, deepest = depth_of(response) + 1, self.bounds.max_depth
        leads_on = False
        if deepest is None or depth <= deepest:
            asked, lately_asked = self.memory.asked, self.memory.lately_asked()
            of_wiki, rest = WikiLinks(response), iter(links)
            while batch := [*islice(rest, _LINKS_A_TURN)]:
                self.outlook.follows_links = True
                for link in batch:
                    url = link if isinstance(link, str) else link.url
                    if url in lately_asked or asked(url):
                        continue
                    if wants is not None and not wants(link):
                        continue
                    request = self.request(
                        link,
                        response,
                        callback=callback,
                        errback=errback,
                        guarded=link not in of_wiki,
                        **arguments,
                    )
                    if request is not None:
                        leads_on = leads_on or family_of(request.url) is None
                        yield request
                if len(batch) == _LINKS_A_TURN:
                    await asyncio.sleep(0)
        self.guard.judge_page(response, depth - 1, leads_on=leads_on)

    def request(
        self,
        link: str | Linked,
        response: Response,
        *,
        callback: Method | None = None,
        errback: Method | None = None,
        depth: int | None = None,
        guarded: bool = True,
        **arguments: Any,
    ) -> Request | None:
        """Return the request for one link of the page *response*; None if the scope refuses it.

        *callback* and *errback* are methods of the spider, *arguments* those of
        :class:`scrapy.Request`. *depth* is the number of links from the seed; by default one more
        than that of the page, and at most ``max_depth``. The trap rules apply to a *guarded* link.

        :raises ValueError: *callback* or *errback* is not a method of the spider
        """
        url = url_of_link(link)
        if depth is None:
            self.outlook.follows_links = True
            depth, deepest = depth_of(response) + 1, self.bounds.max_depth
            if deepest is not None and depth > deepest:
                return None
        url = page_of_view(url)
        if (
            self.memory.asked(url)
            or not self.reaches(url)
            or not self.bounds.match(url)
            or not self._fits(url)
        ):
            return None
        page = self._links_of(response)
        if (other := page.other_name(url)) is not None and self.memory.asked(other):
            return None
        if (rule := page.rule_against(link)) is not None:
            self.guard.leave_out_once(url, rule)
            return None
        return self.requests.admitted(url, depth, callback, errback, arguments, guarded=guarded)

    # The pages

    def accept(self, response: Response, url: str | None = None) -> bool:
        """Return True if the page *response* is to be written, and remember that it is.

        *url* is the page's own, ``response.url`` by default. A page that a redirect led out of the
        scope or to a page that was written, and one that asks not to be indexed, is reported by the
        signal ``page_skipped``; :meth:`instead` yields what takes its place.
        """
        url = url or response.url
        failure = (
            self.check_place(response, url)
            or self.check_wanted(response, url)
            or self.check_new(response, url)
        )
        if failure is not None:
            attempts = response.meta.get("tier_attempts", ())
            self.report(asked_for(response), failure, attempts)
        return failure is None

    def check_place(self, response: Response, url: str) -> Failure | None:
        """Return why the page at *url* is out of the scope; None if it is not.

        Where a seed leads is in the scope.
        """
        if is_seed(response):
            self.memory.widen(self._place(url))
        elif not self.reaches(url):
            return Failure(Reason.OFFSITE, f"it redirects to {url}")
        return None

    def check_wanted(self, response: Response, url: str) -> Failure | None:
        """Return why the page at *url* is not to be written though it is in the scope: it asks
        robots not to index it, or its engine has no content there. Call it once for each page."""
        return self._links_of(response).refusal(url)

    def check_new(self, response: Response, url: str) -> Failure | None:
        """Remember that the page at *url* is written; return why it is not: it was before."""
        why = self._admission.write(url, response)
        if not why:
            return None
        if (asked := asked_for(response)) != url:
            self._crawler.signals.send_catch_log(page_redirected, url=asked, target=url)
        return Failure(Reason.DUPLICATE, why)

    def instead(self, request: Request) -> Iterator[Request]:
        """Yield the requests for links that take the place of the page of *request*, which was
        skipped. Call it once for each such page."""
        if is_page(request):
            yield from self.requests.instead(request)

    def report(self, url: str, failure: Failure, attempts: Sequence[Attempt] = ()) -> None:
        """Send the signal ``page_skipped``: the page at *url* has no record and will get none."""
        self._crawler.signals.send_catch_log(
            page_skipped,
            url=url,
            reason=failure.reason,
            detail=failure.detail,
            attempts=list(attempts),
        )

    # What is known

    @property
    def memory(self) -> CrawlMemory:
        """What is remembered of the crawl."""
        return self._admission.memory

    @cached_property
    def bounds(self) -> CrawlBounds:
        """What the spider declares as ``crawl_bounds``; by default no limit, and ``host``."""
        declared = getattr(self._spider, "crawl_bounds", None)
        return declared if isinstance(declared, CrawlBounds) else CrawlBounds()

    @property
    def is_spent(self) -> bool:
        """True if ``max_pages`` makes further links useless: enough wait for a place."""
        return self._admission.budget.is_spent

    def pages_left(self) -> PagesLeft | None:
        """Return how many pages have no record yet; None if that is not known."""
        if "_admission" not in vars(self) or not hasattr(self._spider, "crawl_bounds"):
            return None
        budget, written = self._admission.budget, self._admission.written
        room = None if budget.limit is None else max(0, budget.limit - written)
        return self.outlook.left(max(0, budget.taken - written), room, begun=written > 0)

    def reaches(self, url: str) -> bool:
        """Return True if links may lead to the host (or site) of *url*."""
        return self.bounds.scope == "any" or self.memory.reaches(self._place(url))

    def _links_of(self, response: Response) -> PageLinks:
        """Return the rules of the page *response* for its links; kept as long as the response."""
        found = self._page_links.get(response)
        if found is None:
            found = self._page_links[response] = PageLinks(response, self.robots, self.guard)
        return found

    @cached_property
    def _admission(self) -> Admission:
        state = state_of(self._spider)
        return Admission(self._crawler, self.guard, state, self.bounds.max_pages)

    @cached_property
    def requests(self) -> PageRequests:
        """Makes the requests; from ``spider_opened`` on."""
        return PageRequests(self._spider, self._admission)

    @property
    def _spider(self) -> Spider:
        spider = self._crawler.spider
        assert spider is not None  # noqa: S101 - there is one when extensions are made
        return spider

    def _place(self, url: str) -> str:
        return site_of(url) if self.bounds.scope == "site" else host_of(url)

    def _fits(self, url: str) -> bool:
        """Return False for a URL beyond the limit, and report it: Scrapy drops it without."""
        if not 0 < self._longest < len(url):
            return True
        if self.memory.ask(url):  # reported once
            detail = f"{len(url):,} characters (URLLENGTH_LIMIT allows {self._longest:,})"
            self.report(url[: self._longest], Failure(Reason.URL_LENGTH, detail))
        return False


def _share_families(crawler: Crawler, guard: LinkGuard) -> None:
    """Have workers that share the crawl count the pages of families together."""
    if not is_shared(crawler) or not is_crawl(crawler) or not guard.closes_families:
        return
    # Most crawls have one worker, and import less.
    from wikicrawler.scope.fleet.shared_families import SharedFamilies  # noqa: PLC0415

    SharedFamilies.begin(crawler, guard)
