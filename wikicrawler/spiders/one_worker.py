"""Spiders whose crawl has one worker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings


def check_one_worker(settings: BaseSettings, who: str) -> None:
    """
    :raises ConfigError: the crawl of *who* is to be shared by several workers
    """
    if options.FRONTIER.read(settings):
        raise ConfigError(
            f"{options.FRONTIER.name} cannot be used with {who}: its crawl has one "
            f"worker (remove the setting, or start it with -s {options.FRONTIER.name}=)"
        )
