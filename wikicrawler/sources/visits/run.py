"""One crawl over watched sources: which are visited at once, and what their documents become."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError
from wikicrawler.sources.staging.stager import RULES, converter_of
from wikicrawler.sources.visits.visit import SourceVisit
from wikicrawler.store.source_pages import pages_of
from wikicrawler.store.source_visits import begin_visit, end_visit
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler

    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.staging.stager import Outcome, Stager
    from wikicrawler.sources.visits.reading import Answer
    from wikicrawler.store.database import Database
    from wikicrawler.store.source_pages import PageState


class Limits(NamedTuple):
    """Bounds of a crawl over sources."""

    at_once: int
    """Number of sources that are visited at the same time."""
    max_pages: int
    """Maximum number of documents of a source."""
    full_get: int
    """A document is fetched without validators once in so many visits."""


class SourcesRun:
    """Visits *sources* in their order, some at once.

    The database and the staging folder are used in threads.
    """

    def __init__(
        self,
        crawler: Crawler,
        database: Database,
        stager: Stager,
        sources: Iterable[Source],
        limits: Limits,
        *,
        forced: bool = False,
    ) -> None:
        self._crawler = crawler
        self._database = database
        self._stager = stager
        self._visit = stager.visit
        self._limits = limits
        self._forced = forced
        self._waiting = deque(sources)
        self.open: dict[str, SourceVisit] = {}
        """The visits that go on, by the source's id."""

    async def recover(self) -> None:
        """Finish what a killed crawl left half staged."""
        await asyncio.to_thread(self._stager.recover)

    async def begin_next(self) -> SourceVisit | None:
        """Begin the next visit; return None if none is left, or enough are open."""
        if not self._waiting or len(self.open) >= self._limits.at_once:
            return None
        source = self._waiting.popleft()
        visit = self.open[source.id] = SourceVisit(source, self._limits.max_pages)
        visit.remember(await asyncio.to_thread(self._begin, visit))
        visit.begin()
        return visit

    def _begin(self, visit: SourceVisit) -> dict[str, PageState]:
        with self._database.write() as connection:
            begin_visit(
                connection,
                self._visit.run_id,
                visit.source.id,
                manifest_version=self._visit.manifest_version,
                started=visit.started,
                forced=self._forced,
            )
            return pages_of(connection, visit.source.id)

    async def end(self, visit: SourceVisit) -> dict[str, Any]:
        """End *visit* and return its summary."""
        del self.open[visit.source.id]
        await asyncio.to_thread(self._end, visit)
        return {"type": "visit", "run": self._visit.run_id, **visit.summary()}

    def _end(self, visit: SourceVisit) -> None:
        summary = visit.summary()
        with self._database.write() as connection:
            end_visit(
                connection,
                self._visit.run_id,
                visit.source.id,
                ended=visit.started + summary["seconds"],
                error=visit.error or None,
                counts=visit.counts,
            )

    def validators(self, last: PageState | None) -> dict[str, str]:
        """Return the headers that ask for a document only if it changed since *last*.

        Validators of servers lie: once in some visits a document is fetched without.
        """
        if (
            last is None
            or not last.present
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

    async def failed(self, visit: SourceVisit, url: str, error: str, **facts: Any) -> None:
        """Record that the document at *url* could not be fetched."""
        if url == visit.source.url:
            visit.error = one_line(error)
        await asyncio.to_thread(self._stager.report, visit.source.id, url, error, **facts)
