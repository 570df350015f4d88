"""Visits watched sources and stages what changed."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider
from scrapy_spider_metadata import Args  # type: ignore[attr-defined]

from wikicrawler import options
from wikicrawler.errors import ConfigError, Reason
from wikicrawler.operations import MANIFEST_KEY
from wikicrawler.pages import Failure
from wikicrawler.sources.visits.reading import Answer, read_answer
from wikicrawler.spiders.source_arguments import SourcesArguments
from wikicrawler.spiders.source_sitemaps import PRIORITIES, STATUSES, SourceSitemaps
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.http.tier import HttpTier
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.audit.recorder import AuditRecorder
    from wikicrawler.sources.staging.stager import Outcome
    from wikicrawler.sources.visits.visit import SourceVisit, Target


class SourcesSpider(Args[SourcesArguments], SourceSitemaps):
    """``scrapy crawl sources -a manifest=…``: the documents of watched sources.

    Each new, changed or deleted document is staged as an envelope. The items are dicts: one with
    ``type`` ``document`` for each document that was asked for, and one with ``type`` ``visit`` at
    the end of each source.
    """

    name = "sources"
    args: SourcesArguments
    _recorder: type[AuditRecorder]
    _audit: AuditRecorder | None = None
    _ending: asyncio.Task[None] | None = None

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        for name, value in {
            "CONCURRENT_REQUESTS": 10,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 3,
            options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE.name: 30,
            options.AUDIT.name: True,
        }.items():
            settings.set(name, value, "spider")

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
        if settings.get("JOBDIR"):
            raise ConfigError(
                "JOBDIR cannot be used with the spider sources: what is left to do after a stop is "
                "in the database (remove JOBDIR and start the crawl again)"
            )
        # Imported here because `scrapy list` and other crawls load this module, too.
        from wikicrawler.audit.recorder import AuditRecorder  # noqa: PLC0415
        from wikicrawler.sources.visits.setup import prepare  # noqa: PLC0415

        self._recorder = AuditRecorder
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

        :raises DontCloseSpider: there are some
        """
        if self._ending is None and self.run.open:
            self._ending = asyncio.ensure_future(self._end_abandoned())
        if self._ending is not None:
            raise DontCloseSpider

    async def _end_abandoned(self) -> None:
        try:
            for visit in list(self.run.open.values()):
                self.logger.error("Requests of the source %s were dropped", visit.source.id)
                visit.abandon()
                async for one in self.go_on(visit):
                    if isinstance(one, Request):
                        self.crawler.engine.crawl(one)
        finally:
            self._ending = None

    async def _close(self) -> None:
        await self.run.close()

    async def start(self) -> AsyncIterator[Any]:
        self._audit = self.crawler.get_extension(self._recorder)
        if self._audit is not None:
            self.run.name(self._audit.run)
        await self.run.recover()
        if not self.args.force:
            await self._report_waiting()
        async for request in self._begin_visits():
            yield request

    _own_start = start

    async def _report_waiting(self) -> None:
        """Log which sources are not visited now, and when they are."""
        seconds = time()
        now = datetime.fromtimestamp(seconds, UTC)
        for entry in await asyncio.to_thread(self.run.agenda.entries, seconds):
            if entry.is_paused:
                why = "is paused" + (
                    f": {entry.state.pause_reason}" if entry.state.pause_reason else ""
                )
            elif entry.is_claimed:
                why = "is visited by another process"
            elif entry.due > now:
                why = f"is due on {entry.due:%Y-%m-%d %H:%M} UTC (-a force=true visits it now)"
            else:
                continue
            self.logger.info("Source %s %s", entry.source.id, one_line(why))

    async def _begin_visits(self) -> AsyncIterator[Any]:
        while (visit := await self.run.begin_next()) is not None:
            async for one in self.go_on(visit):
                yield one

    async def go_on(self, visit: SourceVisit) -> AsyncIterator[Any]:
        """Yield the requests that *visit* has now; if it is done, its summary and the requests of
        the visits that take its place."""
        for target in visit.targets():
            yield self._request(visit, target)
        if visit.is_done and visit.source.id in self.run.open:
            yield await self.run.end(visit)
            async for one in self._begin_visits():
                yield one

    def _request(self, visit: SourceVisit, target: Target) -> Request:
        source = visit.source
        meta: dict[str, Any] = {
            "tiers_strict": False,
            "handle_httpstatus_list": STATUSES,
            MANIFEST_KEY: source.id,
        }
        if source.wait_for_selector:
            meta["crawl4ai_wait_for"] = source.wait_for_selector
        return Request(
            target.url,
            callback=self.parse,
            errback=self.failed,
            headers={**source.headers, **self.run.validators(visit, target.last)},
            priority=PRIORITIES[source.priority],
            dont_filter=True,  # two sources may have the same document
            meta=meta,
            cb_kwargs={"source": source.id, "url": target.url, "depth": target.depth},
        )

    async def parse(
        self, response: Response, source: str, url: str, depth: int
    ) -> AsyncIterator[Any]:
        """Stage the document of *response* if it changed, and follow its links."""
        visit = self.run.open[source]
        outcome = "failed"
        try:
            answer = await read_answer(response, self.crawler, url, depth)
            record = await self._take(visit, url, response, answer)
            outcome = record["change_type"] or "failed"
            yield record
            if visit.source.method == "crawl":
                for link in answer.links:
                    visit.offer(link, depth + 1)
                if url == visit.source.url:
                    for address in await self.sitemaps_of(visit):
                        yield self.sitemap(visit, address)
        finally:
            visit.ended(outcome)
        async for one in self.go_on(visit):
            yield one

    async def _take(
        self, visit: SourceVisit, url: str, response: Response, answer: Answer
    ) -> dict[str, Any]:
        tier = response.meta.get(st.TIER) or HttpTier.name
        record = _record(visit.source.id, url, tier, response.status)
        problem = answer.problem
        if problem is None:
            found = await self.run.take(visit, url, answer, headers_of(response))
            if found is not None:
                self._note(response, found)
                return record | {
                    "change_type": found.change_type,
                    "change_class": found.kind,
                    "content_hash": found.page.content_hash,
                    "path": found.page.path,
                }
            status = response.status
            problem = Failure(Reason.MISSING, f"HTTP {status}", status=status)
        assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
        await self._report(visit, url, problem, response.request, record["tier"])
        return record | {"reason": problem.reason.value, "detail": one_line(problem.detail)}

    def _note(self, response: Response, outcome: Outcome) -> None:
        """Record what became of the document of *response* in the audit log."""
        if self._audit is not None and response.request is not None:
            changed = outcome.change_type != "unchanged"
            self._audit.add_outcome(
                response.request,
                content_hash=outcome.page.content_hash,
                content_changed=changed,
                staged_path=outcome.page.path if changed else None,
            )

    async def _report(
        self, visit: SourceVisit, url: str, problem: Failure, request: Request, tier: str | None
    ) -> None:
        if self._audit is not None:
            self._audit.add_outcome(request, error=one_line(f"{problem.reason}: {problem.detail}"))
        await self.run.failed(
            visit,
            url,
            problem,
            retry_count=request.meta.get("retry_times", 0),
            engine=tier,
            http_status=problem.status,
        )

    async def failed(self, failure: TwistedFailure) -> AsyncIterator[Any]:
        """Report a document that was not fetched."""
        request: Request = failure.request  # type: ignore[attr-defined]
        error = failure.value
        assert error is not None  # noqa: S101 - only a cleared failure has none
        given = request.cb_kwargs
        visit = self.run.open[given["source"]]
        problem = failure_of(error)
        if problem is None:
            self.logger.error("Error on %s", request.url, exc_info=error)
            problem = Failure(Reason.ERROR, type(error).__name__)
        try:
            await self._report(visit, given["url"], problem, request, None)
        finally:
            visit.ended("failed")
        yield _record(visit.source.id, given["url"], None, problem.status) | {
            "reason": problem.reason.value,
            "detail": one_line(problem.detail),
        }
        async for one in self.go_on(visit):
            yield one


def _record(source: str, url: str, tier: str | None, status: int | None) -> dict[str, Any]:
    """Return the item of a document, before it is known what became of it."""
    return {
        "type": "document",
        "source": source,
        "url": url,
        "change_type": None,
        "change_class": None,
        "content_hash": None,
        "path": None,
        "tier": tier,
        "status": status,
        "reason": None,
        "detail": None,
    }
