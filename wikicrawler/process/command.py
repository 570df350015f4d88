"""Detection of the Scrapy command that is running."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def is_crawl(crawler: Crawler) -> bool:
    """Return True for ``scrapy crawl``, False for interactive commands (``shell``, ``fetch``,
    ``parse``, ``check``)."""
    # Scrapy does not report the command. These replace start() of the spider class, but for shell.
    return not is_shell(crawler) and not crawler.spidercls.start.__module__.startswith(
        "scrapy.commands."
    )


def is_shell(crawler: Crawler) -> bool:
    """Return True for ``scrapy shell``."""
    # It replaces the dupefilter at the priority that only commands use.
    return crawler.settings.getpriority("DUPEFILTER_CLASS") == SETTINGS_PRIORITIES["command"]
