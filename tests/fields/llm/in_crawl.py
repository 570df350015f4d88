"""Questions to the server of a model, asked in a crawl over Scrapy's own handler."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.crawling import Pages, project_settings, run
from wikicrawler.fields.llm.transport import HandlerTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.crawling import Outcome

SETTING = "WIKICRAWLER_FIELDS_BASE_URL"


class Asking(Pages):
    """Asks a model when it starts, then requests its pages."""

    base_url: str
    ask: Callable[[HandlerTransport], Awaitable[Any]]
    answer: Any = None

    async def start(self) -> AsyncIterator[Any]:
        transport = HandlerTransport(self.crawler, self.base_url, SETTING, 2)
        try:
            self.answer = await type(self).ask(transport)
        except Exception as error:
            self.answer = error
        async for request in super().start():
            yield request


async def asked(
    base_url: str, ask: Callable[[HandlerTransport], Awaitable[Any]], *urls: str, **settings: Any
) -> tuple[Any, Outcome]:
    spider = type("AskingPages", (Asking,), {"base_url": base_url, "ask": staticmethod(ask)})
    done = await run(spider, project_settings(**settings), requests=urls)
    return getattr(done.spider, "answer", None), done
