"""Which sources a control is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.errors import ControlRefused
from wikicrawler.sources.visits.selection import chosen_sources, manifest_of
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.store.database import Database

CATEGORIES = (
    *("regulatory_domain", "jurisdiction", "source_type", "content_type", "method"),
    *("frequency", "priority", "domain", "agency"),
)
"""Fields of a source by which sources are chosen; ``agency`` is that of its ``metadata``."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Active sources of a manifest: those with these ids, of a category, or all; exactly one of the
    three is given."""

    ids: tuple[str, ...] = ()
    category: tuple[str, str] | None = None
    """A field of :data:`CATEGORIES` and its value."""
    everything: bool = False
    manifest: str | None = None
    """File of the manifest; None: the active one."""

    def __str__(self) -> str:
        if self.everything:
            return "all"
        if self.category is not None:
            return "=".join(self.category)
        return ", ".join(self.ids)


def select(database: Database, selection: Selection) -> list[Source]:
    """Return the sources of *selection*, in the order of the manifest.

    :raises ControlRefused: the selection has no source
    :raises ConfigError: there is no such source, or no manifest
    :raises StoreError: the database is unavailable
    """
    given = (bool(selection.ids), selection.category is not None, selection.everything)
    if sum(given) != 1:
        raise ControlRefused("name sources by their ids, or one category (FIELD=VALUE), or all")
    field, value = selection.category or ("", "")
    if selection.category is not None and field not in CATEGORIES:
        near = nearest(field, CATEGORIES)
        hint = f"did you mean {near}?" if near else f"known: {', '.join(CATEGORIES)}"
        raise ControlRefused(f"{quoted(field, 40)} is not a category of sources ({hint})")
    sources = chosen_sources(manifest_of(database, selection.manifest), selection.ids)
    if selection.category is None:
        found = sources
    else:
        found = [source for source in sources if category_of(source, field) == value]
        if not found:
            known = sorted({text for one in sources if (text := category_of(one, field))})
            hint = f"known: {', '.join(quoted(one, 60) for one in known[:20])}"
            raise ControlRefused(f"no active source has the {field} {quoted(value, 60)} ({hint})")
    if not found:
        raise ControlRefused("the manifest has no active source")
    return found


def category_of(source: Source, field: str) -> str:
    """Return the value of a field of :data:`CATEGORIES`; empty if the source has none."""
    fields = source.fields.get("metadata") or {} if field == "agency" else source.fields
    value = fields.get(field)
    return "" if value is None else str(value)
