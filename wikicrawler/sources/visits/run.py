"""One crawl over watched sources: which are visited at once, and what their documents become."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import StoreError
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.sources.agenda.agenda import RENEWAL
from wikicrawler.sources.schedule.retry import VisitError
from wikicrawler.sources.schedule.visits import Visit as ScheduledVisit
from wikicrawler.sources.staging.failures import FailedFetch
from wikicrawler.sources.visits.error_kinds import error_kind
from wikicrawler.sources.visits.intake import Intake
from wikicrawler.sources.visits.visit import SourceVisit
from wikicrawler.store.source_pages import pages_of
from wikicrawler.store.source_visits import begin_visit, end_visit, last_end

if TYPE_CHECKING:
    from collections.abc import Collection

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.pages import Failure
    from wikicrawler.politeness.gate import Gate
    from wikicrawler.sources.agenda.agenda import Agenda
    from wikicrawler.sources.alerts.extension import CrawlAlerts
    from wikicrawler.sources.staging.announcer import Announcer
    from wikicrawler.sources.staging.failures import KeptFailures
    from wikicrawler.sources.staging.stager import Outcome, Stager
    from wikicrawler.sources.visits.reading import Answer
    from wikicrawler.sources.visits.waiting import Waiting
    from wikicrawler.store.source_pages import PageState
    from wikicrawler.store.source_states import SourceState

logger = logging.getLogger(__name__)

_OUTCOMES = ("new", "modified", "unchanged", "deleted", "failed")
_LAST_SECONDS = 1.0
"""Seconds that an announcement has to end at a shutdown."""


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

    :param kept: the kept responses of failed fetches
    :param announcer: announces what was staged; None if nobody does
    :param forced: ids of sources that are visited whether they are due or not
    :param scheduled: True if the schedule began the crawl, not a person
    :param gate: keeps the budgets of requests, over all processes
    :param waiting: how long to wait for other processes
    """

    def __init__(
        self,
        crawler: Crawler,
        agenda: Agenda,
        stager: Stager,
        limits: Limits,
        *,
        kept: KeptFailures,
        announcer: Announcer | None = None,
        forced: Collection[str] = (),
        scheduled: bool = False,
        gate: Gate,
        waiting: Waiting,
    ) -> None:
        self._crawler = crawler
        self.agenda = agenda
        self._stager = stager
        self._intake = Intake(stager, ConversionPool.for_crawler(crawler))
        self._database = stager.database
        self._visit = stager.visit
        self._limits = limits
        self._kept = kept
        self._announcer = announcer
        self._announcing: asyncio.Task[None] | None = None
        self._forced = set(forced)
        self._is_forced = bool(forced)
        self._scheduled = scheduled
        self._gate = gate
        self._waiting = waiting
        self._claiming = asyncio.Lock()
        self._renewing: asyncio.Task[None] | None = None
        self.open: dict[str, SourceVisit] = {}
        """The visits that go on, by the source's id."""
        self.alerts: CrawlAlerts | None = None
        """Receives the end of each visit; None if no alerts are raised."""

    def name(self, run_id: str) -> None:
        """Give the crawl the id by which the audit log knows it."""
        self._stager.name_run(run_id)
        self._visit = self._stager.visit

    async def prepare(self) -> None:
        """Send requests in turns with other processes from now on, finish what a killed crawl left
        half staged, and begin to announce it."""
        self._gate.attach()
        self._crawler.stats.set_value("sources/visit_count", 0)
        await asyncio.to_thread(self._recover)
        self._announcing = asyncio.ensure_future(self._announce())
        if self.alerts is not None:
            await self.alerts.check(self.agenda)

    def _recover(self) -> None:
        for source_id in sorted(self._stager.unfinished()):
            try:
                if self.agenda.hold(source_id):
                    try:
                        self._stager.recover(source_id)
                    finally:
                        self.agenda.release(source_id)
            except (OSError, ValueError) as error:
                logger.error(
                    "What a crawl left half staged of %s cannot be finished: %s", source_id, error
                )

    async def _announce(self) -> None:
        if self._announcer is not None:
            for name, count in (await asyncio.to_thread(self._announcer.announce)).items():
                self._crawler.stats.inc_value(f"sources/event_count/{name}", count)

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
            self._waiting.over()
            policy_of(self._crawler).allow_url(source.url)  # the operator named it
            visit = self.open[source.id] = SourceVisit(
                source, self._limits.max_pages, self._limits.max_url
            )
        if self._renewing is None:
            self._renewing = asyncio.ensure_future(self._renew())
        visit.remember(*await asyncio.to_thread(self._begin, visit))
        visit.begin()
        return visit

    @property
    def is_waiting(self) -> bool:
        """Whether sources are due that wait for visits of other processes."""
        return self.agenda.is_busy and not self.open

    async def wait(self) -> bool:
        """Wait for other processes; return False if it is not worth waiting any longer."""
        return await self._waiting.wait()

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(RENEWAL)
            try:
                await asyncio.to_thread(self.agenda.renew)
            except StoreError as error:
                logger.warning("The claims of sources were not renewed: %s", error)

    async def close(self, reason: str) -> None:
        """Give up the visits that go on: their sources stay due. Announce what was staged; at a
        shutdown leave that to the next crawl."""
        if reason == "shutdown" and self._announcer is not None:
            self._announcer.stop(_LAST_SECONDS)
        if self._renewing is not None:
            self._renewing.cancel()
        for source_id in self.open:
            with suppress(StoreError):
                await asyncio.to_thread(self.agenda.release, source_id)
        if self._announcing is not None:
            await self._announcing
            await self._announce()

    def _begin(self, visit: SourceVisit) -> tuple[dict[str, PageState], float]:
        self._stager.recover(visit.source.id)
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
        try:
            state = await asyncio.to_thread(self._end, visit)
        except StoreError:
            self.open[visit.source.id] = visit  # so that close() gives the claim back
            raise
        summary = visit.summary()
        self._log(visit)
        stats = self._crawler.stats
        stats.inc_value("sources/visit_count")
        for name in _OUTCOMES:
            if visit.counts[name]:
                stats.inc_value(f"sources/document_count/{name}", visit.counts[name])
        if self.alerts is not None:
            await self.alerts.after_visit(visit, state, scheduled=self._scheduled)
        return {"type": "visit", "run": self._visit.run_id, **summary}

    def _log(self, visit: SourceVisit) -> None:
        found = [f"{visit.counts[name]} {name}" for name in _OUTCOMES if visit.counts[name]]
        logger.info(
            "Source %s %s: %s",
            visit.source.id,
            f"failed ({visit.error})" if visit.error else "was visited",
            ", ".join(found) or "no documents",
        )

    def _end(self, visit: SourceVisit) -> SourceState:
        counts = visit.counts
        changes = visit.changes()
        with self._database.write() as connection:
            end_visit(
                connection,
                self._visit.run_id,
                visit.source.id,
                ended=time(),
                error=visit.error or None,
                counts=counts,
            )
        return self.agenda.finish(
            visit.source.id,
            ScheduledVisit(
                started=datetime.fromtimestamp(visit.started, UTC),
                error=visit.error_kind,
                is_changed=changes.total() > 0,
                is_forced=not self._scheduled,
                retry_after=visit.retry_after,
                is_limited=visit.is_limited,
            ),
        )

    def validators(self, visit: SourceVisit, last: PageState | None) -> dict[str, str]:
        """Return the headers that ask for a document only if it changed since *last*."""
        if last is None or not self.trusts(visit, last):
            return {}
        headers = {"If-None-Match": last.etag, "If-Modified-Since": last.last_modified}
        return {name: value for name, value in headers.items() if value}

    def trusts(self, visit: SourceVisit, last: PageState) -> bool:
        """Return True if a server may say that a document has not changed since *last*.

        Validators of servers lie: once in some visits a document is fetched without. So is one that
        a visit fetched which was killed, because its links may not have been followed.
        """
        return (
            last.present
            and last.last_checked <= visit.complete_until
            and last.rules == self._stager.rules_of(visit.source)
            and last.unread + 1 < self._limits.full_get
        )

    async def take(
        self, visit: SourceVisit, url: str, answer: Answer, headers: dict[str, str]
    ) -> Outcome | None:
        """Return what became of the document at *url*; None if it is missing.

        :param headers: ``etag`` and ``last-modified`` of the response
        :raises ContentError: its text crashed two workers, or the crawl has ended
        """
        found = await self._intake.take(visit.source, url, answer, visit.known(url), headers)
        if found is not None and found.change_type == "deleted":
            visit.is_gone |= url == visit.source.url
        return found

    async def failed(
        self,
        visit: SourceVisit,
        url: str,
        failure: Failure,
        response: Response | None = None,
        **facts: Any,
    ) -> None:
        """Record that the document at *url* could not be fetched.

        :param response: what the server answered; it is kept for diagnosis
        """
        visit.fail(url, failure)
        kind = error_kind(failure)
        review = kind is VisitError.PARSE
        error = f"{failure.reason}: {failure.detail}"
        path = None
        if response is not None and self._is_kept(visit, url):
            failed = FailedFetch(visit.source.id, url, error, kind, review, response)
            path = await asyncio.to_thread(self._kept.keep, failed)
        facts |= {"kind": kind, "needs_review": review, "response_path": path}
        await asyncio.to_thread(self._stager.report, visit.source.id, url, error, **facts)

    def _is_kept(self, visit: SourceVisit, url: str) -> bool:
        """Return whether the response to a failed request for *url* is kept."""
        if url == visit.source.url:
            return True
        visit.kept += 1
        return visit.kept <= self._kept.share
