"""Which command runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


def is_crawl(crawler: Crawler) -> bool:
    """Whether a crawl runs, rather than ``scrapy shell``, ``fetch``, ``parse`` or ``check``: those
    have a person in front who looks at something else."""
    # Scrapy does not say which command runs. shell replaces the dupefilter at the priority that
    # only commands use; the others give the spider class a start() of their own.
    if crawler.settings.getpriority("DUPEFILTER_CLASS") == SETTINGS_PRIORITIES["command"]:
        return False
    return not crawler.spidercls.start.__module__.startswith("scrapy.commands.")
