"""Whether a project has the throttle set its pace."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

_PACE = (
    options.DOMAIN_THROTTLE_REQUESTS_PER_MINUTE,
    options.DOMAIN_THROTTLE_MAX_DELAY,
    options.DOMAIN_THROTTLE_MAX_CRAWL_DELAY,
    options.DOMAIN_THROTTLE_MAX_RETRY_AFTER,
    options.RETRY,
)


def uses_throttle(settings: BaseSettings) -> bool:
    """Return ``DOMAIN_THROTTLE_ENABLED``; where it is unset, whether the project configures the
    throttle: by another setting of it, by the environment, or by a domain in its ``sources.yml``.

    Any other project keeps Scrapy's pace.

    :raises ConfigError: the setting is wrong
    """
    enabled = options.DOMAIN_THROTTLE_ENABLED
    if settings.get(enabled.name) is not None:
        return enabled.read(settings)
    if any(settings.get(s.name) is not None or s.variable() for s in _PACE):
        return True
    with suppress(ConfigError):  # reported by what reads the file
        config = Config.from_settings(settings)
        return config.source is not None and any(
            domain.delay is not None or domain.concurrency is not None or domain.own_budget
            for domain in config.domains.values()
        )
    return False
