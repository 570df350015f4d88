"""The spider of :mod:`bench.learning.live`: asks for pages in the order of a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from scrapy.http import Response


class Given(Spider):
    """Asks for the pages that the file *urls* lists, one a line; a record says what brought it."""

    name = "given"

    def __init__(self, urls: str, **arguments: Any) -> None:
        super().__init__(**arguments)
        self._urls = Path(urls).read_text("utf-8").split()

    async def start(self) -> AsyncIterator[Request]:
        for url in self._urls:
            yield Request(url)

    def parse(self, response: Response) -> Iterator[dict[str, str]]:
        yield {"url": response.url, "tier": response.meta["tier"]}
