"""The line that says what the add-on changes in a project."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Self

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.settings import SETTINGS_PRIORITIES

from wikicrawler import options
from wikicrawler.process.command import is_crawl
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

logger = logging.getLogger(__name__)

OURS = "wikicrawler.spiders"
"""The module of spiders by which wikicrawler's own project is known."""


class ProjectNotice:
    """Scrapy extension that logs a line at INFO at the start of a crawl of another project: what
    the add-on changes in it.

    Only for ``scrapy crawl``, not for ``shell``, ``fetch``, ``parse`` and ``check``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._settings = crawler.settings

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not is_crawl(crawler) or OURS in crawler.settings.getlist("SPIDER_MODULES"):
            raise NotConfigured
        notice = cls(crawler)
        crawler.signals.connect(notice._opened, signals.spider_opened)
        return notice

    def _opened(self) -> None:
        if found := list(changes(self._settings)):
            logger.info(
                "What wikicrawler changes in this project (docs/addon.md): %s", "; ".join(found)
            )


def changes(settings: BaseSettings) -> Iterator[str]:
    """Yield what the add-on changes in a project with *settings*, which it has updated."""

    def is_ours(name: str) -> bool:
        return settings.getpriority(name) == SETTINGS_PRIORITIES["addon"]

    if is_ours("ROBOTSTXT_OBEY") and settings.getbool("ROBOTSTXT_OBEY"):
        yield "robots.txt is obeyed (ROBOTSTXT_OBEY)"
    if is_ours("USER_AGENT"):
        yield f"the User-Agent is {settings['USER_AGENT']!r} ({options.CONTACT.name})"
    if options.DOMAIN_THROTTLE_ENABLED.read(settings):
        yield (
            "each site has one pace, and pauses before a retry "
            f"({options.DOMAIN_THROTTLE_ENABLED.name})"
        )
    if options.TIERS_ENABLED.read(settings):
        tiers = [tier.name for tier in TierRegistry.from_settings(settings).available()]
        yield f"GET requests for pages go by the tiers {', '.join(tiers)} (meta tiers=False: not)"
    if options.TIERS_STRICT.read(settings):
        yield f"only pages reach callbacks ({options.TIERS_STRICT.name})"
    if options.ADDRESS_GUARD_ENABLED.read(settings):
        yield (
            "private addresses that no start request names are refused "
            f"({options.PRIVATE_HOSTS.name})"
        )
    if settings.get("JOBDIR") and is_ours("SCHEDULER"):
        yield "requests that JSON cannot hold are not kept in JOBDIR (SCHEDULER)"
