"""Stops the crawl when what it fetches cannot be written."""

from __future__ import annotations

import errno
import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import CloseSpider

from wikicrawler.process.exit_codes import OUT_OF_SPACE, OUTPUT_FAILED
from wikicrawler.process.internals.feed_slots import open_feeds
from wikicrawler.process.stopping import stop
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_FAILED = "frontier/output_failed"  # stat: the finish reason
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class OutputCheck:
    """Scrapy extension: opens the feeds of JSON lines at the start, so that one that cannot be
    written ends the crawl before it has begun."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension._opened, signals.spider_opened)
        return extension

    def _opened(self) -> None:
        open_feeds(self._crawler, lambda storage: getattr(storage, "by_line", False))
        if reason := self._crawler.stats.get_value(_FAILED):
            raise CloseSpider(reason)


def output_failed(crawler: Crawler, name: str, error: OSError) -> None:
    """The feed *name* cannot be written: the crawl stops. The page is not done, nor are those under
    way."""
    if crawler.stats.get_value(_FAILED):
        return
    reason = OUT_OF_SPACE if error.errno in _NO_SPACE else OUTPUT_FAILED
    crawler.stats.set_value(_FAILED, reason)
    logger.error(
        "%s: cannot be written: %s. The crawl stops; with JOBDIR the same command goes on with it",
        one_line(name),
        error.strerror,
    )
    if crawler.engine.running:
        stop(crawler, reason)
