"""A project whose sources, sites and crawls are steered."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from scrapy.settings import Settings

from tests.sources.watching import manifest_of, source
from wikicrawler.audit.verification import verify
from wikicrawler.control.context import Context
from wikicrawler.control.selection import Selection
from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.sources.visits.selection import manifest_of as read_manifest_of
from wikicrawler.store.audit_queries import Wanted, find_controls
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.sources.agenda.agenda import Entry

SOURCES = (
    source("https://a.example.com/", "a", jurisdiction="federal", priority="high"),
    source("https://b.example.com/", "b", jurisdiction="state", priority="low"),
    source("https://c.example.org/", "c", jurisdiction="state", priority="high"),
    source("https://d.example.org/", "d", status="proposed"),
)


class Project:
    """A project with *sources* in *folder*, and the database at *url*."""

    def __init__(self, url: str, folder: Path, *sources: dict[str, Any]) -> None:
        self.file = folder / "manifest.json"
        self.file.write_text(json.dumps(manifest_of(*(sources or SOURCES))))
        self.settings = Settings({"WIKICRAWLER_DATABASE_URL": url})
        self.context = Context(self.settings, Database(url, folder), "ann", "dashboard")

    @property
    def database(self) -> Database:
        return self.context.database

    def chosen(self, *ids: str) -> Selection:
        return Selection(ids, manifest=str(self.file))

    def category(self, field: str, value: str) -> Selection:
        return Selection(category=(field, value), manifest=str(self.file))

    def everything(self) -> Selection:
        return Selection(everything=True, manifest=str(self.file))

    def agenda(self) -> Agenda:
        return Agenda(self.database, read_manifest_of(self.database, str(self.file)).active)

    def entries(self) -> dict[str, Entry]:
        return {entry.source.id: entry for entry in self.agenda().entries()}

    def controls(self) -> list[dict[str, Any]]:
        """What is recorded, the oldest first; the chain is whole."""
        with self.database.read() as connection:
            assert verify(connection, with_sums=True).faults == []
            found = [fields for _, fields in find_controls(connection, Wanted())]
        return sorted(found, key=lambda fields: int(fields["sequence"]))
