"""What the arguments of ``scrapy crawl wiki`` do, on the wiki that ships with the project."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from pydantic import ValidationError
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.demo.server import DemoWiki
from wikicrawler.errors import ConfigError
from wikicrawler.spiders.arguments import WikiArguments
from wikicrawler.spiders.wiki import WikiSpider
from wikicrawler.urls.addresses import MAX_URL
from wikicrawler.urls.parts import Part

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wikicrawler.pages import Link
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        yield server


async def crawl(seeds: str, settings: dict[str, Any] | None = None, **arguments: str) -> Outcome:
    return await run(WikiSpider, project_settings(**(settings or {})), seeds=seeds, **arguments)


def titles(outcome: Outcome) -> list[str]:
    return [unquote(item.url.rpartition("/wiki/")[2]) for item in outcome.items]


def page(*links: str, text: str = "Some words of a page that is worth reading.") -> Reply:
    anchors = "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)
    return Reply(body=f"<!doctype html><title>T</title><main><p>{text}</p>{anchors}</main>")


# Seeds


@deferred_f_from_coro_f
async def test_a_bad_seed_is_reported_with_its_line_and_the_rest_run(
    demo: DemoWiki, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    seeds = tmp_path / "seeds.txt"
    seeds.write_text(
        f"\ufeff# bees\r\n{demo.url}/wiki/Honey\r\nftp://x/y\r\n{demo.url}/wiki/Drone\r\n"
    )
    done = await crawl(str(seeds), follow_links="false")
    assert sorted(titles(done)) == ["Drone", "Honey"]
    assert f"{seeds}:3: 'ftp://x/y'" in caplog.text
    assert done.stats["wikicrawler/seeds/refused"] == 1


@deferred_f_from_coro_f
async def test_without_a_valid_seed_the_crawl_does_not_start(tmp_path: Path) -> None:
    for seeds in ("ftp://x/y", "nowhere.txt", ""):
        with pytest.raises(ConfigError):
            await crawl(seeds)
    with pytest.raises(ConfigError, match="argument seeds is missing"):
        await run(WikiSpider, project_settings())


@deferred_f_from_coro_f
async def test_several_seeds_are_separated_by_commas_or_white_space(demo: DemoWiki) -> None:
    done = await crawl(
        f"{demo.url}/wiki/Honey,{demo.url}/wiki/Drone\n{demo.url}/wiki/Colony", follow_links="false"
    )
    assert sorted(titles(done)) == ["Colony", "Drone", "Honey"]


# How much


@pytest.mark.parametrize("limit", [1, 4, 30])
@deferred_f_from_coro_f
async def test_max_pages_is_exact_and_nothing_is_fetched_in_vain(
    demo: DemoWiki, limit: int
) -> None:
    before = len(demo.requests)
    done = await crawl(f"{demo.url}/wiki/Main_Page", max_pages=str(limit))
    assert len(done.items) == limit
    asked = [p for _, p in demo.requests[before:] if "action=parse" in p or p.startswith("/wiki/")]
    assert len(asked) == limit + len(done.skipped)


@deferred_f_from_coro_f
async def test_a_page_that_is_skipped_gives_its_place_to_another(site: ScriptedServer) -> None:
    site.on("/", page("/gone", "/a", "/b")).on("/a", page()).on("/b", page())
    done = await crawl(site.url("/"), max_pages="3")
    assert sorted(i.url for i in done.items) == [site.url(p) for p in ("/", "/a", "/b")]
    assert done.reasons() == {site.url("/gone"): "missing"}


@pytest.mark.parametrize("how", [301, 302, "refresh"])
@deferred_f_from_coro_f
async def test_a_redirect_to_a_page_already_asked_for_is_a_duplicate(
    site: ScriptedServer, how: object
) -> None:
    site.on("/", page("/a", "/b", "/c")).on("/a", page()).on("/c", page())
    refresh = Reply(body='<html><head><meta http-equiv="refresh" content="0;url=/a"></head></html>')
    site.on("/b", refresh if how == "refresh" else Reply(int(str(how)), {"Location": "/a"}))
    done = await crawl(site.url("/"))
    assert sorted(i.url for i in done.items) == [site.url(p) for p in ("/", "/a", "/c")]
    assert done.reasons() == {site.url("/b"): "duplicate"}


@deferred_f_from_coro_f
async def test_redirects_to_seen_pages_do_not_use_up_max_pages(site: ScriptedServer) -> None:
    site.on("/", page("/r1", "/r2", "/r3", "/a", "/b", "/c"))
    for name in ("r1", "r2", "r3"):
        site.on(f"/{name}", Reply(301, {"Location": "/"}))
    for name in "abc":
        site.on(f"/{name}", page())
    done = await crawl(site.url("/"), max_pages="4")
    assert len(done.items) == 4


@pytest.mark.parametrize("path", ["/self", "/loop"])
@deferred_f_from_coro_f
async def test_a_redirect_that_never_ends_is_skipped(site: ScriptedServer, path: str) -> None:
    site.on("/", page(path)).on("/self", Reply(302, {"Location": "/self"}))
    site.on("/loop", Reply(302, {"Location": "/pool"})).on(
        "/pool", Reply(302, {"Location": "/loop"})
    )
    done = await crawl(site.url("/"))
    assert len(done.items) == 1
    assert list(done.reasons().values()) == ["redirect"]


@pytest.mark.parametrize(
    ("robots", "reason"),
    [(Reply(drop=True), "network"), (Reply(delay=3), "timeout"), (Reply(500), "robots")],
    ids=["dropped", "stalled", "failed"],
)
@deferred_f_from_coro_f
async def test_pages_behind_a_robots_txt_that_does_not_come_are_skipped_for_what_befell_it(
    site: ScriptedServer, robots: Reply, reason: str
) -> None:
    site.on("/robots.txt", robots)
    seed = site.url("/")
    retry = {"network": [], "timeout": [], "503": []}
    settings = project_settings(DOWNLOAD_TIMEOUT=1, WIKICRAWLER_RETRY=retry)
    done = await run(WikiSpider, settings, seeds=seed)
    assert done.reasons() == {seed: reason}
    assert "robots.txt could not be fetched" in done.skipped[0]["detail"]


@deferred_f_from_coro_f
async def test_max_depth_counts_links_from_the_seed(site: ScriptedServer) -> None:
    site.on("/0", page("/1")).on("/1", page("/2")).on("/2", page("/3"))
    for depth in (0, 1, 2):
        done = await crawl(site.url("/0"), max_depth=str(depth))
        assert [i.url for i in done.items] == [site.url(f"/{n}") for n in range(depth + 1)]


@deferred_f_from_coro_f
async def test_pages_come_breadth_first(site: ScriptedServer) -> None:
    site.on("/", page("/a", "/b")).on("/a", page("/a/deep")).on("/b", page("/b/deep"))
    site.on("/a/deep", page()).on("/b/deep", page())
    done = await crawl(site.url("/"))
    assert [i.url for i in done.items][:3] == [site.url(p) for p in ("/", "/a", "/b")]


# Which links


@deferred_f_from_coro_f
async def test_follow_and_exclude_choose_links_by_their_url(demo: DemoWiki) -> None:
    start = f"{demo.url}/wiki/Main_Page"
    done = await crawl(start, follow="/wiki/Hon", exclude="comb$")
    assert set(titles(done)) == {"Main_Page", "Honey", "Honey_bee", "Honey_extraction"}


@deferred_f_from_coro_f
async def test_only_content_namespaces_are_followed_unless_others_are_named(
    demo: DemoWiki,
) -> None:
    start = f"{demo.url}/wiki/Main_Page"
    assert not any(":" in t for t in titles(await crawl(start)))
    done = await crawl(start, namespaces="Help, 1", max_depth="1")
    assert set(titles(done)) == {"Main_Page", "Help:Editing", "Talk:Swarming"}


@deferred_f_from_coro_f
async def test_a_namespace_that_the_wiki_does_not_have_is_named(
    demo: DemoWiki, caplog: pytest.LogCaptureFixture
) -> None:
    await crawl(f"{demo.url}/wiki/Main_Page", namespaces="Hepl", max_depth="1")
    assert "has no 'Hepl'" in caplog.text


@deferred_f_from_coro_f
async def test_parts_share_the_sites_and_no_link_leads_from_one_to_another() -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(ScriptedServer(f"127.0.0.{n}")) for n in range(2, 10)]
        for server in sites:
            links = ["/a", *(other.url("/") for other in sites)]
            server.on("/robots.txt", Reply(404)).on("/", page(*links)).on("/a", page())
        seeds = ",".join(server.url("/") for server in sites)
        found = [{item.url for item in (await crawl(seeds, part=f"{n}/2")).items} for n in (1, 2)]
        whole = {server.url(path) for server in sites for path in ("/", "/a")}
    assert set().union(*found) == whole
    assert sum(map(len, found)) == len(whole)
    assert all(found)


@deferred_f_from_coro_f
async def test_a_part_needs_sites_of_its_own(site: ScriptedServer) -> None:
    url = site.url("/")
    other = next(part for part in ("1/2", "2/2") if not Part.parse(part).has(url))
    with pytest.raises(ConfigError, match=r"none of the seeds \(1\) is in part"):
        await crawl(url, part=other)
    assert site.exchanges == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"part": "3/2"}, "expected like 2/4"),
        ({"part": "1/2", "scope": "any"}, "exclude each other"),
        ({"part": "1/2", "since": "old.jsonl"}, "exclude each other"),
    ],
)
def test_a_wrong_part_is_refused(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        WikiArguments(seeds="https://wiki.example/", **arguments)


@deferred_f_from_coro_f
async def test_links_stay_on_the_host_unless_told_otherwise(site: ScriptedServer) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/robots.txt", Reply(404)).on("/away", page())
        site.on("/", page(other.url("/away"), "/a")).on("/a", page())
        done = await crawl(site.url("/"))
        assert [item.url for item in done.items] == [site.url("/"), site.url("/a")]
        assert [item.links for item in done.items] == [[site.url("/a")], []]
        assert other.exchanges == []
        done = await crawl(site.url("/"), scope="any")
        assert {item.url for item in done.items} >= {other.url("/away"), site.url("/a")}


@deferred_f_from_coro_f
async def test_menus_lead_on_after_the_text_and_are_no_part_of_the_record(
    site: ScriptedServer,
) -> None:
    text = "<p>Amber is fossilised tree resin, worked as a gemstone since antiquity.</p>" * 9
    site.on(
        "/",
        Reply(
            body=f'<nav><ul><li><a href="/menu">Menu</a></ul></nav><main><h1>Amber</h1>{text}'
            '<p>See <a href="/resin">resin</a>.</p></main><footer><a href="/foot">Foot</a></footer>'
        ),
    )
    for path in ("/menu", "/resin", "/foot"):
        site.on(path, Reply(body=f"<main><h1>{path}</h1>{text}</main>"))
    done = await run(WikiSpider, project_settings(), seeds=site.url("/"))
    assert [item.url for item in done.items] == [
        site.url(path) for path in ("/", "/resin", "/menu", "/foot")
    ]
    assert done.items[0].links == [site.url("/resin")]
    assert "Menu" not in done.items[0].content


@deferred_f_from_coro_f
async def test_a_redirect_off_the_site_is_no_page_of_it(site: ScriptedServer) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/robots.txt", Reply(404)).on("/away", page())
        site.on("/", page("/out")).on("/out", Reply(302, {"Location": other.url("/away")}))
        done = await crawl(site.url("/"))
    assert [i.url for i in done.items] == [site.url("/")]
    assert done.reasons() == {site.url("/out"): "offsite"}


@deferred_f_from_coro_f
async def test_a_seed_that_redirects_is_where_the_crawl_is(site: ScriptedServer) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/robots.txt", Reply(404)).on("/home", page("/more")).on("/more", page())
        site.on("/", Reply(301, {"Location": other.url("/home")}))
        done = await crawl(site.url("/"))
        assert [i.url for i in done.items] == [other.url("/home"), other.url("/more")]
    assert done.items[0].redirected_from == site.url("/")


@deferred_f_from_coro_f
async def test_a_page_under_two_addresses_has_one_record(demo: DemoWiki) -> None:
    addresses = ("wiki/Varroa_mite", "wiki/Varroa", "wiki/varroa_mite", "wiki/Varroa%20mite")
    asked = {f"{demo.url}/{address}" for address in (*addresses, "index.php?title=Varroa_mite")}
    done = await crawl(" ".join(sorted(asked)), follow_links="false")
    assert titles(done) == ["Varroa_mite"]
    (written,) = asked - done.reasons().keys()  # whichever came first
    assert done.reasons() == dict.fromkeys(asked - {written}, "duplicate")


@deferred_f_from_coro_f
async def test_all_pages_asks_the_wiki_for_its_titles(demo: DemoWiki) -> None:
    before = len(demo.requests)
    done = await crawl(f"{demo.url}/wiki/Honey", all_pages="true")
    linked = await crawl(f"{demo.url}/wiki/Main_Page")
    assert set(titles(done)) == set(titles(linked))
    assert any("list=allpages" in path for _, path in demo.requests[before:])


@deferred_f_from_coro_f
async def test_all_pages_stops_listing_when_max_pages_is_sure(demo: DemoWiki) -> None:
    before = len(demo.requests)
    done = await crawl(f"{demo.url}/wiki/Honey", all_pages="true", max_pages="3")
    assert len(done.items) == 3
    assert sum("list=allpages" in path for _, path in demo.requests[before:]) == 1


@deferred_f_from_coro_f
async def test_a_page_of_many_links_leaves_others_their_turn(site: ScriptedServer) -> None:
    turns: set[int] = set()

    class Watching(WikiSpider):
        def wants(self, link: Link, wiki: KnownWiki | None) -> bool:
            turns.add(turn)
            return False

    async def count() -> None:
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    turn = 0
    site.on("/", page(*(f"/{number}" for number in range(20_000))))
    counting = asyncio.ensure_future(count())
    try:
        await run(Watching, project_settings(), seeds=site.url("/"))
    finally:
        counting.cancel()
    assert len(turns) >= 20


@pytest.mark.parametrize(
    ("following", "titles", "end"),
    [
        ("B", ["Amber"], (2, "names the same batch again")),
        ("B{}", ["Amber"], (2, "names the same batch again")),
        ("B{}", [], (50, "50 batches in a row had no title")),
    ],
    ids=["in circles", "onward with the same titles", "onward without titles"],
)
@deferred_f_from_coro_f
async def test_a_list_of_titles_that_never_ends_is_left(
    following: str,
    titles: list[str],
    end: tuple[int, str],
    caplog: pytest.LogCaptureFixture,
    tmp_path: Path,
) -> None:
    asked, message = end
    general = {"articlepath": "/wiki/$1", "lang": "en"}
    info = {"query": {"general": general, "namespaces": {"0": {"id": 0, "content": True}}}}
    parsed = {"parse": {"title": "Amber", "text": "<p>Resin.</p>", "links": []}}

    class Endless(ScriptedServer):
        def next_reply(self, path: str) -> Reply:
            count = sum("allpages" in path for path in self.paths())
            batch = {
                "continue": {"apcontinue": following.format(f"{count:05}")},
                "query": {"allpages": [{"title": title} for title in titles]},
            }
            for mark, data in (("siteinfo", info), ("allpages", batch), ("parse", parsed)):
                if mark in path:
                    return Reply(200, {"Content-Type": "application/json"}, json.dumps(data))
            return Reply(404)

    with Endless() as server:
        config = tmp_path / "wiki.yml"
        config.write_text(f'mediawiki_sites:\n  "{server.netloc}": {server.url("/api.php")}\n')
        settings = {"WIKICRAWLER_CONFIG": str(config)}
        await crawl(server.url("/wiki/Amber"), settings, all_pages="true")
        assert sum("allpages" in path for path in server.paths()) == asked
    assert message in caplog.text


@deferred_f_from_coro_f
async def test_without_the_api_a_page_says_itself_which_namespace_it_is_in(
    site: ScriptedServer,
) -> None:
    def wiki_page(name: str, number: int, *links: str) -> Reply:
        anchors = "".join(f'<a href="{link}">{link}</a> ' for link in links)
        return Reply(
            body='<html class="client-nojs"><head><meta name="generator" content="MediaWiki 1.43">'
            f'<script>RLCONF={{"wgPageName":"{name}","wgNamespaceNumber":{number},'
            '"wgRevisionId":5};</script>'
            '<link rel="EditURI" href="/api.php?action=rsd"></head><body class="mediawiki">'
            f'<h1 id="firstHeading">{name}</h1><div id="mw-content-text">'
            f'<div class="mw-parser-output"><p>Text. {anchors}</p></div></div></body></html>'
        )

    site.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /api.php"))
    site.on("/wiki/Start", wiki_page("Start", 0, "/wiki/Kategorie:Bienen", "/wiki/Biene"))
    site.on("/wiki/Biene", wiki_page("Biene", 0, "/wiki/Kategorie:Tiere", "/wiki/Rezept:Honig"))
    site.on("/wiki/Kategorie:Bienen", wiki_page("Kategorie:Bienen", 14))
    site.on("/wiki/Rezept:Honig", wiki_page("Rezept:Honig", 100))
    done = await crawl(site.url("/wiki/Start"))
    assert titles(done) == ["Start", "Biene", "Rezept:Honig"]
    assert done.reasons() == {site.url("/wiki/Kategorie:Bienen"): "namespace"}
    assert site.url("/wiki/Kategorie:Tiere").partition(site.netloc)[2] not in site.paths()


@deferred_f_from_coro_f
async def test_all_pages_of_a_site_that_is_no_wiki_is_said_and_links_are_followed(
    site: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    site.on("/", page("/a")).on("/a", page())
    done = await crawl(site.url("/"), all_pages="true")
    assert len(done.items) == 2
    assert "no wiki was recognised" in caplog.text


@deferred_f_from_coro_f
async def test_with_the_tiers_off_the_spider_still_brings_records(demo: DemoWiki) -> None:
    by_tiers = await crawl(f"{demo.url}/wiki/Honey", follow_links="false")
    off = {"WIKICRAWLER_TIERS_ENABLED": False}
    (plain,) = (await crawl(f"{demo.url}/wiki/Honey", off, follow_links="false")).items
    assert plain.content == by_tiers.items[0].content
    assert plain.tier == ""
    assert len((await crawl(f"{demo.url}/wiki/Main_Page", off, max_pages="5")).items) == 5


@deferred_f_from_coro_f
async def test_a_page_too_costly_to_convert_is_skipped_and_the_crawl_goes_on(
    site: ScriptedServer,
) -> None:
    deep = "<main>" + "<table><tr><td>" * 3000 + "x" + "</main>"
    # with a < in it, no tag is recognised as too long
    wide = "<main><p " + " ".join(f"a{i}='<'" for i in range(300_000)) + ">x</p></main>"
    site.on("/", page("/deep", "/wide", "/a")).on("/a", page())
    site.on("/deep", Reply(body=deep)).on("/wide", Reply(body=wide))
    workers = {"WIKICRAWLER_CONTENT_WORKERS": 1, "WIKICRAWLER_PAGE_CPU_SECONDS": 1}
    done = await crawl(site.url("/"), workers)
    accounted = {i.url for i in done.items} | set(done.reasons())
    assert accounted == {site.url(p) for p in ("/", "/deep", "/wide", "/a")}
    assert done.reasons()[site.url("/wide")] == "cpu_limit"


# Arguments


def test_what_scrapyd_adds_is_dropped() -> None:
    assert WikiArguments(seeds="https://x.org/", _job="6487ec79947edab326d6db28a2d86511")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seed": "x"}, "no argument 'seed' .* did you mean seeds"),
        ({"max_pages": "0"}, "greater than 0"),
        ({"max_pages": "many"}, "valid integer"),
        ({"max_depth": "-1"}, "greater than or equal to 0"),
        ({"follow": "(a"}, "follow"),
        ({"exclude": "a(?=b)"}, "exclude"),
        ({"scope": "world"}, "'host', 'site' or 'any'"),
        ({"follow_links": "perhaps"}, "valid boolean"),
        ({"namespaces": " , "}, "none in it"),
    ],
)
def test_a_wrong_argument_is_refused(arguments: dict[str, str], message: str) -> None:
    with pytest.raises((ValidationError, ConfigError), match=f"(?s){message}"):
        WikiArguments(seeds="https://x.org/", **arguments)


# Addresses of any length


@deferred_f_from_coro_f
async def test_a_link_beyond_the_bound_is_told_once_and_takes_no_place(
    site: ScriptedServer,
) -> None:
    long = "/" + "a" * 9_000
    site.on("/", page(long, "/1", "/2")).on("/1", page(long)).on("/2", page(long))
    done = await crawl(site.url("/"), max_pages="3")
    assert len(done.items) == 3
    assert [(str(s["reason"]), s["detail"]) for s in done.skipped] == [
        ("url_length", f"{len(site.url(long)):,} characters (URLLENGTH_LIMIT allows 8,000)")
    ]


@deferred_f_from_coro_f
async def test_an_address_within_the_bound_is_crawled_as_a_seed_and_as_a_link(
    site: ScriptedServer,
) -> None:
    seed, link = ("/" + letter * 7_000 for letter in "ab")
    site.on(seed, page(link)).on(link, page())
    done = await crawl(site.url(seed))
    assert [item.url for item in done.items] == [site.url(seed), site.url(link)]


def test_the_bound_is_that_of_seeds() -> None:
    assert project_settings().getint("URLLENGTH_LIMIT") == MAX_URL


@deferred_f_from_coro_f
async def test_a_job_that_goes_on_with_other_seeds_says_that_they_are_left_out(
    site: ScriptedServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    job = {"JOBDIR": str(tmp_path)}
    site.on("/a", page()).on("/b", page())
    await crawl(site.url("/a"), job)
    caplog.clear()
    await crawl(site.url("/a"), job)
    assert "other seeds" not in caplog.text
    done = await crawl(site.url("/b"), job)
    assert done.items == []
    assert caplog.text.count("Resuming with other seeds than this job began with") == 1
