"""The agenda of a manifest's sources, kept in the database.

A process claims a source before it visits it, and keeps the claim by renewing it. A claim whose
process ended, or that was not renewed for :data:`LEASE`, is free. The processes together visit a
limited number of sources at once.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from time import time
from typing import TYPE_CHECKING

from wikicrawler.process.owner import is_gone, own_name
from wikicrawler.sources.schedule import visits
from wikicrawler.sources.schedule.due import is_due, next_due, next_visit
from wikicrawler.sources.schedule.order import Due, Priority, order
from wikicrawler.sources.schedule.rule import Rule
from wikicrawler.sources.schedule.state import State
from wikicrawler.sources.schedule.timing import DEFAULT_TIMING, Timing
from wikicrawler.store.site_holds import current_holds
from wikicrawler.store.source_states import (
    SourceState,
    load_states,
    lock_states,
    renew_leases,
    save_states,
)
from wikicrawler.store.source_visits import last_visit
from wikicrawler.store.switches import SCHEDULER, find_switch
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sqlalchemy import Connection

    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.store.database import Database

LEASE = 900.0
"""Seconds after which a claim is free that was not renewed."""
RENEWAL = 120.0
"""Seconds after which a process renews its claims."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A source on the agenda."""

    source: Source
    state: SourceState
    due: datetime
    """When it is due by its frequency; may be in the past."""
    next_visit: datetime | None
    """When the scheduler visits it; None if it is paused."""
    is_paused: bool
    is_claimed: bool
    """Whether a process visits it now."""


class Agenda:
    """The agenda of *sources*.

    The methods block; call them in a thread.

    :param owner: name of this process
    :param at_once: maximum number of sources that all processes together visit at once; 0: no limit
    """

    def __init__(
        self,
        database: Database,
        sources: Iterable[Source],
        timing: Timing = DEFAULT_TIMING,
        owner: str = "",
        at_once: int = 0,
    ) -> None:
        self._database = database
        self._at_once = at_once
        self.is_busy = False
        """Whether the last :meth:`claim` found a due source, but too many that are visited."""
        self._sources = {source.id: source for source in sources}
        self._sites = {source.id: site_of(source.url) for source in self._sources.values()}
        self._rules = {source.id: Rule.of(source, timing) for source in self._sources.values()}
        self.owner = owner or own_name()

    def __len__(self) -> int:
        return len(self._sources)

    def ids(self) -> list[str]:
        """Return the ids of the sources, in the order of the manifest."""
        return list(self._sources)

    def entries(self, now: float | None = None) -> list[Entry]:
        """Return all sources in the order of the manifest.

        :raises StoreError: the database is unavailable
        """
        at = time() if now is None else now
        known, held = {}, {}
        if self._database.has_tables():
            with self._database.read() as connection:
                known, held = load_states(connection), _held_sites(connection, at)
        return [
            self._entry(
                source,
                known.get(source.id) or SourceState(source.id, at),
                at,
                held.get(self._sites[source.id]),
            )
            for source in self._sources.values()
        ]

    def last_errors(self) -> dict[str, str]:
        """Return why the last visit failed, by the ids of those sources whose last visit did.

        :raises StoreError: the database is unavailable
        """
        if not self._database.has_tables():
            return {}
        with self._database.read() as connection:
            visits = [last_visit(connection, source_id) for source_id in self._sources]
        return {visit.source: visit.error for visit in visits if visit and visit.error}

    def claim(
        self, now: float | None = None, *, scheduled: bool = False, forced: Collection[str] = ()
    ) -> Source | None:
        """Claim the next source that is due; return None if none is, or if enough sources are
        visited already (:attr:`is_busy`).

        A source whose site an operator has paused stays due. One whose site another process visits
        comes after those of other sites: the processes share the pace of a site.

        :param scheduled: wait for the off-peak hours, skip paused sources, and claim none while an
            operator has paused the scheduler
        :param forced: ids of sources that are visited whether they are due or not
        :raises StoreError: the database is unavailable
        """
        at = time() if now is None else now
        with self._database.write() as connection:
            lock_states(connection)
            if scheduled and not forced and is_scheduler_off(connection):
                self.is_busy = False
                return None
            known = load_states(connection)
            self._add_missing(connection, known, at)
            held = _held_sites(connection, at)
            due = [
                Due(source.id, Priority(source.priority), self._due(known[source.id]))
                for source in self._sources.values()
                if self._sites[source.id] not in held
                and not self._is_claimed(known[source.id], at)
                and self._is_wanted(known[source.id], at, scheduled=scheduled, forced=forced)
            ]
            claimed = [state for state in known.values() if self._is_claimed(state, at)]
            is_full = 0 < self._at_once <= len(claimed)
            self.is_busy = bool(due) and is_full
            if not due or is_full:
                return None
            taken = {self._sites.get(one.source) for one in claimed if one.owner != self.owner}
            free = [one for one in due if self._sites[one.source_id] not in taken]
            turn = sum(state.visits for state in known.values())
            (chosen,) = order(free or due, turn=turn, at_most=1)
            state = known[chosen.source_id]
            claim = state._replace(
                owner=self.owner, leased_until=at + LEASE, visits=state.visits + 1
            )
            save_states(connection, [claim])
        return self._sources[chosen.source_id]

    def hold(self, source_id: str) -> bool:
        """Claim a source without a visit, also one that is not in the manifest; return False if
        another process has claimed it. :meth:`release` gives it up."""
        at = time()
        with self._changed(source_id) as (connection, state):
            if self._is_claimed(state, at):
                return False
            save_states(connection, [state._replace(owner=self.owner, leased_until=at + LEASE)])
        return True

    def renew(self) -> None:
        """Keep the claims of this process."""
        with self._database.write() as connection:
            renew_leases(connection, self.owner, time() + LEASE)

    def release(self, source_id: str) -> None:
        """Give up a claim: the source stays due. One that lapsed, so that another process has the
        source now, is left alone."""
        with self._changed(source_id) as (connection, state):
            if state.owner == self.owner:
                save_states(connection, [state._replace(owner=None, leased_until=None)])

    def finish(self, source_id: str, visit: visits.Visit) -> SourceState:
        """Store that a visit ended, give up the claim, and return the new state."""
        with self._changed(source_id) as (connection, state):
            ended = visits.finish(self._rules[source_id], schedule_state(state), visit)
            saved = with_schedule(state, ended)._replace(override_at=None)
            if state.owner == self.owner:
                saved = saved._replace(owner=None, leased_until=None)
            save_states(connection, [saved])
        return saved

    @contextmanager
    def _changed(self, source_id: str) -> Iterator[tuple[Connection, SourceState]]:
        """Open a transaction that changes the state of one source."""
        with self._database.write() as connection:
            lock_states(connection)
            known = load_states(connection).get(source_id)
            yield connection, known or SourceState(source_id, time())

    def _add_missing(
        self, connection: Connection, known: dict[str, SourceState], now: float
    ) -> None:
        missing = [SourceState(name, now) for name in self._sources if name not in known]
        save_states(connection, missing)
        known.update({state.source: state for state in missing})

    def _entry(
        self, source: Source, state: SourceState, now: float, held_until: float | None
    ) -> Entry:
        paused = is_paused(state)
        at = _moment(now)
        visit = next_visit(self._rules[source.id], schedule_state(state), at)
        if state.override_at is not None and visit is not None:
            visit = min(visit, max(at, _moment(state.override_at)))
        if held_until is not None and visit is not None:
            visit = max(visit, _moment(held_until))
        return Entry(
            source,
            state,
            self._due(state),
            None if paused else visit,
            paused,
            self._is_claimed(state, now),
        )

    def _due(self, state: SourceState) -> datetime:
        return next_due(self._rules[state.source], schedule_state(state))

    def _is_wanted(
        self, state: SourceState, now: float, *, scheduled: bool, forced: Collection[str]
    ) -> bool:
        if state.source in forced:
            return True
        if is_paused(state):
            return False
        if state.override_at is not None and state.override_at <= now:
            return True
        if scheduled:
            return is_due(self._rules[state.source], schedule_state(state), _moment(now))
        return self._due(state) <= _moment(now)

    def _is_claimed(self, state: SourceState, now: float) -> bool:
        if state.owner is None or state.owner == self.owner:
            return state.owner is not None and (state.leased_until or 0.0) > now
        return (state.leased_until or 0.0) > now and not is_gone(state.owner)


