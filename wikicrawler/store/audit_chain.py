"""The audit log as a chain: appended to by one transaction at a time, and read in order."""

from __future__ import annotations

import json
import zlib
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func, select, text, tuple_

from wikicrawler.errors import StoreError
from wikicrawler.store.audit_sums import Sums, add_sums
from wikicrawler.store.audit_tables import audit, audit_responses
from wikicrawler.store.chain_text import GENESIS, canonical_text, digest_of, hash_of
from wikicrawler.store.database import told
from wikicrawler.store.rows import IF_NEW, insert_rows
from wikicrawler.store.slices import slices

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from sqlalchemy import Connection

_LOCK = 0x77696B6A  # of PostgreSQL's advisory locks; not that of the creation of tables
_AT_ONCE = 2000  # rows
_Rows = list[tuple[int, str, str, str]]


class Head(NamedTuple):
    """The end of the chain."""

    sequence: int
    hash: str


class KeptResponse(NamedTuple):
    """A response that is kept for diagnosis."""

    headers: Sequence[tuple[str, str]]
    body: bytes
    size: int
    """Size of the whole body."""


class Entry(NamedTuple):
    """A record that is not in the chain yet."""

    fields: Mapping[str, Any]
    """All fields but ``sequence``, and for an outcome ``of_sequence`` and ``of_hash``."""
    of: int | None = None
    """Of an outcome: the number of its operation in the same run."""
    response: KeptResponse | None = None


def head(connection: Connection) -> Head:
    """Return the end of the chain; of an empty chain the sequence 0."""
    row = connection.execute(
        select(audit.c.seq, audit.c.hash).order_by(audit.c.seq.desc()).limit(1)
    ).first()
    return Head(*row) if row is not None else Head(0, GENESIS)


def append(connection: Connection, run: str, entries: Sequence[Entry]) -> Head:
    """Append records of *run*, in order, and return the new end of the chain. Records that the
    chain has already are left out: a transaction may have been committed though its answer was
    lost.

    The transaction must be one of :meth:`wikicrawler.store.database.Database.write`. It excludes
    other writers until it ends: in SQLite as every write transaction does, in PostgreSQL by an
    advisory lock.
    """
    if connection.dialect.name != "sqlite":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    sequence, previous = head(connection)
    known = _known(connection, run, entries)
    rows: list[tuple[int, str, str, str]] = []
    kept: list[tuple[Any, ...]] = []
    sums = Sums()
    for entry in entries:
        fields = dict(entry.fields)
        number = fields["number"]
        if number in known:
            continue
        sequence += 1
        fields["sequence"] = sequence
        if entry.of is not None:
            fields["of_sequence"], fields["of_hash"] = known[entry.of]
        record = canonical_text(fields)
        link = hash_of(digest_of(record), previous)
        rows.append((sequence, record, previous, link))
        known[number] = Head(sequence, link)
        previous = link
        sums.add(fields)
        if entry.response is not None:
            kept.append(_row(run, number, entry.response))
    _insert(connection, rows)
    insert_rows(connection, audit_responses, kept, IF_NEW)
    add_sums(connection, sums)
    return Head(sequence, previous)


def _known(connection: Connection, run: str, entries: Sequence[Entry]) -> dict[int, Head]:
    """Return the places of the records among *entries*, and of their operations, that the chain
    has."""
    numbers = [entry.fields["number"] for entry in entries]
    numbers += [entry.of for entry in entries if entry.of is not None]
    columns = audit.c.number, audit.c.seq, audit.c.hash
    query = select(*columns).where(audit.c.run == run, audit.c.number.in_(numbers))
    return {number: Head(seq, link) for number, seq, link in connection.execute(query)}


def _insert(connection: Connection, rows: list[tuple[int, str, str, str]]) -> None:
    if rows:
        value = "?" if connection.dialect.name == "sqlite" else "%s"
        values = ", ".join([value] * 4)
        connection.exec_driver_sql(
            f"INSERT INTO audit (seq, text, prev_hash, hash) VALUES ({values})",  # noqa: S608
            rows,
        )


def _row(run: str, number: int, kept: KeptResponse) -> tuple[Any, ...]:
    body = zlib.compress(kept.body, 1)
    return run, number, json.dumps([list(pair) for pair in kept.headers]), body, kept.size


def links(connection: Connection, first: int = 1) -> Iterator[_Rows]:
    """Yield the chain from the record *first* on, in lists of ``(sequence, text, previous hash,
    hash)``. They come from the driver unchanged, which takes half the time.

    :raises StoreError: the database is unavailable
    """
    query = "SELECT seq, text, prev_hash, hash FROM audit WHERE seq >= {} ORDER BY seq"
    driver: Any = connection.connection.driver_connection
    if connection.dialect.name == "sqlite":
        cursor, value = driver.cursor(), "?"
    else:
        cursor, value = driver.cursor(name="wikicrawler_audit"), "%s"  # on the server
    assert connection.dialect.dbapi is not None  # noqa: S101 - there is a connection
    try:
        cursor.execute(query.format(value), (first,))
        if connection.dialect.name == "sqlite":  # whose driver has nothing to wait for
            while rows := cursor.fetchmany(_AT_ONCE):
                yield rows
        else:
            yield from _fetched_ahead(cursor)
        cursor.close()
    except connection.dialect.dbapi.Error as error:
        raise StoreError(f"the audit log cannot be read: {told(error)}") from error


def _fetched_ahead(cursor: Any) -> Iterator[_Rows]:
    """Yield the rows of *cursor*. The next ones are fetched while the caller reads these."""
    with ThreadPoolExecutor(1, "audit") as thread:
        ahead = thread.submit(cursor.fetchmany, _AT_ONCE)
        while rows := ahead.result():
            ahead = thread.submit(cursor.fetchmany, _AT_ONCE)
            yield rows


class Link(NamedTuple):
    """A record in its place in the chain."""

    text: str
    prev_hash: str
    hash: str


def link_at(connection: Connection, sequence: int) -> Link | None:
    """Return the record with this sequence, or None."""
    query = select(audit.c.text, audit.c.prev_hash, audit.c.hash).where(audit.c.seq == sequence)
    row = connection.execute(query).first()
    return None if row is None else Link(*row)


def count(connection: Connection) -> int:
    """Return the number of records."""
    return connection.scalar(select(func.count()).select_from(audit)) or 0


def kept_response(connection: Connection, run: str, number: int) -> KeptResponse | None:
    """Return the response of a failed operation, if it was kept."""
    columns = audit_responses.c
    query = select(columns.headers, columns.body, columns.size)
    row = connection.execute(query.where(columns.run == run, columns.number == number)).first()
    if row is None:
        return None
    pairs = [(str(name), str(value)) for name, value in json.loads(row[0])]
    return KeptResponse(pairs, zlib.decompress(row[1]), row[2])


def with_responses(
    connection: Connection, operations: Collection[tuple[str, int]]
) -> set[tuple[str, int]]:
    """Return those of *operations*, runs and numbers, whose responses are kept."""
    own = audit_responses.c
    found: set[tuple[str, int]] = set()
    for some in slices(operations):
        query = select(own.run, own.number).where(tuple_(own.run, own.number).in_(some))
        found.update((run, number) for run, number in connection.execute(query).all())
    return found
