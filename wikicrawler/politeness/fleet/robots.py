"""One fetch of each robots.txt for all workers that share a Redis."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from scrapy import signals
from scrapy.exceptions import IgnoreRequest

from wikicrawler.errors import StoreError
from wikicrawler.politeness.fleet.robots_store import AskedRobots

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.politeness.fleet.robots_store import RobotsStore
    from wikicrawler.politeness.robots_answer import RobotsAnswer

logger = logging.getLogger(__name__)

_LOOK_AGAIN = 0.2
"""Seconds after which to ask again for what another worker fetches."""
_RETRY = 1.0
_CLOSING = 5.0
"""Seconds for which the end of a crawl waits for the last exchange."""
_TELL_AGAIN = 60.0


class _Waiting(NamedTuple):
    asked: AskedRobots
    found: asyncio.Future[RobotsAnswer | None]


class SharedRobots:
    """The robots.txt of all workers. One of them fetches it and has a claim meanwhile; the others
    wait for its answer, and one of them takes over if it is gone.

    All of it belongs to one event loop; what Redis is asked for runs in a thread.
    """

    def __init__(self, crawler: Crawler, store: RobotsStore) -> None:
        self._store = store
        self._waiting: list[_Waiting] = []
        self._claims: set[str] = set()
        self._fetched: dict[str, RobotsAnswer] = {}
        self._given_up: set[str] = set()
        self._wake = asyncio.Event()
        self._exchanging: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "robots")
        self._is_open = True
        crawler.signals.connect(self.close, signals.spider_closed)

    @property
    def fetched(self) -> list[str]:
        """Origins whose robots.txt this worker is fetching for all."""
        return sorted(self._claims)

    @property
    def awaited(self) -> list[str]:
        """Origins whose robots.txt another worker is fetching, or is asked for."""
        return sorted({one.asked.origin for one in self._waiting if not one.found.done()})

    async def get(self, origin: str, longest: float) -> RobotsAnswer | None:
        """Return the answer of the server at *origin* that any worker got. None if this worker is
        to fetch it; it calls :meth:`put` or :meth:`give_up` then.

        :param longest: age in seconds up to which a fetch without a response counts
        :raises IgnoreRequest: the crawl has ended
        """
        if not self._is_open:
            raise IgnoreRequest("not sent: the crawl has ended")
        if self._exchanging is None:
            self._exchanging = asyncio.ensure_future(self._exchange_all())
        found: asyncio.Future[RobotsAnswer | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(AskedRobots(origin, longest), found))
        self._wake.set()
        try:
            return await found
        except asyncio.CancelledError:
            if found.done() and not found.cancelled() and found.result() is None:
                self.give_up(origin)
            raise

    def put(self, origin: str, answer: RobotsAnswer) -> None:
        """Have the others use *answer*."""
        self._claims.discard(origin)
        self._fetched[origin] = answer
        self._wake.set()

    def give_up(self, origin: str) -> None:
        """Let another worker fetch it."""
        self._claims.discard(origin)
        self._given_up.add(origin)
        self._wake.set()

    async def close(self) -> None:
        """Give all claims up; what waits is not answered."""
        if not self._is_open:
            return
        self._is_open = False
        self._wake.set()
        if self._exchanging is not None:
            await asyncio.wait([self._exchanging], timeout=_CLOSING)
            self._exchanging.cancel()  # its exchange goes on in the thread
        for one in self._waiting:
            if not one.found.done():
                one.found.set_exception(IgnoreRequest("not sent: the crawl has ended"))
        self._given_up |= self._claims
        if self._fetched or self._given_up:
            with suppress(StoreError, TimeoutError):
                await asyncio.wait_for(self._exchange([], set()), _CLOSING)
        self._thread.submit(self._store.close)
        self._thread.shutdown(wait=False)

    async def _exchange_all(self) -> None:
        """Exchange with Redis, one exchange at a time."""
        told = 0.0
        while self._is_open:
            with suppress(TimeoutError):
                seconds = _LOOK_AGAIN if self._waiting else self._store.lease / 3
                await asyncio.wait_for(self._wake.wait(), seconds)
            self._wake.clear()
            self._waiting = [one for one in self._waiting if not one.found.done()]
            waiting = list(self._waiting)  # others come meanwhile
            if not (waiting or self._claims or self._fetched or self._given_up):
                continue
            try:
                answers = await self._exchange([one.asked for one in waiting], self._claims)
            except Exception as error:  # the requests would wait for ever
                if not told or monotonic() - told > _TELL_AGAIN:
                    told = monotonic()
                    bug = None if isinstance(error, StoreError) else error
                    logger.warning("Requests wait for robots.txt: %s", error, exc_info=bug)
                await asyncio.sleep(_RETRY)
                self._wake.set()
                continue
            told = 0.0
            for one, answer in zip(waiting, answers, strict=True):
                self._hand_over(one, answer)

    async def _exchange(
        self, asked: list[AskedRobots], renewed: set[str]
    ) -> list[RobotsAnswer | bool]:
        fetched, given_up = self._fetched, self._given_up
        self._fetched, self._given_up = {}, set()
        renewed = renewed - given_up
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(
                self._thread,
                lambda: self._store.exchange(
                    asked, fetched=fetched, given_up=given_up, renewed=renewed
                ),
            )
        except BaseException:
            self._fetched = {**fetched, **self._fetched}
            self._given_up |= given_up
            raise

    def _hand_over(self, one: _Waiting, answer: RobotsAnswer | bool) -> None:
        origin = one.asked.origin
        is_claimed = answer is True
        if one.found.done():  # it was cancelled meanwhile
            if is_claimed and origin not in self._claims:
                self.give_up(origin)
            return
        if is_claimed:
            self._claims.add(origin)
        if answer is not False:
            one.found.set_result(None if isinstance(answer, bool) else answer)
