"""What the agenda says about the near future."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.sources.agenda.timing import timing_of
from wikicrawler.sources.visits.selection import chosen_sources, manifest_of
from wikicrawler.store.database import Database
from wikicrawler.store.switches import SCHEDULER, find_switch
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.agenda.agenda import Entry
    from wikicrawler.store.switches import Switch


class Outlook(NamedTuple):
    """Whether a source is due that nobody visits, and which one is the next."""

    is_due: bool
    next_at: datetime | None
    """When the first source can be visited that is not due yet; None if there is none."""
    next_id: str = ""
    entries: Sequence[Entry] = ()
    pause: str = ""
    """Who paused the scheduler, when and why; empty if nobody did. Then nothing is due."""


def outlook_of(entries: Sequence[Entry], now: datetime) -> Outlook:
    """Return the outlook of *entries* at *now*."""
    waiting = [
        (entry.next_visit, entry.source.id)
        for entry in entries
        if entry.next_visit is not None and not entry.is_claimed
    ]
    at, name = min((one for one in waiting if one[0] > now), default=(None, ""))
    return Outlook(any(at <= now for at, _ in waiting), at, name, entries)


def scheduler_switch(database: Database) -> Switch | None:
    """Return the switch of the scheduler; None if nobody has ever changed it.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return None
    with database.read() as connection:
        return find_switch(connection, SCHEDULER)


def described_pause(switch: Switch) -> str:
    """Return who paused the scheduler, when and why, as the end of a sentence."""
    at = datetime.fromtimestamp(switch.changed_at, UTC)
    why = f": {one_line(switch.reason)}" if switch.reason else ""
    return f"paused by {one_line(switch.changed_by, 80)} on {at:%Y-%m-%d %H:%M} UTC{why}"


def look(settings: BaseSettings, manifest: str | None) -> Outlook:
    """Return the outlook of the sources in the file *manifest*; of the active ones without a file.

    :raises ConfigError: the manifest or the database cannot be used
    :raises StoreError: the database is unavailable
    """
    database = Database.from_settings(settings)
    try:
        sources = chosen_sources(manifest_of(database, manifest))
        agenda = Agenda(database, sources, timing_of(settings))
        outlook = outlook_of(agenda.entries(), datetime.now(UTC))
        switch = scheduler_switch(database)
        if switch is None or switch.off_since is None:
            return outlook
        return outlook._replace(is_due=False, pause=described_pause(switch))
    finally:
        database.close()
