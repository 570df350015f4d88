"""Explanations of pages for a program that gives many: the evidence is kept between them."""

from __future__ import annotations

from contextlib import nullcontext
from threading import Lock
from time import monotonic, time
from typing import TYPE_CHECKING

from wikicrawler.errors import StoreError
from wikicrawler.explain.page import PageExplainer
from wikicrawler.learning.costs import costs_of
from wikicrawler.learning.restore import read_evidence
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.settings import BaseSettings

    from wikicrawler.explain.facts import PageExplanation
    from wikicrawler.learning.model.evidence import Evidence
    from wikicrawler.store.database import Database

KEPT = 5.0
"""The evidence is kept for so many times as long as it took to read: a reader of a large database
spends at most a sixth of the time on it, and one of a small database sees each change."""
PATIENCE = 60.0
"""Seconds to wait for another thread that reads the evidence."""


class PageExplanations:
    """Explains pages from *database*. Methods may be called from any thread.

    :param clock: a clock in seconds that never goes back
    """

    def __init__(
        self,
        settings: BaseSettings,
        database: Database,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._clock = clock
        self._settings = settings
        self._database = database
        self._lock = Lock()
        self._evidence: Evidence | None = None
        self._good_until = 0.0

    def explain(self, url: str, attempts: int) -> PageExplanation:
        """Return the explanation of *url*, with at most *attempts* recorded attempts.

        :raises ConfigError: the configuration is wrong
        :raises StoreError: the database is unavailable, or another thread reads it for too long
        """
        costs = costs_of(self._settings)
        if not self._lock.acquire(timeout=PATIENCE):
            raise StoreError("the recorded attempts are still being read: ask again in a minute")
        try:
            now = time()
            evidence = self._current(now)
            known = self._database.has_tables()
            with self._database.read() if known else nullcontext() as connection:
                explainer = PageExplainer(self._settings, evidence, connection, costs, now)
                return explainer.explain(url, attempts)
        finally:
            self._lock.release()

    def _current(self, now: float) -> Evidence:
        begun = self._clock()
        if self._evidence is None or begun >= self._good_until:
            harmless = TierRegistry.from_settings(self._settings).harmless
            self._evidence = read_evidence(self._database, now, harmless)
            ended = self._clock()
            self._good_until = ended + KEPT * (ended - begun)
        return self._evidence
