"""What Scrapy logs of each page, where nobody reads it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy import signals

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

_LOGGERS = ("scrapy.core.engine", "scrapy.core.scraper")
"""They log each response and each item at the level DEBUG."""


class UnseenRecords:
    """Extension: spares the log records of responses and items that every handler would drop.

    Scrapy lets all records through to its handlers, which have ``LOG_LEVEL``. During a crawl the
    loggers above get the lowest level of the root logger's handlers, unless they have a level, a
    handler or a filter of their own.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._changed: list[logging.Logger] = []
        crawler.signals.connect(self._opened, signals.spider_opened)
        crawler.signals.connect(self._closed, signals.spider_closed)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def _opened(self) -> None:
        levels = [handler.level for handler in logging.getLogger().handlers]
        for logger in map(logging.getLogger, _LOGGERS):
            if levels and _is_plain(logger) and logger.getEffectiveLevel() < min(levels):
                logger.setLevel(min(levels))
                self._changed.append(logger)

    def _closed(self) -> None:
        while self._changed:
            self._changed.pop().setLevel(logging.NOTSET)


def _is_plain(logger: logging.Logger) -> bool:
    """Return True if only handlers of the root logger take the records of *logger*."""
    if logger.level != logging.NOTSET or logger.filters:
        return False
    while logger.parent is not None:
        if logger.handlers or not logger.propagate:
            return False
        logger = logger.parent
    return True
