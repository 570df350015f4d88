"""One source: its visits, its documents, its days, and the kept responses of failed fetches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from wikicrawler.sources.staging.failures import FOLDER
from wikicrawler.store.source_pages import PageCounts, count_pages, list_pages
from wikicrawler.store.source_visits import visit_days, visits_before

if TYPE_CHECKING:
    from wikicrawler.sources.staging.failures import KeptFailures
    from wikicrawler.store.database import Database
    from wikicrawler.store.source_pages import PageState
    from wikicrawler.store.source_visits import VisitDay, VisitRow

DAYS = 365
"""Days of a calendar."""
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Runs:
    """Visits to a source, the latest first."""

    visits: tuple[VisitRow, ...]
    next: tuple[float, str] | None
    """Start and run of the last one, to ask for those before it; None: there are no more."""


@dataclass(frozen=True, slots=True)
class Documents:
    """Documents of a source, in the order of their URLs."""

    pages: tuple[PageState, ...]
    counts: PageCounts
    """Of all documents of the source."""
    next: str | None
    """URL of the last one, to ask for those after it; None: there are no more."""


@dataclass(frozen=True, slots=True)
class CalendarDay:
    """A day of a source."""

    day: date
    """In UTC."""
    visits: int
    failed: int
    """Visits that failed."""
    changes: int
    """Documents that were new, modified or deleted."""


@dataclass(frozen=True, slots=True)
class KeptResponse:
    """The kept response of a failed fetch."""

    name: str
    """By which :func:`read_kept` finds it; never a path."""
    kept_at: str
    """ISO 8601 in UTC."""
    url: str
    error: str
    kind: str
    needs_review: bool
    status: int | None
    headers: tuple[tuple[str, str], ...]
    body: str | None
    """As text; None if it is not text."""
    size: int
    """Bytes of the whole body."""
    is_cut: bool


def runs(
    database: Database, source_id: str, before: tuple[float, str] | None = None, limit: int = 50
) -> Runs:
    """Return visits to a source, also one that is no longer in the manifest.

    :param before: :attr:`Runs.next` of the page before
    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return Runs((), None)
    with database.read() as connection:
        found = visits_before(connection, source_id, before, limit + 1)
    shown = found[:limit]
    more = (shown[-1].started, shown[-1].run) if len(found) > limit else None
    return Runs(tuple(shown), more)


def documents(
    database: Database, source_id: str, *, prefix: str = "", after: str = "", limit: int = 100
) -> Documents:
    """Return documents of a source.

    :param prefix: with which their URLs begin, in any case
    :param after: :attr:`Documents.next` of the page before
    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return Documents((), PageCounts(0, 0), None)
    with database.read() as connection:
        found = list_pages(connection, source_id, prefix=prefix, after=after, limit=limit + 1)
        counts = count_pages(connection, source_id)
    more = found[limit - 1].url if len(found) > limit else None
    return Documents(tuple(found[:limit]), counts, more)


def calendar(
    database: Database, source_id: str, last: date | None = None, days: int = DAYS
) -> tuple[CalendarDay, ...]:
    """Return *days* days of a source, the oldest first, those without a visit too.

    :param last: the last day, in UTC; None: today
    :raises StoreError: the database is unavailable
    """
    last = last or datetime.now(UTC).date()
    first = last - timedelta(days=days - 1)
    known: dict[int, VisitDay] = {}
    if database.has_tables():
        since = (first - _EPOCH).days * 86_400.0
        with database.read() as connection:
            known = {one.day: one for one in visit_days(connection, source_id, since)}
    found = []
    for number in range(days):
        day = first + timedelta(days=number)
        one = known.get((day - _EPOCH).days)
        counts = (one.visits, one.failed, one.changes) if one else (0, 0, 0)
        found.append(CalendarDay(day, *counts))
    return tuple(found)


def kept_names(kept: KeptFailures, source_id: str) -> tuple[str, ...]:
    """Return the names of the kept responses of a source, the newest first.

    :raises OSError: the staging folder cannot be read
    """
    if not is_source_id(source_id):
        return ()
    paths = kept.paths_of(source_id)
    return tuple(path.removeprefix(f"{FOLDER}/") for path in reversed(paths))


def read_kept(kept: KeptFailures, source_id: str, name: str) -> KeptResponse | None:
    """Return the kept response *name* of a source; None if there is none, or it is damaged.

    :raises OSError: the staging folder cannot be read
    """
    if name not in kept_names(kept, source_id):
        return None
    try:
        return _kept(name, kept.read(f"{FOLDER}/{name}"))
    except (FileNotFoundError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def is_source_id(text: str) -> bool:
    """Return whether *text* has the form of the id of a source."""
    return 0 < len(text) <= 80 and text.isascii() and text.replace("-", "a").isalnum()


def _kept(name: str, found: dict[str, Any]) -> KeptResponse:
    response = found["response"]
    status, body = response["status"], response.get("body")
    return KeptResponse(
        name=name,
        kept_at=str(found["kept_at"]),
        url=str(found["url"]),
        error=str(found["error"]),
        kind=str(found["kind"]),
        needs_review=bool(found["needs_review"]),
        status=status if isinstance(status, int) else None,
        headers=tuple((str(key), str(value)) for key, value in response["headers"]),
        body=body if isinstance(body, str) else None,
        size=int(response["size"]),
        is_cut=bool(response["truncated"]),
    )
