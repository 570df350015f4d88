"""One crawl over watched sources: which are visited at once, and what their documents become."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError, StoreError
from wikicrawler.sources.agenda.agenda import RENEWAL
from wikicrawler.sources.schedule.visits import Visit as ScheduledVisit
from wikicrawler.sources.staging.stager import RULES, converter_of
from wikicrawler.sources.visits.visit import SourceVisit
from wikicrawler.store.source_pages import pages_of
from wikicrawler.store.source_visits import begin_visit, end_visit, last_end

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.crawler import Crawler

    from wikicrawler.pages import Failure
    from wikicrawler.sources.agenda.agenda import Agenda
    from wikicrawler.sources.staging.stager import Outcome, Stager
    from wikicrawler.sources.visits.reading import Answer
    from wikicrawler.store.source_pages import PageState

logger = logging.getLogger(__name__)


class Limits(NamedTuple):
    """Bounds of a crawl over sources."""

    at_once: int
    """Number of sources that are visited at the same time."""
    max_pages: int
    """Maximum number of documents of a source."""
    full_get: int
    """A document is fetched without validators once in so many visits."""
    max_url: int = 0
    """Maximum number of characters of a URL; 0: no limit."""


class SourcesRun:
    """Visits the sources of *agenda* that are due, some at once.

    The database and the staging folder are used in threads.

    :param forced: ids of sources that are visited whether they are due or not
    :param scheduled: True if the schedule began the crawl, not a person
    """

    def __init__(
        self,
        crawler: Crawler,
        agenda: Agenda,
        stager: Stager,
        limits: Limits,
        *,
        forced: Collection[str] = (),
        scheduled: bool = False,
    ) -> None:
        self._crawler = crawler
        self.agenda = agenda
        self._stager = stager
        self._database = stager.database
        self._visit = stager.visit
        self._limits = limits
        self._forced = set(forced)
        self._is_forced = bool(forced)
        self._scheduled = scheduled
        self._claiming = asyncio.Lock()
        self._renewing: asyncio.Task[None] | None = None
        self.open: dict[str, SourceVisit] = {}
        """The visits that go on, by the source's id."""

    def name(self, run_id: str) -> None:
        """Give the crawl the id by which the audit log knows it."""
        self._visit = self._stager.visit = replace(self._visit, run_id=run_id)

    async def recover(self) -> None:
        """Finish what a killed crawl left half staged."""
        self._crawler.stats.set_value("sources/visit_count", 0)
        await asyncio.to_thread(self._stager.recover)

    async def begin_next(self) -> SourceVisit | None:
        """Begin the next visit; return None if no source is due, or enough are visited."""
        async with self._claiming:
            if len(self.open) >= self._limits.at_once:
                return None
            source = await asyncio.to_thread(
                self.agenda.claim, scheduled=self._scheduled, forced=frozenset(self._forced)
            )
            if source is None:
                return None
            self._forced.discard(source.id)
            visit = self.open[source.id] = SourceVisit(
                source, self._limits.max_pages, self._limits.max_url
            )
        if self._renewing is None:
            self._renewing = asyncio.ensure_future(self._renew())
        visit.remember(*await asyncio.to_thread(self._begin, visit))
        visit.begin()
        return visit

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(RENEWAL)
            try:
                await asyncio.to_thread(self.agenda.renew)
            except StoreError as error:
                logger.warning("The claims of sources were not renewed: %s", error)

    async def close(self) -> None:
        """Give up the visits that go on: their sources stay due."""
        if self._renewing is not None:
            self._renewing.cancel()
        for source_id in self.open:
            with suppress(StoreError):
                await asyncio.to_thread(self.agenda.release, source_id)

    def _begin(self, visit: SourceVisit) -> tuple[dict[str, PageState], float]:
        with self._database.write() as connection:
            begin_visit(
                connection,
                self._visit.run_id,
                visit.source.id,
                manifest_version=self._visit.manifest_version,
                started=visit.started,
                forced=self._is_forced,
            )
            known = pages_of(connection, visit.source.id)
            return known, last_end(connection, visit.source.id) or 0.0

    async def end(self, visit: SourceVisit) -> dict[str, Any]:
        """End *visit* and return its summary."""
        del self.open[visit.source.id]
        summary = visit.summary()
        stats = self._crawler.stats
        stats.inc_value("sources/visit_count")
        for name in ("new", "modified", "unchanged", "deleted", "failed"):
            if visit.counts[name]:
                stats.inc_value(f"sources/document_count/{name}", visit.counts[name])
        await asyncio.to_thread(self._end, visit)
        return {"type": "visit", "run": self._visit.run_id, **summary}

    def _end(self, visit: SourceVisit) -> None:
        counts = visit.counts
        with self._database.write() as connection:
            end_visit(
                connection,
                self._visit.run_id,
                visit.source.id,
                ended=time(),
                error=visit.error or None,
                counts=counts,
            )
        self.agenda.finish(
            visit.source.id,
            ScheduledVisit(
                started=datetime.fromtimestamp(visit.started, UTC),
                error=visit.error_kind,
                is_changed=bool(counts["new"] or counts["modified"] or counts["deleted"]),
                is_forced=not self._scheduled,
                retry_after=visit.retry_after,
            ),
        )

    def validators(self, visit: SourceVisit, last: PageState | None) -> dict[str, str]:
        """Return the headers that ask for a document only if it changed since *last*.

        Validators of servers lie: once in some visits a document is fetched without. So is one that
        a visit fetched which was killed, because its links may not have been followed.
        """
        if (
            last is None
            or not last.present
            or last.last_checked > visit.complete_until
            or last.rules != RULES
            or last.unread + 1 >= self._limits.full_get
        ):
            return {}
        headers = {"If-None-Match": last.etag, "If-Modified-Since": last.last_modified}
        return {name: value for name, value in headers.items() if value}

    async def take(
        self, visit: SourceVisit, url: str, answer: Answer, headers: dict[str, str]
    ) -> Outcome | None:
        """Return what became of the document at *url*; None if it was not there before either.

        :param headers: ``etag`` and ``last-modified`` of the response
        """
        last, source = visit.known(url), visit.source
        document = answer.document
        if answer.unchanged:
            if last is None:
                return None
            etag, modified = headers.get("etag"), headers.get("last-modified")
            return await asyncio.to_thread(
                self._stager.confirm, last, etag=etag, last_modified=modified
            )
        assert document is not None  # noqa: S101 - only a 304 has none
        if answer.gone:
            if last is None or not last.present:
                return None
            return await asyncio.to_thread(self._stager.delete, source, document, last)
        if last is not None and last.rules != RULES:
            last = await self._rebased(last)
        return await asyncio.to_thread(self._stager.take, source, document, last)

    async def _rebased(self, last: PageState) -> PageState:
        """Return *last* as the present converter and rules see it."""
        found = await asyncio.to_thread(self._stager.original_of, last)
        body, html = found if found is not None else (None, None)
        if html is not None and converter_of(last.rules) != converter_of(RULES):
            pool = ConversionPool.for_crawler(self._crawler)
            try:
                body = (await pool.convert(html, last.url)).markdown
            except ContentError:
                body = None
        return await asyncio.to_thread(self._stager.rebased, last, body)

    async def failed(self, visit: SourceVisit, url: str, failure: Failure, **facts: Any) -> None:
        """Record that the document at *url* could not be fetched."""
        if url == visit.source.url:
            visit.fail(failure)
        error = f"{failure.reason}: {failure.detail}"
        await asyncio.to_thread(self._stager.report, visit.source.id, url, error, **facts)
