"""Records of responses and items that no handler takes."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from scrapy import Spider, signals
from scrapy.utils.test import get_crawler

from wikicrawler.console.unseen_records import UnseenRecords

if TYPE_CHECKING:
    from collections.abc import Iterator

LOGGERS = [logging.getLogger(f"scrapy.core.{name}") for name in ("engine", "scraper")]


@contextmanager
def root_handlers(*levels: int) -> Iterator[None]:
    """Let the root logger take all records for handlers of these *levels* alone."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    root.handlers = [logging.NullHandler(one) for one in levels]
    root.setLevel(logging.NOTSET)
    try:
        yield
    finally:
        root.handlers = handlers
        root.setLevel(level)


@contextmanager
def crawl() -> Iterator[None]:
    """Send the signals of a crawl with the extension and Scrapy's handler that counts records."""
    crawler = get_crawler(settings_dict={"LOG_LEVEL": "INFO"})
    spider, extension = Spider("any"), UnseenRecords.from_crawler(crawler)
    crawler.signals.send_catch_log(signals.spider_opened, spider=spider)
    try:
        yield
    finally:
        crawler.signals.send_catch_log(signals.spider_closed, spider=spider, reason="finished")
    assert extension


def are_created(level: int = logging.DEBUG) -> list[bool]:
    return [logger.isEnabledFor(level) for logger in LOGGERS]


def test_records_that_every_handler_drops_are_not_created_while_a_crawl_runs() -> None:
    with root_handlers(logging.WARNING, logging.INFO):
        with crawl():
            assert are_created() == [False, False]
            assert are_created(logging.INFO) == [True, True]
        assert are_created() == [True, True]


@pytest.mark.parametrize("levels", [(logging.INFO, logging.DEBUG), (logging.NOTSET,)])
def test_records_are_created_for_a_handler_that_takes_them(levels: tuple[int, ...]) -> None:
    with root_handlers(*levels), crawl():
        assert are_created() == [True, True]


@pytest.mark.parametrize("name", ["scrapy.core.engine", "scrapy.core", "scrapy"])
def test_records_are_created_for_handlers_of_the_project(name: str) -> None:
    logger, handler = logging.getLogger(name), logging.NullHandler()
    logger.addHandler(handler)
    try:
        with root_handlers(logging.INFO), crawl():
            assert are_created()[0]
    finally:
        logger.removeHandler(handler)


def test_a_level_that_the_project_has_set_stands() -> None:
    LOGGERS[0].setLevel(logging.DEBUG)
    try:
        with root_handlers(logging.INFO), crawl():
            assert are_created() == [True, False]
        assert LOGGERS[0].level == logging.DEBUG
    finally:
        LOGGERS[0].setLevel(logging.NOTSET)
