"""What the pages of the audit log share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.store.audit_names import engines
from wikicrawler.store.audit_search import Search

if TYPE_CHECKING:
    from wikicrawler.dashboard.filters import Filters
    from wikicrawler.store.database import Database

MAX_ENGINES = 100
KINDS = ("request", "outcome", "start", "end", "removal", "control")


def engine_names(database: Database) -> list[str]:
    """Return the engines that the log has, to choose from, without names that nobody can type.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return []
    with database.read() as connection:
        return [name for name in engines(connection) if name.isprintable()][:MAX_ENGINES]


def search_of(filters: Filters) -> tuple[Search, str]:
    """Return the search of a page, and the beginning of the name of who used a control."""
    first, last = filters.days("since", "until")
    wanted = Search(
        source=filters.text("source") or None,
        kind=filters.choice("kind", {kind: kind for kind in KINDS}),
        engine=filters.text("engine") or None,
        status=filters.number("status", 100, 999),
        first=first,
        last=last,
        failed=filters.word("failed", {"1": True}, False),
        url=filters.text("url", 2_000),
    )
    return wanted, filters.text("by", 200)


def start_of(day: str) -> datetime:
    """Return the start of a *day* like 2026-02-13, or of a month like 2026-02, in UTC."""
    return datetime.fromisoformat(f"{day}-01"[:10]).replace(tzinfo=UTC)
