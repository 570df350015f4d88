"""Records of the removal of staged files. No request belongs to them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.audit.record import MAX_NAME, utc_text
from wikicrawler.audit.redaction import redact_url
from wikicrawler.store.audit_chain import Entry, Head, append
from wikicrawler.store.audit_queries import staged_operations

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from sqlalchemy import Connection

    from wikicrawler.store.database import Database

_DAY = timedelta(days=1)


class Removal(NamedTuple):
    """A staged file that is removed."""

    envelope_id: str
    source: str
    url: str
    path: str
    content_hash: str
    staged_at: datetime
    reason: str


class RemovalLog:
    """Records removals in the audit log in *database*.

    A removal is a run of its own with one record, whose id is that of the envelope. The chain
    accepts each record of a run once, so a removal that is tried again is recorded once.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: tuple[str, date] | None = None
        self._operations: dict[str, Head] = {}

    def record(self, removals: Sequence[Removal], now: datetime) -> None:
        """Record *removals*, in one transaction.

        :raises StoreError: the database is unavailable
        """
        with self._database.write() as connection:
            for removal in removals:
                operation = self._operation_of(connection, removal)
                fields = _fields(removal, operation, now)
                append(connection, removal.envelope_id, [Entry(fields)])

    def _operation_of(self, connection: Connection, removal: Removal) -> Head | None:
        """Return the operation that brought the file, if it was recorded."""
        key = removal.source, removal.staged_at.date()
        if self._known != key:  # they come in the order of sources and days
            day = key[1]
            found = staged_operations(connection, removal.source, day - _DAY, day + _DAY)
            self._known, self._operations = key, found
        return self._operations.get(removal.path)


def _fields(removal: Removal, operation: Head | None, now: datetime) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "kind": "removal",
        "timestamp": utc_text(now),
        "run_id": removal.envelope_id,
        "number": 1,
        "manifest_id": removal.source[:MAX_NAME],
        "operation": "removal",
        "url": redact_url(removal.url),
        "envelope_id": removal.envelope_id,
        "staged_path": removal.path,
        "content_hash": removal.content_hash,
        "reason": removal.reason,
    }
    if operation is not None:
        fields["of_sequence"], fields["of_hash"] = operation
    return fields
