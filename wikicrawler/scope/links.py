"""Links as spiders have them, and which of them are known to be pages of a wiki."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from wikicrawler.pages import PAGE_KEY, Link

if TYPE_CHECKING:
    from scrapy.http import Response

    from wikicrawler.pages import Page


class Linked(Protocol):
    """A link as Scrapy's ``LinkExtractor`` or :class:`wikicrawler.pages.Link` has it."""

    @property
    def url(self) -> str: ...


def url_of_link(link: str | Linked) -> str:
    """Return the URL of *link*."""
    return link if isinstance(link, str) else link.url


def asked_for(response: Response) -> str:
    """Return the URL that was requested for the page *response*, as it was spelt.

    The page's own URL may differ: after a redirect, or because a wiki spells it otherwise.
    """
    page: Page | None = response.meta.get(PAGE_KEY)
    if page is not None and page.redirected_from:
        return page.redirected_from
    urls = response.meta.get("redirect_urls")
    if page is None and urls:
        asked: str = urls[0]
        return asked
    return response.url if response.request is None else response.request.url


class WikiLinks:
    """The links of the page *response* that are known to be pages of its wiki.

    A family of URLs says nothing of them: no trap rule applies.
    """

    def __init__(self, response: Response) -> None:
        self._page: Page | None = response.meta.get(PAGE_KEY)

    def __contains__(self, link: str | Linked) -> bool:
        if isinstance(link, Link):
            return link.namespace is not None
        return url_of_link(link) in self._urls

    @cached_property
    def _urls(self) -> frozenset[str]:
        links = self._page.links if self._page is not None else None
        return frozenset(link.url for link in links or () if link.namespace is not None)