def is_scheduler_off(connection: Connection) -> bool:
    """Return whether an operator has paused the scheduler."""
    switch = find_switch(connection, SCHEDULER)
    return switch is not None and switch.off_since is not None


def _held_sites(connection: Connection, at: float) -> dict[str, float]:
    """Return the ends of the pauses of sites by operators, by site."""
    holds = current_holds(connection, at, at)
    return {hold.site: hold.held_until for hold in holds if hold.held_until is not None}


def paused(state: SourceState, at: float, reason: str) -> SourceState:
    """Return the state of a source that is visited no more until it is resumed."""
    return state._replace(paused_at=at, pause_reason=reason)


def resumed(state: SourceState) -> SourceState:
    """Return the state of a source that is visited again, which an operator paused, or which failed
    too often."""
    fresh = with_schedule(state, visits.reactivate(schedule_state(state)))
    return fresh._replace(paused_at=None, pause_reason=None)


def schedule_state(state: SourceState) -> State:
    """Return *state* as the schedule reads it."""
    return State(
        since=_moment(state.since),
        last_started=_optional(state.last_started),
        last_success=_optional(state.last_success),
        last_changed=_optional(state.last_changed),
        interval=None if state.interval is None else timedelta(seconds=state.interval),
        consecutive_failures=state.consecutive_failures,
        reduced=state.reduced,
        successes=state.successes,
        not_before=_optional(state.not_before),
    )


def with_schedule(state: SourceState, found: State) -> SourceState:
    """Return *state* with what the schedule says now."""
    interval = found.interval
    return state._replace(
        last_started=_seconds(found.last_started),
        last_success=_seconds(found.last_success),
        last_changed=_seconds(found.last_changed),
        interval=None if interval is None else interval.total_seconds(),
        consecutive_failures=found.consecutive_failures,
        reduced=found.reduced,
        successes=found.successes,
        not_before=_seconds(found.not_before),
    )


def is_paused(state: SourceState) -> bool:
    """Return whether no schedule visits a source: an operator paused it, or it failed too often."""
    return state.paused_at is not None or schedule_state(state).is_paused


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _optional(seconds: float | None) -> datetime | None:
    return None if seconds is None else _moment(seconds)


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()
