"""Detection of the Scrapy command that is running."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def is_crawl(crawler: Crawler) -> bool:
    """Return True for ``scrapy crawl``, False for interactive commands (``shell``, ``fetch``,
    ``parse``, ``check``)."""
    # Scrapy does not report the command. shell replaces the dupefilter at the priority that only
    # commands use; the others replace start() of the spider class.
    if crawler.settings.getpriority("DUPEFILTER_CLASS") == SETTINGS_PRIORITIES["command"]:
        return False
    return not crawler.spidercls.start.__module__.startswith("scrapy.commands.")
