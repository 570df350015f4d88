"""Stops the crawl when what it fetches cannot be written."""

from __future__ import annotations

import errno
import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import CloseSpider

from wikicrawler.process.exit_codes import OUT_OF_SPACE, OUTPUT_FAILED, STATE_FAILED
from wikicrawler.process.internals.feed_slots import open_feeds
from wikicrawler.process.stopping import stop
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

_FAILED = "frontier/output_failed"  # stats: the finish reason
_STATE_FAILED = "frontier/failed"
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class OutputCheck:
    """Scrapy extension: opens the feeds at the start whose storage has a true ``opens_at_start``.
    So one that cannot be written ends the crawl before it has begun."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        extension = cls(crawler)
        crawler.signals.connect(extension._opened, signals.spider_opened)
        return extension

    def _opened(self) -> None:
        open_feeds(self._crawler, lambda storage: getattr(storage, "opens_at_start", False))
        raise_if_failed(self._crawler)


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


def feed_lost(crawler: Crawler, path: Path, finding: str) -> None:
    """The feed at *path* is not what the crawl has written: the crawl stops."""
    crawler.stats.set_value(_STATE_FAILED, STATE_FAILED)
    logger.error(
        "%s: %s. Its records are not fetched again: restore the file, or go on without them into "
        "another file, or crawl anew with another JOBDIR and -O",
        one_line(path),
        finding,
    )
    if crawler.engine.running:
        stop(crawler, STATE_FAILED)


def raise_if_failed(crawler: Crawler) -> None:
    """
    :raises CloseSpider: a feed that was opened at the start cannot be used
    """
    for stat in (_FAILED, _STATE_FAILED):
        if reason := crawler.stats.get_value(stat):
            raise CloseSpider(reason)
