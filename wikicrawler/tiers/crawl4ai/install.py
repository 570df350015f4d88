"""Put crawl4ai's download handler and fingerprinter into a project's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.misc import load_object

from wikicrawler import options
from wikicrawler.tiers.crawl4ai.fingerprint import Crawl4AIFingerprinter
from wikicrawler.tiers.crawl4ai.handler import Crawl4AIHandler

if TYPE_CHECKING:
    from scrapy.settings import Settings


def install(settings: Settings) -> None:
    """Put the handler and the fingerprinter before those that the project has."""
    handlers = settings.getwithbase("DOWNLOAD_HANDLERS")
    behind = dict(options.CRAWL4AI_FALLBACK_HANDLERS.read(settings))
    mine = {}
    for scheme in ("http", "https"):
        handler = handlers.get(scheme)
        if handler is not None and load_object(handler) is not Crawl4AIHandler:
            behind.setdefault(scheme, handler)
            mine[scheme] = Crawl4AIHandler
    _set(settings, "DOWNLOAD_HANDLERS", settings.getdict("DOWNLOAD_HANDLERS") | mine)
    _set(settings, options.CRAWL4AI_FALLBACK_HANDLERS.name, behind)
    name = "REQUEST_FINGERPRINTER_CLASS"
    fingerprinter = load_object(settings[name])
    if fingerprinter is not Crawl4AIFingerprinter:
        name_of_fallback = options.CRAWL4AI_FALLBACK_FINGERPRINTER.name
        if (settings.getpriority(name_of_fallback) or 0) < SETTINGS_PRIORITIES["addon"]:
            settings.set(name_of_fallback, fingerprinter, priority="addon")
        _set(settings, name, Crawl4AIFingerprinter)


def _set(settings: Settings, name: str, value: object) -> None:
    """Set what contains the project's own value, so that it wins over that."""
    priority = max(settings.getpriority(name) or 0, SETTINGS_PRIORITIES["addon"])
    settings.set(name, value, priority=priority)
