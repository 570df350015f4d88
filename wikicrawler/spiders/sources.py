"""Visits watched sources and stages what changed."""

from __future__ import annotations

import asyncio
from time import time
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider
from scrapy_spider_metadata import Args  # type: ignore[attr-defined]

from wikicrawler import options
from wikicrawler.errors import ConfigError, Reason, StoreError
from wikicrawler.operations import MANIFEST_KEY
from wikicrawler.pages import HEADERS_KEY, WAIT_FOR_KEY, Failure
from wikicrawler.politeness.retry_policy import RETRY_BY_POLICY
from wikicrawler.process.internals.items import send_item
from wikicrawler.sources.agenda.reasons import why_not_now
from wikicrawler.sources.visits.reading import read_answer
from wikicrawler.spiders.one_worker import check_one_worker
from wikicrawler.spiders.source_arguments import SourcesArguments
from wikicrawler.spiders.source_documents import SourceDocuments
from wikicrawler.spiders.source_items import failed_document
from wikicrawler.spiders.source_map import offer_map
from wikicrawler.spiders.source_sitemaps import STATUSES, SourceSitemaps
from wikicrawler.spiders.source_storage import stop_without_storage, stops_without_storage
from wikicrawler.spiders.source_wikis import unchanged
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.failures import failure_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.audit.recorder import AuditRecorder
    from wikicrawler.sources.alerts.extension import CrawlAlerts
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.visits.visit import SourceVisit, Target

_ALERTS = "wikicrawler.sources.alerts.extension.CrawlAlerts"


