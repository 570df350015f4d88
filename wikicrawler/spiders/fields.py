"""Extracts fields from pages by an LLM."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request, Spider, signals
from scrapy.exceptions import CloseSpider, DontCloseSpider
from scrapy_spider_metadata import Args  # type: ignore[attr-defined]

from wikicrawler import options
from wikicrawler.errors import ConfigError, Reason
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
from wikicrawler.scope import CrawlBounds, CrawlScope
from wikicrawler.spiders.field_arguments import FieldsArguments
from wikicrawler.spiders.field_items import crawl_item, estimate_item, page_item
from wikicrawler.spiders.field_memory import FieldMemory
from wikicrawler.spiders.field_pages import FieldPages, failed_result, result_of_error, tier_meta
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.progress import report_skipped

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.fields.models import FieldDefinition, ScraperConfig
    from wikicrawler.fields.site_crawl import WaitingPage
    from wikicrawler.spiders.field_pages import OpenPage

_FAILURES_IN_A_ROW = 3
"""Pages that the model's server fails to read before the run ends."""


class FieldsSpider(Args[FieldsArguments], Spider):
    """``scrapy crawl fields -a url=… -a fields=…``: the values of fields, from one page, from many
    or from a site.

    The items are dicts: one with ``type`` ``page`` for each page, and with mode ``crawl`` one with
    ``type`` ``crawl`` at the end, which has the values of all pages together.

    Stats: ``fields/pages/read``, ``fields/pages/failed``, ``fields/tokens/prompt``,
    ``fields/tokens/completion``, ``fields/cost``.
    """

    name = "fields"
    args: FieldsArguments
    config: ScraperConfig
    fields: list[FieldDefinition]
    pages: FieldPages
    memory: FieldMemory
    work: PageList | SiteCrawl
    _task: asyncio.Task[None] | None = None
    _failures = 0
    _why_stopped: str | None = None
    _has_more = False
    _is_written = False
    tally = Tally()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        if cls.start is FieldsSpider._own_start:  # `scrapy check` and `parse` bring their own
            spider._configure()
            crawler.signals.connect(spider._idle, signals.spider_idle)
            crawler.signals.connect(spider._close, signals.spider_closed)
        return spider

    def _configure(self) -> None:
        """Read what the run is to do, and set Scrapy's own settings by it.

        :raises ConfigError: an argument, the file or a setting is wrong
        """
        args, settings = self.args, self.settings
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
        self._meta = tier_meta(settings, self.config)
        self._keeps_content = options.FIELDS_CONTENT.read(settings)
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
            raise ConfigError(
                "JOBDIR has a job with other URLs, fields or another mode (use another folder, or "
                "the arguments that it was begun with)"
            )
        known = self.memory.pages()
        again = {page.url for page in known if not page.is_done}
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
        self.pages = FieldPages(self.crawler, self.config, spent=self.memory.spent)
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
        is_done = True
        if self.args.estimate:
            self.tally += await self.pages.tally(page, self.fields)
            links = await self._links(response, page, depth)
            return _Found(ScrapeResult(url=url, success=True), None, tuple(links))
        try:
            result = await self.pages.extract(page, url, self.fields)
            self._failures = 0
        except ScraperError as error:
            result = self._unread(url, error)
            is_done = self._why_stopped is None
        if result.partial and (limit := self.pages.budget.why_stopped):
            self._stop(limit, f"the next question to the model may exceed {limit}")
            is_done = False
        links = await self._links(response, page, depth)
        return _Found(result, page.text.text, tuple(links), is_done)

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
            yield self._item(found.result, found.content, depth)
        self.work.done(url, found.result)
        yield from self._requests()
        if self.work.is_done:
            yield from self._last_items(request)

    def _unread(self, url: str, error: ScraperError) -> ScrapeResult:
        """Return the result of a page that the model could not be asked about."""
        self._failures += 1
        is_final = isinstance(error, AllKeysExhaustedError | ModelNotFoundError)
        is_of_page = isinstance(error, ContextTooLongError)
        if is_final or (not is_of_page and self._failures >= _FAILURES_IN_A_ROW):
            self._stop(MODEL_FAILED, error.message + self._hint())
        else:
            self.logger.error("%s: %s", one_line(url, 200), one_line(error.message, 500))
        return ScrapeResult(url=url, success=False, error=one_line(error.message, 500))

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

    def _item(self, result: ScrapeResult, content: str | None, depth: int) -> dict[str, Any]:
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
        kept = content if self._keeps_content else None
        data = {field.name: None for field in self.fields} | result.data
        return page_item(result.model_copy(update={"depth": depth, "data": data}), kept)

    def _last_items(self, last: Request | None) -> Iterator[dict[str, Any]]:
        """Yield the items of the whole run, once; it ends with the page of the request *last*."""
        if self._is_written or self.memory.is_written:
            return
        self._is_written = True
        if self._why_stopped is None:
            self.memory.written(last)
        if self.args.estimate:
            price = price_in(self.settings, self.config)
            yield estimate_item(estimate_of(self.tally, self.fields, self.config, price))
        elif isinstance(self.work, SiteCrawl):
            usage = self.pages.budget.sums.total
            yield crawl_item(self.work.state, usage, self._why_stopped)

    # The end

    def _idle(self) -> None:
        """Go on where requests were dropped without an answer; write the record of a crawl.

        :raises DontCloseSpider: there is more to do
        :raises CloseSpider: the run had to stop
        """
        has_work = hasattr(self, "work") and (self.work.in_flight or not self._is_written)
        if self._task is None and has_work:
            self._task = asyncio.ensure_future(self._finish())
        if self._task is not None and not self._task.done():
            raise DontCloseSpider
        self._task = None if self._has_more else self._task
        if self._why_stopped is not None and not self._has_more:
            raise CloseSpider(self._why_stopped)

    async def _finish(self) -> None:
        engine = self.crawler.engine
        self._has_more = False
        for url in list(self.work.in_flight):
            result = failed_result(url, Failure(Reason.DUPLICATE, "it leads to another page"))
            await send_item(engine, self._item(result, None, 0))
            self.work.done(url, result)
        for request in self._requests():
            self._has_more = True
            engine.crawl(request)
        if not self._has_more:
            for item in self._last_items(None):
                await send_item(engine, item)

    def _close(self) -> None:
        if not hasattr(self, "pages"):
            return
        total, stats = self.pages.budget.sums.total, self.crawler.stats
        stats.set_value("fields/tokens/prompt", total.prompt_tokens)
        stats.set_value("fields/tokens/completion", total.completion_tokens)
        stats.set_value("fields/answers/cached", total.cached)
        if total.cost is not None:
            stats.set_value("fields/cost", round(total.cost, 6))


class _Found(NamedTuple):
    """What became of a page."""

    result: ScrapeResult
    content: str | None = None
    links: tuple[str, ...] = ()
    is_done: bool = True
