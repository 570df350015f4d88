"""The requests for pages that a crawl's scope admits, and the links that wait for a place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from scrapy import Request

from wikicrawler.pages import STRICT_KEY
from wikicrawler.scope.link_guard import GUARDED
from wikicrawler.scope.memory import PAGE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy import Spider
    from scrapy.http import Response

    from wikicrawler.scope.admission import Admission

    Method = Callable[..., Any]

DEPTH = "page_depth"
"""Meta key: number of links between a page and the seed that led to it."""

LISTED = "listed_in_sitemap"
"""Meta key: the page is as near as a seed, but a sitemap named it, not the operator."""

SAFE_URL = re.compile(
    r"https?://[a-z0-9.-]+(?::[1-9][0-9]{0,3}|:[1-5][0-9]{4})?/[A-Za-z0-9_.,/()~:-]*"
)
"""A pattern for URLs that Scrapy's requests take as they are: most of a wiki's."""
_VERBATIM = "verbatim_url"
"""Scrapy's meta key: the URL of a request is taken as it is."""

_OF_OLD: tuple[str, str, dict[str, Any]] = ("parse", "skipped", {})
"""How links are requested that wait in a state folder of the version before: they are of the spider
``wiki``."""


def depth_of(response: Response | Request) -> int:
    """Return the number of links between the page of *response* and its seed."""
    depth: int = response.meta.get(DEPTH, 0)
    return depth


def is_seed(response: Response | Request) -> bool:
    """Return True if the operator named the page of *response*."""
    return depth_of(response) == 0 and not response.meta.get(LISTED)


def is_page(request: Request) -> bool:
    """Return True if *request* is for a page that the scope has admitted."""
    return DEPTH in request.meta and PAGE.items() <= request.meta.items()


class PageRequests:
    """Makes the requests for the pages of *spider* that *admission* admits."""

    def __init__(self, spider: Spider, admission: Admission) -> None:
        self._spider = spider
        self._admission = admission

    def admitted(
        self,
        url: str,
        depth: int,
        callback: Method | None,
        errback: Method | None,
        arguments: dict[str, Any],
        *,
        guarded: bool,
    ) -> Request | None:
        """Return the request for *url*; None if it is refused, or waits for a place.

        :raises ValueError: *callback* or *errback* is not a method of the spider
        """
        waiting = url, depth, self._name(callback), self._name(errback), arguments
        if not self._admission.admit(url, depth, guarded=guarded, waiting=waiting):
            return None
        return self.make(url, depth, callback, errback, arguments, guarded=guarded)

    def instead(self, skipped: Request) -> Iterator[Request]:
        """Yield the requests for the links that take the place of the page of *skipped*.

        :raises AttributeError: the spider lacks a callback that it had before it was stopped
        """
        for url, depth, *how in self._admission.instead(skipped.meta):
            callback, errback, arguments = how or _OF_OLD
            yield self.make(
                url, depth, self._method(callback), self._method(errback), arguments, guarded=True
            )

    def mark(self, request: Request, depth: int, *, guarded: bool) -> bool:
        """Return True if *request*, which a spider made itself, is admitted; mark it as such.

        A link that is refused does not wait for a place.
        """
        if not self._admission.admit(request.url, depth, guarded=guarded, waiting=None):
            return False
        request.meta.setdefault(STRICT_KEY, True)
        request.meta.update(self._meta(request.url, depth, guarded=guarded, waits=False))
        return True

    def _meta(self, url: str, depth: int, *, guarded: bool, waits: bool = True) -> dict[str, Any]:
        """Return the scope's meta keys for the request for *url*."""
        # Not Scrapy's `depth`, which counts from the response that a request is yielded for: a page
        # that takes a skipped one's place is no further from its seed than where it was found.
        return {DEPTH: depth, GUARDED: guarded, **PAGE, **self._admission.meta(url, waits=waits)}

    def make(
        self,
        url: str,
        depth: int,
        callback: Method | None,
        errback: Method | None,
        arguments: dict[str, Any],
        *,
        guarded: bool,
    ) -> Request:
        """Return the request for *url*, which was admitted before."""
        given = arguments.get("meta") or {}
        meta = {STRICT_KEY: True, **given, **self._meta(url, depth, guarded=guarded)}
        is_safe = _VERBATIM not in meta and SAFE_URL.fullmatch(url) is not None
        if is_safe:
            meta[_VERBATIM] = True
        made = Request(url, callback=callback, errback=errback, **{**arguments, "meta": meta})
        if is_safe:
            del made.meta[_VERBATIM]
        return made

    def _name(self, method: Method | None) -> str | None:
        """Return the name of a method of the spider: a link that waits is kept on disk."""
        if method is None:
            return None
        name: str = getattr(method, "__name__", "")
        own = getattr(method, "__self__", None) is self._spider
        if not own or getattr(self._spider, name, None) != method:
            raise ValueError(f"{method!r} is not a method of the spider {self._spider.name!r}")
        return name

    def _method(self, name: str | None) -> Method | None:
        return None if name is None else getattr(self._spider, name)
