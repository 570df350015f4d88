"""Activated manifests of watched sources. Rows are only added; the highest number is active."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.tables import manifests

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Activation(NamedTuple):
    """The activation of a manifest. The columns of ``manifests`` describe the fields."""

    number: int
    at: float
    version: str
    vertical: str
    sha256: str
    activated_by: str
    reason: str
    restored: int | None
    robots_checked: bool
    source_count: int
    active_count: int


_COLUMNS = [manifests.c[name] for name in Activation._fields]


def add_activation(connection: Connection, activation: Activation, text: str) -> bool:
    """Make *text* the active manifest; return False, without a change, if the number is taken.

    Two processes that want the same number exclude each other: one of them gets False.
    """
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    statement = insert(manifests).values(**activation._asdict(), text=text)
    # Not by the number of rows, which SQLAlchemy does not have for an INSERT in PostgreSQL.
    added = statement.on_conflict_do_nothing().returning(manifests.c.number)
    return connection.execute(added).first() is not None


def active_manifest(connection: Connection) -> Activation | None:
    """Return the last activation, or None."""
    query = select(*_COLUMNS).order_by(manifests.c.number.desc()).limit(1)
    row = connection.execute(query).first()
    return Activation(*row) if row else None


def list_activations(connection: Connection) -> list[Activation]:
    """Return all activations, the last one first."""
    query = select(*_COLUMNS).order_by(manifests.c.number.desc())
    return [Activation(*row) for row in connection.execute(query)]


def manifest_text(connection: Connection, number: int) -> str | None:
    """Return the text of the activation *number*, as the file was; None if there is none."""
    return connection.scalar(select(manifests.c.text).where(manifests.c.number == number))
