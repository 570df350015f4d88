"""What ``WIKICRAWLER_MARKDOWN_ENABLED = False`` switches off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

TEXT = "Some words of a page that is worth reading. "


@pytest.fixture
def url() -> Iterator[str]:
    page = f"<!doctype html><title>T</title><main><h1>T</h1><p>{TEXT * 20}</p></main>"
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", Reply(body=page))
        yield server.url("/")


@deferred_f_from_coro_f
async def test_a_spider_gets_its_pages_unconverted(url: str) -> None:
    done = await fetch(url, WIKICRAWLER_MARKDOWN_ENABLED=False)
    (response,) = done.responses
    assert response.meta["tier_content"] is None
    assert TEXT.strip() in response.text


@deferred_f_from_coro_f
async def test_the_spider_wiki_writes_markdown_all_the_same(url: str) -> None:
    settings = project_settings(WIKICRAWLER_MARKDOWN_ENABLED=False)
    done = await run(WikiSpider, settings, seeds=url)
    (record,) = done.items
    assert record.content.count(TEXT.strip()) == 20
