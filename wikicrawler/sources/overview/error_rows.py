"""Failed fetches, by the audit log, and failed visits.

A failure of a source is *resolved* when a visit to the source that succeeded has started after it,
or when an alert about the source was resolved after it (by a later visit, or by an operator). A
failed fetch of no watched source is never resolved: nothing says that anybody asked again.

Its *severity* is that of its cause: ``high`` if a person has to do something (a failed visit; 401,
403, 407 or 451; a captcha), ``info`` if the crawl itself ended the fetch, else ``warning``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from time import time
from typing import TYPE_CHECKING, Literal, NamedTuple

from wikicrawler.audit.record import MAX_NAME
from wikicrawler.sources.alerts.events import Severity
from wikicrawler.store.alerts import resolved_since
from wikicrawler.store.audit_search import Search, search
from wikicrawler.store.source_states import last_successes
from wikicrawler.store.source_visits import failed_visits
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sqlalchemy import Connection

    from wikicrawler.store.audit_search import Record
    from wikicrawler.store.database import Database
    from wikicrawler.store.source_visits import VisitRow

DAYS = 30
"""Days that are looked at where no first day is given, today included."""
MAX_FETCHES = 1_000
MAX_VISITS = 500
"""Numbers of the latest failures that are grouped and listed. An export has all of them."""
MAX_TEXT = 2_000
"""Characters of a URL or an error that are searched."""
_EXPORTED_AT_ONCE = 500
_DAY = 86_400.0
_KINDS = {
    401: "forbidden",
    403: "forbidden",
    404: "missing",
    407: "forbidden",
    408: "timeout",
    410: "missing",
    429: "rate_limited",
    451: "forbidden",
    503: "unavailable",
}
_BY_WORD = {
    "timeout": "timeout",
    "timedout": "timeout",
    "interrupted": "interrupted",
    "cancelled": "interrupted",
    "dns": "network",
    "cannotresolvehost": "network",
    "connection": "network",
    "certificate": "network",
    "downloadfailed": "network",
    "responsefailed": "network",
}
_HIGH = frozenset({"forbidden", "blocked", "blocked_captcha", "login", "captcha"})
_STATUS = re.compile(r"HTTP (\d{3})(?!\d)", re.ASCII)
_WORD = re.compile(r"[a-z][a-z0-9_]{0,40}", re.ASCII)


@dataclass(frozen=True, slots=True)
class ErrorsAsked:
    """Which failures are wanted. None does not restrict them."""

    source: str | None = None
    engine: str | None = None
    status: int | None = None
    first: date | None = None
    """The first day, in UTC; None: :data:`DAYS` days are looked at."""
    last: date | None = None
    severity: Severity | None = None
    resolved: bool | None = None
    cause: str | None = None
    site: str | None = None
    text: str = ""
    """Part of the URL or of the error, upper and lower case alike."""


class ErrorRow(NamedTuple):
    """A failure."""

    kind: Literal["fetch", "visit"]
    at: datetime
    source: str | None
    engine: str | None
    """None for a visit."""
    status: int | None
    """HTTP; None if no answer came."""
    cause: str
    """A word: ``rate_limited``, ``forbidden``, ``timeout`` …"""
    site: str
    """Site of the URL; empty for a visit."""
    error: str
    """What was reported; empty where the status says all."""
    url: str
    """Empty for a visit."""
    retry_count: int
    severity: Severity
    is_resolved: bool
    sequence: int | None
    """Of the record in the audit log."""
    run: str
    number: int | None
    """Of the operation in its run."""


def exported(
    database: Database, asked: ErrorsAsked, now: float | None = None
) -> Iterator[ErrorRow]:
    """Yield all failures that *asked* wants: the visits, then the fetches, the latest first. Each
    few are read in a transaction of their own, so a slow reader holds none open.

    :raises StoreError: the database is unavailable
    """
    first, last = period(asked, now)
    if not database.has_tables():
        return
    visit: VisitRow | None = None
    while _wants_visits(asked):
        with database.read() as connection:
            visits = failed_visits(
                connection,
                since=_seconds(first),
                until=_seconds(last) + _DAY,
                source=asked.source,
                before=visit,
                limit=_EXPORTED_AT_ONCE,
            )
            rows = _wanted(_rows(connection, (), visits), asked)
        yield from rows
        if len(visits) < _EXPORTED_AT_ONCE:
            break
        visit = visits[-1]
    before: int | None = None
    while True:
        with database.read() as connection:
            found = search(
                connection, _search(asked, first, last), before=before, limit=_EXPORTED_AT_ONCE
            )
            rows = _wanted(_rows(connection, found.records, ()), asked)
        yield from rows
        if found.next is None:
            break
        before = found.next


def period(asked: ErrorsAsked, now: float | None = None) -> tuple[date, date]:
    """Return the first and the last day that *asked* is about.

    :param now: seconds since the epoch; None: the time
    """
    last = asked.last or datetime.fromtimestamp(time() if now is None else now, UTC).date()
    return asked.first or last - timedelta(days=DAYS - 1), last


def newest(
    connection: Connection, asked: ErrorsAsked, first: date, last: date
) -> tuple[list[ErrorRow], bool]:
    """Return the failures that *asked* wants of the latest from the day *first* to *last*, the
    latest first, and whether there are earlier ones that were not looked at."""
    found = search(connection, _search(asked, first, last), limit=MAX_FETCHES)
    is_cut = found.next is not None
    visits: list[VisitRow] = []
    if _wants_visits(asked):
        visits = failed_visits(
            connection,
            since=_seconds(first),
            until=_seconds(last) + _DAY,
            source=asked.source,
            limit=MAX_VISITS + 1,
        )
        is_cut = is_cut or len(visits) > MAX_VISITS
    rows = _wanted(_rows(connection, found.records, visits[:MAX_VISITS]), asked)
    return sorted(rows, key=attrgetter("at"), reverse=True), is_cut


def _wants_visits(asked: ErrorsAsked) -> bool:
    return asked.engine is None and not asked.site


def _search(asked: ErrorsAsked, first: date, last: date) -> Search:
    return Search(
        source=asked.source,
        engine=asked.engine,
        status=asked.status,
        first=first,
        last=last,
        failed=True,
    )


def _rows(
    connection: Connection, records: Sequence[Record], visits: Sequence[VisitRow]
) -> list[ErrorRow]:
    """Return the failures that *records* and *visits* are, with whether they are resolved."""
    sources = {str(one.fields.get("manifest_id") or "") for one in records}
    names = sorted(sources | {visit.source for visit in visits})
    ends = last_successes(connection, names)
    for source, at in resolved_since(connection, names).items():
        ends[source] = max(at, ends.get(source, at))
    return [_of_visit(visit, ends) for visit in visits] + _of_records(records, ends)


def _wanted(rows: list[ErrorRow], asked: ErrorsAsked) -> list[ErrorRow]:
    wanted = {
        "status": asked.status,
        "severity": asked.severity,
        "is_resolved": asked.resolved,
        "cause": asked.cause,
        "site": asked.site,
    }
    for name, value in wanted.items():
        if value is not None:
            rows = [row for row in rows if getattr(row, name) == value]
    if asked.text:
        text = asked.text.casefold()
        rows = [row for row in rows if _has_text(row, text)]
    return rows


def _has_text(row: ErrorRow, text: str) -> bool:
    return any(text in value[:MAX_TEXT].casefold() for value in (row.url, row.error))


def _of_records(records: Iterable[Record], ends: Mapping[str, float]) -> list[ErrorRow]:
    sites: dict[str, str] = {}
    rows = []
    for sequence, _, fields in records:
        url = str(fields.get("page_url") or fields.get("url") or "")
        start = "/".join(url.split("/", 3)[:3])
        if start not in sites:
            sites[start] = site_of(url) or ""
        status, error = fields.get("http_status"), str(fields.get("error") or "")
        cause = _cause_of_fetch(status, error)
        at, source = datetime.fromisoformat(fields["timestamp"]), fields.get("manifest_id")
        rows.append(
            ErrorRow(
                kind="fetch",
                at=at,
                source=source,
                engine=fields.get("engine"),
                status=status,
                cause=cause,
                site=sites[start],
                error=error,
                url=url,
                retry_count=fields.get("retry_count") or 0,
                severity=_severity(cause),
                is_resolved=source is not None and ends.get(source, 0.0) > at.timestamp(),
                sequence=sequence,
                run=fields["run_id"],
                number=fields["number"],
            )
        )
    return rows


def _of_visit(visit: VisitRow, ends: Mapping[str, float]) -> ErrorRow:
    error = visit.error or ""
    word = _WORD.match(error)
    status = _STATUS.search(error[:MAX_NAME])
    return ErrorRow(
        kind="visit",
        at=datetime.fromtimestamp(visit.started, UTC),
        source=visit.source,
        engine=None,
        status=int(status[1]) if status else None,
        cause=word[0] if word else "other",
        site="",
        error=error,
        url="",
        retry_count=0,
        severity=Severity.HIGH,
        is_resolved=ends.get(visit.source, 0.0) > visit.started,
        sequence=None,
        run=visit.run,
        number=None,
    )


def _cause_of_fetch(status: int | None, error: str) -> str:
    if not error and status is not None:
        return _KINDS.get(status, "http_error")
    name = error[:MAX_NAME].partition(":")[0].lower()
    return next((kind for word, kind in _BY_WORD.items() if word in name), "other")


def _severity(cause: str) -> Severity:
    if cause in _HIGH:
        return Severity.HIGH
    return Severity.INFO if cause == "interrupted" else Severity.WARNING


def _seconds(day: date) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()
