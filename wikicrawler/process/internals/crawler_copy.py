"""A copy of a crawler with one changed setting, to build a component from.

Undocumented name: ``BaseSettings.frozen``; Scrapy can freeze settings, but not unfreeze them. A
download handler reads the verification of certificates from the settings of its crawler only
(``DOWNLOAD_VERIFY_CERTIFICATES``); a meta key or a parameter for it would replace this module.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from scrapy.settings import BaseSettings

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

require(BaseSettings(), "frozen", library="scrapy", purpose="verify_tls of sources.yml")


def with_setting(crawler: Crawler, name: str, value: object) -> Crawler:
    """Return a shallow copy of *crawler* with the setting *name* changed to *value*."""
    changed = copy(crawler)
    changed.settings = crawler.settings.copy()
    changed.settings.frozen = False
    changed.settings.set(name, value, priority="cmdline")
    return changed
