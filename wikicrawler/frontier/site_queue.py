"""Whose request goes to the downloader next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.pqueues import DownloaderAwarePriorityQueue

from wikicrawler.frontier.not_before import NOT_BEFORE, DelayedRequests, wait_of
from wikicrawler.process.internals.downloader_slots import DownloaderPlaces
from wikicrawler.process.internals.scheduler_queues import choose_slots_by

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy import Request
    from scrapy.crawler import Crawler


class SiteAwarePriorityQueue(DownloaderAwarePriorityQueue):
    """Scrapy's default queue, where no site may hold more places than it can use.

    A request that waits for its slot holds one of the ``CONCURRENT_REQUESTS`` places. With Scrapy's
    queue a site that is paused for minutes comes to hold them all as soon as no other site has a
    request ready, and then the whole crawl waits. Here a site holds at most one place more than its
    slot's concurrency, whether its requests wait for the slot or for robots.txt.

    A request with the meta key ``not_before`` stays until that moment, when its turn comes before;
    it holds up no other of its site.

    For the setting ``SCHEDULER_PRIORITY_QUEUE``, with
    :class:`~wikicrawler.politeness.slots.SiteSlotMiddleware`.
    """

    def __init__(self, crawler: Crawler, *args: Any, **kwargs: Any) -> None:
        super().__init__(crawler, *args, **kwargs)
        choose_slots_by(self, SlotsWithRoom(crawler))
        self.delayed = DelayedRequests()
        """What came to its turn before its moment."""

    def pop(self) -> Request | None:
        while (due := self.delayed.pop_due()) is not None:
            del due.meta[NOT_BEFORE]  # copies of it do not wait again
            self.push(due)
        while (request := super().pop()) is not None:
            if NOT_BEFORE not in request.meta or not self._delay(request):
                return request
        return None

    def _delay(self, request: Request) -> bool:
        """Delay *request*, unless its moment has come; return True if it is delayed."""
        if wait := wait_of(request):
            self.delayed.add(request, wait)
            return True
        del request.meta[NOT_BEFORE]
        return False

    def close(self) -> dict[str, list[int]]:
        for request in self.delayed:  # queues on disk keep what is in them
            self.push(request)
        self.delayed = DelayedRequests()
        return super().close()

    def __len__(self) -> int:
        return super().__len__() + len(self.delayed)


class SlotsWithRoom(DownloaderPlaces):
    """Which download slots may be given another of the downloader's places."""

    def stats(self, possible_slots: Iterable[str]) -> list[tuple[int, str]]:
        held = self.held()
        return [(held[key], key) for key in possible_slots if self.has_room(key, held[key])]

    def has_room(self, key: str, held: int) -> bool:
        """Whether the slot *key*, which holds so many places, can use another."""
        return held <= self.concurrency_of(key)
