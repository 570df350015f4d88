"""Turns: one budget of requests for all processes that share a database.

A process asks for a turn before it sends a request, and gives it back when the request has ended.
The processes together keep the number of requests under way at once, in all and for each site, and
the delay between two requests to a site.
"""

from __future__ import annotations

from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.process.owner import is_gone
from wikicrawler.store.turns import (
    SiteTurn,
    Transfer,
    delete_transfers,
    forget_sites,
    load_sites,
    load_transfers,
    lock_turns,
    renew_transfers,
    save_sites,
    save_transfers,
    shared_time,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Connection

    from wikicrawler.store.database import Database

LEASE = 180.0
"""Seconds after which a turn is free that was not renewed. Turns of a process that ended on this
machine are free at once."""
POLL = 0.25
"""Seconds after which a process looks again whether another one has given a turn back."""
_KEPT = 86_400.0
"""Seconds for which a site is remembered that nobody asks."""


class Asked(NamedTuple):
    """A turn that is asked for."""

    number: int
    site: str
    delay: float
    """Seconds since the last start or end of a request to the site, of any process."""
    at_once: int
    """Maximum number of requests to the site under way, of all processes."""
    base: float | None = None
    """The part of *delay* that is not raised because the site is slow or busy; None: all of it."""


class Note(NamedTuple):
    """What has become of a turn, or of a site."""

    site: str
    number: int = 0
    """0: no turn, the site alone."""
    is_ended: bool = False
    """The request has ended; else it has surely been sent."""
    wait: float = 0.0
    """Seconds for which the site is to be left alone from now on."""
    raised: float | None = None
    """The delay in seconds to which this process has raised that of the site, 0 if it has not; None
    if nothing is known of it."""


class Given(NamedTuple):
    """The answer to a process that asked."""

    numbers: set[int]
    """The turns that it has now."""
    look_again: float | None
    """Seconds after which to ask for the others; None if there are none."""
    raised: Mapping[int, float] = MappingProxyType({})
    """Of the turns whose sites have one, the raised delay that the processes share (0: raised no
    more)."""


class _Rules(NamedTuple):
    """The arguments of :class:`Turns`."""

    owner: str
    at_once: int
    longest: float
    lease: float


class Turns:
    """The turns of one process. The methods block; call them in a thread. Raised delays are not
    shared.

    :param at_once: maximum number of requests under way, of all processes and sites; 0: no limit
    :param longest: maximum number of seconds for which a site is left alone. A clock that was wrong
        stops no crawl for longer.
    :param lease: number of seconds after which turns are free that were not renewed
    """

    def __init__(
        self,
        database: Database,
        owner: str,
        *,
        at_once: int,
        longest: float,
        lease: float = LEASE,
    ) -> None:
        self._database = database
        self.lease = lease
        self._rules = _Rules(owner, at_once, longest, lease)
        self._until = 0.0  # when the turns of this process lapse

    def exchange(self, asked: Sequence[Asked], notes: Collection[Note]) -> Given:
        """Store *notes*, renew the turns of this process, and give it those of *asked* that are
        free.

        :raises StoreError: the database is unavailable, and nothing was stored
        """
        before = monotonic()
        with self._database.write() as connection:
            lock_turns(connection)
            given = _Exchange(connection, self._rules).run(asked, notes)
        self._until = before + self.lease
        return given

    def holds(self, number: int) -> bool:
        """Return whether the turn *number*, which this process was given, has not lapsed."""
        del number  # an exchange renews them all
        return monotonic() < self._until

    def end(self, notes: Collection[Note] = ()) -> None:
        """Store *notes*, and give all turns of this process back.

        :raises StoreError: the database is unavailable, and nothing was stored
        """
        with self._database.write() as connection:
            lock_turns(connection)
            _Exchange(connection, self._rules).run((), notes)
            own = [one for one in load_transfers(connection) if one.owner == self._rules.owner]
            now = shared_time(connection)
            known = load_sites(connection, {one.site for one in own})
            save_sites(connection, [site._replace(last_at=now) for site in known.values()])
            delete_transfers(connection, own)
            forget_sites(connection, now - _KEPT)


class _Exchange:
    """One exchange, in a transaction."""

    def __init__(self, connection: Connection, rules: _Rules) -> None:
        self._connection = connection
        self._rules = rules
        self._owner = rules.owner
        self._now = shared_time(connection)
        self._under_way = {(one.owner, one.number): one for one in load_transfers(connection)}
        self._sites: dict[str, SiteTurn] = {}

    def run(self, asked: Sequence[Asked], notes: Collection[Note]) -> Given:
        gone = self._gone()
        names = {*(a.site for a in asked), *(n.site for n in notes), *(g.site for g in gone)}
        self._sites = load_sites(self._connection, names)
        before = dict(self._sites)
        ended = gone
        for one in gone:  # it may have sent a request just before it ended
            self._touch(one.site)
        for note in notes:
            self._touch(note.site, note.wait)
            turn = self._under_way.get((self._owner, note.number))
            if turn is not None and note.is_ended:
                ended.append(turn)
            elif turn is not None:
                self._under_way[self._owner, note.number] = turn._replace(started=True)
        for one in ended:
            self._under_way.pop((one.owner, one.number), None)
        given, look_again = self._give(asked)
        delete_transfers(self._connection, ended)
        until = self._now + self._rules.lease
        renew_transfers(self._connection, self._owner, until)
        changed = {note.number for note in notes} | given
        save_transfers(
            self._connection,
            [
                one._replace(leased_until=until)
                for (owner, number), one in self._under_way.items()
                if owner == self._owner and number in changed
            ],
        )
        save_sites(
            self._connection,
            [site for name, site in self._sites.items() if before.get(name) != site],
        )
        return Given(given, look_again)

    def _gone(self) -> list[Transfer]:
        """Return the turns of other processes that ended without giving them back."""
        others = {owner for owner, _ in self._under_way if owner != self._owner}
        gone = {owner for owner in others if is_gone(owner)}
        return [
            one
            for one in self._under_way.values()
            if one.owner in gone or (one.owner in others and one.leased_until < self._now)
        ]

    def _touch(self, name: str, wait: float = 0.0) -> None:
        known = self._sites.get(name)
        not_before = self._now + min(wait, self._rules.longest)
        if known is not None:
            not_before = max(not_before, min(known.not_before, self._now + self._rules.longest))
        self._sites[name] = SiteTurn(name, self._now, not_before)

    def _give(self, asked: Sequence[Asked]) -> tuple[set[int], float | None]:
        given: set[int] = set()
        waits: list[float] = []
        for one in asked:
            if (self._owner, one.number) in self._under_way:  # whose answer was lost
                given.add(one.number)
                continue
            wait = self._wait(one)
            if wait > 0:
                waits.append(wait)
                continue
            turn = Transfer(self._owner, one.number, one.site, False, self._now + self._rules.lease)
            self._under_way[turn.owner, turn.number] = turn
            self._touch(one.site)
            given.add(one.number)
        return given, min(waits, default=None)

    def _wait(self, asked: Asked) -> float:
        """Return the seconds after which *asked* may be free; 0 if it is free now."""
        if 0 < self._rules.at_once <= len(self._under_way):
            return POLL
        on_site = [one for one in self._under_way.values() if one.site == asked.site]
        if len(on_site) >= asked.at_once or not all(one.started for one in on_site):
            return POLL
        known = self._sites.get(asked.site)
        if known is None:
            return 0.0
        ready = max(known.not_before, min(known.last_at, self._now) + asked.delay)
        return min(ready - self._now, self._rules.longest)
