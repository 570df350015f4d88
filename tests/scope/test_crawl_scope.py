"""Any spider's scope: what it declares, what it gets, and what a project without it keeps."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request, Spider
from scrapy.exceptions import NotConfigured
from scrapy.linkextractors import LinkExtractor
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.crawling import Outcome, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from tests.servers.traps import TrapSite
from wikicrawler import CrawlBounds, CrawlScope, report_skipped
from wikicrawler.errors import ConfigError
from wikicrawler.scope.memory import state_of
from wikicrawler.scope.middlewares import ScopedLinks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from scrapy.http import Response

LEFT_OUT = "wikicrawler/left_out/"


class Pages(Spider):
    """A spider of somebody's own: two callbacks, items that are dicts."""

    name = "theirs"

    def __init__(self, seeds: str, bounds: CrawlBounds | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seeds = seeds.split()
        if bounds is not None:
            self.crawl_bounds = bounds

    async def start(self) -> AsyncIterator[Request]:
        scope = CrawlScope.of(self.crawler)
        for request in scope.start(self.seeds, callback=self.parse_list, errback=self.failed):
            yield request

    async def parse_list(self, response: Response) -> AsyncIterator[Any]:
        async for one in self._page(response, "list"):
            yield one

    async def parse_thing(self, response: Response, number: int = 0) -> AsyncIterator[Any]:
        async for one in self._page(response, f"thing {number}"):
            yield one

    async def _page(self, response: Response, kind: str) -> AsyncIterator[Any]:
        scope = CrawlScope.of(self.crawler)
        assert response.request is not None
        if not scope.accept(response):
            for request in scope.instead(response.request):
                yield request
            return
        yield {"url": response.url, "kind": kind}
        links = LinkExtractor().extract_links(response)
        things = [link for link in links if "/thing" in link.url]
        for link in things:
            request = scope.request(
                link.url,
                response,
                callback=self.parse_thing,
                errback=self.failed,
                cb_kwargs={"number": 7},
                meta={"mine": 1},
            )
            if request is not None:
                yield request
        others = [link for link in links if link not in things]
        async for request in scope.follow(
            response, others, callback=self.parse_list, errback=self.failed
        ):
            yield request

    def failed(self, failure: Any) -> Iterator[Request]:
        report_skipped(self.crawler, failure)
        yield from CrawlScope.of(self.crawler).instead(failure.request)


def page(*links: str) -> Reply:
    anchors = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    text = "Some words of a page that is worth reading."
    return Reply(body=f"<!doctype html><title>T</title><main><p>{text}</p>{anchors}</main>")


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        yield server


async def crawl(seeds: str, bounds: CrawlBounds | None = None, **settings: Any) -> Outcome:
    settings = {"WIKICRAWLER_DISCOVER_WIKIS": False} | settings
    return await run(Pages, project_settings(**settings), seeds=seeds, bounds=bounds)


def paths(done: Outcome, site: ScriptedServer) -> list[str]:
    return sorted(item["url"].removeprefix(site.url("")) for item in done.items)


def left_out(done: Outcome) -> dict[str, int]:
    return {k.removeprefix(LEFT_OUT): n for k, n in done.stats.items() if k.startswith(LEFT_OUT)}


# Bounds


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        (None, ["/", "/a", "/b", "/b/deep"]),
        (CrawlBounds(), ["/", "/a", "/b", "/b/deep"]),
        (CrawlBounds(max_depth=1), ["/", "/a", "/b"]),
        (CrawlBounds(max_depth=0), ["/"]),
        (CrawlBounds(max_pages=2), ["/", "/a"]),
        (CrawlBounds(follow="/b"), ["/", "/b", "/b/deep"]),
        (CrawlBounds(exclude="deep$ /a"), ["/", "/b"]),
    ],
)
@deferred_f_from_coro_f
async def test_links_are_followed_within_the_bounds(
    site: ScriptedServer, bounds: CrawlBounds | None, expected: list[str]
) -> None:
    with ScriptedServer("127.0.0.2") as other:
        away = other.url("/away")
        site.on("/", page("/a", "/b", away)).on("/a", page("/")).on("/b", page("/b/deep"))
        site.on("/b/deep", page())
        done = await crawl(site.url("/"), bounds)
        assert other.exchanges == []
    assert paths(done, site) == expected


@deferred_f_from_coro_f
async def test_any_host_may_be_reached(site: ScriptedServer) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/robots.txt", Reply(404)).on("/away", page())
        site.on("/", page(other.url("/away")))
        done = await crawl(site.url("/"), CrawlBounds(scope="any"))
    assert [item["url"] for item in done.items] == [site.url("/"), other.url("/away")]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"max_pages": 0}, "max_pages is '0': a whole number, 1 or more"),
        ({"max_pages": "5"}, "max_pages is '5'"),
        ({"max_pages": True}, "max_pages is 'True'"),
        ({"max_depth": -1}, "max_depth is '-1': a whole number, 0 or more"),
        ({"scope": "world"}, "scope is 'world': host, site or any"),
        ({"follow": "("}, r"crawl_bounds: follow: '\('"),
    ],
)
def test_wrong_bounds_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        CrawlBounds(**wrong)


