"""Feeds that cannot be exported."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured
from scrapy.extensions.feedexport import FeedExporter

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.chunks.feed import check_fields
from wikicrawler.feeds.formats import CHUNKS, PARQUET, is_ours
from wikicrawler.feeds.parquet.feed import check_parquet
from wikicrawler.process.command import is_crawl
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

_BATCH_PARAMETER = re.compile(r"%\(batch_time\)s|%\(batch_id\)")


class RequiredFeedExporter(FeedExporter):
    """Scrapy's feed exporter, without which a crawl that has feeds does not start.

    Where a feed cannot be exported (batches without a parameter in the URI, an unknown format or
    scheme), Scrapy logs an error, and the crawl writes no feed at all.

    :raises ConfigError: a feed of the crawl cannot be exported
    """

    def __init__(self, crawler: Crawler) -> None:
        try:
            super().__init__(crawler)
        except NotConfigured:
            has_feeds = crawler.settings["FEEDS"] or crawler.settings["FEED_URI"]
            if not has_feeds or not is_crawl(crawler):
                raise
            raise ConfigError(self._problem()) from None
        for uri, feed in self.feeds.items():
            if not is_ours(crawler.settings, feed["format"]):
                continue
            if feed["format"] == CHUNKS:
                check_fields(uri, feed["fields"])
            if feed["format"] == PARQUET:
                check_parquet(uri, feed)

    def _problem(self) -> str:
        for uri, feed in self.feeds.items():
            if feed["batch_item_count"] and not _BATCH_PARAMETER.search(uri):
                return (
                    f"FEEDS: {one_line(uri, 200)} has batches (FEED_EXPORT_BATCH_ITEM_COUNT or "
                    "batch_item_count): its URI needs %(batch_id)d or %(batch_time)s, like "
                    "pages-%(batch_id)d.jsonl"
                )
        return "FEEDS: a feed cannot be exported, so none would be: the log has the error"
