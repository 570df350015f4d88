"""The records that a crawl writes to the database."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.store.attempts import FetchAttempt, add_attempts
from wikicrawler.store.sites import SitePause, TierChange, add_changes, note_sites

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

Record = FetchAttempt | SitePause | TierChange
Numbered = tuple[int, Record]
"""A record, preceded by its number among the records of its kind in the run."""


def add_records(connection: Connection, run: int, numbered: Sequence[Numbered]) -> None:
    """Write records of *run* in order. Records that exist already are neither written nor counted
    again."""
    attempts = [(seq, one) for seq, one in numbered if isinstance(one, FetchAttempt)]
    new = add_attempts(connection, run, attempts)
    pauses = [one for _, one in numbered if isinstance(one, SitePause)]
    note_sites(connection, [(one.site, one.at) for one in new if one.site], pauses)
    changes = [(seq, one) for seq, one in numbered if isinstance(one, TierChange)]
    add_changes(connection, run, changes)


def subject_of(record: Record) -> str:
    """Return a description of *record* for a log message."""
    match record:
        case FetchAttempt():
            return f"an attempt at {record.url}"
        case SitePause():
            return f"a pause of {record.site}"
        case TierChange():
            return f"a change of {record.domain}"