# Pages that are skipped


@deferred_f_from_coro_f
async def test_a_skipped_page_gives_its_place_to_a_link_with_its_own_callback(
    site: ScriptedServer,
) -> None:
    site.on("/", page("/gone", "/thing")).on("/thing", page())
    site.on("/", page("/thing-gone", "/gone", "/thing", "/b"))
    done = await crawl(site.url("/"), CrawlBounds(max_pages=2))
    assert [item["kind"] for item in done.items] == ["list", "thing 7"]
    assert done.reasons() == {site.url("/thing-gone"): "missing"}
    assert len(site.exchanges) == 4  # robots.txt too


@deferred_f_from_coro_f
async def test_redirects_are_duplicates_or_off_the_site_and_give_their_places(
    site: ScriptedServer,
) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/robots.txt", Reply(404)).on("/away", page())
        site.on("/", page("/again", "/out", "/a", "/b")).on("/a", page()).on("/b", page())
        site.on("/again", Reply(301, {"Location": "/"}))
        site.on("/out", Reply(302, {"Location": other.url("/away")}))
        done = await crawl(site.url("/"), CrawlBounds(max_pages=3))
    assert paths(done, site) == ["/", "/a", "/b"]
    assert done.reasons() == {site.url("/again"): "duplicate", site.url("/out"): "offsite"}


@deferred_f_from_coro_f
async def test_a_page_under_two_addresses_is_accepted_once(site: ScriptedServer) -> None:
    site.on("/", page("/x;jsessionid=1")).on("/x;jsessionid=1", Reply(301, {"Location": "/y"}))
    site.on("/y", page("/x;jsessionid=2"))
    done = await crawl(site.url("/"))
    assert paths(done, site) == ["/", "/y"]
    assert left_out(done) == {"session_id": 1}


