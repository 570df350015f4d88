"""Reports of pages without a record."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Self

from scrapy import signals

from wikicrawler import options
from wikicrawler.errors import ConfigError
from wikicrawler.feeds.line_feeds import key_of_page, open_feed
from wikicrawler.feeds.output_check import raise_if_failed
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.process.command import is_crawl
from wikicrawler.signals import page_skipped
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import without_login

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from scrapy.crawler import Crawler

    from wikicrawler.errors import Reason
    from wikicrawler.feeds.line_feeds import Feed
    from wikicrawler.items import Attempt

logger = logging.getLogger(__name__)


class SkippedPages:
    """Scrapy extension that logs, counts and optionally writes each
    :data:`~wikicrawler.signals.page_skipped`.

    ``WIKICRAWLER_SKIPPED_FILE`` (default: none) names a file of JSON lines ``{"url", "reason",
    "detail", "attempts", "time"}``, relative to the working directory like ``FEEDS``. It is written
    like a JSON lines feed: every line at once and atomically, each page once even if the crawl is
    killed, and a full disk stops the crawl. A new crawl overwrites the file; a crawl resumed with
    ``JOBDIR`` appends to it.

    Stats: ``wikicrawler/skipped/count``, ``wikicrawler/skipped/{reason}``.
    """

    def __init__(self, crawler: Crawler, path: Path | None) -> None:
        self._crawler = crawler
        self._stats = crawler.stats
        self._path = path
        self._feed: Feed | None = None
        if path:  # fail at the start, not at the first skipped page
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.open("ab", buffering=0).close()
            except (OSError, ValueError) as exc:
                why = getattr(exc, "strerror", None) or "not a file name"
                raise ConfigError(
                    f"{options.SKIPPED_FILE.name}: {one_line(path)}: cannot be written: {why} "
                    "(name a file, relative to the working directory)"
                ) from None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        named = options.SKIPPED_FILE.read(crawler.settings)
        extension = cls(crawler, named.absolute() if named and is_crawl(crawler) else None)
        crawler.signals.connect(extension.spider_opened, signal=signals.spider_opened)
        crawler.signals.connect(extension.page_skipped, signal=page_skipped)
        crawler.signals.connect(extension.spider_closed, signal=signals.spider_closed)
        return extension

    def spider_opened(self) -> None:
        if not self._path:
            return
        # Scrapy's scheduler does not tell a resumed crawl from a new one.
        anew = frontier_of(self._crawler) is not None or not self._crawler.settings["JOBDIR"]
        self._feed = open_feed(self._crawler, self._path, overwrite=anew)
        raise_if_failed(self._crawler)

    def page_skipped(
        self, url: str, reason: Reason, detail: str, attempts: Sequence[Attempt]
    ) -> None:
        self._stats.inc_value("wikicrawler/skipped/count")
        self._stats.inc_value(f"wikicrawler/skipped/{reason}")
        logger.info(
            "Skipped %(url)s: %(reason)s%(detail)s",
            {
                "url": one_line(url),
                "reason": reason,
                "detail": f" ({one_line(detail)})" if detail else "",
            },
        )
        if self._feed:
            entry: dict[str, Any] = {
                "url": without_login(url),
                "reason": str(reason),
                "detail": one_line(detail),
                "attempts": list(attempts),
                "time": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            self._feed.write_record(key_of_page(entry["url"]), json.dumps(entry).encode() + b"\n")

    def spider_closed(self) -> None:
        if self._feed:
            self._feed.close()
            self._feed = None
