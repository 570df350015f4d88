"""Fields of a text by a real language model, over Scrapy's own handler."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.fields.llm.in_crawl import asked
from tests.servers.llama import KEY, RealLlama
from wikicrawler.fields.asking import ChunkReader
from wikicrawler.fields.budget import Budget
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.extraction import PageExtractor, PageText
from wikicrawler.fields.keys import KeyRotator
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.prices import Price
from wikicrawler.fields.llm.requests import ChatEndpoint
from wikicrawler.fields.models import ScraperConfig, ScrapeResult

if TYPE_CHECKING:
    from wikicrawler.fields.llm.requests import HttpRequest, HttpResponse
    from wikicrawler.fields.llm.transport import HandlerTransport

URL = "https://shop.example/books"
TYPES = {"string": str, "number": (int, float), "integer": int, "boolean": bool}


class Kept:
    """A transport that keeps what goes through it."""

    def __init__(self, inner: HandlerTransport) -> None:
        self._inner = inner
        self.exchanges: list[tuple[HttpRequest, HttpResponse]] = []

    async def send(self, request: HttpRequest) -> HttpResponse:
        response = await self._inner.send(request)
        self.exchanges.append((request, response))
        return response

    @property
    def statuses(self) -> list[int]:
        return [response.status for _, response in self.exchanges]

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The answers with the status 200."""
        return [json.loads(one.body) for _, one in self.exchanges if one.status == 200]


class Extracted:
    """What was extracted, and what the server received and said."""

    result: ScrapeResult
    kept: Kept


async def extract(
    llama: RealLlama,
    fields: Any,
    text: str,
    *,
    html: str | None = None,
    keys: tuple[str, ...] = (KEY,),
    chunk_tokens: int = 600,
    answer_tokens: int = 200,
    quotes: bool = False,
) -> Extracted:
    """Return the values of a page, or raise what the extraction raised."""
    done = Extracted()

    async def ask(transport: HandlerTransport) -> ScrapeResult:
        done.kept = Kept(transport)
        endpoint = ChatEndpoint(llama.base_url, "any", extra={"seed": 7})
        client = ChatClient(done.kept, endpoint, KeyRotator(keys))
        config = ScraperConfig(quotes=quotes, max_answer_tokens=answer_tokens)
        reader = ChunkReader(client, config, Budget(), price=Price(1e-6, 2e-6))
        extractor = PageExtractor(define_fields(fields), reader, chunk_tokens=chunk_tokens)
        return await extractor.extract(PageText(URL, text, html=html))

    answer, _ = await asked(llama.base_url, ask)
    if isinstance(answer, Exception):
        raise answer
    done.result = answer
    return done


def assert_sound(result: ScrapeResult, text: str, fields: dict[str, Any]) -> None:
    """Each value has its type and stands where its evidence says; each other one has a reason."""
    for finding in result.findings:
        if finding.value is None:
            assert finding.reason
            assert finding.evidence is None
            continue
        of = fields[finding.field]
        name = of if isinstance(of, str) else of["type"]
        kind = TYPES[name.removeprefix("list[").removesuffix("]")]
        assert isinstance(finding.value, kind)
        evidence = finding.evidence
        assert evidence is not None
        assert evidence.start < evidence.end
        assert text[evidence.start : evidence.end] == evidence.text
        assert evidence.url == finding.url == URL
        if isinstance(finding.value, str):
            assert finding.value.casefold() in evidence.text.casefold()
    valued = {one.field for one in result.findings if one.value is not None}
    assert {name for name, value in result.data.items() if value is not None} == valued
    assert set(result.data) == set(fields)
