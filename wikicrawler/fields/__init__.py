"""Structured data from pages, extracted by an LLM that shows its evidence.

::

    from wikicrawler.fields import Scraper

    async with Scraper() as scraper:
        result = await scraper.scrape("https://books.example/1", "title: string, price: number")
"""

from __future__ import annotations

from wikicrawler.fields.config import load_config
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.errors import (
    AllKeysExhaustedError,
    ConfigError,
    ExtractionError,
    FetchError,
    ScraperError,
)
from wikicrawler.fields.keys import KeyRotator
from wikicrawler.fields.models import (
    CrawlState,
    Evidence,
    FieldDefinition,
    Finding,
    ScraperConfig,
    ScrapeResult,
    Usage,
)
from wikicrawler.fields.scraper.blocking import crawl_sync, scrape_many_sync, scrape_sync
from wikicrawler.fields.scraper.scraper import Scraper

__all__ = [
    "AllKeysExhaustedError",
    "ConfigError",
    "CrawlState",
    "Evidence",
    "ExtractionError",
    "FetchError",
    "FieldDefinition",
    "Finding",
    "KeyRotator",
    "ScrapeResult",
    "Scraper",
    "ScraperConfig",
    "ScraperError",
    "Usage",
    "crawl_sync",
    "define_fields",
    "load_config",
    "scrape_many_sync",
    "scrape_sync",
]
