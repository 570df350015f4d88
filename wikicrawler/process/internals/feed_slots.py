"""The feeds that Scrapy's FeedExporter writes.

Undocumented names: ``FeedExporter.slots`` and ``FeedSlot`` with ``storage``, ``store_empty`` and
``start_exporting()``. Scrapy opens a feed with its first item, so a file that cannot be written
fails long after the start. A feed option to open it at the start would replace this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.extensions.feedexport import FeedExporter, FeedSlot

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.crawler import Crawler

_PURPOSE = "The check of the output at the start"

require(FeedSlot, "start_exporting", library="scrapy", purpose=_PURPOSE)


def open_feeds(crawler: Crawler, wanted: Callable[[object], bool]) -> None:
    """Open the feeds that are stored even if empty, and for whose storage *wanted* is true."""
    exporter = crawler.get_extension(FeedExporter)
    if exporter is None:
        return
    require(exporter, "slots", library="scrapy", purpose=_PURPOSE)
    for slot in exporter.slots:
        if slot.store_empty and wanted(slot.storage):
            slot.start_exporting()
