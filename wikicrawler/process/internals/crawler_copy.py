"""A crawler with one setting of its own, for a component that is built from it.

Undocumented names: ``BaseSettings.frozen``, as Scrapy can freeze settings and not thaw them. Only
the settings of a crawler say how a download handler verifies certificates
(``DOWNLOAD_VERIFY_CERTIFICATES``); a meta key or a parameter for that would replace this module.
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
    """Return a shallow copy of *crawler* whose setting *name* is *value*, whatever had set it."""
    changed = copy(crawler)
    changed.settings = crawler.settings.copy()
    changed.settings.frozen = False
    changed.settings.set(name, value, priority="cmdline")
    return changed
