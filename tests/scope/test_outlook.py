"""How many pages a crawl still has to write, as far as that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import signals
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.demo import DemoWiki
from wikicrawler.scope import CrawlScope
from wikicrawler.scope.outlook import Outlook, PagesLeft, Precision
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler

EXACT, ABOUT = Precision.EXACT, Precision.ABOUT
AT_LEAST, AT_MOST = Precision.AT_LEAST, Precision.AT_MOST


class Watched(WikiSpider):
    """Keeps what is known of the pages left after each record."""

    left: list[PagesLeft | None]

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Watched:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.left = []
        crawler.signals.connect(spider._scraped, signals.item_scraped)
        return spider

    def _scraped(self) -> None:
        self.left.append(CrawlScope.of(self.crawler).pages_left())


async def crawl(seeds: str, **arguments: str) -> tuple[Outcome, list[PagesLeft | None]]:
    settings = project_settings(CONCURRENT_REQUESTS=1)
    done = await run(Watched, settings, seeds=seeds, **arguments)
    assert isinstance(done.spider, Watched)
    return done, done.spider.left


def page(*links: str) -> Reply:
    anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
    return Reply(body=f"<!doctype html><title>Page</title><p>{'Some text. ' * 30}{anchors}")


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        for path in "abc":
            server.on(f"/{path}", page("/d"))
        server.on("/d", page())
        urls = "".join(f"<url><loc>{server.url(f'/{p}')}</loc></url>" for p in (*"abc", "gone"))
        schema = "http://www.sitemaps.org/schemas/sitemap/0.9"
        body = f'<?xml version="1.0"?><urlset xmlns="{schema}">{urls}</urlset>'
        server.on("/sitemap.xml", Reply(200, {"Content-Type": "application/xml"}, body))
        yield server


@deferred_f_from_coro_f
async def test_a_sitemap_says_how_many_pages_are_left(site: ScriptedServer) -> None:
    done, left = await crawl(site.url("/sitemap.xml"), follow_links="false")
    assert len(done.items) == 3
    assert {one.precision for one in left if one} == {EXACT}
    assert left[-1] in {(0, EXACT), (1, EXACT)}  # with the missing page still to come, or not
    assert left[0] in {(3, EXACT), (2, EXACT)}


@deferred_f_from_coro_f
async def test_links_may_lead_to_more_than_a_sitemap_lists(site: ScriptedServer) -> None:
    done, left = await crawl(site.url("/sitemap.xml"))
    assert len(done.items) == 4
    assert left[-1] == (0, AT_LEAST)


@deferred_f_from_coro_f
async def test_max_pages_is_an_upper_limit_until_as_many_are_found(site: ScriptedServer) -> None:
    _, left = await crawl(site.url("/a"), max_pages="9")
    assert left[-1] == (7, AT_MOST)
    _, left = await crawl(site.url("/a"), max_pages="2")
    assert left[-1] == (0, EXACT)


@deferred_f_from_coro_f
async def test_without_a_list_or_a_limit_nothing_is_known(site: ScriptedServer) -> None:
    _, left = await crawl(site.url("/a"))
    assert left[-1] is None


@deferred_f_from_coro_f
async def test_all_pages_of_a_wiki_are_counted_by_its_list() -> None:
    with DemoWiki() as wiki:
        done, left = await crawl(f"{wiki.url}/wiki/Main_Page", all_pages="true")
    assert len(done.items) > 20
    assert left[-1] == (0, EXACT)
    assert left[5] is not None
    assert left[5].pages == pytest.approx(len(done.items) - 6, abs=3)  # duplicates are skipped


def test_a_growing_list_is_completed_by_the_number_that_its_wiki_states() -> None:
    outlook = Outlook()
    outlook.expect("api", parts=2, pages=1200)
    outlook.read("api", 500, ended=False)
    assert outlook.left(480, None, begun=True) == (1180, ABOUT)
    assert outlook.left(480, 1000, begun=True) == (1000, AT_MOST)
    outlook.read("api", 400)
    outlook.read("api", 10)
    assert outlook.left(300, None, begun=True) == (300, EXACT)


def test_a_growing_list_of_unknown_length_leaves_the_number_unknown() -> None:
    outlook = Outlook()
    outlook.expect("categories")
    assert outlook.left(20, None, begun=True) is None
    assert outlook.left(20, 50, begun=True) == (50, AT_MOST)
