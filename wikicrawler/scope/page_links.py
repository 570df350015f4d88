"""The rules that a page and its engine set for the page and its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.scope.engines import Kind, engine_of
from wikicrawler.scope.links import url_of_link
from wikicrawler.scope.page_requests import is_seed
from wikicrawler.scope.traps import LeftOut
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from scrapy.http import Response

    from wikicrawler.scope.link_guard import LinkGuard
    from wikicrawler.scope.links import Linked
    from wikicrawler.scope.robots_rules import RobotsRules


class PageLinks:
    """Tells why the page *response* is not written, and which of its links are not followed.

    A seed is written, and its links are followed, whatever it is and states.
    """

    def __init__(self, response: Response, robots: RobotsRules, guard: LinkGuard) -> None:
        # It keeps no reference to the response, by which it is kept.
        self._url = url = response.url
        self._robots = robots
        self._is_seed = is_seed(response)
        self._engine = engine_of(response)
        self._chrome = self._engine if guard.leaves_out_chrome(url) else None
        by_default = self._engine is not None and self._engine.has_defaults
        self._stated = robots.stated(response, with_meta=not by_default)
        self._obeys = robots.obeys(url)
        self._closed = not self._is_seed and self._obeys and self._stated.nofollow is not None
        self._marked = robots.marked_links(response) if self._obeys else frozenset()
        if self._marked and self._engine is not None and self._engine.engine.marks_external:
            host = host_of(url)
            self._marked = frozenset(link for link in self._marked if host_of(link) == host)
        self._own_kind = self._kind(url)

    def refusal(self, url: str) -> Failure | None:
        """Return why the page, whose own URL is *url*, is not written; None if it is."""
        if not self._is_seed and self._chrome is not None:
            kind = self._own_kind if url == self._url else self._kind(url)
            if kind is not None:
                return Failure(Reason.CHROME, f"a page of {self._chrome.engine.name}", Action.FINAL)
        return self._robots.refusal(url, self._stated, is_seed=self._is_seed)

    def rule_against(self, link: str | Linked) -> LeftOut | None:
        """Return why *link* is not to be followed; None if it may be."""
        url = url_of_link(link)
        is_chrome = not self._is_seed and self._own_kind is Kind.CHROME
        if is_chrome or self._kind(url) is Kind.CHROME:
            return LeftOut.CHROME
        # Scrapy's LinkExtractor notes the rel=nofollow of a link with it.
        marked = self._obeys and getattr(link, "nofollow", False) is True
        if self._closed or marked or url in self._marked:
            return LeftOut.NOFOLLOW
        return None

    def other_name(self, url: str) -> str | None:
        """Return another URL of the page at *url*, by which it may be known; None without one."""
        return self._engine.other_name(url) if self._engine is not None else None

    def _kind(self, url: str) -> Kind | None:
        return self._chrome.kind_of(url) if self._chrome is not None else None
