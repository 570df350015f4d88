"""What is known of the documents of watched sources, and the envelopes that are being written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.slices import asked_text
from wikicrawler.store.tables import source_pages, staging

if TYPE_CHECKING:
    from sqlalchemy import Connection


class PageState(NamedTuple):
    """The last known version of a document. The columns of ``source_pages`` describe the fields."""

    source: str
    url: str
    present: bool
    content_hash: str | None
    change_hash: str | None
    rules: str
    tier: str
    etag: str | None
    last_modified: str | None
    revid: int | None
    unread: int
    envelope_id: str | None
    path: str | None
    depth: int
    first_seen: float
    last_checked: float
    last_changed: float | None


class PageCounts(NamedTuple):
    """Numbers of documents of a source."""

    known: int
    present: int
    """Those that the server had at the last visit."""


class StagingRow(NamedTuple):
    """An envelope that is being written. The columns of ``staging`` describe the fields."""

    envelope_id: str
    folder: str
    run: str
    at: float
    path: str
    page: PageState


_COLUMNS = [source_pages.c[name] for name in PageState._fields]


def pages_of(connection: Connection, source: str) -> dict[str, PageState]:
    """Return the known documents of *source* by URL."""
    query = select(*_COLUMNS).where(source_pages.c.source == source)
    return {row.url: PageState(*row) for row in connection.execute(query)}


def list_pages(
    connection: Connection, source: str, *, prefix: str = "", after: str = "", limit: int
) -> list[PageState]:
    """Return known documents of *source* in the order of their URLs.

    :param prefix: only those whose URL begins with it
    :param after: only those whose URL follows this one
    """
    url = source_pages.c.url
    query = select(*_COLUMNS).where(
        source_pages.c.source == asked_text(source), url > asked_text(after)
    )
    if prefix:
        query = query.where(url.startswith(asked_text(prefix), autoescape=True))
    rows = connection.execute(query.order_by(url).limit(limit)).all()
    return [PageState(*row) for row in rows]


def count_pages(connection: Connection, source: str) -> PageCounts:
    """Return the numbers of the known documents of *source*."""
    present = source_pages.c.present
    query = select(func.count(), func.count().filter(present))
    row = connection.execute(query.where(source_pages.c.source == asked_text(source))).one()
    return PageCounts(*row)


def current_envelopes(connection: Connection) -> set[str]:
    """Return the ids of the envelopes of the last known versions of all documents."""
    query = select(source_pages.c.envelope_id).where(source_pages.c.envelope_id.is_not(None))
    return set(connection.scalars(query))


def save_page(connection: Connection, page: PageState) -> None:
    """Store *page* in place of what was known of it."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(source_pages).values(**page._asdict())
    changed = {
        name: statement.excluded[name]
        for name in PageState._fields
        if name not in {"source", "url", "first_seen"}
    }
    connection.execute(
        statement.on_conflict_do_update(index_elements=["source", "url"], set_=changed)
    )


def begin_staging(connection: Connection, row: StagingRow) -> None:
    """Store that an envelope is about to be written."""
    values = row._asdict() | {"page": json.dumps(row.page)}
    connection.execute(insert(staging).values(**values))


def end_staging(connection: Connection, row: StagingRow) -> None:
    """Store that the envelope of *row* was written, and what is known of its document now."""
    save_page(connection, row.page)
    drop_staging(connection, row.envelope_id)


def drop_staging(connection: Connection, envelope_id: str) -> None:
    """Forget the envelope *envelope_id*, which was not written."""
    connection.execute(delete(staging).where(staging.c.envelope_id == envelope_id))


def unfinished_staging(connection: Connection, folder: str) -> list[StagingRow]:
    """Return the envelopes of the staging folder *folder* whose writing has not ended, those of
    running processes included."""
    query = select(*(staging.c[name] for name in StagingRow._fields))
    rows = connection.execute(query.where(staging.c.folder == folder).order_by(staging.c.at))
    return [
        StagingRow(*tuple(row)[:-1], page=PageState(*json.loads(row.page)))  # type: ignore[misc]
        for row in rows
    ]
