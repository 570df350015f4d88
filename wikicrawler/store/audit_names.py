"""Names that occur in the audit log, by its sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from wikicrawler.store.audit_sums import ALL_SOURCES
from wikicrawler.store.audit_tables import audit_sums

if TYPE_CHECKING:
    from sqlalchemy import Connection


def engines(connection: Connection) -> list[str]:
    """Return the engines (tiers) of all operations, sorted."""
    own = audit_sums.c
    query = select(own.engine).where(
        own.source == ALL_SOURCES, func.length(own.period) == len("2026-02"), own.engine != ""
    )
    return list(connection.scalars(query.distinct().order_by(own.engine)))
