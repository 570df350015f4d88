"""Requests that are not to be made before a moment of their own, in the database."""

from __future__ import annotations

from time import monotonic, time
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.frontier.not_before import LONGEST, in_step
from wikicrawler.process.internals.scheduler_queues import queues_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.frontier.database import Store
    from wikicrawler.frontier.stored_queue import SiteQueues

_BATCH = 100
"""Requests that are let go at once: each is written anew, and the crawl waits for that."""


class KeptRows:
    """The requests that the database keeps; of them nothing is in memory but how many they are.

    Moments are seconds since the epoch by the clock as it was when the crawl began: should it be
    set right meanwhile, nobody waits longer or shorter.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._epoch = time() - monotonic()
        store.keep_until_at_most(self._now + LONGEST)
        self._count = store.kept()
        self._first = store.first_kept()

    def __len__(self) -> int:
        return self._count

    @property
    def _now(self) -> float:
        return self._epoch + monotonic()

    @property
    def wait(self) -> float:
        """Seconds until the first may go; 0 where there is none."""
        return 0.0 if self._first is None else max(0.0, self._first - self._now)

    @property
    def are_due(self) -> bool:
        """Whether the moment of one has come."""
        return self._first is not None and self._first <= self._now

    def keep(self, seconds: float, site: str, rank: int, kind: str | None, request: bytes) -> None:
        until = in_step(self._now + seconds)
        self._store.keep(until, site, rank, kind, request)
        self._count += 1
        self._first = until if self._first is None else min(self._first, until)

    def release(self, queues: SiteQueues) -> None:
        """Put some of those that are due into *queues*."""
        released = self._store.release(self._now, _BATCH)
        for site, rank, number, request in released:
            queues.push(site, rank, number, request)
        self._count -= len(released)
        self._first = self._store.first_kept()


class Waiting(NamedTuple):
    """How many requests wait for their moment, and the seconds until that of the first."""

    requests: int
    seconds: float


def waiting_in(crawler: Crawler) -> Waiting:
    """What waits in the scheduler of *crawler*, with a state folder or without."""
    scheduler = crawler.engine.scheduler if crawler.engine is not None else None
    places = (getattr(place, "kept", None) for place in (scheduler, *queues_of(scheduler)))
    found = [Waiting(len(kept), kept.wait) for kept in places if kept]
    return Waiting(sum(w.requests for w in found), min((w.seconds for w in found), default=0.0))
