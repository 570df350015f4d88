"""A feed of chunks: one JSON line a chunk, those of a page together."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter, is_item

from wikicrawler.errors import ConfigError
from wikicrawler.feeds.chunks.groups import NEEDED
from wikicrawler.feeds.chunks.pipeline import PageChunks, text_of
from wikicrawler.feeds.line_feeds import Feed, LineExporter, key_of
from wikicrawler.items import DELETED, CrawlResult, PageChange, hash_text
from wikicrawler.text.safe import one_line, without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from scrapy.crawler import Crawler

    from wikicrawler.items import ChunkSpan

logger = logging.getLogger(__name__)

_OF_PAGE = ("lang", "license", "fetched_at")


class ChunkExporter(LineExporter):
    """Scrapy exporter of the chunks of pages.

    The lines of a page are written at once, so that a kill or a full disk leaves all of them or
    none (:func:`~wikicrawler.feeds.chunks.groups.mend_groups`). ``docs/chunks.md`` has the fields.
    A page that was deleted (``-a since=``) has one line without text, whose ``count`` is 0. An item
    without text is left out.

    Stats: ``chunks/page_count``, ``chunks/line_count``, ``chunks/left_out_count``.
    """

    def __init__(self, file: Any, *, crawler: Crawler, **options: Any) -> None:
        super().__init__(file, **options)
        self._crawler = crawler
        self._chunks = PageChunks.of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler, file: Any, **options: Any) -> Self:
        return cls(file, crawler=crawler, **options)

    def export_item(self, item: Any) -> None:
        if isinstance(item, PageChange) and item.change == DELETED:
            records = [_deleted(item)]
        else:
            url, content = text_of(item)
            if not url:
                self._leave_out(item)
                return
            spans = self._chunks.get(content, url)
            if spans is None:  # the pipeline has reported it
                return
            records = list(_records(item, content, spans))
        lines = [(self.encoder.encode(self._fields(one)) + "\n") for one in records]
        group = "".join(lines).encode(self.encoding or "utf-8")
        self._crawler.stats.inc_value("chunks/page_count")
        self._crawler.stats.inc_value("chunks/line_count", len(lines))
        if isinstance(self.file, Feed):
            is_page = isinstance(item, CrawlResult)
            self.file.write_record(key_of(item if is_page else records[0], group), group)
        else:
            self.file.write(group)

    def _fields(self, record: dict[str, Any]) -> dict[str, Any]:
        return dict(self.get_serialized_fields(record))

    def _leave_out(self, item: Any) -> None:
        if not self._crawler.stats.get_value("chunks/left_out_count"):
            logger.warning(
                "The feed of chunks leaves out items that have no url and content, like this %s "
                "(no more are logged; the stat chunks/left_out_count counts them)",
                one_line(_kind(item), 100),
            )
        self._crawler.stats.inc_value("chunks/left_out_count")


def check_fields(uri: str, names: Iterable[str] | Mapping[str, str] | None) -> None:
    """Check the fields that a feed of chunks is to have.

    :raises ConfigError: one is missing without which a torn group cannot be recognised
    """
    if names is None:
        return
    kept = {new for old, new in names.items() if old == new} if hasattr(names, "items") else names
    if missing := [name for name in (*NEEDED, "start") if name not in set(kept)]:
        raise ConfigError(
            f"FEEDS: {one_line(uri, 200)}: the fields of a feed of chunks lack "
            f"{', '.join(missing)} (FEED_EXPORT_FIELDS is for all feeds: give each its own fields)"
        )


def _records(item: Any, content: str, spans: list[ChunkSpan]) -> Iterable[dict[str, Any]]:
    content = without_surrogates(content)  # as it was split
    page = _page(item)
    for index, span in enumerate(spans):
        yield {
            "id": span["id"],
            "url": page["url"],
            "title": page["title"],
            "index": index,
            "count": len(spans),
            "headings": span["headings"],
            "text": span["prefix"] + content[span["start"] : span["end"]],
            "prefix": span["prefix"],
            "start": span["start"],
            "end": span["end"],
            "tokens": span["tokens"],
            **page,
        }


def _deleted(item: PageChange) -> dict[str, Any]:
    page = _page(item)
    empty = {"id": None, "url": page["url"], "title": page["title"], "index": 0, "count": 0}
    place = {"headings": [], "text": "", "prefix": "", "start": 0, "end": 0, "tokens": 0}
    return {**empty, **place, **page}


def _page(item: Any) -> dict[str, Any]:
    """Return what each line says of the page."""
    adapter = ItemAdapter(item)
    found = {name: adapter.get(name) for name in ("url", "title", *_OF_PAGE)}
    hashed = adapter.get("content_hash")
    found["content_hash"] = hashed if isinstance(hashed, str) else hash_text(adapter["content"])
    if isinstance(item, PageChange):
        found |= {"change": item.change, "previous_url": item.previous_url}
    return found


def _kind(item: Any) -> str:
    kind = ItemAdapter(item).get("type") if is_item(item) else None
    return f"{type(item).__name__} of type {kind!r}" if kind else type(item).__name__
