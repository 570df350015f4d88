"""Which manifest and which of its sources a crawl is about."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wikicrawler.errors import ConfigError
from wikicrawler.sources.manifest.activation import find_active, stored_reading
from wikicrawler.sources.manifest.reader import read_file
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Collection

    from wikicrawler.sources.manifest.model import Manifest, Source
    from wikicrawler.store.database import Database


def manifest_of(database: Database, file: str | None = None) -> Manifest:
    """Return the manifest in *file*; the active one without a file.

    :raises ConfigError: it has faults, or there is none
    :raises StoreError: the database is unavailable
    """
    if file is not None:
        reading = read_file(Path(file))
    else:
        active = find_active(database)
        if active is None:
            raise ConfigError(
                "no manifest is active: scrapy manifest activate FILE makes one active; or name a "
                "file (-a manifest=FILE for a crawl, --manifest FILE for a command)"
            )
        with database.read() as connection:
            reading = stored_reading(connection, active)
    if reading.manifest is None:
        faults = "\n".join(f"  {reading.name}:{fault}" for fault in reading.faults)
        raise ConfigError(f"the manifest has faults:\n{faults}")
    return reading.manifest


def chosen_sources(manifest: Manifest, only: Collection[str] = ()) -> list[Source]:
    """Return the active sources of *manifest*; with *only*, those with these ids.

    :raises ConfigError: there is no active source with one of the ids
    """
    for name in only:
        source = manifest.find(name)
        if source is None or not source.is_active:
            why = "there is no such source" if source is None else "its status is not active"
            raise ConfigError(f"{one_line(name, 80)!r}: {why} in the manifest")
    return [source for source in manifest.active if not only or source.id in only]
