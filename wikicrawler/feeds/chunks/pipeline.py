"""Item pipeline that splits the content of pages into chunks."""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import fields
from typing import TYPE_CHECKING, Any, Self
from weakref import WeakKeyDictionary

from itemadapter import ItemAdapter, is_item
from scrapy import signals
from scrapy.exceptions import NotConfigured

from wikicrawler import options
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError
from wikicrawler.feeds.chunks.spans import ChunkSize, chunk_spans
from wikicrawler.feeds.formats import CHUNKS, is_ours
from wikicrawler.items import ChunkedChange, ChunkedResult, CrawlResult, PageChange
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from wikicrawler.items import ChunkSpan

logger = logging.getLogger(__name__)

_SMALL = 20_000
"""Characters that are split at once, in a few milliseconds; more are split in a worker."""
_MAX_KEPT = 500
"""Pages whose chunks are kept until they are written: more than Scrapy processes at a time."""

_tables: WeakKeyDictionary[Crawler, PageChunks] = WeakKeyDictionary()


class PageChunks:
    """The chunks of pages that are on their way through the pipelines to the feeds."""

    def __init__(self, size: ChunkSize) -> None:
        self._size = size
        self._kept: OrderedDict[tuple[str, str], list[ChunkSpan] | None] = OrderedDict()

    @classmethod
    def of(cls, crawler: Crawler) -> PageChunks:
        """Return the chunks of *crawler*.

        :raises ConfigError: a setting of chunks is wrong
        """
        table = _tables.get(crawler)
        if table is None:
            table = _tables[crawler] = cls(ChunkSize.from_settings(crawler.settings))
        return table

    async def split(self, content: str, url: str, pool: ConversionPool) -> list[ChunkSpan]:
        """Return the chunks of *content*, and keep them for :meth:`get`.

        :raises ContentError: a worker could not split it within its limits
        """
        spans: list[ChunkSpan] | None = None
        try:
            if len(content) <= _SMALL:
                spans = chunk_spans(content, url, self._size)
            else:
                spans = await pool.run(url, chunk_spans, content, url, self._size)
            return spans
        finally:
            self._kept[url, content] = spans
            if len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)

    def get(self, content: str, url: str) -> list[ChunkSpan] | None:
        """Return the chunks of *content*; None if it could not be split.

        A text that did not come through the pipeline is split at once.
        """
        if (url, content) in self._kept:
            return self._kept[url, content]
        return chunk_spans(content, url, self._size)

    def forget(self, content: str, url: str) -> None:
        """Forget the chunks of a page that is done."""
        self._kept.pop((url, content), None)


class ChunkPipeline:
    """Splits the ``content`` of items into chunks, for feeds of the format ``chunks``, and, with
    ``WIKICRAWLER_CHUNKS``, for the ``chunks`` of the records.

    An item has chunks if it has a ``url`` and a ``content`` (str). A
    :class:`~wikicrawler.items.CrawlResult` becomes a :class:`~wikicrawler.items.ChunkedResult`;
    another item gets ``chunks`` if it can hold it and has none. A page that cannot be split within
    the limits of a worker keeps its record, whose ``chunks`` is None.

    Stats: ``chunks/split_count``, ``chunks/failed_count/{reason}``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._in_records = options.CHUNKS.read(settings)
        if not self._in_records and not has_chunk_feed(settings):
            raise NotConfigured
        self._crawler = crawler
        self._chunks = PageChunks.of(crawler)
        self._pool = ConversionPool.for_crawler(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        pipeline = cls(crawler)
        # Connected after the feeds, which are extensions, and so called after them.
        for signal in (signals.item_scraped, signals.item_dropped, signals.item_error):
            crawler.signals.connect(pipeline._done, signal)
        return pipeline

    async def process_item(self, item: Any) -> Any:
        url, content = text_of(item)
        if not url or not content:
            return item
        spans = None
        try:
            spans = await self._chunks.split(content, url, self._pool)
            self._crawler.stats.inc_value("chunks/split_count")
        except ContentError as error:
            self._crawler.stats.inc_value(f"chunks/failed_count/{error.reason}")
            logger.error("%s: cannot be split into chunks: %s", one_line(url, 200), error)
        return _with_chunks(item, spans) if self._in_records else item

    def _done(self, item: Any) -> None:
        url, content = text_of(item)
        self._chunks.forget(content, url)


def has_chunk_feed(settings: BaseSettings) -> bool:
    """Return True if a feed of the crawl has chunks."""
    formats = [feed.get("format") for feed in settings.getdict("FEEDS").values()]
    formats.append(settings["FEED_FORMAT"])
    return CHUNKS in formats and is_ours(settings, CHUNKS)


def text_of(item: Any) -> tuple[str, str]:
    """Return the URL and the content of *item*; both are empty unless it has a URL and a
    text."""
    if not is_item(item):
        return "", ""
    adapter = ItemAdapter(item)
    url, content = adapter.get("url"), adapter.get("content")
    if not isinstance(url, str) or not isinstance(content, str) or not content.strip():
        return "", ""
    return url, content


def _with_chunks(item: Any, spans: list[ChunkSpan] | None) -> Any:
    if isinstance(item, CrawlResult):
        made = ChunkedChange if isinstance(item, PageChange) else ChunkedResult
        return made(**{one.name: getattr(item, one.name) for one in fields(item)}, chunks=spans)
    adapter = ItemAdapter(item)
    can_hold = isinstance(item, dict) or "chunks" in adapter.field_names()
    if can_hold and not adapter.get("chunks"):
        adapter["chunks"] = spans
    return item
