"""The gate: each request of a crawl waits for its turn among all processes."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple, Protocol

from scrapy import signals
from scrapy.exceptions import DownloadFailedError, IgnoreRequest

from wikicrawler import options
from wikicrawler.errors import StoreError, TierInterruptedError
from wikicrawler.politeness.slots import SLOT
from wikicrawler.politeness.throttle import DomainThrottle, default_delay
from wikicrawler.politeness.turns import Asked, Given, Note, Turns
from wikicrawler.process.internals.download_handlers import wrap_downloads
from wikicrawler.process.internals.downloader_slots import slot_of
from wikicrawler.process.owner import own_part
from wikicrawler.signals import site_busy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from wikicrawler.store.database import Database

    Send = Callable[[Request], Awaitable[Response]]

logger = logging.getLogger(__name__)

SENT_AFTER = 0.5
"""Seconds after which a request without an answer has surely been sent: its connection is made.
Until then the delay to the next request does not begin."""
_RETRY = 1.0
_LOOK = 1.0
"""Seconds after which the gate looks whether turns have lapsed, while an exchange takes so long."""
_CLOSING = 5.0
"""Seconds for which the end of a crawl waits for the last exchange."""
_TELL_AGAIN = 60.0


class SharedTurns(Protocol):
    """Turns of one process among several; :class:`~wikicrawler.politeness.turns.Turns` says what
    the methods do. They block, and are called in one thread."""

    lease: float
    """Seconds after which turns are free that were not renewed."""

    def exchange(self, asked: Sequence[Asked], notes: Collection[Note]) -> Given: ...

    def holds(self, number: int) -> bool:
        """May be called while another method runs."""

    def end(self, notes: Collection[Note] = ()) -> None: ...


def longest_wait(settings: BaseSettings) -> float:
    """Return the maximum number of seconds for which a site is left alone."""
    return max(
        default_delay(settings),
        options.DOMAIN_THROTTLE_MAX_DELAY.read(settings),
        options.DOMAIN_THROTTLE_MAX_CRAWL_DELAY.read(settings),
        options.DOMAIN_THROTTLE_MAX_RETRY_AFTER.read(settings),
    )


class _Waiting(NamedTuple):
    asked: Asked
    turn: asyncio.Future[None]


class Gate:
    """Sends the requests of *crawler* in *turns* that several processes share.

    It stands behind the download slots: what they let pass waits here while other processes use the
    budget. While the turns are unavailable no request is sent. A turn may lapse meanwhile, or
    because the process stood still: it is asked for again then, or its request is cut off if it is
    under way.

    *leave_alone* is called with a site, and the seconds for which no turn of it can be had, when a
    request is sent, when it ends, and when the site is paused. *may_send* is called with each
    request that has its turn; where it returns False, the request is not sent.

    Each gate has turns of its own: those that one leaves behind are not renewed by the next crawl
    of the process, and lapse.
    """

    def __init__(
        self,
        crawler: Crawler,
        turns: SharedTurns,
        leave_alone: Callable[[str, float], object] = lambda site, seconds: None,
        may_send: Callable[[Request], bool] = lambda request: True,
    ) -> None:
        self._crawler = crawler
        self._turns = turns
        self._leave_alone = leave_alone
        self._may_send = may_send
        self._throttle: DomainThrottle | None = None
        self._number = 0
        self._waiting: deque[_Waiting] = deque()
        self._notes: list[Note] = []
        self._under_way: dict[int, asyncio.Timeout] = {}  # by the numbers of their turns
        self._wake = asyncio.Event()
        self._exchanging: asyncio.Task[None] | None = None
        self._thread = ThreadPoolExecutor(1, "gate")
        self._is_open = False

    @property
    def waiting(self) -> int:
        """Number of requests that wait for their turns."""
        return len(self._waiting)

    @classmethod
    def over_database(cls, crawler: Crawler, database: Database) -> Self:
        """Return a gate whose turns all processes with *database* share."""
        at_once = crawler.settings.getint("CONCURRENT_REQUESTS")
        longest = longest_wait(crawler.settings)
        return cls(crawler, Turns(database, own_part(), at_once=at_once, longest=longest))

    def attach(self) -> None:
        """Send all requests from now on, whatever else records or sends them."""
        self._is_open = True
        self._throttle = self._crawler.get_extension(DomainThrottle)
        wrap_downloads(self._crawler.engine, self._download)
        self._exchanging = asyncio.ensure_future(self._exchange_all())
        self._crawler.signals.connect(self._site_busy, site_busy)
        self._crawler.signals.connect(self.close, signals.spider_closed)

    async def close(self) -> None:
        """Give all turns back; requests that wait are not sent."""
        if not self._is_open:
            return
        self._is_open = False
        self._wake.set()
        if self._exchanging is not None:
            await asyncio.wait([self._exchanging], timeout=_CLOSING)
            self._exchanging.cancel()  # its exchange goes on in the thread
        for waiting in self._waiting:
            if not waiting.turn.done():
                waiting.turn.set_exception(IgnoreRequest("not sent: the crawl has ended"))
        loop = asyncio.get_running_loop()
        with suppress(StoreError):
            # In the thread of the exchanges, so that none takes a turn after the end.
            await loop.run_in_executor(self._thread, self._turns.end, self._notes)
        self._thread.shutdown(wait=False)

    async def _download(self, request: Request, send: Send, delegates: bool) -> Response:
        site = str(request.meta.get(SLOT) or "")
        if not self._is_open or not site:
            return await send(request)
        while not self._turns.holds(number := await self._turn(site)):
            self._ended(site, number)
        if not self._may_send(request):
            self._ended(site, number)
            raise TierInterruptedError("not sent: another worker has the request")
        self._leave_alone(site, self._delay_of(site))
        sent = asyncio.get_running_loop().call_later(SENT_AFTER, self._note, Note(site, number))
        try:
            async with asyncio.timeout(None) as limit:
                self._under_way[number] = limit
                return await send(request)
        except TimeoutError:
            if limit.expired():
                raise DownloadFailedError("cut off: its turn at the site has lapsed") from None
            raise
        finally:
            sent.cancel()
            self._under_way.pop(number, None)
            # The throttle reads the answer before the loop goes on, and sets the delay after it.
            asyncio.get_running_loop().call_soon(self._ended, site, number)

    async def _turn(self, site: str) -> int:
        """Return the number of a turn for *site*, when there is one."""
        self._number += 1
        slot, delay = slot_of(self._crawler, site), self._delay_of(site)
        base = None if self._throttle is None else min(delay, self._throttle.base_of(site))
        asked = Asked(self._number, site, delay, max(1, slot.concurrency) if slot else 1, base)
        waiting = _Waiting(asked, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._wake.set()
        try:
            await waiting.turn
        except asyncio.CancelledError:
            self._ended(site, asked.number)
            raise
        return asked.number

    def _delay_of(self, site: str) -> float:
        slot = slot_of(self._crawler, site)
        return slot.delay if slot else 0.0

    def _ended(self, site: str, number: int) -> None:
        slot = slot_of(self._crawler, site)
        wait = slot.delay_after(monotonic()) if slot else 0.0
        self._leave_alone(site, wait)
        raised = None if self._throttle is None else self._throttle.raised_of(site)
        self._note(Note(site, number, is_ended=True, wait=wait, raised=raised))

    def _site_busy(self, slot: str) -> None:
        # The throttle receives the signal, too, and pauses the slot before the loop goes on.
        asyncio.get_running_loop().call_soon(self._ended, slot, 0)

    def _note(self, note: Note) -> None:
        self._notes.append(note)
        self._wake.set()

    async def _exchange_all(self) -> None:
        """Exchange turns with the other processes, one exchange at a time."""
        told, look_again, renewal = 0.0, None, self._turns.lease / 3
        while self._is_open:
            seconds = renewal if look_again is None else min(look_again, renewal)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), seconds)
            self._wake.clear()
            if not self._is_open:
                break
            notes, self._notes = self._notes, []
            waiting = [one for one in self._waiting if not one.turn.done()]
            if not (notes or waiting or self._under_way):
                continue
            try:
                asked = [one.asked for one in waiting]
                given, look_again, raised = await self._exchange(asked, notes)
            except Exception as error:  # the requests would wait for ever
                self._notes = [*notes, *self._notes]
                if not told or monotonic() - told > _TELL_AGAIN:
                    told = monotonic()
                    bug = None if isinstance(error, StoreError) else error
                    logger.warning("Requests wait for their turns: %s", error, exc_info=bug)
                await asyncio.sleep(_RETRY)
                self._wake.set()
                continue
            told = 0.0
            self._let_pass(waiting, given, raised)

    def _cut_off(self) -> None:
        """End the requests whose turns others may have."""
        now = asyncio.get_running_loop().time()
        for number, limit in self._under_way.items():
            if not self._turns.holds(number) and not limit.expired():
                limit.reschedule(now)

    async def _exchange(self, asked: list[Asked], notes: list[Note]) -> Given:
        # A thread of its own: those of the loop may all be busy for long, and turns would lapse.
        loop = asyncio.get_running_loop()
        exchange = loop.run_in_executor(self._thread, self._turns.exchange, asked, notes)
        while not exchange.done():
            await asyncio.wait({exchange}, timeout=_LOOK)
            self._cut_off()
        return await exchange

    def _let_pass(
        self, waiting: list[_Waiting], given: set[int], raised: Mapping[int, float]
    ) -> None:
        for one in waiting:
            if one.asked.number not in given:
                continue
            if one.turn.done():  # it was cancelled meanwhile
                self._note(Note(one.asked.site, one.asked.number, is_ended=True))
                continue
            if self._throttle is not None and one.asked.number in raised:
                self._throttle.share(one.asked.site, raised[one.asked.number])
            one.turn.set_result(None)
        self._waiting = deque(one for one in self._waiting if not one.turn.done())
