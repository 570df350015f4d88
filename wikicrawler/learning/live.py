"""The learner of a crawl: what earlier crawls recorded, and what happens in this one."""

from __future__ import annotations

import logging
from random import Random
from time import time
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler import options
from wikicrawler.learning.costs import costs_of
from wikicrawler.learning.model.learner import Learner
from wikicrawler.learning.model.outcomes import Outcome
from wikicrawler.learning.others import OtherCrawls
from wikicrawler.learning.restore import read_evidence
from wikicrawler.store.database import Database
from wikicrawler.store.startup_reading import StartupReading
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

    from wikicrawler.learning.model.choice import Choice
    from wikicrawler.learning.model.evidence import Evidence
    from wikicrawler.learning.model.features import Features
    from wikicrawler.learning.model.sums import Changed

logger = logging.getLogger(__name__)

LONGEST_READING = 20.0
"""Seconds that the first pages wait for what earlier crawls recorded."""


class Lesson(NamedTuple):
    """What an attempt taught."""

    expected: float | None
    """P(success) that was believed before it; None where it is no evidence."""
    changed: Changed | None
    """The change of its site, if it told one."""


class LiveLearner:
    """A :class:`~wikicrawler.learning.model.learner.Learner` that starts from the database, and
    goes on with what other crawls record in it meanwhile.

    The records are read in a thread, before the first choice, and what is new every
    ``WIKICRAWLER_LEARN_SECONDS``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._database = Database.from_settings(crawler.settings)
        self._learner = Learner(costs_of(crawler.settings), Random())  # noqa: S311 - no secret
        self._harmless = TierRegistry.from_settings(crawler.settings).harmless
        self._others = OtherCrawls(
            crawler,
            self._learner,
            Database.from_settings(crawler.settings),
            frozenset(self._harmless),
            options.LEARN_SECONDS.read(crawler.settings),
        )
        self._reading = StartupReading(
            self._database,
            "What was learned before",
            self._read,
            self._restore,
            LONGEST_READING,
        )

    async def ready(self) -> None:
        """Return when choices may be made."""
        await self._reading.ready()

    def choose(self, features: Features, tiers: Sequence[str], at: float) -> Choice:
        """The order in which to try *tiers*, given in the order that is configured."""
        return self._learner.choose(features, tiers, at)

    def learn(self, features: Features, tier: str, outcome: Outcome, at: float) -> Lesson:
        """Learn what became of an attempt."""
        if outcome is Outcome.NONE:
            return Lesson(None, None)
        expected = self._learner.expected(features, tier, at)
        changed = self._learner.record(features, tier, outcome, at, expected)
        if changed is not None:
            self._others.changed(tier, changed.domain, at)
        return Lesson(expected, changed)

    def leave_out(self, run: int) -> None:
        """Learn nothing from the database of *run*, which is this crawl."""
        self._others.leave_out(run)

    def _read(self) -> Evidence:
        return read_evidence(self._database, time(), self._harmless, self._others.mark)

    def _restore(self, evidence: Evidence) -> None:
        logger.info(
            "What was learned before is known: %d sums of attempts from %s",
            len(evidence),
            self._database,
        )
        self._learner.evidence.merge_older(evidence)
        self._others.start()