@deferred_f_from_coro_f
async def test_an_error_of_a_callback_is_reported_with_its_traceback(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    class Faulty(Pages):
        def failed(self, failure: Any) -> Iterator[Request]:
            failure.value = KeyError("fault")
            return super().failed(failure)

    await run(Faulty, project_settings(), seeds=site.url("/gone"))
    assert "Error on" in caplog.text
    assert "KeyError: 'fault'" in caplog.text


@deferred_f_from_coro_f
async def test_a_callback_must_be_a_method_of_the_spider(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    class Careless(Pages):
        async def start(self) -> AsyncIterator[Request]:
            scope = CrawlScope.of(self.crawler)
            for request in scope.start(self.seeds, callback=lambda response: None):
                yield request

    await run(Careless, project_settings(), seeds=site.url("/"))
    assert "is not a method of the spider 'theirs'" in caplog.text
    assert site.exchanges == []


@deferred_f_from_coro_f
async def test_without_the_extension_the_error_says_what_is_missing(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    path = "wikicrawler.scope.crawl_scope.CrawlScope"
    await crawl(site.url("/"), EXTENSIONS={path: None})
    assert 'ADDONS needs {"wikicrawler.addon.WikiCrawler": 500}' in caplog.text
    assert site.exchanges == []


# Traps


@pytest.mark.parametrize("tiers", [True, False])
@deferred_f_from_coro_f
async def test_traps_end_for_a_spider_that_follows_by_its_scope(tiers: bool) -> None:
    with TrapSite("list", "loop", few=True) as site:
        settings = {"WIKICRAWLER_TIERS_ENABLED": tiers, "CLOSESPIDER_PAGECOUNT": 100}
        done = await crawl(site.url + "/", **settings)
        urls = {item["url"].removeprefix(site.url) for item in done.items}
        assert set(site.good) <= urls
    assert left_out(done)["repeating_path"] == 1
    # what a page says is known where the tiers have converted it
    ended = done.stats["finish_reason"] == "finished"
    assert (ended, "nothing_new" in left_out(done)) == (tiers, tiers)


# A crawl that goes on


@deferred_f_from_coro_f
async def test_budgets_and_waiting_links_survive_a_stop(
    site: ScriptedServer, tmp_path: Path
) -> None:
    job = {"JOBDIR": str(tmp_path / "job")}
    bounds = CrawlBounds(max_pages=4)
    names = [f"/{n}" for n in range(5)]
    site.on("/", page(*names, "/thing"))
    for name in names[:3]:
        site.on(name, Reply(404))
    for name in (*names[3:], "/thing"):
        site.on(name, page())
    first = await crawl(site.url("/"), bounds, CLOSESPIDER_PAGECOUNT=1, **job)
    _, state = (tmp_path / "job" / "spider.state").read_bytes().splitlines()
    assert [key for key, _ in json.loads(state)] == ["crawl_scope"]
    second = await crawl(site.url("/"), bounds, **job)
    assert {*paths(first, site), *paths(second, site)} == {"/", "/3", "/4", "/thing"}
    kinds = {item["url"]: item["kind"] for item in (*first.items, *second.items)}
    assert kinds[site.url("/thing")] == "thing 7"


def test_the_state_of_the_version_before_is_taken_over() -> None:
    spider = Spider("wiki")
    old = {"budget_held": [("https://x.org/a", 2)], "budget_taken": [3], "site_budgets": {}}
    spider.state = {**old, "scope": {b"x.org"}, "mine": 1}  # type: ignore[attr-defined]
    assert state_of(spider) == {**old, "scope": {b"x.org"}}
    assert spider.state == {"mine": 1, "crawl_scope": state_of(spider)}  # type: ignore[attr-defined]


def test_a_state_of_the_spiders_own_is_left_alone() -> None:
    spider = Spider("theirs")
    spider.state = {"seeds": [1], "scope": "mine"}  # type: ignore[attr-defined]
    assert state_of(spider) == {}
    assert spider.state == {"seeds": [1], "scope": "mine", "crawl_scope": {}}  # type: ignore[attr-defined]


# Without any code


class Plain(Spider):
    """Follows every link, and knows of no scope."""

    name = "plain"

    def __init__(self, url: str, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.start_urls = [url]

    def parse(self, response: Response) -> Iterator[Any]:
        yield {"url": response.url}
        yield from response.follow_all(css="a")  # type: ignore[attr-defined]


async def crawl_plain(site: TrapSite, **settings: Any) -> Outcome:
    settings = {"WIKICRAWLER_DISCOVER_WIKIS": False} | settings
    return await run(Plain, project_settings(**settings), url=site.url + "/")


@deferred_f_from_coro_f
async def test_with_the_switch_traps_end_for_any_spider() -> None:
    with TrapSite("list", "loop", "forum", few=True) as site:
        done = await crawl_plain(site, WIKICRAWLER_SCOPE_LINKS=True, CLOSESPIDER_PAGECOUNT=200)
        urls = {item["url"].removeprefix(site.url) for item in done.items}
        assert set(site.good) <= urls
        assert len(site.in_trap()) < 60
    assert done.stats["finish_reason"] == "finished"
    assert set(left_out(done)) == {"nothing_new", "repeating_path", "session_id"}


@deferred_f_from_coro_f
async def test_without_the_switch_any_link_is_followed() -> None:
    with TrapSite("list", few=True) as site:
        done = await crawl_plain(site, CLOSESPIDER_PAGECOUNT=60)
    assert done.stats["finish_reason"] == "closespider_pagecount"
    assert left_out(done) == {}


@pytest.mark.parametrize("job", [False, True])
@deferred_f_from_coro_f
async def test_with_the_switch_sites_have_their_budgets(job: bool, tmp_path: Path) -> None:
    settings: dict[str, Any] = {"WIKICRAWLER_SCOPE_LINKS": True, "WIKICRAWLER_SITE_MAX_PAGES": 12}
    if job:
        settings["JOBDIR"] = str(tmp_path / "job")
    with TrapSite() as site:
        first = await crawl_plain(site, CLOSESPIDER_PAGECOUNT=5 if job else 0, **settings)
        second = await crawl_plain(site, **settings) if job else first
        urls = {item["url"] for item in (*first.items, *second.items)}
    assert len(urls) == 12
    assert left_out(second)["site_max_pages"] > 0


@deferred_f_from_coro_f
async def test_a_request_that_is_not_to_be_filtered_passes(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Again(Plain):
        def parse(self, response: Response, times: int = 2) -> Iterator[Any]:
            yield {"url": response.url}
            if times:
                again = {"times": times - 1}
                yield response.request.replace(dont_filter=True, cb_kwargs=again)  # type: ignore[union-attr]
                yield Request(response.url + "2150/01", callback=self.none, dont_filter=True)
                yield Request(response.url + "2150/02", method="POST", callback=self.none)
                yield Request(response.url + "2150/03", callback=self.none)

        def none(self, response: Response) -> Iterator[Any]:
            yield {"url": response.url}

    caplog.set_level(logging.INFO)
    with TrapSite("calendar", few=True) as site:
        settings = project_settings(WIKICRAWLER_SCOPE_LINKS=True, HTTPERROR_ALLOW_ALL=True)
        done = await run(Again, settings, url=site.url + "/calendar/")
        assert site.asked.count("/calendar/") == 3
        assert site.asked.count("/calendar/2150/01") == 2
        assert "/calendar/2150/03" not in site.asked
    assert left_out(done) == {"far_date": 1}


def test_a_spider_with_a_scope_of_its_own_has_no_second_one() -> None:
    class Bounded(Spider):
        name = "bounded"
        crawl_bounds = CrawlBounds()

    on = {"WIKICRAWLER_SCOPE_LINKS": True, "EXTENSIONS": {CrawlScope: 0}}
    for spidercls in (Bounded, Spider):
        crawler = get_crawler(spidercls, on)
        crawler.spider = spidercls("x")
        if spidercls is Bounded:
            with pytest.raises(NotConfigured):
                ScopedLinks.from_crawler(crawler)
        else:
            assert ScopedLinks.from_crawler(crawler)
