"""The pages of a crawl and the limits on their number, as a worker knows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.frontier.redis.exchange import NO_LIMIT

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.frontier.redis.exchange import Exchange, Reply

_FULL_SECONDS = 5.0
"""Seconds without further links of a site after one of its links was dropped."""
_FULL_SITES = 10_000


class Pages:
    """A :class:`~wikicrawler.frontier.page_limits.SharedPages`.

    :param clock: the worker's
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._refused: Callable[[str], object] = lambda _: None
        self._full: dict[str, float] = {}  # until when
        self._waiting_for_place = 0
        self.most: int | None = None
        """The limit; None: not known."""
        self.taken = 0
        self.written = 0
        self.waiting = 0

    def limit(self, most: int | None, refused: Callable[[str], object]) -> None:
        self.most = NO_LIMIT if most is None else most
        self._refused = refused

    def has_room(self, site: str) -> bool:
        until = self._full.get(site)
        if until is not None and until <= self._clock():
            del self._full[site]
            until = None
        return until is None

    def may_begin(self, *, frees: bool) -> bool:
        """Return True if a request that waits may get a place with the next exchange; *frees*:
        some were done since the last one."""
        if self.most is None or not self._waiting_for_place:
            return False
        return frees or (self.waiting > 0 and self.taken < self.most)

    def update(self, exchange: Exchange, reply: Reply) -> None:
        """Take over what Redis has answered."""
        self.taken, self.written = reply.pages, reply.written
        self.waiting, self._waiting_for_place = reply.waiting_for_crawl, reply.waiting_for_place
        for number, waits in reply.refused:
            push = exchange.pushes[number]
            self._refused(push.url)
            if not waits:
                if len(self._full) >= _FULL_SITES:
                    self._full.clear()
                self._full[push.site] = self._clock() + _FULL_SECONDS
