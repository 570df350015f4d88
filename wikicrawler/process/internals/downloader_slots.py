"""The slots of Scrapy's downloader and their requests.

Undocumented names: ``engine.downloader`` with ``slots``, ``active`` and ``domain_concurrency``;
``Slot`` with ``lastseen``, ``transferring``, ``delay``, ``jitter`` and ``concurrency``. Scrapy
reads the pace of a slot from settings, once; AutoThrottle changes it through the same names. Public
methods to change the pace of a slot, to pause it and to count its requests would replace this
module.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from scrapy import Request
from scrapy.core.downloader import Slot
from scrapy.pqueues import DownloaderInterface

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from scrapy.crawler import Crawler

for _name in ("concurrency", "delay", "jitter", "lastseen", "transferring"):
    require(Slot, _name, library="scrapy", purpose="DomainThrottle")


def slot_names(crawler: Crawler) -> Collection[str]:
    """Return the names of the current slots; the downloader drops idle ones."""
    return crawler.engine.downloader.slots.keys()


def active_requests(crawler: Crawler) -> int:
    """Return the number of requests in the downloader, including those that wait in a slot."""
    return len(crawler.engine.downloader.active)


def slot_of(crawler: Crawler, name: str) -> PacedSlot | None:
    """Return the slot *name*, or None if it does not exist at the moment."""
    slot = crawler.engine.downloader.slots.get(name)
    return None if slot is None else PacedSlot(slot)


class PacedSlot:
    """A slot whose pace can be changed.

    Scrapy sends its next request at :attr:`last_sent` + :attr:`delay`. Times are those of
    :func:`time.monotonic`.
    """

    def __init__(self, slot: Slot) -> None:
        self._slot = slot

    @property
    def delay(self) -> float:
        """Seconds between two requests."""
        return self._slot.delay

    @property
    def concurrency(self) -> int:
        """Maximum number of concurrent requests."""
        return self._slot.concurrency

    @property
    def last_sent(self) -> float:
        """Time of the last request. Set it to a later time to delay the next request."""
        return self._slot.lastseen

    @last_sent.setter
    def last_sent(self, time: float) -> None:
        self._slot.lastseen = time

    def delay_after(self, end: float) -> float:
        """Return the seconds until the next request after one that ended at *end*: the delay, or
        the rest of a longer pause."""
        return max(self.delay, self.last_sent + self.delay - end)

    def set_pace(self, delay: float, concurrency: int | None) -> None:
        """Set the seconds between two requests, without jitter, and the number of concurrent
        requests (None: unchanged)."""
        self._slot.jitter = 0.0
        self._slot.delay = delay
        if concurrency is not None:
            self._slot.concurrency = concurrency

    def call_after_transfers(self, ended: Callable[[PacedSlot], None]) -> None:
        """Call *ended* with this slot at the end of each transfer, before Scrapy takes the next
        request of the slot. A second call for the same slot has no effect.

        The signal ``request_left_downloader`` is sent too late, and no other signal reports a
        failure: the next request would follow a timeout at once.
        """
        if not isinstance(self._slot.transferring, _Transfers):
            self._slot.transferring = _Transfers(self._slot.transferring, self, ended)


class _Transfers(set[Request]):
    """A replacement of ``Slot.transferring`` that reports the end of each transfer."""

    def __init__(
        self, requests: Iterable[Request], slot: PacedSlot, ended: Callable[[PacedSlot], None]
    ) -> None:
        super().__init__(requests)
        self._slot = slot
        self._ended = ended

    def remove(self, request: Request) -> None:
        super().remove(request)
        self._ended(self._slot)


class DownloaderPlaces(DownloaderInterface):
    """The interface of a priority queue to the downloader, with the places that each slot holds.

    A place is one of ``CONCURRENT_REQUESTS``.
    """

    def held(self) -> Counter[str]:
        """Return the number of places that each slot holds."""
        downloader = self.downloader
        return Counter(map(downloader.get_slot_key, downloader.active))

    def concurrency_of(self, key: str) -> int:
        """Return the maximum number of concurrent requests of the slot *key*."""
        slot = self.downloader.slots.get(key)
        return slot.concurrency if slot else self.downloader.domain_concurrency
