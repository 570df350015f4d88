"""Whose request goes to the downloader next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.pqueues import DownloaderAwarePriorityQueue

from wikicrawler.frontier.not_before import NOT_BEFORE, DelayedRequests, wait_of
from wikicrawler.frontier.site_turns import SiteTurns
from wikicrawler.process.internals.downloader_slots import DownloaderPlaces
from wikicrawler.process.internals.scheduler_queues import choose_slots_by

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

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
        self._waiting = super().__len__()  # counted on: Scrapy's adds up all sites, each time
        self._sites = _NextSite(crawler, self.pqueues)
        choose_slots_by(self, self._sites)
        self.delayed = DelayedRequests()
        """What came to its turn before its moment."""

    def push(self, request: Request) -> None:
        site = self._sites.get_slot_key(request)
        if site not in self.pqueues:
            self._sites.turns.add(site)
        super().push(request)
        self._waiting += 1

    def pop(self) -> Request | None:
        while (due := self.delayed.pop_due()) is not None:
            del due.meta[NOT_BEFORE]  # copies of it do not wait again
            self.push(due)
        while (request := self._pop()) is not None:
            if NOT_BEFORE not in request.meta or not self._delay(request):
                return request
        return None

    def _pop(self) -> Request | None:
        request = super().pop()
        if request is not None:
            self._waiting -= 1
        self._sites.end_turn(self.pqueues)
        return request

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
        self._waiting = 0
        active = super().close()
        self._sites.turns = SiteTurns()
        return active

    def __len__(self) -> int:
        return self._waiting + len(self.delayed)


class SlotsWithRoom(DownloaderPlaces):
    """Which download slots may be given another of the downloader's places."""

    def has_room(self, key: str, held: int) -> bool:
        """Whether the slot *key*, which holds so many places, can use another."""
        return held <= self.concurrency_of(key)


class _NextSite(SlotsWithRoom):
    """Chooses the site whose turn it is, of those that have requests."""

    def __init__(self, crawler: Crawler, sites: Iterable[str]) -> None:
        super().__init__(crawler)
        self.turns = SiteTurns(sites)
        self._chosen: str | None = None

    def stats(self, possible_slots: Iterable[str]) -> list[tuple[int, str]]:
        """Return the site whose turn it is alone: Scrapy's queue compares all that it is given."""
        held = self.held()
        self._chosen = site = self.turns.choose(held, self.has_room)
        return [] if site is None else [(held[site], site)]

    def end_turn(self, sites: Container[str]) -> None:
        """Give the turn to the site after the one that was chosen. It has no more requests if it is
        not in *sites*."""
        site, self._chosen = self._chosen, None
        if site is None:
            return
        self.turns.last = site
        if site not in sites:
            self.turns.remove(site)
