"""The active manifest is read once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.sources.watching import manifest_of, source
from wikicrawler.sources.manifest.activation import activate, new_candidate
from wikicrawler.sources.manifest.reader import read_manifest
from wikicrawler.sources.overview.directory import SourceDirectory
from wikicrawler.sources.schedule.timing import DEFAULT_TIMING

if TYPE_CHECKING:
    from wikicrawler.store.database import Database


def put_in_force(database: Database, version: str, *names: str) -> None:
    described = manifest_of(*(source("https://a.org/", name) for name in names))
    reading = read_manifest(json.dumps(described | {"version": version}).encode())
    activate(database, new_candidate(database, reading), by="test", robots_checked=False)


def test_another_manifest_replaces_the_one_that_was_kept(
    database: Database, reader: Database
) -> None:
    directory = SourceDirectory(reader, DEFAULT_TIMING)
    assert directory.current().activation is None
    assert not directory.current().overview.sources
    put_in_force(database, "1.0.0", "s0")
    first = directory.current()
    assert list(first.overview.sources) == ["s0"]
    assert directory.current() is first
    put_in_force(database, "1.1.0", "s0", "s1")
    assert list(directory.current().overview.sources) == ["s0", "s1"]
