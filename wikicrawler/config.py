"""The operator's configuration, ``config/sources.yml``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from scrapy.settings import BaseSettings


@dataclass(frozen=True, slots=True)
class WikiConfig:
    """One entry of ``mediawiki_sites``."""

    api: str
    api_robots: Literal["obey", "exempt"] = "obey"
    article_path: str | None = None
    tiers: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class DomainConfig:
    """What is configured for a domain; None where nothing is."""

    tiers: tuple[str, ...] | None = None
    delay: float | None = None
    concurrency: int | None = None
    own_budget: bool = False


@dataclass(frozen=True, slots=True)
class Config:
    """All of it. Keys are ``host`` or ``host:port``, lower case."""

    wikis: Mapping[str, WikiConfig]
    domains: Mapping[str, DomainConfig]
    source: Path | None = None

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Config:
        """The configuration that the setting ``WIKICRAWLER_CONFIG`` names."""
        raise NotImplementedError

    def wiki_for(self, url: str) -> WikiConfig | None:
        """The wiki whose domain is the longest suffix of the URL's host."""
        raise NotImplementedError

    def domain_for(self, url: str) -> DomainConfig:
        """The domain entry whose key is the longest suffix of the URL's host."""
        raise NotImplementedError

    def budget_of(self, url: str) -> str:
        """The name of the politeness budget that the URL is charged to: its site (registered
        domain), or the configured domain that has ``own_budget``."""
        raise NotImplementedError
