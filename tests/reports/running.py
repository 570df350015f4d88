"""Work in a running crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Spider

from tests.crawling import project_settings, run

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable


class Job(Spider):
    """Runs a job in its ``start``."""

    name = "job"

    def __init__(self, work: Callable[[Any], Awaitable[None]], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._work = work
        self.error: BaseException | None = None

    async def start(self) -> AsyncIterator[Any]:
        try:
            await self._work(self.crawler)
        except BaseException as error:
            self.error = error
        return
        yield


async def do(work: Callable[[Any], Awaitable[None]], **settings: Any) -> dict[str, Any]:
    """Run *work* with the crawler of a running crawl; return the stats."""
    done = await run(Job, project_settings(**settings), work=work)
    assert isinstance(done.spider, Job)
    if done.spider.error is not None:
        raise done.spider.error
    return done.stats
