"""Whose request goes to the downloader next."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from scrapy.pqueues import DownloaderAwarePriorityQueue, DownloaderInterface

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.crawler import Crawler


class SiteAwarePriorityQueue(DownloaderAwarePriorityQueue):
    """Scrapy's default queue, where no site may hold more places than it can use.

    A request that waits for its slot holds one of the ``CONCURRENT_REQUESTS`` places. With Scrapy's
    queue a site that is paused for minutes comes to hold them all as soon as no other site has a
    request ready, and then the whole crawl waits. Here a site holds at most one place more than its
    slot's concurrency, whether its requests wait for the slot or for robots.txt.

    For the setting ``SCHEDULER_PRIORITY_QUEUE``, with
    :class:`~wikicrawler.politeness.slots.SiteSlotMiddleware`.
    """

    def __init__(self, crawler: Crawler, *args: Any, **kwargs: Any) -> None:
        super().__init__(crawler, *args, **kwargs)
        self._downloader_interface = SlotsWithRoom(crawler)


class SlotsWithRoom(DownloaderInterface):
    """Which download slots may be given another of the downloader's places."""

    def stats(self, possible_slots: Iterable[str]) -> list[tuple[int, str]]:
        held = self.held()
        return [(held[key], key) for key in possible_slots if self.has_room(key, held[key])]

    def held(self) -> Counter[str]:
        """How many places each slot holds."""
        downloader = self.downloader
        return Counter(downloader.get_slot_key(request) for request in downloader.active)

    def has_room(self, key: str, held: int) -> bool:
        """Whether the slot *key*, which holds so many places, can use another."""
        slot = self.downloader.slots.get(key)
        return held <= (slot.concurrency if slot else self.downloader.domain_concurrency)
