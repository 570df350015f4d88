"""The learner of a crawl: what earlier crawls recorded, and what happens in this one."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from datetime import datetime
from functools import partial
from operator import itemgetter
from random import Random
from threading import Thread
from time import time
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from wikicrawler.errors import StoreError
from wikicrawler.learning.costs import costs_of
from wikicrawler.learning.model.evidence import Evidence
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.restore import read_evidence
from wikicrawler.politeness.pauses import FORGOTTEN, pauses_of
from wikicrawler.store.database import Database
from wikicrawler.store.sites import paused_sites
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from scrapy.crawler import Crawler

    from wikicrawler.learning.model.choice import Choice
    from wikicrawler.learning.model.features import Features
    from wikicrawler.learning.model.sums import Changed
    from wikicrawler.store.sites import Site

logger = logging.getLogger(__name__)
T = TypeVar("T")

LONGEST_READING = 20.0
"""Seconds that the first pages wait for what earlier crawls recorded."""


class Lesson(NamedTuple):
    """What an attempt taught."""

    expected: float | None
    """P(success) that was believed before it; None where it is no evidence."""
    changed: Changed | None
    """The change of its site, if it told one."""


class LiveLearner:
    """A :class:`~wikicrawler.learning.model.learner.Learner` that starts from the database.

    The records are read once, in a thread, before the first choice.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._pauses = pauses_of(crawler)
        self._database = Database.from_settings(crawler.settings)
        self._learner = Learner(costs_of(crawler.settings), Random())  # noqa: S311 - no secret
        self._harmless = TierRegistry.from_settings(crawler.settings).harmless
        self._reading: asyncio.Task[None] | None = None
        self._is_ready = False

    async def ready(self, heeds: Callable[[str], bool]) -> None:
        """Return when choices may be made. *heeds*: whether pages like a URL wait for pauses that
        began in earlier crawls."""
        if self._is_ready:
            return
        if self._reading is None:
            self._reading = asyncio.ensure_future(self._take_up(heeds))
        try:
            async with asyncio.timeout(LONGEST_READING):
                await asyncio.shield(self._reading)
        except TimeoutError:
            if not self._is_ready:
                logger.warning(
                    "What was learned before takes long to read from %s: the first pages are "
                    "chosen without it",
                    self._database,
                )
        self._is_ready = True

    def choose(self, features: Features, tiers: Sequence[str], at: float) -> Choice:
        """The order in which to try *tiers*, given in the order that is configured."""
        return self._learner.choose(features, tiers, at)

    def learn(self, features: Features, tier: str, outcome: Outcome, at: float) -> Lesson:
        """Learn what became of an attempt."""
        if outcome is Outcome.NONE:
            return Lesson(None, None)
        expected = self._learner.estimate(features, tier, at).success.mean
        return Lesson(expected, self._learner.record(features, tier, outcome, at, expected))

    async def _take_up(self, heeds: Callable[[str], bool]) -> None:
        try:
            await self._restore(heeds)
        except StoreError as error:
            logger.warning("What was learned before is not known: %s", error)
        except Exception:  # whatever is wrong with it, no page is lost for that
            logger.exception("What was learned before cannot be read from %s", self._database)

    async def _restore(self, heeds: Callable[[str], bool]) -> None:
        evidence, sites = await aside(self._read)
        logger.info(
            "What was learned before is known: %d sums of attempts from %s",
            len(evidence),
            self._database,
        )
        self._learner.evidence.merge_older(evidence)
        self._pause([site for site in sites if heeds(f"http://{site.site}/")])

    def _pause(self, sites: Sequence[Site]) -> None:
        """Go on to leave alone what earlier crawls were blocked by."""
        for site in sites:
            self._pauses.restore(site.site, site.paused_until, site.risk_level)
        paused = [(site.site, until) for site in sites if (until := self._pauses.until(site.site))]
        if paused:
            name, until = max(paused, key=itemgetter(1))
            logger.warning(
                "%d sites that blocked every tier in earlier crawls are left alone yet, the last "
                "of them until %s: %s",
                len(paused),
                datetime.fromtimestamp(until).astimezone().strftime("%Y-%m-%d %H:%M"),
                one_line(name, 200),
            )

    def _read(self) -> tuple[Evidence, list[Site]]:
        now = time()
        try:
            if not self._database.has_tables():
                return Evidence(), []
            with self._database.read() as connection:
                sites = paused_sites(connection, now - FORGOTTEN)
            return read_evidence(self._database, now, self._harmless), sites
        finally:
            self._database.close()


async def aside(function: Callable[[], T]) -> T:
    """What *function* gives, called in a thread that the end of the process does not wait for: a
    crawl that is stopped meanwhile is stopped."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def call() -> None:
        try:
            tell = partial(future.set_result, function())
        except Exception as error:  # it is raised where this is waited for
            tell = partial(future.set_exception, error)
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(tell)

    Thread(target=call, name="learned", daemon=True).start()
    return await future


_learners: WeakKeyDictionary[Crawler, LiveLearner] = WeakKeyDictionary()


def learner_of(crawler: Crawler) -> LiveLearner:
    """The one learner of *crawler*, made when it is first asked for."""
    if crawler not in _learners:
        _learners[crawler] = LiveLearner(crawler)
    return _learners[crawler]


def learns(crawler: Crawler) -> bool:
    """Whether *crawler* has a learner."""
    return crawler in _learners
