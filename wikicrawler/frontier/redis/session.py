"""The exchanges of one worker with Redis, from its opening to its end."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import TYPE_CHECKING

from wikicrawler.frontier.codec import url_in
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.exchange import as_bytes, micro
from wikicrawler.frontier.redis.known import Known
from wikicrawler.frontier.redis.leases import Leases
from wikicrawler.frontier.redis.packing import UnpackingError, unpacked
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.frontier.protocol import Places
    from wikicrawler.frontier.redis.link import Answered, Link

logger = logging.getLogger(__name__)


class Session:
    """What a worker knows, and what it has leased, kept up to date by its exchanges.

    All of it belongs to the event loop in which it was made; only the link has a thread.

    :param name: that of the frontier, for messages
    :param make_link: returns the link, given the function that takes its results
    """

    def __init__(
        self,
        name: str,
        places: Places,
        newest_first: tuple[bool, bool],
        *,
        clock: Callable[[], float],
        lease_seconds: float,
        make_link: Callable[[Callable[[Answered], None]], Link],
    ) -> None:
        self._name = name
        self._newest_first = newest_first
        self._lease_seconds = lease_seconds
        self._loop = asyncio.get_running_loop()
        self.known = Known(clock)
        self.leases = Leases(clock, places)
        self.resumed = False
        """True if there was the crawl before."""
        self.dead = 0
        """Requests of the crawl that were given up."""
        self.failure: FrontierError | None = None
        """Why nothing can be exchanged any more."""
        self._wanted = 0  # requests that exchanges under way ask for
        self._is_complete = False
        self.link = make_link(self._deliver)

    async def open(self) -> None:
        """Get to know what there is.

        :raises FrontierError: Redis cannot be used
        """
        while not self._is_complete:
            await self.exchange()

    async def prefetch(self, most: int, few: int) -> None:
        """Lease requests until twice as many are to be popped as were since the last call, but
        *few* at least and *most* at most.

        :raises FrontierError: Redis cannot be used
        """
        ahead = self.leases.ahead()
        most = min(most, max(few, 2 * self.leases.take_pops()))
        exchange = self.known.next
        exchange.wanted = max(0, most - len(ahead) - self._wanted)
        exchange.asked = list({held.site for held in ahead})
        if exchange.wanted:
            exchange.places = self.leases.room(exchange.wanted)
            exchange.usual_room = self.leases.usual_room(exchange.wanted)
        await self.exchange()

    async def renew(self) -> None:
        """Renew all leases.

        :raises FrontierError: Redis cannot be used
        """
        self.known.next.renewed = self.leases.numbers()
        await self.exchange()

    async def close(self) -> None:
        """Write the rest, and hand back all leases.

        :raises FrontierError: Redis cannot be used
        """
        if self.failure is None:
            self.known.next.closes = True
            await self.exchange()

    def stop(self, *, at_once: bool = False) -> None:
        """End the thread of the link, when all is sent, or *at_once* where Redis is away; harmless
        when called again."""
        self.link.stop(at_once=at_once)

    def send(self) -> None:
        """Hand what there is to the thread."""
        exchange = self.known.take_off()
        exchange.newest_first = self._newest_first
        self._wanted += exchange.wanted
        self.link.send(exchange)

    async def exchange(self) -> None:
        """Send what there is, and wait for the answer.

        :raises FrontierError: there is none
        """
        future: asyncio.Future[None] = self._loop.create_future()
        self.known.next.future = future
        self.send()
        await future

    def _deliver(self, answered: Answered) -> None:
        """Have the loop take *answered*. Called in the thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._take, answered)

    def _take(self, answered: Answered) -> None:
        exchange, reply = answered.exchange, answered.reply
        future = exchange.future
        self._wanted -= exchange.wanted
        if isinstance(reply, FrontierError):
            self.failure = reply
            if future is not None and not future.done():
                future.set_exception(reply)
            return
        self.known.update(answered, reply)
        if answered.behind:
            self._begin_anew()
        if not self._is_complete:
            self.resumed = self.resumed or reply.resumed
            self._is_complete = not (reply.more_notes or reply.more_counts)
        self.leases.renewed(exchange.renewed, answered.sent + self._lease_seconds, reply.lost)
        for granted in reply.leases:
            self.leases.add(granted, answered.sent, answered.received)
            if not self.known.sets_pace(granted.site):
                self.leases.times.set_pace(granted.site, granted.pace)
        for site, wait in zip(exchange.asked, reply.waits, strict=True):
            self.leases.hold_from(answered.received, site, wait)
        self.dead = reply.dead
        for request in reply.died:
            logger.error(
                "A request is given up: the workers that had it are gone, four times: %s",
                _url_in(request),
            )
        if future is not None and not future.done():
            future.set_result(None)

    def _begin_anew(self) -> None:
        """Go on where Redis has lost its last writes: what is under way is fetched again."""
        logger.warning(
            "%s: Redis has lost its last writes; what was fetched meanwhile is fetched again",
            self._name,
        )
        self.leases.clear()
        for site, seconds in self.leases.times.waits().items():
            self.known.change("h", as_bytes(site), micro(seconds))


def _url_in(stored: bytes) -> str:
    try:
        return one_line(url_in(unpacked(stored)), 200)
    except UnpackingError:
        return "(its bytes are damaged)"
