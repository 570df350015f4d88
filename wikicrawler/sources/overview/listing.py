"""All sources in one table: filtered, sorted, a page at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.sources.agenda.agenda import schedule_state
from wikicrawler.sources.overview.status import Status, status_of, why_paused
from wikicrawler.sources.schedule.due import next_visit
from wikicrawler.sources.schedule.rule import Rule
from wikicrawler.spending.months import month_of
from wikicrawler.store.source_figures import (
    DAY,
    all_changes,
    changes_by_day,
    credits_by_source,
    last_visits,
    main_pages,
)
from wikicrawler.store.source_states import SourceState, load_state, load_states

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from sqlalchemy import Connection

    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.schedule.timing import Timing
    from wikicrawler.store.database import Database
    from wikicrawler.store.source_figures import MainPage
    from wikicrawler.store.source_visits import VisitRow

PAGE = 100
"""Sources of a page."""
CHANGE_DAYS = 30
"""Days of :attr:`SourceLine.changes`."""
MAX_TEXT = 200
"""Characters of a search that count."""
_PRIORITIES = ("high", "medium", "low")


class SortBy(StrEnum):
    """The columns by which sources can be sorted."""

    MANIFEST = "manifest"  # the order of the manifest
    ID = "id"
    NAME = "name"
    STATUS = "status"
    PRIORITY = "priority"
    LAST_VISIT = "last_visit"
    NEXT_VISIT = "next_visit"
    LAST_CHANGE = "last_change"
    ENGINE = "engine"
    HASH = "hash"
    CREDITS = "credits"
    CHANGES = "changes"
    FAILURES = "failures"


@dataclass(frozen=True, slots=True)
class Asked:
    """Which sources are wanted, and in which order. None and an empty text do not restrict."""

    status: Status | None = None
    domain: str | None = None
    regulatory_domain: str | None = None
    jurisdiction: str | None = None
    source_type: str | None = None
    priority: str | None = None
    text: str = ""
    """Words that the id, name, url or citation contains, in any case."""
    sort: SortBy = SortBy.MANIFEST
    descending: bool = False
    page: int = 1
    """From 1. One behind the last page is the last page."""


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A source with what is known of it. Times are in UTC, None means never or unknown."""

    source: Source
    status: Status
    pause_reason: str | None
    """Why it is paused; None if it is not. The manifest's word, an operator's, or failures."""
    last_visit: datetime | None
    """Start of the last visit that ended."""
    last_success: datetime | None
    last_changed: datetime | None
    next_visit: datetime | None
    """When the scheduler visits it, not before now; None if it is paused."""
    is_due: bool
    consecutive_failures: int
    is_present: bool | None
    """Whether the document at its url was there; None if it was never fetched."""
    content_hash: str | None
    """Of the document at its url."""
    engine: str | None
    """Tier that brought the last version of that document."""
    credits: float
    """Of this month, by the audit log; 0.0 without one."""
    changes: tuple[int, ...]
    """Documents that were new, modified or deleted, of each of the last :data:`CHANGE_DAYS` days
    in UTC, today last."""
    error: str | None
    """Why the last visit failed; None if it succeeded."""


