"""Item pipeline that converts HTML in items to Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from itemadapter import ItemAdapter, is_item
from scrapy.exceptions import DropItem, NotConfigured

from wikicrawler import options
from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.errors import ContentError
from wikicrawler.items import CrawlResult

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.items import Content


class MarkdownPipeline:
    """Converts the ``html`` of an item to Markdown in its ``content``.

    The pipeline processes items of any type with ``html`` (str or bytes), ``url`` and an empty or
    missing ``content``. It also fills ``title``, ``links``, ``categories`` and the keys of
    ``Content.metadata`` if the item declares them and they are empty. Other items pass unchanged,
    as do objects that are no items (None, say, from a pipeline that returns nothing).
    An item is dropped, with the reason, if its page cannot be converted within its limits.

    The setting ``WIKICRAWLER_MARKDOWN_ENABLED`` (default ``True``) enables the pipeline. Stats:
    ``markdown/converted_count``, ``markdown/dropped_count/{reason}``.
    """

    def __init__(self, crawler: Crawler) -> None:
        if not options.MARKDOWN_ENABLED.read(crawler.settings):
            raise NotConfigured
        self._crawler = crawler
        self._pool = ConversionPool.for_crawler(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_item(self, item: Any) -> Any:
        if isinstance(item, CrawlResult) or not is_item(item):  # the former has no HTML
            return item
        adapter = ItemAdapter(item)
        html, url = adapter.get("html"), adapter.get("url")
        if not html or not url or adapter.get("content") or not _can_hold(adapter, "content"):
            return item
        try:
            content = await self._pool.convert(html, url)
        except ContentError as error:
            self._count(f"dropped_count/{error.reason}")
            raise DropItem(f"cannot convert {url!r} to Markdown: {error}") from error
        self._count("converted_count")
        _fill(adapter, content)
        return item

    def _count(self, what: str) -> None:
        if self._crawler.stats:
            self._crawler.stats.inc_value(f"markdown/{what}")


def _can_hold(adapter: ItemAdapter, name: str) -> bool:
    return isinstance(adapter.item, dict) or (name in adapter.field_names())


def _fill(adapter: ItemAdapter, content: Content) -> None:
    adapter["content"] = content.markdown
    values: dict[str, Any] = {
        **content.metadata,
        "title": content.title,
        "links": list(content.links),
        "categories": list(content.categories),
    }
    declared = set(adapter.field_names())
    for name, value in values.items():
        if name in declared and not adapter.get(name):
            adapter[name] = value
