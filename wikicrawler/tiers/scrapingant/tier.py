"""Tier ``scrapingant``: the page as ScrapingAnt returns it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.tiers.scrapingant.config import ScrapingAntConfig
from wikicrawler.tiers.scrapingant.handler import (
    META,
    ScrapingAntFingerprinter,
    ScrapingAntHandler,
)
from wikicrawler.tiers.service.paid import PaidTier

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


class ScrapingAntTier(PaidTier):
    """Tier that has ScrapingAnt fetch pages, by default in a browser."""

    name = "scrapingant"
    # The ten credits of a rendered page cost about $0.002, and take as long as a browser of one's
    # own.
    cost = 20.0
    meta_key = META
    handler = ScrapingAntHandler
    fingerprinter = ScrapingAntFingerprinter

    @classmethod
    def missing(cls, settings: BaseSettings) -> str:
        if ScrapingAntConfig.from_settings(settings) is not None:
            return ""
        return "no ScrapingAnt is configured (SCRAPINGANT_API_KEY)"
