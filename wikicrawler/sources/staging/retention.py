"""Removal of envelopes that consumers have ingested long ago.

An envelope is removed in three steps: the audit log records it, the list of removals names it, and
its file is removed. Each step leaves out what an earlier process did, so the next removal finishes
what a killed one began.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.audit.removal import Removal, RemovalLog
from wikicrawler.sources.envelopes.build import timestamp
from wikicrawler.sources.staging.lists import (
    Entry,
    add_removed,
    confirmations,
    entries,
    mend,
    removals,
)
from wikicrawler.store.source_pages import current_envelopes, unfinished_staging

if TYPE_CHECKING:
    from collections.abc import Container, Iterator
    from datetime import datetime

    from wikicrawler.sources.staging.protocol import Staging
    from wikicrawler.store.database import Database

BATCH = 100
"""Maximum number of envelopes in a transaction of the audit log and a line of the list."""


class Stay(StrEnum):
    """Why an envelope stays."""

    LATEST = "latest version of its document"
    UNCONFIRMED = "not confirmed"
    YOUNG = "confirmed too recently"
    WRITING = "an envelope of its source and day is being written"
    MISSING = "its file is missing (scrapy staged verify)"


class Going(NamedTuple):
    """An envelope that goes."""

    entry: Entry
    confirmed_at: datetime


class Plan(NamedTuple):
    """What goes, and what stays."""

    going: list[Going]
    """In the order of their sources, the oldest of each first."""
    staying: dict[str, Stay]
    """The reason for each other envelope by its id, without those removed earlier."""
    leftovers: list[str]
    """Paths of files that a killed process listed as removed."""

    def reasons(self) -> Counter[Stay]:
        return Counter(self.staying.values())


def plan(folder: Staging, database: Database, days: int, now: datetime) -> Plan:
    """Return which envelopes of *folder* go, *days* after their ingestion was confirmed.

    The latest version of a document never goes: neither what the index lists last, nor what the
    database compares the next visit with. A tombstone is the latest version of its document.

    :raises ConfigError: a list of *folder* is damaged
    :raises StoreError: *database* is unavailable
    :raises OSError: *folder* cannot be read
    """
    mend(folder)
    with database.read() as connection:
        latest = current_envelopes(connection)
        writing = {_day_of(row.path) for row in unfinished_staging(connection, str(folder))}
    latest |= set(_latest(folder))
    confirmed, gone = confirmations(folder), removals(folder)
    youngest = now - timedelta(days=days)
    going: dict[str, Going] = {}
    staying: dict[str, Stay] = {}
    for entry in entries(folder):
        one = entry.envelope_id
        if one in gone:
            continue
        at = confirmed.get(one)
        if one in latest:
            staying[one] = Stay.LATEST
        elif _day_of(entry.path) in writing:
            staying[one] = Stay.WRITING
        elif at is None:
            staying[one] = Stay.UNCONFIRMED
        elif at > youngest:
            staying[one] = Stay.YOUNG
        else:
            going[entry.path] = Going(entry, at)
    removed = set(gone.values())
    present = [path for path in folder.paths() if path in going or path in removed]
    for path in going.keys() - present:
        staying[going.pop(path).entry.envelope_id] = Stay.MISSING
    return Plan(
        sorted(going.values(), key=lambda one: (one.entry.source, one.entry.staged_at)),
        staying,
        [path for path in present if path not in going and _is_left(folder, path, gone)],
    )


def _is_left(folder: Staging, path: str, gone: Container[str]) -> bool:
    """Return whether the envelope at *path* is one that was removed, not one that came later."""
    try:
        return folder.read(path).get("envelope_id") in gone
    except (OSError, ValueError):
        return False


def _latest(folder: Staging) -> Iterator[str]:
    """Yield the id of the last envelope of each document."""
    found: dict[tuple[str, str], tuple[datetime, str]] = {}
    for entry in entries(folder):
        known = found.get(entry.document)
        if known is None or known[0] <= entry.staged_at:
            found[entry.document] = entry.staged_at, entry.envelope_id
    for _, envelope_id in found.values():
        yield envelope_id


def _day_of(path: str) -> str:
    return path.rpartition("/")[0]


def remove(
    folder: Staging, database: Database, planned: Plan, days: int, now: datetime
) -> Iterator[int]:
    """Remove what *planned* says; yield the number of envelopes of each batch.

    :param days: the retention, for the audit log
    :raises StoreError: *database* is unavailable
    :raises OSError: *folder* cannot be written
    """
    log = RemovalLog(database)
    for start in range(0, len(planned.going), BATCH):
        batch = planned.going[start : start + BATCH]
        log.record([_removal(one, days) for one in batch], now)
        add_removed(folder, [one.entry for one in batch], now)
        for one in batch:
            _remove(folder, one.entry.path)
        yield len(batch)
    for path in planned.leftovers:
        _remove(folder, path)


def _remove(folder: Staging, path: str) -> None:
    with suppress(FileNotFoundError):  # another process removes, too
        folder.remove(path)


def _removal(one: Going, days: int) -> Removal:
    entry = one.entry
    return Removal(
        envelope_id=entry.envelope_id,
        source=entry.source,
        url=entry.url,
        path=entry.path,
        content_hash=entry.content_hash,
        staged_at=entry.staged_at,
        reason=f"{days} days after its confirmation on {timestamp(one.confirmed_at)}",
    )