@dataclass(frozen=True, slots=True)
class OverviewPage:
    """A page of the table."""

    lines: tuple[SourceLine, ...]
    page: int
    pages: int
    """Number of pages, at least 1."""
    matching: int
    """Number of sources that match the filters."""
    total: int
    by_status: Mapping[Status, int]
    """Numbers of all sources, whatever the filters are; each status is there."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Choices:
    """The values by which sources can be filtered, sorted, each with its number of sources."""

    domains: tuple[tuple[str, int], ...]
    regulatory_domains: tuple[tuple[str, int], ...]
    jurisdictions: tuple[tuple[str, int], ...]
    source_types: tuple[tuple[str, int], ...]
    priorities: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class _Figures:
    """What the database has of some sources, read in one transaction."""

    states: Mapping[str, SourceState]
    credits: Mapping[str, float]
    pages: Mapping[str, MainPage] = field(default_factory=dict)
    visits: Mapping[str, VisitRow] = field(default_factory=dict)
    changes: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


class _Next(NamedTuple):
    """What the schedule has said about a source."""

    state: SourceState
    asked_at: float
    visit: datetime


class _Row(NamedTuple):
    source: Source
    state: SourceState | None
    status: Status
    credits: float


_NO_PAGE = (-1.0, None)
_ORDER = list(Status)
_KEYS: dict[SortBy, Callable[[_Row], Any]] = {
    SortBy.ID: lambda row: row.source.id,
    SortBy.NAME: lambda row: str(row.source.fields["name"]).casefold(),
    SortBy.STATUS: lambda row: _ORDER.index(row.status),
    SortBy.PRIORITY: lambda row: _PRIORITIES.index(row.source.priority),
    SortBy.CREDITS: lambda row: row.credits,
    SortBy.LAST_VISIT: lambda row: (row.state.last_started or 0.0) if row.state else 0.0,
    SortBy.LAST_CHANGE: lambda row: (row.state.last_changed or 0.0) if row.state else 0.0,
    SortBy.FAILURES: lambda row: row.state.consecutive_failures if row.state else 0,
}


class Overview:
    """The table of *sources*.

    An instance keeps what the manifest alone says, and when each source is due as long as its row
    of ``source_states`` does not change: so it is made once for a manifest, and asked often.
    Threads may use it at once.

    :param sources: all sources of a manifest, also those that are not visited
    :param timing: the operator's decisions about hours and time zones
    """

    def __init__(self, sources: Iterable[Source], timing: Timing) -> None:
        self.sources = {source.id: source for source in sources}
        self._timing = timing
        self._rules: dict[str, Rule] = {}
        self._due: dict[str, _Next] = {}
        self._pages: dict[str, tuple[float | None, MainPage | None]] = {}
        self._urls = {source.id: source.url for source in self.sources.values()}
        self._texts = {source.id: _searched(source) for source in self.sources.values()}
        self.choices = _choices(self.sources.values())

    def page(
        self, database: Database, asked: Asked, now: float | None = None, size: int = PAGE
    ) -> OverviewPage:
        """Return a page of the table.

        :param now: seconds since the epoch; None: the time
        :param size: sources of a page
        :raises StoreError: the database is unavailable
        """
        at = time() if now is None else now
        if not database.has_tables():
            return self._page(None, asked, at, size)
        with database.read() as connection:
            return self._page(connection, asked, at, size)

    def line(
        self, database: Database, source_id: str, now: float | None = None
    ) -> SourceLine | None:
        """Return one source; None if the manifest does not have it.

        :raises StoreError: the database is unavailable
        """
        source = self.sources.get(source_id)
        if source is None:
            return None
        at = time() if now is None else now
        if not database.has_tables():
            return self._line(source, _Figures({}, {}), at)
        with database.read() as connection:
            state = load_state(connection, source_id)
            states = {} if state is None else {source_id: state}
            spent = credits_by_source(connection, month_of(at), source_id)
            figures = self._figures(connection, [source_id], states, spent, at)
        return self._line(source, figures, at)

    def _page(
        self, connection: Connection | None, asked: Asked, at: float, size: int
    ) -> OverviewPage:
        states: Mapping[str, SourceState] = {}
        spent: Mapping[str, float] = {}
        if connection is not None:
            states = load_states(connection)
            spent = credits_by_source(connection, month_of(at))
        status = {
            source_id: status_of(source, states.get(source_id), at)
            for source_id, source in self.sources.items()
        }
        by_status = dict.fromkeys(Status, 0)
        for one in status.values():
            by_status[one] += 1
        wanted = [
            source_id for source_id in self.sources if self._matches(source_id, asked, status)
        ]
        rows = [
            _Row(self.sources[one], states.get(one), status[one], spent.get(one, 0.0))
            for one in wanted
        ]
        if asked.sort is not SortBy.MANIFEST:
            keys = self._keys(connection, asked.sort, rows, at)
            wanted.sort(key=keys.__getitem__, reverse=asked.descending)
        elif asked.descending:
            wanted.reverse()
        pages = max(1, -(-len(wanted) // size))
        number = min(max(1, asked.page), pages)
        shown = wanted[(number - 1) * size : number * size]
        figures = _Figures(states, spent)
        if connection is not None:
            figures = self._figures(connection, shown, states, spent, at)
        lines = tuple(self._line(self.sources[one], figures, at) for one in shown)
        return OverviewPage(
            lines, number, pages, len(wanted), len(self.sources), by_status, _moment(at)
        )

    def _figures(
        self,
        connection: Connection,
        shown: Sequence[str],
        states: Mapping[str, SourceState],
        spent: Mapping[str, float],
        at: float,
    ) -> _Figures:
        changes: dict[str, dict[int, int]] = {}
        for one in changes_by_day(connection, shown, (_first_day(at)) * DAY):
            changes.setdefault(one.source, {})[one.day] = one.changes
        urls = {source_id: self._urls[source_id] for source_id in shown}
        pages, visits = main_pages(connection, urls), last_visits(connection, shown)
        return _Figures(states, spent, pages, visits, changes)

    def _matches(self, source_id: str, asked: Asked, status: Mapping[str, Status]) -> bool:
        if asked.status is not None and status[source_id] is not asked.status:
            return False
        fields = self.sources[source_id].fields
        for name in ("domain", "regulatory_domain", "jurisdiction", "source_type", "priority"):
            if (value := getattr(asked, name)) and fields[name] != value:
                return False
        words = asked.text[:MAX_TEXT].casefold().split()
        return all(word in self._texts[source_id] for word in words)

    def _keys(
        self, connection: Connection | None, sort: SortBy, rows: Sequence[_Row], at: float
    ) -> Mapping[str, Any]:
        """Return the key of each of *rows* in the order *sort*. What is not known comes first."""
        if key := _KEYS.get(sort):
            return {row.source.id: key(row) for row in rows}
        if sort is SortBy.NEXT_VISIT:
            moments = {row.source.id: self._next(row.source, row.state, at) for row in rows}
            return {one: (at is None, at or _moment(0)) for one, at in moments.items()}
        found: dict[str, Any] = {row.source.id: 0 if sort is SortBy.CHANGES else "" for row in rows}
        if connection is None:
            return found
        if sort is SortBy.CHANGES:
            return found | all_changes(connection, _first_day(at) * DAY)
        for source_id, page in self._main_pages(connection, rows).items():
            found[source_id] = (page.tier if sort is SortBy.ENGINE else page.content_hash) or ""
        return found

    def _main_pages(self, connection: Connection, rows: Sequence[_Row]) -> Mapping[str, MainPage]:
        """Return what is known of the main documents of *rows*. Those of sources that were not
        visited since are remembered: to look up 5,000 of them takes a while."""
        visits = {row.source.id: row.state.last_started if row.state else None for row in rows}
        urls = {
            source_id: self._urls[source_id]
            for source_id, visit in visits.items()
            if self._pages.get(source_id, _NO_PAGE)[0] != visit
        }
        new = main_pages(connection, urls)
        self._pages |= {source_id: (visits[source_id], new.get(source_id)) for source_id in urls}
        known = {source_id: self._pages[source_id][1] for source_id in visits if visits[source_id]}
        return {source_id: page for source_id, page in known.items() if page is not None}

    def _line(self, source: Source, known: _Figures, at: float) -> SourceLine:
        state, page = known.states.get(source.id), known.pages.get(source.id)
        upcoming = self._next(source, state, at)
        days, first = known.changes.get(source.id, {}), _first_day(at)
        visit = known.visits.get(source.id)
        return SourceLine(
            source=source,
            status=status_of(source, state, at),
            pause_reason=why_paused(source, state),
            last_visit=_optional(state.last_started) if state else None,
            last_success=_optional(state.last_success) if state else None,
            last_changed=_optional(state.last_changed) if state else None,
            next_visit=upcoming,
            is_due=upcoming is not None and upcoming <= _moment(at),
            consecutive_failures=state.consecutive_failures if state else 0,
            is_present=page.present if page else None,
            content_hash=page.content_hash if page else None,
            engine=page.tier if page else None,
            credits=known.credits.get(source.id, 0.0),
            changes=tuple(days.get(first + number, 0) for number in range(CHANGE_DAYS)),
            error=visit.error if visit else None,
        )

    def _next(self, source: Source, state: SourceState | None, at: float) -> datetime | None:
        if why_paused(source, state) is not None:
            return None
        state = state or SourceState(source.id, at)
        now = _moment(at)
        found = self._scheduled(source, state, at, now)
        if state.override_at is not None and found is not None:
            found = min(found, max(now, _moment(state.override_at)))
        return found

    def _scheduled(
        self, source: Source, state: SourceState, at: float, now: datetime
    ) -> datetime | None:
        """Return when the schedule has the source visited. What it said at an earlier moment is
        still true until that visit is due, and a source that is due can be visited now; but one
        that is visited by night only waits for the next one."""
        schedule = state._replace(owner=None, leased_until=None, override_at=None, visits=0)
        rule, known = self._rule(source), self._due.get(source.id)
        if known is not None and known.state == schedule and known.asked_at <= at:
            if now <= known.visit:
                return known.visit
            if not rule.by_night:
                return now
        found = next_visit(rule, schedule_state(state), now)
        if found is not None and _is_credible(state, at):
            self._due[source.id] = _Next(schedule, at, found)
        return found

    def _rule(self, source: Source) -> Rule:
        rule = self._rules.get(source.id)
        if rule is None:
            rule = self._rules[source.id] = Rule.of(source, self._timing)
        return rule


def _is_credible(state: SourceState, at: float) -> bool:
    """Return whether no moment of *state* is in the future, where the schedule may doubt it."""
    moments = (state.since, state.last_started, state.not_before)
    return all(moment is None or moment <= at for moment in moments)


def _searched(source: Source) -> str:
    fields = source.fields
    parts = (source.id, fields["name"], fields["url"], fields.get("citation"))
    return "\n".join(str(part) for part in parts if part).casefold()


def _choices(sources: Iterable[Source]) -> Choices:
    names = ("domain", "regulatory_domain", "jurisdiction", "source_type", "priority")
    counts: dict[str, dict[str, int]] = {name: {} for name in names}
    for source in sources:
        for name in names:
            value = str(source.fields[name])
            counts[name][value] = counts[name].get(value, 0) + 1
    return Choices(*(tuple(sorted(counts[name].items())) for name in names))


def _first_day(at: float) -> int:
    return int(at // DAY) - CHANGE_DAYS + 1


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _optional(seconds: float | None) -> datetime | None:
    return None if seconds is None else _moment(seconds)
