"""What a tier is: a way to get a page.

To add one, subclass :class:`Tier` in a folder of its own and name the class in
:data:`wikicrawler.config.TIER_CLASSES`, or name its import path in ``WIKICRAWLER_TIERS``. No other
module knows a tier by name: what sets a tier apart from the others is one of its attributes here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response
    from scrapy.settings import BaseSettings, Settings

    from wikicrawler.pages import Failure, Page
    from wikicrawler.tiers.mediawiki.directory import WikiDirectory


class Usability(NamedTuple):
    """Whether a tier can be tried for a page, for ``scrapy tiers``."""

    usable: bool
    why: str
    """One line for a person."""
    server_answers: bool = True
    """False if a server that the tier depends on is configured and does not answer."""


class Tier(ABC):
    """A way to get a page: it translates the page's request, and the response to that.

    There is one instance in a crawl. :meth:`request` and :meth:`read` are pure: no I/O, no engine.
    :meth:`ready` and :meth:`explain` may ask servers.
    """

    name: ClassVar[str]
    """One lower-case word, used in settings, records, stats and logs."""
    cost: ClassVar[float] = 1.0
    """Default cost of an attempt, in plain GETs; ``WIKICRAWLER_TIER_COSTS`` overrides it."""
    needs_wiki: ClassVar[bool] = False
    """The tier is for pages of a wiki whose API may be used, and of no use to others."""
    at_page_url: ClassVar[bool] = True
    """The response comes from the page's own URL, so that what is wrong with it is wrong with the
    page. False for an API: another tier asks another URL."""
    is_probe: ClassVar[bool] = False
    """The tier is the plain GET that can tell what kind of page it is, before another is tried."""
    renders: ClassVar[bool] = False
    """The tier runs the page's scripts."""
    risks_ban: ClassVar[bool] = True
    """A block puts our own address at risk. False where somebody else's address asks."""
    meta_key: ClassVar[str] = ""
    """Request meta key that, if true, sends a request to this tier alone; empty for none."""
    stealth_key: ClassVar[str] = ""
    """Request meta key that has the tier hide that it is automated; empty where it cannot."""

    @classmethod
    def missing(cls, settings: BaseSettings) -> str:
        """What these settings lack for the tier to be used, as one line; empty if nothing.

        :raises ConfigError: a setting of the tier is wrong
        """
        return ""

    @classmethod
    def update_settings(cls, settings: Settings) -> None:
        """Change the settings of a project that uses the add-on and lacks nothing.

        A download handler or fingerprinter of the tier's own is set here.
        """

    @classmethod
    def from_crawler(cls, crawler: Crawler, wikis: WikiDirectory) -> Self:
        """Make the tier of one crawl; *wikis* knows the wikis of that crawl."""
        return cls()

    async def ready(self, page_url: str) -> bool:
        """Get ready to be tried for a page. Return False if that is of no use any more."""
        return True

    @abstractmethod
    def request(self, page: Request) -> Request | Failure:
        """Return the request to send for *page*, a request for the page's own URL.

        That is *page* itself where it is what to send.
        """

    @abstractmethod
    def read(self, response: Response, page_url: str) -> Page | Failure:
        """Return the page in *response* to such a request; *page_url* is what was asked for."""

    def answered(self, page_url: str) -> None:
        """Take note that the tier's server answered as it should."""

    def failed(self, page_url: str, failure: Failure) -> None:
        """Take note of a failure that is not the page's own."""

    async def explain(self, page_url: str) -> Usability:
        """Say whether the tier can be tried for a page, without fetching it."""
        return Usability(True, "the page's own URL")
