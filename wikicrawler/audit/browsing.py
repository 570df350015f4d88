"""The audit log for its reader: records a page at a time, and one operation with all about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.store.audit_chain import Head, head, kept_response
from wikicrawler.store.audit_queries import Operation, operation_at
from wikicrawler.store.audit_search import Record, Search, outcomes_by_operation, search
from wikicrawler.store.chain_text import GENESIS

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from wikicrawler.store.audit_chain import KeptResponse
    from wikicrawler.store.database import Database

PAGE = 100


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log, the newest record first."""

    records: tuple[Record, ...]
    outcomes: Mapping[int, dict[str, Any]]
    """The last outcome of each operation of :attr:`records` that has one, by its sequence."""
    next: int | None
    """To ask for the records before these; None: there are no more. With a URL there may be a next
    page though this one is not full: so many records were looked at."""
    looked_at: int
    head: Head
    """The end of the chain; its sequence is the number of records."""


@dataclass(frozen=True, slots=True)
class OperationView:
    """One operation."""

    operation: Operation
    response: KeptResponse | None
    """Of a failed operation. Its body is a stranger's."""


def log_page(
    database: Database, wanted: Search, *, before: int | None = None, limit: int = PAGE
) -> LogPage:
    """Return records that *wanted* describes.

    :param before: :attr:`LogPage.next` of the page before
    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return LogPage((), {}, None, 0, Head(0, GENESIS))
    with database.read() as connection:
        found = search(connection, wanted, before=before, limit=limit)
        operations = [one.sequence for one in found.records if one.fields["kind"] == "request"]
        outcomes = outcomes_by_operation(connection, operations)
        end = head(connection)
    return LogPage(tuple(found.records), outcomes, found.next, found.looked_at, end)


def operation_view(database: Database, sequence: int) -> OperationView | None:
    """Return the operation with this sequence; None if there is none.

    :raises StoreError: the database is unavailable
    """
    if not (0 < sequence < 1 << 62) or not database.has_tables():
        return None
    with database.read() as connection:
        operation = operation_at(connection, sequence)
        if operation is None:
            return None
        fields = operation.fields
        return OperationView(
            operation, kept_response(connection, fields["run_id"], fields["number"])
        )
