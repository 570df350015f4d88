"""Extracts fields from pages by an LLM."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request, Spider, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy_spider_metadata import Args  # type: ignore[attr-defined]

from wikicrawler import options
from wikicrawler.errors import Reason
from wikicrawler.fields.budget import tokens_of
from wikicrawler.fields.errors import AllKeysExhaustedError, ScraperError
from wikicrawler.fields.estimate import Tally, estimate_of
from wikicrawler.fields.llm.errors import ContextTooLongError, ModelNotFoundError
from wikicrawler.fields.models import CrawlState, ScrapeResult
from wikicrawler.fields.project_settings import config_of, price_in
from wikicrawler.fields.providers import key_variable_of
from wikicrawler.fields.site_crawl import PageList, SiteCrawl
from wikicrawler.pages import Failure
from wikicrawler.process.exit_codes import MODEL_FAILED
from wikicrawler.process.internals.items import send_item
from wikicrawler.process.stopping import stop
from wikicrawler.scope import CrawlBounds, CrawlScope
from wikicrawler.scope.dropped import asked_url, leads_back
from wikicrawler.spiders.field_arguments import FieldsArguments
from wikicrawler.spiders.field_items import crawl_item, estimate_item, page_item
from wikicrawler.spiders.field_memory import FieldMemory
from wikicrawler.spiders.field_pages import FieldPages, failed_result, result_of_error, tier_meta
from wikicrawler.spiders.one_worker import check_one_worker
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.progress import report_skipped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Coroutine, Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.fields.models import FieldDefinition, ScraperConfig
    from wikicrawler.fields.site_crawl import WaitingPage
    from wikicrawler.spiders.field_pages import OpenPage

_FAILURES_IN_A_ROW = 3
"""Pages that the model's server fails to read before the run ends."""
_LOST = Failure(Reason.DUPLICATE, "the request was dropped")


