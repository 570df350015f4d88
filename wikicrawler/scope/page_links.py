"""The rules that a page and its engine set for the page and its links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure
from wikicrawler.scope.engines import Kind, engine_page
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
        self._response = response
        self._robots = robots
        self._is_seed = is_seed(response)
        self._engine = engine_page(response.url, response.body)
        knows_chrome = guard.leaves_out_chrome(response.url)
        self._chrome = self._engine if knows_chrome else None
        by_default = self._engine is not None and self._engine.has_defaults
        self._closed = robots.closes_links(
            response, is_seed=self._is_seed, with_meta=not by_default
        )
        self._marked = robots.marked_links(response)
        if self._engine is not None and self._engine.engine.marks_external:
            host = host_of(response.url)
            self._marked = frozenset(url for url in self._marked if host_of(url) == host)
        self._with_meta = not by_default
        self._is_chrome = not self._is_seed and self._kind(response.url) is Kind.CHROME

    def refusal(self, url: str) -> Failure | None:
        """Return why the page, whose own URL is *url*, is not written; None if it is."""
        if not self._is_seed and self._chrome is not None and self._kind(url) is not None:
            return Failure(Reason.CHROME, f"a page of {self._chrome.engine.name}", Action.FINAL)
        return self._robots.refusal(
            self._response, url, is_seed=self._is_seed, with_meta=self._with_meta
        )

    def rule_against(self, link: str | Linked) -> LeftOut | None:
        """Return why *link* is not to be followed; None if it may be."""
        url = url_of_link(link)
        if self._is_chrome or self._kind(url) is Kind.CHROME:
            return LeftOut.CHROME
        if self._closed or url in self._marked or self._robots.is_marked(link, self._response):
            return LeftOut.NOFOLLOW
        return None

    def other_name(self, url: str) -> str | None:
        """Return another URL of the page at *url*, by which it may be known; None without one."""
        return self._engine.other_name(url) if self._engine is not None else None

    def _kind(self, url: str) -> Kind | None:
        return self._chrome.kind_of(url) if self._chrome is not None else None
