"""The last attempts at a site."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.store.attempts import find_attempts
from wikicrawler.store.slices import asked_text
from wikicrawler.urls.sites import site_of_host

if TYPE_CHECKING:
    from wikicrawler.store.attempts import FetchAttempt
    from wikicrawler.store.database import Database


def last_attempts(database: Database, site: str, limit: int) -> list[FetchAttempt]:
    """Return the last attempts at a registered domain or a host, the newest first.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return []
    name = asked_text(site)
    key = "registered_domain" if site_of_host(name) == name else "domain"
    with database.read() as connection:
        return list(find_attempts(connection, {key: name}, newest_first=True, limit=limit))
