"""The slots of Scrapy's downloader, and what is in them.

Undocumented names: ``engine.downloader`` with ``slots``, ``active`` and ``domain_concurrency``;
``Slot`` with ``lastseen``, ``transferring``, ``delay``, ``jitter`` and ``concurrency``. Scrapy
reads the pace of a slot from settings, once; AutoThrottle changes it through the same names. Public
methods to change the pace of a slot, to pause it and to count what it holds would replace this
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
    """Return the names of the slots that the downloader has now; it drops idle ones."""
    return crawler.engine.downloader.slots.keys()


def active_requests(crawler: Crawler) -> int:
    """Count the requests that the downloader has, those that wait for their slot included."""
    return len(crawler.engine.downloader.active)


def slot_of(crawler: Crawler, name: str) -> PacedSlot | None:
    """Return the slot *name*; None where the downloader has none of that name now."""
    slot = crawler.engine.downloader.slots.get(name)
    return None if slot is None else PacedSlot(slot)


class PacedSlot:
    """A slot whose pace can be changed. Scrapy sends its next request at :attr:`last_sent` +
    :attr:`delay`; moments are those of :func:`time.monotonic`."""

    def __init__(self, slot: Slot) -> None:
        self._slot = slot

    @property
    def delay(self) -> float:
        """Seconds."""
        return self._slot.delay

    @property
    def last_sent(self) -> float:
        """When the last request was sent; a later moment holds up the next request."""
        return self._slot.lastseen

    @last_sent.setter
    def last_sent(self, moment: float) -> None:
        self._slot.lastseen = moment

    def set_pace(self, delay: float, concurrency: int | None) -> None:
        """Set the seconds between two requests, without jitter, and the number of requests at the
        same time (None: as it is)."""
        self._slot.jitter = 0.0
        self._slot.delay = delay
        if concurrency is not None:
            self._slot.concurrency = concurrency

    def call_after_transfers(self, ended: Callable[[PacedSlot], None]) -> None:
        """Call *ended* with this slot at the end of each transfer, before Scrapy looks for the next
        request of the slot. Without effect on a slot for which this was called before.

        The signal ``request_left_downloader`` comes after that look, and no other reports a
        failure: the next request would follow a time-out at once.
        """
        if not isinstance(self._slot.transferring, _Transfers):
            self._slot.transferring = _Transfers(self._slot.transferring, self, ended)


class _Transfers(set[Request]):
    """``Slot.transferring`` that reports when a transfer ends."""

    def __init__(
        self, requests: Iterable[Request], slot: PacedSlot, ended: Callable[[PacedSlot], None]
    ) -> None:
        super().__init__(requests)
        self._of = slot
        self._ended = ended

    def remove(self, request: Request) -> None:
        super().remove(request)
        self._ended(self._of)


class DownloaderPlaces(DownloaderInterface):
    """What a priority queue asks the downloader, with the places that each slot holds. A place is
    one of ``CONCURRENT_REQUESTS``."""

    def held(self) -> Counter[str]:
        """How many places each slot holds."""
        downloader = self.downloader
        return Counter(downloader.get_slot_key(request) for request in downloader.active)

    def concurrency_of(self, key: str) -> int:
        """How many requests the slot *key* sends at the same time."""
        slot = self.downloader.slots.get(key)
        return slot.concurrency if slot else self.downloader.domain_concurrency
