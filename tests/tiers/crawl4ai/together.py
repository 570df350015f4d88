"""Many pages in one crawl with a real browser, each on a server of its own, so that what is learned
of one site says nothing of another."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request

from tests.crawling import fetch
from tests.servers.crawl4ai import MAX_PAGES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from scrapy.http import Response

    from tests.servers.crawl4ai import RealCrawl4AI
    from tests.servers.scripted import ScriptedServer

_REPEATED = ("crawl4ai/retry_count", "tier/service_wait_count/browser", "retry/count")


class Crawled(NamedTuple):
    """What became of a page."""

    response: Response | None
    reason: str | None
    """Why it was skipped."""
    rendered: list[str]
    """What the browser was asked for on its server, in order."""
    repeated: int
    """Pages and requests to the browser that were repeated after a failure of its server, in the
    whole crawl: a busy one may fail."""

    @property
    def markdown(self) -> str:
        assert self.reason is None
        assert self.response is not None
        text: str = self.response.meta["tier_content"].markdown
        return text


class Together:
    """Context manager: the page ``/page`` of each of *sites*, which are crawled by the browser when
    the first of them is asked for. Most of the time of such a crawl is spent waiting for scripts.
    """

    def __init__(
        self, crawl4ai: RealCrawl4AI, sites: Mapping[str, ScriptedServer], **settings: Any
    ) -> None:
        self._crawl4ai = crawl4ai
        self._sites = sites
        self._settings = settings | {"CRAWL4AI_CONCURRENCY": MAX_PAGES}
        self._stack = ExitStack()
        self._crawled: dict[str, Crawled] = {}

    def __enter__(self) -> Self:
        for site in self._sites.values():
            self._stack.enter_context(site)
        return self

    def __exit__(self, *exc: object) -> None:
        self._stack.close()

    async def page(self, name: str) -> Crawled:
        """What became of the page of the site *name*."""
        if not self._crawled:
            self._crawled = await self._crawl()
        return self._crawled[name]

    async def _crawl(self) -> dict[str, Crawled]:
        self._crawl4ai.clear()
        urls = {name: site.url("/page") for name, site in self._sites.items()}
        requests = [Request(url, meta={"tiers": ["browser"]}) for url in urls.values()]
        done = await fetch(*requests, **self._crawl4ai.settings, **self._settings)
        responses = {response.url: response for response in done.responses}
        rendered = self._crawl4ai.journal().urls
        repeated = sum(done.stats.get(name, 0) for name in _REPEATED)
        return {
            name: Crawled(
                responses.get(url),
                done.reasons().get(url),
                [x for x in rendered if x.startswith(self._sites[name].url("/"))],
                repeated,
            )
            for name, url in urls.items()
        }
