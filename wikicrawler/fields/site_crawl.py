"""Which pages a crawl for fields reads next, and what it has found so far."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.fields.completion import is_complete, missing_fields
from wikicrawler.fields.merging import update_state
from wikicrawler.fields.models import CrawlState
from wikicrawler.fields.promise import LinkPromise

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikicrawler.fields.models import FieldDefinition, Finding, ScrapeResult

MAX_WAITING = 10_000
"""Links that wait; further ones are left out."""


class WaitingPage(NamedTuple):
    """A page that has not been read yet."""

    url: str
    depth: int
    """Number of links between the first page and this one."""


class PageList:
    """The pages of a list, each once, at most *at_once* in flight.

    :param urls: normalised URLs in order
    """

    def __init__(self, urls: Iterable[str], at_once: int) -> None:
        self._waiting = deque(WaitingPage(url, 0) for url in dict.fromkeys(urls))
        self._at_once = at_once
        self.in_flight: set[str] = set()

    @property
    def is_done(self) -> bool:
        """Whether no page waits or is in flight."""
        return not self._waiting and not self.in_flight

    def next_pages(self) -> list[WaitingPage]:
        """Return the pages to read now, which are in flight from then on."""
        pages = []
        while self._waiting and len(self.in_flight) < self._at_once:
            pages.append(page := self._waiting.popleft())
            self.in_flight.add(page.url)
        return pages

    def done(self, url: str, result: ScrapeResult | None = None) -> None:
        """Note that the page at *url* was read, or that it could not be."""
        self.in_flight.discard(url)

    def stop(self) -> None:
        """Drop the pages that wait."""
        self._waiting.clear()


class SiteCrawl:
    """The pages of a site, breadth first, until the fields are complete.

    The pages of a depth are read before those of the next one. Of a depth, those come first that
    promise a field which is missing, then those that were found first. At most *at_once* are in
    flight, so at most as many are read after the data is complete.

    :param max_pages: pages that are read; one that fails does not count
    :param state: what an earlier run has found, which is changed in place
    """

    def __init__(
        self,
        fields: Sequence[FieldDefinition],
        *,
        at_once: int,
        max_pages: int,
        max_depth: int,
        state: CrawlState | None = None,
    ) -> None:
        self.state = CrawlState() if state is None else state
        self._fields = fields
        self._promise = LinkPromise(fields)
        self._at_once = at_once
        self._max_pages = max_pages
        self._max_depth = max_depth
        self._known: set[str] = set()
        self._waiting: list[WaitingPage] = []
        self._missing: tuple[str, ...] = ()
        self._promises: dict[str, int] = {}  # of URLs, for the missing fields
        self.in_flight: set[str] = set()
        self._depth = 0  # of the pages in flight
        self._is_stopped = False
        is_complete(self.state.merged_data, fields)  # raises if there are none

    @property
    def is_done(self) -> bool:
        """Whether no page is in flight, and none is to be read."""
        return not self.in_flight and not self._wants_pages()

    def add(self, urls: Iterable[str], depth: int) -> list[str]:
        """Add pages that were found at *depth*; return those that are new and not too deep."""
        added: list[str] = []
        if depth > self._max_depth:
            return added
        for url in urls:
            if url not in self._known and len(self._waiting) < MAX_WAITING:
                self._known.add(url)
                self._waiting.append(WaitingPage(url, depth))
                added.append(url)
        return added

    def next_pages(self) -> list[WaitingPage]:
        """Return the pages to read now, which are in flight from then on."""
        if not self._wants_pages():
            return []
        depth = min(page.depth for page in self._waiting)
        if self.in_flight and depth > self._depth:
            return []  # the pages in flight may lead to better ones
        room = min(
            self._at_once - len(self.in_flight),
            self._max_pages - self.state.pages_scraped - len(self.in_flight),
        )
        if room <= 0:
            return []
        missing = missing_fields(self.state.merged_data, self._fields)
        names = tuple(field.name for field in missing)
        if names != self._missing:
            self._missing, self._promises = names, {}
        ranked = sorted(
            (page for page in self._waiting if page.depth == depth),
            key=lambda page: -self._promise_of(page.url),
        )
        pages = ranked[:room]
        taken = {page.url for page in pages}
        self._waiting = [page for page in self._waiting if page.url not in taken]
        self.in_flight |= taken
        self._depth = depth
        return pages

    def done(self, url: str, result: ScrapeResult | None = None) -> None:
        """Note that the page at *url* was read, or that it could not be."""
        self.in_flight.discard(url)
        if result is not None and result.success:
            update_state(self.state, result.findings, self._fields, url)

    def stop(self) -> None:
        """Read no further page."""
        self._is_stopped = True
        self._waiting.clear()

    def restore(self, url: str, findings: Iterable[Finding] | None) -> None:
        """Note a page that an earlier run has read; None: it could not be."""
        self._known.add(url)
        self._waiting = [page for page in self._waiting if page.url != url]
        if findings is not None:
            update_state(self.state, findings, self._fields, url)

    def _promise_of(self, url: str) -> int:
        if url not in self._promises:
            self._promises[url] = self._promise.of(url, self._missing)
        return self._promises[url]

    def _wants_pages(self) -> bool:
        return (
            bool(self._waiting)
            and not self._is_stopped
            and not self.state.is_complete
            and self.state.pages_scraped < self._max_pages
        )