class FieldsSpider(Args[FieldsArguments], Spider):
    """``scrapy crawl fields -a url=… -a fields=…``: the values of fields, from one page, from many
    or from a site.

    The items are dicts: one with ``type`` ``page`` for each page, and with mode ``crawl`` one with
    ``type`` ``crawl`` at the end, which has the values of all pages together.

    Stats: ``fields/pages/read``, ``fields/pages/failed``, ``fields/tokens/prompt``,
    ``fields/tokens/completion``, ``fields/cost``, and tokens and cost by field, model and key.
    """

    name = "fields"
    args: FieldsArguments
    config: ScraperConfig
    fields: list[FieldDefinition]
    pages: FieldPages
    memory: FieldMemory
    work: PageList | SiteCrawl
    _failures = 0
    _why_stopped: str | None = None
    _is_written = False
    tally = Tally()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._tasks: set[asyncio.Task[None]] = set()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        if cls.start is FieldsSpider._own_start:  # `scrapy check` and `parse` bring their own
            spider._configure()
            crawler.signals.connect(spider._dropped, signals.request_dropped)
            crawler.signals.connect(spider._idle, signals.spider_idle)
            crawler.signals.connect(spider._close, signals.spider_closed)
        return spider

    def _configure(self) -> None:
        """Read what the run is to do, and set Scrapy's own settings by it.

        :raises ConfigError: an argument, the file or a setting is wrong
        """
        args, settings = self.args, self.settings
        check_one_worker(settings, f"the spider {self.name}")
        self.fields = args.definitions()
        self._seeds = args.seeds()
        self.config = config_of(
            settings,
            args.config,
            needs_key=not args.estimate,
            **{name: getattr(args, name) for name in ("model", "backend", "input_format")},
            **{name: getattr(args, name) for name in ("max_pages", "max_depth")},
            **{name: getattr(args, name) for name in ("max_tokens", "max_cost")},
        )
        options.FIELDS_CONTENT.read(settings)  # a wrong value ends the start
        self._meta = tier_meta(settings, self.config)
        self.crawl_bounds = CrawlBounds(follow=args.follow, exclude=args.exclude, scope=args.scope)
        settings.set("DOWNLOAD_TIMEOUT", self.config.timeout / 1000, "spider")
        if not self.config.stealth:
            settings.set(options.STEALTH.name, "never", "spider")

    # The requests

    async def start(self) -> AsyncIterator[Any]:
        for problem in self._seeds.problems:
            self.logger.warning("URL refused: %s", problem)
        scope = CrawlScope.of(self.crawler)
        scope.reach(self._seeds.urls)
        self.memory = FieldMemory(self)
        if not self.memory.begin(self._seeds.urls, self.fields, self.args.way):
            self.logger.error(
                "JOBDIR has a job with other URLs, fields or another mode (use another folder, or "
                "the arguments that it was begun with)"
            )
            stop(self.crawler, "start_error")
            return
        known = self.memory.pages()
        again = {page.url for page in known if not page.is_done}
        self.pages = FieldPages(self.crawler, self.config, spent=self.memory.spent)
        if self.args.way == "crawl":
            crawl = SiteCrawl(
                self.fields,
                at_once=self.config.max_concurrent,
                max_pages=self.config.max_pages,
                max_depth=self.config.max_depth,
                state=CrawlState(start_url=self._seeds.urls[0]),
            )
            for page in known:
                if page.is_done:
                    crawl.restore(page.url, page.findings if page.is_read else None)
            crawl.add(self._seeds.urls, 0)
            for page in known:
                crawl.add(page.links, page.depth + 1)
                if not page.is_done:
                    crawl.add([page.url], page.depth)
            self.work = crawl
        else:
            done = {page.url for page in known if page.is_done}
            waiting = [url for url in self._seeds.urls if url not in done]
            self.work = PageList(waiting, self.config.max_concurrent)
        self._again = again
        for request in self._requests():
            yield request

    _own_start = start

    def _requests(self) -> Iterator[Request]:
        """Yield requests for the pages that are to be read now."""
        for page in self.work.next_pages():
            yield self._request(page)

    def _request(self, page: WaitingPage) -> Request:
        arguments = {
            "meta": dict(self._meta),
            "cb_kwargs": {"url": page.url, "depth": page.depth},
            "dont_filter": page.url in self._again,
        }
        return CrawlScope.of(self.crawler).requests.make(
            page.url, page.depth, self.parse, self.failed, arguments, guarded=page.depth > 0
        )

    # The answers

    async def parse(self, response: Response, url: str, depth: int) -> AsyncIterator[Any]:
        """The values of a page, and requests for the next ones."""
        try:
            found = await self._read(response, url, depth)
        except Exception:
            self.logger.exception("Error on %s", one_line(url, 200))
            found = _Found(failed_result(url, Failure(Reason.ERROR, "see the log")))
        assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
        for one in self._end_page(response.request, found, url, depth):
            yield one

    async def failed(self, failure: TwistedFailure) -> AsyncIterator[Any]:
        """Report a page that was not fetched."""
        request: Request = failure.request  # type: ignore[attr-defined]
        assert failure.value is not None  # noqa: S101 - only a cleared failure has none
        report_skipped(self.crawler, failure)
        url, depth = request.cb_kwargs["url"], request.cb_kwargs["depth"]
        found = _Found(result_of_error(url, failure.value))
        for one in self._end_page(request, found, url, depth):
            yield one

    async def _read(self, response: Response, url: str, depth: int) -> _Found:
        page = await self.pages.open(response)
        if isinstance(page, Failure):
            CrawlScope.of(self.crawler).report(url, page, response.meta.get(st.ATTEMPTS, ()))
            return _Found(failed_result(url, page))
        if isinstance(self.work, SiteCrawl) and (why := self._refusal(response, page)):
            return _Found(failed_result(url, why))
        if self.args.estimate:
            self.tally += await self.pages.tally(page, self.fields)
            links = await self._links(response, page, depth)
            return _Found(ScrapeResult(url=url, success=True), tuple(links))
        result, error = await self.pages.read(page, url, self.fields)
        is_done = True
        if isinstance(error, ScraperError):
            self._note_failure(url, error)
            is_done = self._why_stopped is None
        else:
            self._failures = 0
        if result.partial and (limit := self.pages.budget.why_stopped):
            self._stop(limit, f"the next question to the model may exceed {limit}")
            is_done = False
        links = await self._links(response, page, depth)
        return _Found(result, tuple(links), is_done)

    def _refusal(self, response: Response, page: OpenPage) -> Failure | None:
        """Return why a page of a site is not read; None if it is."""
        scope, url = CrawlScope.of(self.crawler), page.text.url
        why = scope.check_place(response, url) or scope.check_wanted(response, url)
        why = why or scope.check_new(response, url)
        if why is not None:
            scope.report(url, why, response.meta.get(st.ATTEMPTS, ()))
        return why

    async def _links(self, response: Response, page: OpenPage, depth: int) -> list[str]:
        """Return the links of a page that the crawl is to follow."""
        if not isinstance(self.work, SiteCrawl):
            return []
        scope = CrawlScope.of(self.crawler)
        found = [request.url async for request in scope.follow(response, page.links)]
        return self.work.add(found, depth + 1)

    def _end_page(
        self, request: Request, found: _Found, url: str, depth: int
    ) -> Iterator[dict[str, Any] | Request]:
        """Yield the item of a page, and the requests for the pages that come next."""
        self.memory.add(
            request,
            found.result,
            url=url,
            depth=depth,
            links=found.links,
            keeps_findings=isinstance(self.work, SiteCrawl),
            is_done=found.is_done,
        )
        if not self.args.estimate:
            yield self._item(found.result, depth)
        self.work.done(url, found.result)
        yield from self._requests()
        if self.work.is_done:
            yield from self._last_items(request)

    def _note_failure(self, url: str, error: ScraperError) -> None:
        """Report that the model failed to read a page; end the run if it will fail again."""
        self._failures += 1
        is_final = isinstance(error, AllKeysExhaustedError | ModelNotFoundError)
        is_of_page = isinstance(error, ContextTooLongError)
        if is_final or (not is_of_page and self._failures >= _FAILURES_IN_A_ROW):
            self._stop(MODEL_FAILED, error.message + self._hint())
        else:
            self.logger.error("%s: %s", one_line(url, 200), one_line(error.message, 500))

    def _hint(self) -> str:
        """Return what may help where the server refuses requests without a key."""
        variable = key_variable_of(self.config)
        if self.config.api_keys or variable is not None:
            return ""
        return (
            f" (no key was sent: {options.FIELDS_API_KEYS.name} names those of"
            f" {options.FIELDS_BASE_URL.name})"
        )

    def _stop(self, reason: str, message: str) -> None:
        """Ask for no further page, and end with *reason*."""
        self.work.stop()
        if self._why_stopped is None:
            self._why_stopped = reason
            self.logger.error("The run ends: %s", one_line(message, 500))

    # The records

    def _item(self, result: ScrapeResult, depth: int) -> dict[str, Any]:
        self.crawler.stats.inc_value(f"fields/pages/{'read' if result.success else 'failed'}")
        level = logging.INFO if self.config.verbose else logging.DEBUG
        for finding in result.findings:
            place = finding.evidence
            self.logger.log(
                level,
                "%s: %s = %s (%s)",
                one_line(result.url, 200),
                finding.field,
                one_line(repr(finding.value), 200),
                f"{place.start}:{place.end}" if place else finding.reason or "derived",
            )
        data = {field.name: None for field in self.fields} | result.data
        return page_item(result.model_copy(update={"depth": depth, "data": data}))

    def _last_items(self, last: Request | None) -> Iterator[dict[str, Any]]:
        """Yield the items of the whole run, once; it ends with the page of the request *last*."""
        if self._is_written:
            return
        self._is_written = True
        if self.memory.is_written:
            return
        if self._why_stopped is None:
            self.memory.written(last)
        if self.args.estimate:
            price = price_in(self.settings, self.config)
            yield estimate_item(estimate_of(self.tally, self.fields, self.config, price))
        elif isinstance(self.work, SiteCrawl):
            usage = self.pages.budget.spent
            yield crawl_item(self.work.state, usage, self._why_stopped)

    # The end

    def _dropped(self, request: Request) -> None:
        """Free the place of a page that leads to one which was asked for before."""
        url = request.cb_kwargs.get("url")
        if url not in self.work.in_flight or leads_back(
            request, self.crawler.request_fingerprinter
        ):
            return  # that of a redirect to itself is requested again
        if self.memory.is_resumed and asked_url(request) is None:
            return  # the frontier may have the request of an earlier run
        result = failed_result(url, Failure(Reason.DUPLICATE, f"it leads to {request.url}"))
        self.work.done(url, result)
        depth = request.cb_kwargs.get("depth", 0)
        self._begin(self._end_dropped([(url, result, depth)]))
        # Not from within: a chain of such pages would be one of calls.
        asyncio.get_running_loop().call_soon(self._crawl_more)

    async def _end_dropped(self, pages: list[tuple[str, ScrapeResult, int]]) -> None:
        for url, result, depth in pages:
            if not self.args.estimate:
                await send_item(self.crawler.engine, self._item(result, depth))
            self.memory.add(None, result, url=url, depth=depth)

    def _crawl_more(self) -> bool:
        """Request the pages that come next; return whether there are any."""
        requests = list(self._requests())
        for request in requests:
            self.crawler.engine.crawl(request)
        return bool(requests)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.logger.error("A record cannot be written", exc_info=error)

    def _idle(self) -> None:
        """Go on where requests were dropped without a word; write the record of a crawl.

        :raises DontCloseSpider: there is more to do
        :raises CloseSpider: the run had to stop
        """
        if self._tasks:
            raise DontCloseSpider
        if hasattr(self, "work") and (self.work.in_flight or not self._is_written):
            lost = [(url, failed_result(url, _LOST), 0) for url in self.work.in_flight]
            for url, result, _ in lost:
                self.work.done(url, result)
            self._begin(self._finish(lost, has_more=self._crawl_more()))
            raise DontCloseSpider
        if self._why_stopped is not None:
            raise CloseSpider(self._why_stopped)

    async def _finish(self, lost: list[tuple[str, ScrapeResult, int]], *, has_more: bool) -> None:
        await self._end_dropped(lost)
        for item in () if has_more else self._last_items(None):
            await send_item(self.crawler.engine, item)

    def _close(self) -> None:
        if not hasattr(self, "pages"):
            return
        sums, stats = self.pages.budget.sums, self.crawler.stats
        stats.set_value("fields/tokens/prompt", sums.total.prompt_tokens)
        stats.set_value("fields/tokens/completion", sums.total.completion_tokens)
        stats.set_value("fields/answers/cached", sums.total.cached)
        if sums.total.cost is not None:
            stats.set_value("fields/cost", round(sums.total.cost, 6))
        groups = {"field": sums.by_field, "model": sums.by_model, "key": sums.by_key}
        for group, table in groups.items():
            for name, usage in table.items():
                stats.set_value(f"fields/tokens/{group}/{name}", tokens_of(usage))
                if usage.cost is not None:
                    stats.set_value(f"fields/cost/{group}/{name}", round(usage.cost, 6))


class _Found(NamedTuple):
    """What became of a page."""

    result: ScrapeResult
    links: tuple[str, ...] = ()
    is_done: bool = True
