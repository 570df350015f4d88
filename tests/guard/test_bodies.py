"""Bodies that are cut: by the server, and by the crawl itself."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any, Self

import pytest
from scrapy import Request, signals
from scrapy.exceptions import StopDownload
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.raw import RawServer, answer

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

PAGE = b"<p>Amber is fossilised tree resin.</p>" + bytes(range(256)) * 2_000
WHOLE = gzip.compress(PAGE, compresslevel=0)
GZIP = b"Content-Encoding: gzip"


class Stopping(Pages):
    """Stops each download at its first bytes."""

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.stop, signals.bytes_received)
        return spider

    def stop(self, data: bytes, request: Request) -> None:
        raise StopDownload(fail=False)


@pytest.mark.parametrize("kind", ["stopped", "data lost"])
@deferred_f_from_coro_f
async def test_a_body_that_the_crawl_accepts_cut_is_decoded_as_far_as_it_goes(kind: str) -> None:
    settings = project_settings(
        ROBOTSTXT_OBEY=False, WIKICRAWLER_TIERS_ENABLED=False, DOWNLOAD_FAIL_ON_DATALOSS=False
    )
    reply = answer(WHOLE, GZIP)
    with RawServer({"/page": [reply if kind == "stopped" else reply[:-300_000]]}) as server:
        spidercls = Stopping if kind == "stopped" else Pages
        done = await run(spidercls, settings, requests=[server.url("/page")])
        assert server.paths() == ["/page"]
    (response,) = done.responses
    assert PAGE.startswith(response.body)
    assert 0 < len(response.body) < len(PAGE)
    assert response.flags == [{"stopped": "download_stopped"}.get(kind, "dataloss")]


@deferred_f_from_coro_f
async def test_a_gzip_that_ends_early_is_fetched_again() -> None:
    settings = project_settings(
        ROBOTSTXT_OBEY=False, WIKICRAWLER_TIERS_ENABLED=False, RETRY_TIMES=2
    )
    with RawServer({"/page": [answer(WHOLE[:-9], GZIP)]}) as server:
        done = await run(Pages, settings, requests=[server.url("/page")])
        assert server.paths() == ["/page"] * 3
    (failure,) = done.failures
    assert str(failure) == "its body cannot be decoded as gzip: it is truncated"
