"""A bounded crawl of one site, breadth first, within the running crawl of the server."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Literal, NamedTuple

from wikicrawler.errors import Reason
from wikicrawler.mcp_server.failures import CallFailed, PageFailed
from wikicrawler.pages import Failure
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from wikicrawler.mcp_server.page_cache import CachedPage
    from wikicrawler.mcp_server.reading import PageReader
    from wikicrawler.scope import CrawlBounds

End = Literal["complete", "max_pages", "time", "budget", "attempts"]
"""Why a crawl has no more pages."""

AT_ONCE = 4
"""Pages of a crawl that are requested at once. The throttle of their site spaces the requests."""
MAX_WAITING = 10_000
"""Links that wait; further ones are left out."""
_ASKED_PER_PAGE = 3
"""Pages that are asked for, for each that is wanted: some may not be read."""


class FoundPage(NamedTuple):
    """A page of the crawl."""

    page: CachedPage
    depth: int
    """Number of links from the seed."""


class SkippedPage(NamedTuple):
    """A page that was not read, or is not listed."""

    url: str
    failure: Failure


class SiteCrawl:
    """The pages of the site of *seed*, nearest first. What was found so far stays if it is
    cancelled.

    :param on_page: called after each page that was read
    """

    def __init__(
        self,
        reader: PageReader,
        seed: str,
        *,
        max_pages: int,
        max_depth: int,
        bounds: CrawlBounds,
        on_page: Callable[[CachedPage], Awaitable[None]],
    ) -> None:
        self.pages: list[FoundPage] = []
        self.skipped: list[SkippedPage] = []
        self._reader = reader
        self._seed = seed
        self._max_pages = max_pages
        self._max_depth = max_depth
        self._bounds = bounds
        self._on_page = on_page
        self._hosts = {host_of(seed)}
        self._known = {seed}
        self._listed: set[str] = set()
        self._asked = 0
        self._is_spent = False
        self._waiting = deque([(seed, 0)])

    @property
    def waiting(self) -> int:
        """Number of links that were found and not followed."""
        return len(self._waiting)

    async def run(self) -> End:
        """Crawl to the end, and return why there are no more pages.

        :raises PageFailed: the seed was not read
        :raises CallFailed: the budget of the session is used up before the first page
        """
        tasks: dict[asyncio.Task[CachedPage], tuple[str, int]] = {}
        try:
            while True:
                while self._waiting and self._has_room(len(tasks)):
                    url, depth = self._waiting.popleft()
                    self._asked += 1
                    read = asyncio.create_task(self._reader.read(url, depth=depth))
                    tasks[read] = url, depth
                if not tasks:
                    return self._end()
                done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    await self._take(*tasks.pop(task), task)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    def _end(self) -> End:
        if self._is_spent:
            return "budget"
        if not self._waiting:
            return "complete"
        return "max_pages" if len(self.pages) >= self._max_pages else "attempts"

    def _has_room(self, reading: int) -> bool:
        return (
            reading < AT_ONCE
            and not self._is_spent
            and len(self.pages) + reading < self._max_pages
            and self._asked < _ASKED_PER_PAGE * self._max_pages
        )

    async def _take(self, url: str, depth: int, task: asyncio.Task[CachedPage]) -> None:
        """Add the page of a *task* that has ended, and its links."""
        try:
            page = task.result()
        except PageFailed as error:
            if not depth:
                raise
            self.skipped.append(SkippedPage(url, error.failure))
            return
        except CallFailed:  # the budget of the session
            if not self.pages:
                raise
            self._is_spent = True
            return
        if not depth:
            self._hosts.add(host_of(page.url))
        elif host_of(page.url) not in self._hosts:
            why = Failure(Reason.OFFSITE, f"it redirects to {page.url}")
            self.skipped.append(SkippedPage(url, why))
            return
        if page.url in self._listed:
            return
        self._listed.add(page.url)
        if page.refusal is not None:
            self.skipped.append(SkippedPage(page.url, page.refusal))
        else:
            self.pages.append(FoundPage(page, depth))
            await self._on_page(page)
        if depth < self._max_depth:
            self._add(page.links, depth + 1)

    def _add(self, urls: Iterable[str], depth: int) -> None:
        for url in urls:
            if len(self._waiting) >= MAX_WAITING:
                return
            if url in self._known or host_of(url) not in self._hosts or not self._bounds.match(url):
                continue
            self._known.add(url)
            self._waiting.append((url, depth))
