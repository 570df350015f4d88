"""What the agenda says about the near future."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.sources.agenda.timing import timing_of
from wikicrawler.sources.visits.selection import chosen_sources, manifest_of
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.agenda.agenda import Entry


class Outlook(NamedTuple):
    """Whether a source is due that nobody visits, and which one is the next."""

    is_due: bool
    next_at: datetime | None
    """When the first source can be visited that is not due yet; None if there is none."""
    next_id: str = ""
    entries: Sequence[Entry] = ()


def outlook_of(entries: Sequence[Entry], now: datetime) -> Outlook:
    """Return the outlook of *entries* at *now*."""
    waiting = [
        (entry.next_visit, entry.source.id)
        for entry in entries
        if entry.next_visit is not None and not entry.is_claimed
    ]
    at, name = min((one for one in waiting if one[0] > now), default=(None, ""))
    return Outlook(any(at <= now for at, _ in waiting), at, name, entries)


def look(settings: BaseSettings, manifest: str | None) -> Outlook:
    """Return the outlook of the sources in the file *manifest*; of the active ones without a file.

    :raises ConfigError: the manifest or the database cannot be used
    :raises StoreError: the database is unavailable
    """
    database = Database.from_settings(settings)
    try:
        sources = chosen_sources(manifest_of(database, manifest))
        agenda = Agenda(database, sources, timing_of(settings))
        return outlook_of(agenda.entries(), datetime.now(UTC))
    finally:
        database.close()
