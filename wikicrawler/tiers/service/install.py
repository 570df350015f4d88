"""Installation of a service's download handler and fingerprinter in a project's settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy.settings import SETTINGS_PRIORITIES
from scrapy.utils.misc import load_object

if TYPE_CHECKING:
    from scrapy.settings import Settings

    from wikicrawler.tiers.service.fingerprint import ServiceFingerprinter
    from wikicrawler.tiers.service.handler import ServiceHandler


def install_handler(settings: Settings, handler: type[ServiceHandler[Any]]) -> None:
    """Install *handler* in front of the project's own download handlers."""
    handlers = settings.getwithbase("DOWNLOAD_HANDLERS")
    behind = dict(handler.fallback.read(settings))
    mine = {}
    for scheme in ("http", "https"):
        own = handlers.get(scheme)
        if own is not None and load_object(own) is not handler:
            behind.setdefault(scheme, own)
            mine[scheme] = handler
    _set(settings, "DOWNLOAD_HANDLERS", settings.getdict("DOWNLOAD_HANDLERS") | mine)
    _set(settings, handler.fallback.name, behind)


def install_fingerprinter(settings: Settings, fingerprinter: type[ServiceFingerprinter]) -> None:
    """Install *fingerprinter* in front of the project's own one."""
    name, fallback = "REQUEST_FINGERPRINTER_CLASS", fingerprinter.fallback.name
    own = load_object(settings[name])
    if own is fingerprinter:
        return
    if (settings.getpriority(fallback) or 0) < SETTINGS_PRIORITIES["addon"]:
        settings.set(fallback, own, priority="addon")
    _set(settings, name, fingerprinter)


def _set(settings: Settings, name: str, value: object) -> None:
    """Set a value that wraps the project's own, with a priority that overrides it."""
    priority = max(settings.getpriority(name) or 0, SETTINGS_PRIORITIES["addon"])
    settings.set(name, value, priority=priority)
