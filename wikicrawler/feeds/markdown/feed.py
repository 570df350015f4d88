"""Feeds in the format ``markdown``: a folder with one file for each page."""

from __future__ import annotations

import errno
import logging
from contextlib import suppress
from functools import partial
from io import RawIOBase
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from itemadapter import ItemAdapter
from scrapy.exporters import BaseItemExporter
from twisted.internet.threads import deferToThread

from wikicrawler.content.links import markdown_url
from wikicrawler.errors import Reason, StateError
from wikicrawler.feeds.markdown.folder import MarkdownFolder
from wikicrawler.feeds.markdown.front_matter import FIELDS, front_matter
from wikicrawler.feeds.markdown.links import with_links
from wikicrawler.feeds.markdown.page_names import Place
from wikicrawler.feeds.output_check import output_failed
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.items import DELETED, hash_text
from wikicrawler.signals import page_redirected, page_skipped
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from scrapy.crawler import Crawler
    from twisted.internet.defer import Deferred
    from twisted.python.failure import Failure

logger = logging.getLogger(__name__)


class MarkdownExporter(BaseItemExporter):
    """Exporter of records with ``url`` and ``content`` to files of Markdown.

    The front matter has the fields of the feed (``FEED_EXPORT_FIELDS``, or ``fields`` of the feed),
    or else :data:`~wikicrawler.feeds.markdown.front_matter.FIELDS`.

    :param file: the :class:`MarkdownFeed` that the storage has opened
    """

    def __init__(self, file: Any, **options: Any) -> None:
        super().__init__(**{"fields_to_export": FIELDS} | _given(options))
        self._feed: MarkdownFeed = file

    def export_item(self, item: Any) -> None:
        whole = ItemAdapter(item)
        url, content = whole.get("url"), whole.get("content")
        if not isinstance(url, str) or not isinstance(content, str):
            self._feed.leave_out(type(item).__name__)
            return
        if whole.get("change") == DELETED:
            self._feed.remove(url)
            return
        for name in ("previous_url", "redirected_from"):
            if isinstance(before := whole.get(name), str) and before != url:
                self._feed.remove(before)
                self._feed.add_alias(before, url)
        values = dict(self.get_serialized_fields(item, include_empty=False))
        values.pop("content", None)
        content_hash = values.pop("content_hash", None) or hash_text(content)
        head = {"url": url} | values | {"content_hash": content_hash}
        if "](/" in content:
            content = with_links(content, partial(_absolute, url))
        self._feed.write_page(url, front_matter(head), f"\n{content}\n")


def _absolute(page_url: str, target: str) -> str | None:
    """The URL of *target* if it is a path of the host of *page_url*: a file has no host."""
    if target[:1] != "/":
        return None
    with suppress(ValueError):
        return markdown_url(urljoin(page_url, target))
    return None


def _given(options: dict[str, Any]) -> dict[str, Any]:
    """The options of a feed that have a value."""
    return {name: value for name, value in options.items() if value is not None}


class MarkdownFeed(RawIOBase):
    """A folder that is open, the file of :class:`MarkdownExporter`. After a failure it takes no
    more pages, and the crawl stops.

    Stats: ``markdown_files/written_count``, ``…/unchanged_count``, ``…/removed_count``,
    ``…/left_out_count``.
    """

    def __init__(self, crawler: Crawler, path: Path) -> None:
        self._crawler = crawler
        self._name = str(path)
        self._frontier = frontier_of(crawler)
        self._folder: MarkdownFolder | None = None
        try:
            self._folder = MarkdownFolder(Place.of(path))
        except OSError as error:
            self._failed(error)
        except StateError as error:
            self._failed(OSError(errno.EBUSY, str(error)))
        crawler.signals.connect(self._skipped, page_skipped)
        crawler.signals.connect(self._redirected, page_redirected)

    def write_page(self, url: str, head: str, body: str) -> None:
        """Write the file of a page."""
        self._do(
            lambda folder: self._count("written" if folder.write(url, head, body) else "unchanged")
        )

    def remove(self, url: str) -> None:
        """Remove the file of a page that is gone, if there is one."""

        def remove(folder: MarkdownFolder) -> None:
            if folder.remove(url):
                self._count("removed")

        self._do(remove)

    def add_alias(self, url: str, target: str) -> None:
        """Let links to *url* lead to the file of the page *target*."""
        self._do(lambda folder: folder.add_alias(url, target))

    def leave_out(self, kind: str) -> None:
        """Count an item that is not a page; *kind* is the name of its class."""
        if not self._crawler.stats.get_value("markdown_files/left_out_count"):
            logger.warning(
                "%s: an item of the class %s has no file (expected url and content)",
                one_line(self._name),
                one_line(kind, 80),
            )
        self._count("left_out")

    def settle(self) -> Deferred[None]:
        """Make the links between the files in a thread, and let go of the folder."""
        settled: Deferred[None] = deferToThread(self._folder.settle if self._folder else _nothing)
        settled.addErrback(self._not_settled)
        return settled.addBoth(self._let_go)

    def _skipped(self, url: str, reason: Reason) -> None:
        if reason is Reason.MISSING:
            self.remove(url)

    def _redirected(self, url: str, target: str) -> None:
        self.add_alias(url, target)

    def _do(self, action: Callable[[MarkdownFolder], object]) -> None:
        if self._folder is None:
            return
        try:
            action(self._folder)
        except OSError as error:
            self._let_go()
            self._failed(error)

    def _count(self, what: str) -> None:
        self._crawler.stats.inc_value(f"markdown_files/{what}_count")

    def _not_settled(self, failure: Failure) -> None:
        if not isinstance(failure.value, OSError):
            failure.raiseException()
        self._failed(failure.value)

    def _failed(self, error: OSError) -> None:
        if self._frontier is not None:
            self._frontier.give_up()  # the page is fetched again
        output_failed(self._crawler, self._name, error)

    def _let_go(self, result: Any = None) -> Any:
        folder, self._folder = self._folder, None
        if folder is not None:
            folder.close()
        return result


def _nothing() -> None:
    """There is no folder to settle."""
