"""The requests that a worker has leased: those to be popped, and those under way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wikicrawler.frontier.redis.exchange import room_for
from wikicrawler.frontier.site_times import SiteTimes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wikicrawler.frontier.protocol import Places
    from wikicrawler.frontier.redis.exchange import Granted


@dataclass
class Held:
    """A lease of this worker."""

    number: int
    site: str
    kind: str
    until: float
    """When it ends, by the worker's clock."""
    request: bytes = b""
    """As it is stored, until it is popped."""
    notes: list[tuple[str, bytes]] = field(default_factory=list)
    """To be written when it is done."""


class Leases:
    """The leases of one worker, and what it knows of when sites may be served.

    :param clock: the worker's
    """

    def __init__(self, clock: Callable[[], float], places: Places) -> None:
        self._clock = clock
        self._places = places
        self._held: dict[int, Held] = {}
        self._ahead: dict[int, Held] = {}  # those of them to be popped, in their order
        self._lost: set[int] = set()  # those that were popped and have ended before they were done
        self._ended: list[int] = []  # those that have ended since the last call of take_ended()
        self._popped: Counter[str] = Counter()  # by site, since the last call of room()
        self._pops = 0
        self.times = SiteTimes(clock)

    def add(self, granted: Granted, sent: float, received: float) -> None:
        """Add a lease that Redis has given in an exchange between those moments."""
        held = Held(
            granted.number, granted.site, granted.kind, sent + granted.seconds, granted.request
        )
        self._held[held.number] = self._ahead[held.number] = held
        self.hold_from(received, granted.site, granted.wait)

    def hold_from(self, moment: float, site: str, seconds: float) -> None:
        """Hold *site* for so many seconds from *moment* on."""
        left = moment + seconds - self._clock()
        if left > 0:
            self.times.hold(site, left)

    def renewed(self, numbers: Iterable[int], until: float, lost: Iterable[int]) -> None:
        """Move the end of the leases *numbers*, and forget those that are lost."""
        for number in numbers:
            if (held := self._held.get(number)) is not None:
                held.until = max(held.until, until)
        for number in lost:
            self._lose(number)

    def clear(self) -> None:
        """Forget all leases."""
        self._lost |= self._held.keys() - self._ahead.keys()
        self._held.clear()
        self._ahead.clear()

    # Popping

    def pop(self) -> Held | None:
        """Return the lease that is to be popped now; None where there is none."""
        self._drop_ended()
        if not self._ahead:
            return None
        places = self._places.held()
        best, fewest, looked_at = None, 0, set()
        for held in self._ahead.values():
            if held.site in looked_at:
                continue
            looked_at.add(held.site)
            count = places[held.site]
            if best is not None and count >= fewest:
                continue
            if self.times.wait(held.site):
                continue
            if not count or self._places.has_room(held.site, count):
                best, fewest = held, count
        if best is not None:
            del self._ahead[best.number]
            self._popped[best.site] += 1
            self._pops += 1
            self.times.handed_out(best.site)
        return best

    def take_pops(self) -> int:
        """Return how many were popped since the last call."""
        pops, self._pops = self._pops, 0
        return pops

    def get(self, number: int) -> Held | None:
        """Return the lease *number*, if it was popped and has not ended."""
        held = self._held.get(number)
        if held is None or number in self._ahead:
            return None
        if held.until <= self._clock():
            self._ended.append(number)
            self._lose(number)
            return None
        return held

    def is_lost(self, number: int) -> bool:
        """Return whether the lease *number* was popped, and has ended before it was done."""
        return self.get(number) is None and number in self._lost

    def done(self, number: int) -> None:
        self._forget(number)

    def take_ended(self) -> list[int]:
        """Return those that have ended by the worker's clock since the last call. Redis may not
        know it yet."""
        ended, self._ended = self._ended, []
        return ended

    # What is known of them

    def ahead(self) -> list[Held]:
        """Return those that are to be popped."""
        self._drop_ended()
        return list(self._ahead.values())

    def numbers(self) -> list[int]:
        """Return the numbers of all that have not ended."""
        now = self._clock()
        return [number for number, held in self._held.items() if held.until > now]

    def room(self, most: int) -> list[tuple[str, int, int]]:
        """Return the sites that hold places, or are to be popped, or were popped since the last
        call: how many places, and how many more requests are to be leased, up to *most*.

        That is as many as have room now; or, of a site that is answering, twice as many as were
        popped since the last call, so that it does not wait for the next one. A site that does not
        answer takes no part of what is leased ahead.
        """
        popped, self._popped = self._popped, Counter()
        held = self._places.held()
        ahead = Counter(lease.site for lease in self.ahead())
        found = []
        for site in {**held, **ahead, **popped}:
            places, leased = held[site], ahead[site]
            wanted = max(room_for(self._places, site, places, most + leased), 2 * popped[site])
            found.append((site, places + leased, min(most, max(0, wanted - leased))))
        return found

    def usual_room(self, most: int) -> int:
        """Return how many requests of any other site could be used, up to *most*."""
        return room_for(self._places, "", 0, most)

    def _drop_ended(self) -> None:
        now = self._clock()
        for number in [number for number, held in self._ahead.items() if held.until <= now]:
            self._ended.append(number)
            self._forget(number)

    def _lose(self, number: int) -> None:
        if number in self._held and number not in self._ahead:
            self._lost.add(number)
        self._forget(number)

    def _forget(self, number: int) -> None:
        self._held.pop(number, None)
        self._ahead.pop(number, None)
