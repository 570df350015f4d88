"""The active manifest, kept between questions: to read one of 5,000 sources takes seconds."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING

from wikicrawler.sources.manifest.activation import find_active, stored_reading
from wikicrawler.sources.overview.listing import Overview

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.faults import Fault
    from wikicrawler.sources.schedule.timing import Timing
    from wikicrawler.store.database import Database
    from wikicrawler.store.manifests import Activation


@dataclass(frozen=True)
class ActiveSources:
    """The active manifest, and the table of its sources."""

    activation: Activation | None
    """None: no manifest was activated."""
    overview: Overview
    """Without sources if there is no manifest, or one that today's rules do not allow."""
    faults: tuple[Fault, ...] = ()
    """Why the active manifest cannot be used."""


class SourceDirectory:
    """The sources of the active manifest in *database*. Threads may ask at once."""

    def __init__(self, database: Database, timing: Timing) -> None:
        self._database = database
        self._timing = timing
        self._lock = Lock()
        self._known: ActiveSources | None = None

    def current(self) -> ActiveSources:
        """Return the active sources. The manifest is read again only if another one was activated.

        :raises StoreError: the database is unavailable
        """
        active = find_active(self._database)
        with self._lock:
            known = self._known
            if known is None or known.activation != active:
                known = self._known = self._read(active)
        return known

    def _read(self, active: Activation | None) -> ActiveSources:
        if active is None:
            return ActiveSources(None, Overview((), self._timing))
        with self._database.read() as connection:
            reading = stored_reading(connection, active)
        sources = reading.manifest.sources if reading.manifest else ()
        faults = () if reading.manifest else reading.faults
        return ActiveSources(active, Overview(sources, self._timing), faults)
