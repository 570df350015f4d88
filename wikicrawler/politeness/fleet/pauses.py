"""Sites that block every tier, as all workers that share a Redis know them."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING

from scrapy import signals

from wikicrawler.errors import StoreError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.politeness.fleet.pauses_store import PausesStore
    from wikicrawler.politeness.pauses import PauseNote, SitePauses

logger = logging.getLogger(__name__)

_LOOK_AGAIN = 0.5
"""Seconds after which a worker knows what another one has learned."""
_RETRY = 1.0
_READY = 5.0
"""Seconds for which the first pages wait for what is known."""
_CLOSING = 5.0


class SharedPauses:
    """Keeps *pauses*, those of one worker, as those of the others are, from the opening of the
    spider to its end. A Redis that is away delays this, and is no error."""

    def __init__(self, crawler: Crawler, pauses: SitePauses, store: PausesStore) -> None:
        self._pauses = pauses
        self._store = store
        self._notes: list[PauseNote] = []
        self._wake = asyncio.Event()
        self._known = asyncio.Event()
        self._exchanging: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "pauses")
        self._is_open = True
        pauses.share = self._note
        crawler.signals.connect(self._open, signals.spider_opened)
        crawler.signals.connect(self.close, signals.spider_closed)

    @property
    def is_ready(self) -> bool:
        """True if what the others know is known, or cannot be known in time."""
        return self._known.is_set()

    async def ready(self) -> None:
        """Return when :attr:`is_ready`."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._known.wait(), _READY)
        self._known.set()

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

    def _note(self, note: PauseNote) -> None:
        self._notes.append(note)
        self._wake.set()

    async def _exchange_all(self) -> None:
        while self._is_open:
            try:
                await self._exchange()
            except Exception as error:
                if not isinstance(error, StoreError):  # of which the gate tells
                    logger.exception("Pauses of sites are not shared for the moment")
                await asyncio.sleep(_RETRY)
                continue
            if self._store.has_more:
                continue
            self._known.set()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), _LOOK_AGAIN)
            self._wake.clear()

    async def _exchange(self) -> None:
        notes, self._notes = self._notes, []
        loop = asyncio.get_running_loop()
        try:
            changed = await loop.run_in_executor(self._thread, self._store.exchange, notes)
        except BaseException:
            self._notes = [*notes, *self._notes]
            raise
        newer = {note.site for note in self._notes}  # the next exchange has what comes of them
        for known in changed:
            is_empty = not (known.pages or known.risk_level)
            if is_empty and not self.is_ready:  # over before this worker began
                continue
            if known.site not in newer and self._pauses.take_over(known):
                logger.warning(
                    "Site %r blocks every tier, as another worker found: paused for %.0f minutes",
                    one_line(known.site, 200),
                    known.remaining / 60,
                )
