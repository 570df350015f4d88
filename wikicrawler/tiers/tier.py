"""Base class of tiers. A tier is a way to fetch a page.

To add one, subclass :class:`Tier` in its own folder and name the class in
:data:`wikicrawler.config.TIER_CLASSES`, or name its import path in ``WIKICRAWLER_TIERS``. No other
module refers to a tier by name: attributes of the class describe how tiers differ.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from wikicrawler.operations import PAGE

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response
    from scrapy.settings import BaseSettings, Settings

    from wikicrawler.pages import Failure, Page
    from wikicrawler.tiers.mediawiki.directory import WikiDirectory


def page_itself(tier: Tier, page: Request) -> Request:
    """The :meth:`Tier.request` of a tier that sends the page's own request, unchanged: it is not
    even copied."""
    return page


class Usability(NamedTuple):
    """The answer of a tier to ``scrapy tiers``: can it be tried for a page?"""

    usable: bool
    why: str
    """One line for a person."""
    server_answers: bool = True
    """False if the tier depends on a configured server that does not answer."""


class Tier(ABC):
    """A way to fetch a page: it translates the page's request, and the response.

    Each crawl has one instance. :meth:`request` and :meth:`read` are pure: no I/O, no engine.
    :meth:`ready` and :meth:`explain` may send requests.
    """

    name: ClassVar[str]
    """One lower-case word, used in settings, records, stats and logs."""
    cost: ClassVar[float] = 1.0
    """Default cost of an attempt, in plain GETs; ``WIKICRAWLER_TIER_COSTS`` overrides it."""
    needs_wiki: ClassVar[bool] = False
    """True if the tier works only for pages of a wiki whose API may be used."""
    at_page_url: ClassVar[bool] = True
    """True if the response comes from the page's own URL, so that its errors are the page's errors.
    False for an API."""
    is_probe: ClassVar[bool] = False
    """True for the plain GET that can show the kind of page before another tier is tried."""
    renders: ClassVar[bool] = False
    """True if the tier runs the page's scripts."""
    risks_ban: ClassVar[bool] = True
    """True if a block puts our own address at risk. False if the requests come from another
    address."""
    charges_credits: ClassVar[bool] = False
    """True if the tier's service charges credits, which ``WIKICRAWLER_CREDITS`` may limit."""
    meta_key: ClassVar[str] = ""
    """Request meta key that, if true, sends a request to this tier only; empty for none."""
    operation: ClassVar[str] = PAGE
    """What the audit log calls a request of the tier (:mod:`wikicrawler.operations`)."""
    sends_elsewhere: ClassVar[bool] = False
    """True if another program fetches the page. It has neither the log-in nor the proxy that
    ``sources.yml`` names for a site, so the tier is not tried for such a site."""
    stealth_key: ClassVar[str] = ""
    """Request meta key that makes the tier hide that it is automated; empty for none."""

    @classmethod
    def missing(cls, settings: BaseSettings) -> str:
        """Return what *settings* lack for the tier to be usable, in one line; empty if nothing.

        :raises ConfigError: a setting of the tier is wrong
        """
        return ""

    @classmethod
    def update_settings(cls, settings: Settings) -> None:
        """Install the tier's components (download handler, fingerprinter) in *settings*.

        Called by the add-on if nothing is :meth:`missing`.
        """

    @classmethod
    def from_crawler(cls, crawler: Crawler, wikis: WikiDirectory) -> Self:
        """Create the tier of one crawl; *wikis* is the directory of that crawl's wikis."""
        return cls()

    async def ready(self, page_url: str) -> bool:
        """Prepare for a page. Return False if the tier can no longer fetch it.

        Called for each tier of the page's plan before the first one is tried.
        """
        return True

    @abstractmethod
    def request(self, page: Request) -> Request | Failure:
        """Return the request to send for *page*, a request for the page's own URL.

        It may be *page* itself.
        """

    @abstractmethod
    def read(self, response: Response, page_url: str) -> Page | Failure:
        """Return the page in *response* to the tier's request for *page_url*."""

    def answered(self, page_url: str) -> None:
        """Note that the tier's server returned a usable response."""

    def failed(self, page_url: str, failure: Failure) -> None:
        """Note a failure that is not the page's own."""

    async def service_works(self) -> bool:
        """Return True if the tier's service is known to work now.

        Called when a page fails again by a failure of the service: then it is the page's fault.
        """
        return False

    async def map_urls(self, url: str, limit: int) -> list[str] | None:
        """Return URLs of pages of the site of *url*, at most *limit*, from a list of its own that
        the tier can ask for; None if it has none. They are not checked yet.

        :raises TierError: the service failed
        """
        return None

    async def explain(self, page_url: str) -> Usability:
        """Return whether the tier can be tried for a page, without fetching the page."""
        return Usability(True, "the page's own URL")
