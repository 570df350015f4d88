"""What other crawls learn while this one runs, by the database that they share."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from time import monotonic, time
from typing import TYPE_CHECKING

from scrapy import signals

from wikicrawler.errors import StoreError
from wikicrawler.learning.model.features import Features
from wikicrawler.learning.model.outcomes import Outcome, outcome_of
from wikicrawler.store.other_runs import News, OtherRuns
from wikicrawler.store.sites import TierChange
from wikicrawler.store.startup_reading import aside

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from sqlalchemy import Connection

    from wikicrawler.learning.model.learner import Learner
    from wikicrawler.store.database import Database
    from wikicrawler.store.other_runs import OtherAttempt

logger = logging.getLogger(__name__)

MOST = 5_000
"""Attempts that are read at once."""
_TURN = 0.005
"""Seconds of learning after which other tasks have their turn."""
_SAME_CHANGE = 3600.0
"""Seconds within which two crawls that find a change mean the same one."""
_CHANGES = 10_000


class OtherCrawls:
    """Has *learner* learn what other crawls record in *database*, every *seconds*, from
    :meth:`start` to the end of the spider. No state of the database stops the crawl.

    Stats: ``learning/others_count``.

    :param harmless: names of the tiers of which a block is no ban
    """

    def __init__(
        self,
        crawler: Crawler,
        learner: Learner,
        database: Database,
        harmless: frozenset[str],
        seconds: float,
    ) -> None:
        self._stats = crawler.stats
        self._learner = learner
        self._database = database
        self._harmless = harmless
        self._seconds = seconds
        self._runs = OtherRuns()
        self._changed: dict[tuple[str, str], float] = {}
        self._looking: asyncio.Task[None] | None = None
        crawler.signals.connect(self._stop, signals.spider_closed)

    def leave_out(self, run: int) -> None:
        """Learn nothing of *run*, which is this crawl."""
        self._runs.own = run

    def mark(self, connection: Connection) -> None:
        """Take all that is recorded as learned. May be called in another thread, before
        :meth:`start`."""
        self._runs.begin(connection, time())

    def start(self) -> None:
        if self._seconds and self._looking is None:
            self._looking = asyncio.ensure_future(self._look_again())

    def changed(self, tier: str, domain: str, at: float) -> None:
        """Note a change that this crawl has found, or learned."""
        if len(self._changed) >= _CHANGES:
            self._changed.clear()
        self._changed[tier, domain] = at

    def _stop(self) -> None:
        if self._looking is not None:
            self._looking.cancel()  # a thread that reads goes on to its end

    async def _look_again(self) -> None:
        is_away = False
        while True:
            await asyncio.sleep(self._seconds)
            try:
                while not await self._look():
                    pass
                is_away = False
            except StoreError as error:
                level = logging.DEBUG if is_away else logging.WARNING
                logger.log(level, "What other crawls record is not known for now: %s", error)
                is_away = True
            except Exception:  # whatever is wrong with it, no page is lost for that
                logger.exception("What other crawls record cannot be read any more")
                return

    async def _look(self) -> bool:
        """Learn what is new; return False if there is more."""
        news = await aside(self._read)
        ends = monotonic() + _TURN
        for one in in_time(news):
            self._learn(one)
            if monotonic() >= ends:
                await asyncio.sleep(0)
                ends = monotonic() + _TURN
        if news.attempts:
            self._stats.inc_value("learning/others_count", len(news.attempts))
        return news.is_all

    def _read(self) -> News:
        try:
            if not self._database.has_tables():
                return News([], [], is_all=True)
            with self._database.read() as connection:
                return self._runs.news(connection, time(), MOST)
        finally:
            self._database.close()

    def _learn(self, one: OtherAttempt | TierChange) -> None:
        evidence = self._learner.evidence
        if isinstance(one, TierChange):
            known = self._changed.get((one.tier, one.domain))
            if known is None or abs(one.at - known) > _SAME_CHANGE:
                evidence.discount(_features(one.domain, one.registered_domain), one.tier, one.at)
                self.changed(one.tier, one.domain, one.at)
            return
        risks_ban = one.tier not in self._harmless
        outcome = outcome_of(one.reason, final=one.final, risks_ban=risks_ban)
        if outcome is not Outcome.NONE:
            features = _features(one.domain, one.registered_domain, one.suffix, one.shape, one.wiki)
            evidence.add(features, one.tier, outcome, one.at)


def in_time(news: News) -> Iterator[OtherAttempt | TierChange]:
    """Yield the attempts and changes in the order of their times, a change before the attempt of
    the same time: it is the first one that counts."""
    changes = deque(sorted(news.changes, key=lambda one: one.at))
    for attempt in sorted(news.attempts, key=lambda one: one.at):
        while changes and changes[0].at <= attempt.at:
            yield changes.popleft()
        yield attempt
    yield from changes


def _features(
    domain: str, registered_domain: str, suffix: str = "", shape: str = "", wiki: str = ""
) -> Features:
    return Features(domain, registered_domain, suffix, shape, "", wiki, "")
