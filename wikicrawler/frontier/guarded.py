"""The frontier of a running crawl, which stops the crawl when it fails."""

from __future__ import annotations

import logging
from collections import Counter
from typing import TYPE_CHECKING, Any, TypeVar

from wikicrawler.frontier.protocol import Delayed, FrontierError
from wikicrawler.process.exit_codes import OUT_OF_SPACE, STATE_FAILED
from wikicrawler.process.stopping import stop
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scrapy import Request
    from scrapy.crawler import Crawler

    from wikicrawler.frontier.page_limits import PageLimits, SharedPages
    from wikicrawler.frontier.protocol import Frontier, KnownFeed, Lease, Places

logger = logging.getLogger(__name__)
T = TypeVar("T")


class GuardedFrontier:
    """A :class:`~wikicrawler.frontier.protocol.Frontier` whose calls never raise FrontierError, but
    for :meth:`open`.

    When *frontier* fails, the crawl of *crawler* stops, with one line in the log and the stat
    ``frontier/failed``. While it is not open, nothing that is asked of it happens: what a page
    brings is left, because the page is fetched again when the crawl goes on. So a push is no
    duplicate then, no record is to be written, and everything else is empty.
    """

    def __init__(self, frontier: Frontier, crawler: Crawler) -> None:
        self._frontier = frontier
        self._crawler = crawler

    def _call(self, inert: T, call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        """Return the result of *call*, or *inert*."""
        if not self._frontier.is_open:
            return inert
        try:
            return call(*args, **kwargs)
        except FrontierError as error:
            self._fail(error)
            return inert

    def _fail(self, error: FrontierError) -> None:
        reason = OUT_OF_SPACE if error.out_of_space else STATE_FAILED
        self._crawler.stats.set_value("frontier/failed", reason)
        logger.error(
            "The state in %s cannot be kept: %s. The crawl stops; %s",
            one_line(self.name),
            error,
            error.advice,
        )
        stop(self._crawler, reason)

    @property
    def pages(self) -> SharedPages | None:
        return self._frontier.pages

    # Opening and closing

    @property
    def name(self) -> str:
        return self._frontier.name

    @property
    def is_open(self) -> bool:
        return self._frontier.is_open

    @property
    def resumed(self) -> bool:
        return self._frontier.resumed

    @property
    def may_lack_writes(self) -> bool:
        return self._frontier.may_lack_writes

    @property
    def lease_seconds(self) -> float | None:
        return self._frontier.lease_seconds

    async def open(self, places: Places, newest_first: tuple[bool, bool] = (False, False)) -> None:
        """
        :raises FrontierError: the crawl cannot begin
        """
        await self._frontier.open(places, newest_first)

    async def close(self) -> None:
        try:
            await self._frontier.close()
        except FrontierError as error:
            self._fail(error)

    def give_up(self) -> None:
        self._call(None, self._frontier.give_up)

    def commit(self) -> None:
        self._call(None, self._frontier.commit)

    async def prefetch(self) -> None:
        await self._await(self._frontier.prefetch)

    async def renew(self) -> None:
        await self._await(self._frontier.renew)

    async def _await(self, call: Callable[[], Any]) -> None:
        if not self._frontier.is_open:
            return
        try:
            await call()
        except FrontierError as error:
            self._fail(error)

    # Requests

    def push(
        self,
        site: str,
        rank: int,
        encode: Callable[[], bytes],
        *,
        fingerprint: bytes | None = None,
        kind: str | None = None,
        wait: float = 0.0,
        live: Request | None = None,
        url: str = "",
        limits: PageLimits | None = None,
    ) -> bool:
        if self._frontier.is_open:
            try:
                return self._frontier.push(
                    site,
                    rank,
                    encode,
                    fingerprint=fingerprint,
                    kind=kind,
                    wait=wait,
                    live=live,
                    url=url,
                    limits=limits,
                )
            except FrontierError as error:
                self._fail(error)
        return True

    def pop(self) -> Lease | None:
        if self._frontier.is_open:
            try:
                return self._frontier.pop()
            except FrontierError as error:
                self._fail(error)
        return None

    def tried(self, lease: int) -> bool:
        return self._call(True, self._frontier.tried, lease)

    def done(self, lease: int) -> bool:
        return self._call(False, self._frontier.done, lease)

    def waiting(self) -> int:
        return self._call(0, self._frontier.waiting)

    def has_pending(self) -> bool:
        return self._call(False, self._frontier.has_pending)

    def counts(self, kind: str) -> Counter[str]:
        return self._call(Counter(), self._frontier.counts, kind)

    def delayed(self) -> Delayed:
        return self._call(Delayed(0, 0.0), self._frontier.delayed)

    def next_due_in(self) -> float | None:
        return self._call(None, self._frontier.next_due_in)

    def hold(self, site: str, seconds: float) -> None:
        self._call(None, self._frontier.hold, site, seconds)

    def set_pace(self, site: str, seconds: float) -> None:
        self._call(None, self._frontier.set_pace, site, seconds)

    # Notes and feeds

    def note(self, name: str, value: bytes, *, after: int | None = None) -> None:
        self._call(None, self._frontier.note, name, value, after=after)

    def noted(self, name: str) -> set[bytes]:
        return self._call(set(), self._frontier.noted, name)

    def has_noted(self, name: str, value: bytes) -> bool:
        return self._call(False, self._frontier.has_noted, name, value)

    def feed_name(self, path: Path) -> str:
        return self._frontier.feed_name(path)

    def feed(self, name: str) -> KnownFeed | None:
        return self._call(None, self._frontier.feed, name)

    def add_feed(self, name: str, size: int) -> int:
        return self._call(0, self._frontier.add_feed, name, size)

    def resize_feed(self, feed: int, size: int) -> None:
        self._call(None, self._frontier.resize_feed, feed, size)

    def add_record(self, feed: int, key: bytes) -> bool:
        return self._call(False, self._frontier.add_record, feed, key)

    def remove_record(self, feed: int, key: bytes) -> None:
        self._call(None, self._frontier.remove_record, feed, key)
