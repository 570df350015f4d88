"""The requests of providers in a running crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.reports.running import do
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ContentError
from wikicrawler.reports.crawl_fetcher import CrawlFetcher
from wikicrawler.reports.errors import (
    DocumentNotFoundError,
    FetchError,
    Outcome,
    RateLimitExceededError,
    ReportError,
    RequestTimeoutError,
)

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

ARTICLE = "<html><head><title>A title</title></head><body><h1>A title</h1>{}</body></html>".format(
    "<p>Sentences about the reports of a company that make a page worth reading.</p>" * 12
)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer() as running:
        yield running


async def with_fetcher(work: Callable[[CrawlFetcher], Awaitable[Any]], **settings: Any) -> Any:
    """Return what *work* returns in a crawl of its own."""
    found: list[Any] = []

    async def job(crawler: Any) -> None:
        found.append(await work(CrawlFetcher(crawler)))

    await do(job, **settings)
    return found[0]


@pytest.mark.parametrize("status", [200, 404, 500])
@deferred_f_from_coro_f
async def test_an_answer_is_returned_whatever_its_status(
    server: ScriptedServer, status: int
) -> None:
    server.on("/x", Reply(status, body="said"))
    answer = await with_fetcher(
        lambda fetch: fetch.get(server.url("/x"), slot="one", retries=False, max_bytes=100)
    )
    assert (answer.status, answer.body, answer.url) == (status, b"said", server.url("/x"))
    assert server.paths().count("/x") == 1
    assert "content-type" in answer.headers


@deferred_f_from_coro_f
async def test_a_body_that_is_too_large_is_no_answer(server: ScriptedServer) -> None:
    server.on("/x", Reply(body="x" * 5_000))
    with pytest.raises(FetchError, match="too_large"):
        await with_fetcher(lambda fetch: fetch.get(server.url("/x"), max_bytes=1_000))


@deferred_f_from_coro_f
async def test_what_is_no_url_is_no_answer() -> None:
    with pytest.raises(FetchError, match="not a URL"):
        await with_fetcher(lambda fetch: fetch.get("no url"))


@deferred_f_from_coro_f
async def test_robots_txt_is_obeyed(server: ScriptedServer) -> None:
    server.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /private"))
    with pytest.raises(FetchError) as raised:
        await with_fetcher(lambda fetch: fetch.get(server.url("/private/x")))
    assert raised.value.outcome is Outcome.ROBOTS
    assert server.paths() == ["/robots.txt"]


@deferred_f_from_coro_f
async def test_a_page_comes_by_the_tiers_with_its_markdown(server: ScriptedServer) -> None:
    server.on("/page", Reply(body=ARTICLE))
    page = await with_fetcher(lambda fetch: fetch.page(server.url("/page")))
    assert (page.url, page.title) == (server.url("/page"), "A title")
    assert page.html == ARTICLE
    assert page.markdown.startswith("# A title") or "Sentences about" in page.markdown


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(404), DocumentNotFoundError),
        (Reply(403, body="<html><body>Forbidden</body></html>"), RateLimitExceededError),
        (Reply(500), FetchError),
        (Reply(body="<html><body></body></html>"), FetchError),
    ],
)
@deferred_f_from_coro_f
async def test_a_page_that_is_none_is_an_exception(
    server: ScriptedServer, reply: Reply, kind: type[ReportError]
) -> None:
    server.on("/page", reply)
    with pytest.raises(kind):
        await with_fetcher(lambda fetch: fetch.page(server.url("/page")), RETRY_TIMES=0)


@deferred_f_from_coro_f
async def test_an_answer_that_does_not_come_is_a_time_out() -> None:
    with ScriptedServer() as server:
        server.on("/slow", Reply(delay=30))
        with pytest.raises(RequestTimeoutError):
            await with_fetcher(
                lambda fetch: fetch.get(server.url("/slow"), retries=False), DOWNLOAD_TIMEOUT=1
            )


@deferred_f_from_coro_f
async def test_a_function_is_called_in_a_worker(tmp_path: Path) -> None:
    assert await with_fetcher(lambda fetch: fetch.run(len, "four")) == 4
    with pytest.raises(ContentError, match="conversion"):
        await with_fetcher(lambda fetch: fetch.run(int, "x"), WIKICRAWLER_CONTENT_WORKERS=1)
