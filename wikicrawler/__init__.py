"""Turns wiki pages and public sites into clean Markdown records, as a Scrapy project.

The names below are all that a project that uses the add-on usually needs. They are loaded when they
are first used, so that ``import wikicrawler`` is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from wikicrawler.version import __version__

if TYPE_CHECKING:
    from wikicrawler.addon import WikiCrawler
    from wikicrawler.content import convert
    from wikicrawler.errors import ConfigError, ContentError, Reason
    from wikicrawler.items import Content, CrawlResult
    from wikicrawler.scope import CrawlBounds, CrawlScope
    from wikicrawler.tiers.failures import TiersExhausted
    from wikicrawler.tiers.progress import report_skipped
    from wikicrawler.tiers.tier import Tier

__all__ = [
    "ConfigError",
    "Content",
    "ContentError",
    "CrawlBounds",
    "CrawlResult",
    "CrawlScope",
    "Reason",
    "Tier",
    "TiersExhausted",
    "WikiCrawler",
    "__version__",
    "convert",
    "report_skipped",
]

_HOMES = {
    "ConfigError": "wikicrawler.errors",
    "Content": "wikicrawler.items",
    "ContentError": "wikicrawler.errors",
    "CrawlBounds": "wikicrawler.scope",
    "CrawlResult": "wikicrawler.items",
    "CrawlScope": "wikicrawler.scope",
    "Reason": "wikicrawler.errors",
    "Tier": "wikicrawler.tiers.tier",
    "TiersExhausted": "wikicrawler.tiers.failures",
    "WikiCrawler": "wikicrawler.addon",
    "convert": "wikicrawler.content",
    "report_skipped": "wikicrawler.tiers.progress",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
