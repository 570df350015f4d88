"""What workers that share a Redis learn from each other while they crawl."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from scrapy import signals

from wikicrawler.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.crawler import Crawler

N = TypeVar("N")  # what a worker notes
K = TypeVar("K")  # what is known then
N_contra = TypeVar("N_contra", contravariant=True)
K_co = TypeVar("K_co", covariant=True)

logger = logging.getLogger(__name__)

LOOK_AGAIN = 0.5
"""Seconds after which a worker knows what another one has learned."""
_RETRY = 1.0
_READY = 5.0
"""Seconds for which the first pages wait for what is known."""
_CLOSING = 5.0


class Store(Protocol[N_contra, K_co]):
    """What one worker exchanges. The methods block, and are called in one thread."""

    @property
    def has_more(self) -> bool:
        """True if the last call did not return all that has changed."""

    def exchange(self, notes: Sequence[N_contra]) -> Sequence[K_co]:
        """Store *notes*, and return what has changed since the last call.

        :raises StoreError: Redis is unavailable; *notes* may have been stored
        """

    def close(self) -> None: ...


class Exchanges(ABC, Generic[N, K]):
    """Exchanges what is noted with *store*, from the opening of the spider to its end. A Redis that
    is away delays this, and is no error.

    :param name: what is shared, for the log
    """

    def __init__(self, crawler: Crawler, store: Store[N, K], name: str) -> None:
        self._store = store
        self._name = name
        self._notes: list[N] = []
        self._wake = asyncio.Event()
        self._known = asyncio.Event()
        self._exchanging: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, name)
        self._is_open = True
        crawler.signals.connect(self._open, signals.spider_opened)
        crawler.signals.connect(self.close, signals.spider_closed)

    @abstractmethod
    def take(self, changed: Sequence[K], newer: Sequence[N]) -> None:
        """Take over what has changed. The next exchange has what comes of the *newer* notes."""

    @property
    def is_ready(self) -> bool:
        """True if what the others know is known, or cannot be known in time."""
        return self._known.is_set()

    async def ready(self) -> None:
        """Return when :attr:`is_ready`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._known.wait(), _READY)
        self._known.set()

    def note(self, note: N, *, at_once: bool = True) -> None:
        """Have the others know *note*; *at_once*: before the next look at what they know."""
        self._notes.append(note)
        if at_once:
            self._wake.set()

    async def close(self) -> None:
        """Store what was noted last."""
        if not self._is_open:
            return
        self._is_open = False
        self._wake.set()
        if self._exchanging is not None:
            await asyncio.wait([self._exchanging], timeout=_CLOSING)
            self._exchanging.cancel()  # its exchange goes on in the thread
        if self._notes:
            with suppress(StoreError, TimeoutError):
                await asyncio.wait_for(self._exchange(), _CLOSING)
        self._thread.submit(self._store.close)
        self._thread.shutdown(wait=False)

    def _open(self) -> None:
        self._exchanging = asyncio.ensure_future(self._exchange_all())

    async def _exchange_all(self) -> None:
        while self._is_open:
            try:
                await self._exchange()
            except Exception as error:
                if not isinstance(error, StoreError):  # of which the gate tells
                    logger.exception("Not shared for the moment: %s", self._name)
                await asyncio.sleep(_RETRY)
                continue
            if self._store.has_more:
                continue
            self._known.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK_AGAIN)
            self._wake.clear()

    async def _exchange(self) -> None:
        notes, self._notes = self._notes, []
        loop = asyncio.get_running_loop()
        try:
            changed = await loop.run_in_executor(self._thread, self._store.exchange, notes)
        except BaseException:
            self._notes = [*notes, *self._notes]
            raise
        self.take(changed, self._notes)
