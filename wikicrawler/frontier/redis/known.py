"""What a worker knows of the frontier: as of its last exchange, with its own changes since."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from wikicrawler.frontier.protocol import Delayed
from wikicrawler.frontier.redis.exchange import (
    MOST_CHANGES,
    Change,
    Exchange,
    Push,
    as_bytes,
    read_note,
)
from wikicrawler.frontier.redis.pages import Pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wikicrawler.frontier.redis.exchange import Reply
    from wikicrawler.frontier.redis.link import Answered

_SEEN = 100_000
"""Fingerprints that are remembered at least; twice as many at most."""


class Known:
    """The state of the frontier, and the changes that Redis has not confirmed.

    :param clock: the worker's
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self.next = Exchange()
        """What is sent next."""
        self._flying: list[Exchange] = []
        self._pushes = 0
        self._reply: Reply | None = None
        self._received = 0.0
        self._counts: defaultdict[str, dict[str, int]] = defaultdict(dict)
        self._notes: defaultdict[str, set[bytes]] = defaultdict(set)
        self._seen: tuple[set[bytes], set[bytes]] = set(), set()
        self.pages = Pages(clock)

    # Changes

    @property
    def is_full(self) -> bool:
        """True if the next exchange is to be sent, because it is large."""
        return len(self.next.changes) >= MOST_CHANGES

    def change(self, letter: str, *arguments: bytes | int) -> None:
        """Add a change to the next exchange."""
        self.next.changes.append(Change(letter, self._clock(), arguments))

    def pushed(self, push: Push) -> None:
        self.next.pushes.append(push)
        self._pushes += 1

    def see(self, fingerprint: bytes) -> None:
        """Remember *fingerprint* for a while."""
        newer, _ = self._seen
        newer.add(fingerprint)
        if len(newer) >= _SEEN:
            self._seen = set(), newer

    def has_seen(self, fingerprint: bytes) -> bool:
        """Return True if a request with *fingerprint* is in the frontier. False is not certain."""
        return fingerprint in self._seen[0] or fingerprint in self._seen[1]

    def take_off(self) -> Exchange:
        """Return the next exchange, which is under way from now on."""
        exchange, self.next = self.next, Exchange()
        exchange.most_pages = self.pages.most
        self._flying.append(exchange)
        return exchange

    def sets_pace(self, site: str) -> bool:
        """Return True if a change of the pace of *site* is not confirmed."""
        named = as_bytes(site)
        return any(
            change.letter == "s" and change.arguments[0] == named
            for exchange in self._pending()
            for change in exchange.changes
        )

    def update(self, answered: Answered, reply: Reply) -> None:
        """Take over what Redis has answered."""
        exchange = self._flying.pop(0)
        self._pushes -= len(exchange.pushes)
        if answered.behind:
            self._counts.clear()
            self._notes.clear()
            self._seen = set(), set()
        self._reply, self._received = reply, answered.received
        for kind, site, count in reply.counts:
            if count > 0:
                self._counts[kind][site] = count
            else:
                self._counts[kind].pop(site, None)
        for note in reply.notes:
            name, value = read_note(note)
            self._notes[name].add(value)
        self.pages.update(exchange, reply)
        if reply.more_notes:  # its own may be among those to come
            for name, value in exchange.notes:
                self._notes[name].add(value)

    # Answers

    def waiting(self) -> int:
        """Count the requests that are not leased."""
        return self._pushes + (self._reply.waiting if self._reply else 0)

    def releases(self) -> bool:
        """Return True if leases are released by changes that are not confirmed: other workers, or
        this one, get their requests."""
        return any(exchange.releases for exchange in self._pending())

    def may_begin(self) -> bool:
        """Return True if a request that waits for a place among the pages may get one."""
        return self.pages.may_begin(frees=any(exchange.done for exchange in self._pending()))

    @property
    def others(self) -> int:
        """How many leases other workers have."""
        return self._reply.others if self._reply else 0

    def counts(self, kind: str) -> Counter[str]:
        found = Counter(self._counts.get(kind, ()))
        for exchange in self._pending():
            found.update(push.site for push in exchange.pushes if push.kind == kind)
            found.subtract(site for of_kind, site in exchange.done if of_kind == kind)
        return +found

    def noted(self, name: str) -> set[bytes]:
        found = set(self._notes.get(name, ()))
        for exchange in self._pending():
            found.update(value for of_name, value in exchange.notes if of_name == name)
        return found

    def has_noted(self, name: str, value: bytes) -> bool:
        return value in self._notes.get(name, ()) or any(
            (name, value) in exchange.notes for exchange in self._pending()
        )

    def delayed(self) -> Delayed:
        now = self._clock()
        moments = [push.moment for push in self._pending_pushes() if push.is_delayed]
        moments = [moment for moment in moments if moment > now]
        count = len(moments)
        if self._reply and self._reply.first_moment is not None:
            count += self._reply.delayed
            moments.append(self._received + self._reply.first_moment)
        return Delayed(count, max(0.0, min(moments, default=now) - now))

    def next_due_in(self, wait_of: Callable[[str], float]) -> float | None:
        """Return the seconds until one of the requests that wait may be handed out; None: none
        waits. *wait_of* returns those until the next-allowed time of a site."""
        if not self.waiting():
            return None
        now = self._clock()
        waits = [max(push.moment - now, wait_of(push.site)) for push in self._pending_pushes()]
        reply = self._reply
        if reply is not None and reply.waiting:
            if reply.ready:
                return 0.0
            since = now - self._received
            soonest = (reply.first_moment, reply.first_site)
            waits += [wait - since for wait in soonest if wait is not None]
        return max(0.0, min(waits, default=0.0))

    def _pending(self) -> Iterator[Exchange]:
        yield from self._flying
        yield self.next

    def _pending_pushes(self) -> Iterator[Push]:
        for exchange in self._pending():
            yield from exchange.pushes
