"""What a tier is: a pure translation of a page's URL into a request, and of an answer into a page.

A tier does no I/O and knows no engine. It says what it found as a :class:`~wikicrawler.pages.Page`,
or why it found none as a :class:`~wikicrawler.pages.Failure`; :mod:`wikicrawler.tiers.middleware`
does the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from scrapy.http import Request, Response

    from wikicrawler.pages import Failure, Page
    from wikicrawler.tiers.mediawiki.site import WikiSite


class Tier(Protocol):
    """A way to get a page."""

    name: str

    def request(self, page: Request, wiki: WikiSite | None) -> Request | Failure:
        """The request to send for *page*, a request for the page's own URL; *page* itself where
        that is what to send. *wiki* is the wiki that it is a page of, if it is one."""

    def read(self, response: Response, page_url: str, wiki: WikiSite | None) -> Page | Failure:
        """The page in *response* to that request; *page_url* is what was asked for."""