class SourcesSpider(Args[SourcesArguments], SourceSitemaps):
    """``scrapy crawl sources -a manifest=…``: the documents of watched sources.

    Each new, changed or deleted document is staged as an envelope. The items are dicts: one with
    ``type`` ``document`` for each document that was asked for, and one with ``type`` ``visit`` at
    the end of each source.
    """

    name = "sources"
    args: SourcesArguments
    _recorder: type[AuditRecorder]
    _alerts: type[CrawlAlerts]
    _documents: SourceDocuments
    _task: asyncio.Task[None] | None = None
    _has_waited = False
    _robots_refusal: Callable[[Crawler, Source], Awaitable[Failure | None]]

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        for name, value in {
            "CONCURRENT_REQUESTS": 10,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 3,
            options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE.name: 30,
            "DOWNLOAD_TIMEOUT": 30,
            options.RETRY_POLICY.name: "wikicrawler.sources.visits.retries.SourceRetries",
            options.AUDIT.name: True,
        }.items():
            settings.set(name, value, "spider")
        extensions = settings.getdict("EXTENSIONS")
        if _ALERTS not in extensions:
            # By name, because other crawls load this module, too. Before the extensions that close
            # what it uses.
            # Above the project's own value, which is set once more when a command starts the crawl.
            priority = (settings.getpriority("EXTENSIONS") or 0) + 1
            settings.set("EXTENSIONS", extensions | {_ALERTS: 500}, priority)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider: Self = super().from_crawler(crawler, *args, **kwargs)
        if cls.start is SourcesSpider._own_start:  # `scrapy check` and `parse` bring their own
            spider._prepare(kwargs.get("_job"))
            crawler.signals.connect(spider._idle, signals.spider_idle)
            crawler.signals.connect(spider._close, signals.spider_closed)
        return spider

    def _prepare(self, job: str | None) -> None:
        settings = self.settings
        check_one_worker(settings, f"the spider {self.name}")
        if settings.get("JOBDIR"):
            raise ConfigError(
                "JOBDIR cannot be used with the spider sources: what is left to do after a stop is "
                "in the database (remove JOBDIR and start the crawl again)"
            )
        # Imported here because `scrapy list` and other crawls load this module, too.
        from wikicrawler.audit.recorder import AuditRecorder  # noqa: PLC0415
        from wikicrawler.sources.alerts.extension import CrawlAlerts  # noqa: PLC0415
        from wikicrawler.sources.visits.robots import robots_refusal  # noqa: PLC0415
        from wikicrawler.sources.visits.setup import prepare  # noqa: PLC0415
        from wikicrawler.sources.visits.shares import SiteShares  # noqa: PLC0415

        self._recorder, self._alerts = AuditRecorder, CrawlAlerts
        self.shares = SiteShares()
        self._robots_refusal = robots_refusal
        self.run = prepare(
            self.crawler,
            manifest_file=self.args.manifest,
            only=self.args.only,
            force=self.args.force,
            scheduled=self.args.scheduled,
            job=job,
        )

    def _idle(self) -> None:
        """End visits whose requests were dropped without an answer, by a component of the project.
        Without visits, wait for those of other processes.

        :raises DontCloseSpider: there are some
        """
        if self._task is None and self.run.open:
            self._task = asyncio.ensure_future(self._end_abandoned())
        elif self._task is None and self.run.is_waiting and not self._has_waited:
            self._task = asyncio.ensure_future(self._wait())
        if self._task is not None:
            raise DontCloseSpider

    async def _wait(self) -> None:
        try:
            if not await self.run.wait():
                self._has_waited = True
                return
            await self._send(self._begin_visits())
        except (StoreError, OSError) as error:
            stop_without_storage(self, error)
        finally:
            self._task = None

    async def _end_abandoned(self) -> None:
        try:
            for visit in list(self.run.open.values()):
                self.logger.error("Requests of the source %s were dropped", visit.source.id)
                visit.abandon()
                await self._send(self.go_on(visit))
        except (StoreError, OSError) as error:
            stop_without_storage(self, error)
        finally:
            self._task = None

    async def _send(self, found: AsyncIterator[Any]) -> None:
        """Send requests and items as the engine does with those of a callback."""
        async for one in found:
            if isinstance(one, Request):
                self.crawler.engine.crawl(one)
            else:
                await send_item(self.crawler.engine, one)

    async def _close(self, reason: str) -> None:
        if self._task is not None:
            self._task.cancel()
        await self.run.close(reason)

    @stops_without_storage
    async def start(self) -> AsyncIterator[Any]:
        audit = self.crawler.get_extension(self._recorder)
        if audit is not None:
            self.run.name(audit.run)
        self._documents = SourceDocuments(self.run, audit)
        self.run.alerts = self.crawler.get_extension(self._alerts)
        await self.run.prepare()
        await self._report_waiting()
        async for request in self._begin_visits():
            yield request

    _own_start = start

    async def _report_waiting(self) -> None:
        """Log which sources are not visited now, and when they are."""
        now = time()
        for entry in await asyncio.to_thread(self.run.agenda.entries, now):
            if self.args.force and not entry.is_claimed:
                continue
            why = why_not_now(entry, now)
            if why is not None:
                self.logger.info("Source %s %s", entry.source.id, one_line(why))

    async def _begin_visits(self) -> AsyncIterator[Any]:
        """Begin visits while sources are due and may be visited; yield their requests, and the
        items of those that robots.txt forbids."""
        checks: set[asyncio.Task[tuple[SourceVisit, Failure | None]]] = set()
        try:
            while True:
                while (visit := await self.run.begin_next()) is not None:
                    checks.add(asyncio.ensure_future(self._checked(visit)))
                if not checks:
                    return
                done, checks = await asyncio.wait(checks, return_when=asyncio.FIRST_COMPLETED)
                for visit, problem in [check.result() for check in done]:
                    if problem is None:
                        async for one in self.go_on(visit):
                            yield one
                    else:
                        yield await self._refuse(visit, problem)
                        yield await self.run.end(visit)
        finally:
            for check in checks:
                check.cancel()

    async def _checked(self, visit: SourceVisit) -> tuple[SourceVisit, Failure | None]:
        return visit, await self._robots_refusal(self.crawler, visit.source)

    async def _refuse(self, visit: SourceVisit, problem: Failure) -> dict[str, Any]:
        """Fetch nothing of a source that its robots.txt forbids; return the item of its url."""
        url = visit.source.url
        self.logger.error("Source %s is not visited: %s", visit.source.id, one_line(problem.detail))
        visit.refuse()
        await self.run.failed(visit, url, problem, retry_count=0, engine=None, http_status=None)
        return failed_document(visit.source.id, url, problem)

    async def go_on(self, visit: SourceVisit) -> AsyncIterator[Any]:
        """Yield the requests that *visit* has now; if it is done, its summary and the requests of
        the visits that take its place."""
        targets = list(visit.targets())
        same = await self._unchanged(visit, targets)
        for target in targets:
            if target.url in same:
                yield await self._documents.confirm(visit, target)
            else:
                yield self._request(visit, target)
        if visit.is_done and visit.source.id in self.run.open:
            yield await self.run.end(visit)
            async for one in self._begin_visits():
                yield one

    async def _unchanged(self, visit: SourceVisit, targets: list[Target]) -> set[str]:
        """Return the URLs of those *targets* that have not changed, as their wikis say."""
        pages = [
            target.last
            for target in targets
            if target.last is not None
            and target.url != visit.source.url  # whose answer leads to the sitemaps
            and self.run.trusts(visit, target.last)
        ]
        return await unchanged(self, pages)

    def _request(self, visit: SourceVisit, target: Target) -> Request:
        source = visit.source
        meta: dict[str, Any] = {
            "tiers_strict": False,
            "handle_httpstatus_list": STATUSES,
            MANIFEST_KEY: source.id,
            RETRY_BY_POLICY: True,
        }
        priority = self.shares.priority(source)
        if source.tiers:
            meta["tiers"] = list(source.tiers)
        if source.wait_for_selector:
            meta[WAIT_FOR_KEY] = source.wait_for_selector
        if source.headers:
            meta[HEADERS_KEY] = dict(source.headers)
        return Request(
            target.url,
            callback=self.parse,
            errback=self.failed,
            headers={**source.headers, **self.run.validators(visit, target.last)},
            priority=priority,
            dont_filter=True,  # two sources may have the same document
            meta=meta,
            cb_kwargs={
                "source": source.id,
                "url": target.url,
                "depth": target.depth,
                "share": priority,
            },
        )

    @stops_without_storage
    async def parse(
        self, response: Response, source: str, url: str, depth: int, share: int
    ) -> AsyncIterator[Any]:
        """Stage the document of *response* if it changed, and follow its links."""
        visit = self.run.open[source]
        self.shares.served(visit.source, share)
        outcome = "failed"
        try:
            answer = await read_answer(response, self.crawler, url, depth)
            record = await self._documents.take(visit, url, response, answer)
            outcome = record["change_type"] or "failed"
            yield record
            if visit.source.method == "crawl":
                for link in answer.links:
                    visit.offer(link, depth + 1)
                if url == visit.source.url:
                    await offer_map(self.crawler, visit, response)
                    for address in await self.sitemaps_of(visit):
                        yield self.sitemap(visit, address)
        finally:
            visit.ended(outcome)
        async for one in self.go_on(visit):
            yield one

    @stops_without_storage
    async def failed(self, failure: TwistedFailure) -> AsyncIterator[Any]:
        """Report a document that was not fetched."""
        request: Request = failure.request  # type: ignore[attr-defined]
        error = failure.value
        assert error is not None  # noqa: S101 - only a cleared failure has none
        given = request.cb_kwargs
        visit = self.run.open[given["source"]]
        self.shares.served(visit.source, given["share"])
        problem = failure_of(error)
        if problem is None:
            self.logger.error("Error on %s", request.url, exc_info=error)
            problem = Failure(Reason.ERROR, type(error).__name__)
        try:
            await self._documents.report(visit, given["url"], problem, request)
        finally:
            visit.ended("failed")
        yield failed_document(visit.source.id, given["url"], problem)
        async for one in self.go_on(visit):
            yield one
