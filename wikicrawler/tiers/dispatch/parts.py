"""What the tiers of one crawl share."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from wikicrawler.audit.wire import wire_of
from wikicrawler.config import Config
from wikicrawler.tiers.attempt_signal import AttemptSignal
from wikicrawler.tiers.audit_label import label_of
from wikicrawler.tiers.failed_pages import FailedPages
from wikicrawler.tiers.mediawiki.directory import WikiDirectory
from wikicrawler.tiers.policy import ChoosingPolicy, load_policy, plans_api
from wikicrawler.tiers.reader import PageReader
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.tiers.steps import TierSteps
from wikicrawler.tiers.unplanned_pages import UnplannedPages

if TYPE_CHECKING:
    from scrapy import Spider
    from scrapy.crawler import Crawler


class TierParts:
    """The policy, the wikis and the tiers of one crawl, and what handles their pages."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self.crawler = crawler
        config = Config.from_settings(settings)
        self.policy = load_policy(crawler)
        self.choosing = self.policy if isinstance(self.policy, ChoosingPolicy) else None
        self.registry = TierRegistry.from_settings(settings)
        uses_api = partial(plans_api, self.policy, self.registry)
        self.wikis = WikiDirectory(crawler, config, uses_api)
        self.reader = PageReader(crawler, self.wikis)
        self.attempt_signal = AttemptSignal(crawler, self.wikis)
        self.failed_pages = FailedPages(crawler, config)
        self.originals = self.failed_pages.originals
        self.unplanned = UnplannedPages(self.failed_pages, self.policy, self.registry)
        """The handling of pages before a tier is chosen."""
        self.tiers = self.registry.make(crawler, self.wikis)
        """The usable tiers, by name."""
        wire_of(crawler).label_of = partial(label_of, self.tiers)
        self.steps = TierSteps(crawler, self.registry, self.tiers, self.failed_pages, config)

    @property
    def spider(self) -> Spider:
        spider = self.crawler.spider
        assert spider is not None  # noqa: S101 - set while requests are processed
        return spider

    def count(self, name: str) -> None:
        self.crawler.stats.inc_value(name)
