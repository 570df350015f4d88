"""Formats of feeds for which a project may have an exporter of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.utils.misc import load_object

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

CHUNKS = "chunks"
PARQUET = "parquet"
MARKDOWN = frozenset({"markdown", "md", ""})
"""Formats that are a folder; the name of a folder needs none, if it ends with a slash."""
OTHER = "other"
"""A format that the storage does not know, whatever its name is."""
_EXPORTERS = "wikicrawler.feeds."


def is_ours(settings: BaseSettings, name: str | None) -> bool:
    """Return True if feeds of the format *name* are written by an exporter of this package, or by a
    subclass of one."""
    exporter = settings.getdict("FEED_EXPORTERS").get(name)
    if exporter is None:
        return False
    return any(one.__module__.startswith(_EXPORTERS) for one in load_object(exporter).__mro__)
