"""The tiers that sources name, compared with those of the project."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from wikicrawler.text.names import nearest
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.manifest.model import Source

logger = logging.getLogger(__name__)


def unknown_tiers(settings: BaseSettings, sources: Iterable[Source]) -> list[str]:
    """Return a line for each tier that one of *sources* names and the project does not have. Log
    those that are not configured: their pages go to the next one.

    :raises ConfigError: a setting of a tier is wrong
    """
    named = [source for source in sources if source.tiers]
    if not named:
        return []
    registry = TierRegistry.from_settings(settings)
    lines = []
    for source in named:
        for name in source.tiers:
            if name not in registry.classes:
                near = nearest(name, registry.classes)
                hint = f"did you mean {near}?" if near else f"known: {', '.join(registry.classes)}"
                lines.append(f"{source.id}: scrape_config.tiers: no such tier: {name!r} ({hint})")
            elif why := registry.missing(name):
                logger.warning("Source %s: tier %s cannot be used: %s", source.id, name, why)
    return [one_line(line) for line in lines]
