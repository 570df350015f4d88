"""Figures of many watched sources at once, for a table of them.

Each function reads all rows before it returns: nothing keeps the transaction open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Integer, cast, func, select, tuple_

from wikicrawler.store.audit_sums import ALL_SOURCES, source_key
from wikicrawler.store.audit_tables import audit_sums
from wikicrawler.store.slices import slices
from wikicrawler.store.source_visits import VisitRow
from wikicrawler.store.tables import HAS_CHANGES, source_pages, source_states, source_visits

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from sqlalchemy import ColumnElement, Connection

DAY = 86_400


class MainPage(NamedTuple):
    """The document at the url of a source. The columns of ``source_pages`` describe the fields."""

    source: str
    present: bool
    content_hash: str | None
    tier: str
    last_changed: float | None


class DayChanges(NamedTuple):
    """Documents of a source that visits of one day found new, modified or deleted."""

    source: str
    day: int
    """Days since 1970, in UTC."""
    changes: int


def main_pages(connection: Connection, urls: Mapping[str, str]) -> dict[str, MainPage]:
    """Return what is known of the document at the url of each source.

    :param urls: as they are requested, by the ids of the sources
    """
    own = source_pages.c
    columns = [own[name] for name in MainPage._fields]
    found = {}
    for some in slices(urls.items()):
        query = select(*columns).where(tuple_(own.source, own.url).in_(some))
        for row in connection.execute(query).all():
            found[row.source] = MainPage(*row)
    return found


def last_visits(connection: Connection, sources: Collection[str]) -> dict[str, VisitRow]:
    """Return the last visit to each of *sources* that ended, without those to which none did."""
    visit, state = source_visits.c, source_states.c
    other = source_visits.alias("other")
    last = (
        select(other.c.started)
        .where(other.c.source == state.source, other.c.ended.is_not(None))
        .order_by(other.c.started.desc())
        .limit(1)
        .scalar_subquery()
    )
    columns = [visit[name] for name in VisitRow._fields]
    joined = source_states.join(
        source_visits, (visit.source == state.source) & (visit.started == last)
    )
    found = {}
    for some in slices(sources):
        query = select(*columns).select_from(joined).where(state.source.in_(some))
        for row in connection.execute(query).all():
            found[row.source] = VisitRow(*row)
    return found


def changes_by_day(
    connection: Connection, sources: Collection[str], since: float
) -> list[DayChanges]:
    """Return the changes that visits to *sources* found which started at *since* (seconds since
    the epoch) or later, without days that had none."""
    visit = source_visits.c
    day = cast(func.floor(visit.started / DAY), Integer).label("day")
    found = []
    for some in slices(sources):
        query = select(visit.source, day, func.sum(_changes())).where(
            visit.source.in_(some), visit.started >= since, HAS_CHANGES
        )
        rows = connection.execute(query.group_by(visit.source, day)).all()
        found += [DayChanges(*row) for row in rows]
    return found


def all_changes(connection: Connection, since: float) -> dict[str, int]:
    """Return the number of changes that visits to each source found which started at *since* or
    later, without sources that had none."""
    visit = source_visits.c
    query = select(visit.source, func.sum(_changes())).where(visit.started >= since, HAS_CHANGES)
    rows = connection.execute(query.group_by(visit.source)).all()
    return {source: int(number) for source, number in rows}


def _changes() -> ColumnElement[int]:
    visit = source_visits.c
    return visit.new + visit.modified + visit.deleted


def credits_by_source(
    connection: Connection, month: str, source: str | None = None
) -> dict[str, float]:
    """Return the credits that the audit log has of each source, or of one, in *month*, like
    ``2026-08``; without those that used none."""
    own = audit_sums.c
    query = select(own.source, func.sum(own.credits)).where(own.period == month, own.credits > 0)
    if source is None:
        query = query.where(own.source.not_in([ALL_SOURCES, source_key(None)]))
    else:
        query = query.where(own.source == source_key(source))
    rows = connection.execute(query.group_by(own.source)).all()
    return {source[1:]: float(number) for source, number in rows}
