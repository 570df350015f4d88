"""The pages that were read, so that their parts fit together and nothing is requested twice."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.items import Attempt
    from wikicrawler.mcp_server.paging import PreparedText
    from wikicrawler.pages import Failure

MAX_PAGES = 5000
_MAX_URLS = 20
"""URLs that lead to a page."""
_OVERHEAD = 1000
"""Bytes of a page besides its text and its links."""


@dataclass(frozen=True, slots=True)
class CachedPage:
    """A page that was read. What the page states has not been made safe, except for its text."""

    asked: str
    url: str
    """The page's own URL after redirects."""
    title: str
    body: PreparedText
    content_hash: str
    """Of the Markdown as a crawl's record has it."""
    tier: str
    attempts: tuple[Attempt, ...]
    status: int
    fetched_at: str
    revid: int | None = None
    lang: str | None = None
    license: str | None = None
    description: str | None = None
    links: tuple[str, ...] = ()
    """URLs of pages that a crawl may follow."""
    refusal: Failure | None = None
    """Why a crawl does not list the page: it asks robots not to index it."""

    @property
    def size(self) -> int:
        """Approximate number of bytes in memory."""
        text = self.body.text
        width = 1 if text.isascii() else 4
        links = sum(len(url) + 60 for url in self.links)
        return width * len(text) + 8 * len(self.body.cuts) + links + _OVERHEAD


class PageCache:
    """Pages by URL and content hash; those that were not used for longest are dropped first.

    :param max_bytes: limit of all pages. The latest one is kept even if it exceeds it
    :param clock: returns seconds
    """

    def __init__(self, max_bytes: int, clock: Callable[[], float] = monotonic) -> None:
        self._max_bytes = max_bytes
        self._clock = clock
        self._pages: OrderedDict[tuple[str, str], tuple[CachedPage, float]] = OrderedDict()
        self._urls: dict[tuple[str, str], list[str]] = {}
        self._sizes: dict[tuple[str, str], int] = {}
        self._latest: dict[str, tuple[str, str]] = {}  # keys by any URL of the page
        self._bytes = 0

    def add(self, page: CachedPage) -> None:
        """Keep *page* as the latest version of its URLs."""
        key = (page.url, page.content_hash)
        urls = [page.asked, page.url]
        if key in self._pages:
            urls += self._urls[key]  # others that led to the page
            self._remove(key)
        self._pages[key] = page, self._clock()
        self._sizes[key] = size = page.size
        self._urls[key] = list(dict.fromkeys(urls))[:_MAX_URLS]
        self._bytes += size
        self._latest |= dict.fromkeys(self._urls[key], key)
        while len(self._pages) > 1 and (
            self._bytes > self._max_bytes or len(self._pages) > MAX_PAGES
        ):
            self._remove(next(iter(self._pages)))

    def latest(self, url: str, max_age: float | None = None) -> CachedPage | None:
        """Return the latest version of the page at *url*, unless it is older than *max_age*
        seconds."""
        key = self._latest.get(url)
        if key is None:
            return None
        page, added = self._pages[key]
        if max_age is not None and self._clock() - added >= max_age:
            return None
        self._pages.move_to_end(key)
        return page

    def version(self, url: str, content_hash: str) -> CachedPage | None:
        """Return the version of the page at *url* that has the *content_hash*."""
        latest = self._latest.get(url)
        own = latest[0] if latest is not None else url
        key = (own, content_hash)
        if key not in self._pages:
            return None
        self._pages.move_to_end(key)
        return self._pages[key][0]

    def _remove(self, key: tuple[str, str]) -> None:
        del self._pages[key]
        self._bytes -= self._sizes.pop(key)
        for url in self._urls.pop(key):
            if self._latest.get(url) == key:
                del self._latest[url]
