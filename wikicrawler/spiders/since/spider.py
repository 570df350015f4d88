"""What the update of known pages needs of its spider."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from wikicrawler.spiders.category_lists import CategorySpider

if TYPE_CHECKING:
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.tiers.mediawiki.site import WikiSite


class SinceSpider(CategorySpider, Protocol):
    """The spider that brings known pages up to date."""

    settings: BaseSettings

    def wanted_namespaces(self, site: WikiSite) -> frozenset[int] | None:
        """Return the numbers of the namespaces to list; None is all."""

    def in_namespaces(self, namespace: int | None, site: WikiSite) -> bool:
        """Return True if a *namespace* of the wiki may be followed into."""

    def parse_since(self, response: Response, **batch: Any) -> Any:
        """Call ``SinceCrawl.read()``."""

    def since_failed(self, failure: TwistedFailure) -> Any:
        """Call ``SinceCrawl.failed()``."""
