"""A worker in a process of its own::

    python -m tests.frontier.redis.worker REDIS FOLDER LEASE_SECONDS PAGES [START]

It follows page n of a site by the pages 3n + 1 to 3n + 3, and writes the URL of each page to the
file ``pages`` in its folder. It begins when there is a file ``go`` beside that, and does not end
before it had a page.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.crawler import CrawlerProcess
from scrapy.exceptions import DontCloseSpider

from tests.crawling import project_settings
from wikicrawler.frontier.guarded import GuardedFrontier
from wikicrawler.frontier.redis.frontier import RedisFrontier
from wikicrawler.frontier.scheduler import FrontierScheduler
from wikicrawler.frontier.sqlite.database import CrawlDatabase

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.core.scheduler import Scheduler
    from scrapy.crawler import Crawler


class Tree(Spider):
    name = "tree"

    def __init__(self, folder: Path, pages: int, start: str | None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._file = (folder / "pages").open("a", buffering=1)
        self._go = folder / "go"
        self._pages = pages
        self._start = start
        self._had_one = False

    async def start(self) -> AsyncIterator[Request]:
        self.crawler.signals.connect(self._wait, signals.spider_idle)
        while not self._go.exists():  # noqa: ASYNC110 - another process writes it
            await asyncio.sleep(0.01)
        if self._start is not None:
            yield Request(self._start)

    def _wait(self) -> None:
        if not self._had_one:
            raise DontCloseSpider

    def parse(self, response: Any) -> Any:
        self._had_one = True
        self._file.write(f"{response.url}\n")
        base, _, name = response.url.rpartition("/")
        for n in range(3 * int(name) + 1, min(self._pages, 3 * int(name) + 4)):
            yield Request(f"{base}/{n}")
            yield Request(f"{base}/{n}")


def main(redis: str, path: str, lease_seconds: str, pages: str, start: str | None = None) -> None:
    folder = Path(path)

    class SharedScheduler(FrontierScheduler):
        @classmethod
        def from_crawler(cls, crawler: Crawler) -> Scheduler:  # type: ignore[override]
            frontier = RedisFrontier(
                redis,
                "job",
                CrawlDatabase.open(folder),
                folder,
                lease_seconds=float(lease_seconds),
            )
            return cls(crawler, GuardedFrontier(frontier, crawler))

    settings = project_settings(
        SCHEDULER=SharedScheduler,
        WIKICRAWLER_TIERS_ENABLED=False,
        ROBOTSTXT_OBEY=False,
        CONCURRENT_REQUESTS_PER_DOMAIN=4,
    )
    process = CrawlerProcess(settings)
    process.crawl(Tree, folder=folder, pages=int(pages), start=start)
    process.start()


if __name__ == "__main__":
    main(*sys.argv[1:])
