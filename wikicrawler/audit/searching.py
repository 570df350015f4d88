"""Searches in the audit log that no index answers alone, and all records that a search finds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.audit.browsing import PAGE, LogPage, log_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wikicrawler.store.audit_search import Record, Search
    from wikicrawler.store.database import Database

CONTROL = "control"
MAX_LOOKED_AT = 5_000
"""Maximum number of records of controls that one page of a search for a person looks at."""
_AT_ONCE = 500


class Exported(NamedTuple):
    """A record, and the last outcome of an operation that has one."""

    record: Record
    outcome: Mapping[str, Any] | None


def search_log(
    database: Database,
    wanted: Search,
    *,
    by: str = "",
    before: int | None = None,
    limit: int = PAGE,
) -> LogPage:
    """Return records as :func:`wikicrawler.audit.browsing.log_page` does.

    :param by: only controls that this person or program used, or one whose name begins so
    :raises StoreError: the database is unavailable
    """
    if not by:
        return log_page(database, wanted, before=before, limit=limit)
    if wanted.kind not in {None, CONTROL}:
        return replace(log_page(database, wanted, limit=0), records=(), next=None)
    wanted = replace(wanted, kind=CONTROL)
    records: list[Record] = []
    looked_at, last = 0, before
    while True:
        found = log_page(database, wanted, before=last, limit=_AT_ONCE)
        for record in found.records:
            if str(record.fields["by"]).startswith(by):
                if len(records) == limit:  # there is another one
                    return LogPage(tuple(records), {}, last, looked_at, found.head)
                records.append(record)
            looked_at, last = looked_at + 1, record.sequence
        if found.next is None or looked_at >= MAX_LOOKED_AT:
            following = None if found.next is None else last
            return LogPage(tuple(records), {}, following, looked_at, found.head)


def exported(database: Database, wanted: Search, *, by: str = "") -> Iterator[Exported]:
    """Yield all records that :func:`search_log` finds, the newest first. Each few are read in a
    transaction of their own, so a slow reader holds none open.

    :raises StoreError: the database is unavailable
    """
    before: int | None = None
    while True:
        found = search_log(database, wanted, by=by, before=before, limit=_AT_ONCE)
        for record in found.records:
            yield Exported(record, found.outcomes.get(record.sequence))
        if found.next is None:
            return
        before = found.next
