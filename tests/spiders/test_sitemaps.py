"""Crawls whose seed is a sitemap."""

from __future__ import annotations

import gzip
import logging
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.scope.test_noindex import link, meta, page, paths
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from tests.servers.mediawiki import RealMediaWiki

XML = {"Content-Type": "application/xml"}


def urlset(server: ScriptedServer, *names: str, tag: str = "urlset") -> bytes:
    one = "url" if tag == "urlset" else "sitemap"
    urls = [name if "://" in name else server.url(name) for name in names]
    return (
        f"<{tag}>" + "".join(f"<{one}><loc>{u}</loc></{one}>" for u in urls) + f"</{tag}>"
    ).encode()


async def crawl(server: ScriptedServer, seed: str, **arguments: Any) -> Outcome:
    settings = project_settings(WIKICRAWLER_DISCOVER_WIKIS=False)
    return await run(WikiSpider, settings, **{"seeds": server.url(seed)} | arguments)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/sitemap.xml", "application/xml"),
        ("/sitemap.xml", "text/xml; charset=utf-8"),
        ("/sitemap.xml", "text/html"),
        ("/sitemap.xml", "application/octet-stream"),
        ("/sitemap.xml.gz", "application/gzip"),
        ("/sitemap.xml.gz", "application/x-gzip"),
        ("/urls.txt", "text/plain"),
    ],
)
@deferred_f_from_coro_f
async def test_a_sitemap_is_a_list_of_seeds(path: str, kind: str) -> None:
    with ScriptedServer() as server:
        body = b'<?xml version="1.0"?>\n' + urlset(server, "/a", "/b")
        if path.endswith(".gz"):
            body = gzip.compress(body)
        elif path.endswith(".txt"):
            body = f"{server.url('/a')}\n{server.url('/b')}\n".encode()
        server.on(path, Reply(200, {"Content-Type": kind}, body))
        server.on("/a", page("A", link("/c"))).on("/b", page("B")).on("/c", page("C"))
        done = await crawl(server, path, max_depth="0")
        assert paths(done, server) == {"/a", "/b"}
    assert done.skipped == []
    assert done.stats["wikicrawler/sitemaps/urls"] == 2


@deferred_f_from_coro_f
async def test_an_index_is_read_with_its_sitemaps_and_links_are_followed() -> None:
    with ScriptedServer() as server:
        index = urlset(server, "/1.xml", "/2.xml.gz", "/gone.xml", "/page", tag="sitemapindex")
        server.on("/sitemap.xml", Reply(200, XML, index))
        server.on("/1.xml", Reply(200, XML, urlset(server, "/a")))
        zipped = gzip.compress(urlset(server, "/b", "/a"))
        server.on("/2.xml.gz", Reply(200, {"Content-Type": "application/gzip"}, zipped))
        server.on("/page", page("Page"))
        server.on("/a", page("A", link("/c"))).on("/b", page("B")).on("/c", page("C"))
        done = await crawl(server, "/sitemap.xml")
        assert paths(done, server) == {"/a", "/b", "/c"}
    assert done.stats["wikicrawler/sitemaps/read"] == 3
    assert done.stats["wikicrawler/sitemaps/failed"] == 1


@deferred_f_from_coro_f
async def test_an_index_of_itself_ends() -> None:
    with ScriptedServer() as server:
        names = [f"/{n}.xml" for n in range(6)]
        for name, following in zip(names, [*names[1:], names[0]], strict=True):
            body = urlset(server, name, following, names[0], tag="sitemapindex")
            server.on(name, Reply(200, XML, body))
        await crawl(server, names[0])
        assert len(server.exchanges) <= 5


@deferred_f_from_coro_f
async def test_other_hosts_are_left_out_and_the_log_says_so(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with ScriptedServer() as server, ScriptedServer("127.0.0.2") as other:
        body = urlset(server, "/a", other.url("/b"), "http://169.254.169.254/latest")[:-9]
        server.on("/sitemap.xml", Reply(200, XML, body)).on("/a", page("A"))
        other.on("/b", page("B"))
        done = await crawl(server, "/sitemap.xml")
        assert paths(done, server) == {"/a"}
        assert other.exchanges == []
    warned = [one.getMessage() for one in caplog.records if one.levelno == logging.WARNING]
    assert any("2 URLs of other hosts are left out" in one for one in warned)
    assert any("truncated or broken" in one for one in warned)


@deferred_f_from_coro_f
async def test_what_a_sitemap_lists_obeys_noindex_patterns_and_max_pages() -> None:
    with ScriptedServer() as server:
        names = ["/quiet", *(f"/doc/{word}" for word in ("one", "two", "three")), "/blog/x"]
        server.on("/sitemap.xml", Reply(200, XML, urlset(server, *names)))
        for name in names[1:]:
            server.on(name, page(name))
        server.on("/quiet", page("Quiet", head=meta("noindex")))
        done = await crawl(server, "/sitemap.xml", follow="/doc/ /quiet", max_pages="2")
        assert len(done.items) == 2
        assert paths(done, server) < {"/doc/one", "/doc/two", "/doc/three"}
    assert [*done.reasons().values()] == ["noindex"]


@deferred_f_from_coro_f
async def test_a_sitemap_that_a_link_leads_to_is_no_list_of_seeds() -> None:
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/sitemap.xml")))
        server.on("/sitemap.xml", Reply(200, XML, urlset(server, "/a"))).on("/a", page("A"))
        done = await crawl(server, "/")
        assert paths(done, server) == {"/"}
    assert [*done.reasons().values()] == ["not_html"]


# Those of the hosts of seeds (-a sitemaps=true)


@deferred_f_from_coro_f
async def test_the_sitemaps_of_a_seeds_host_are_read_if_asked_for() -> None:
    with ScriptedServer() as server:
        robots = f"Sitemap: {server.url('/1.xml')} # all\nSitemap: /2.xml\nSitemap: ftp://x/y\n"
        server.on("/robots.txt", Reply(body=f"User-agent: *\nDisallow: /no\n{robots}"))
        server.on("/1.xml", Reply(200, XML, urlset(server, "/a", "/no/x")))
        server.on("/2.xml", Reply(200, XML, urlset(server, "/b", "/")))
        server.on("/", page("Home")).on("/other", page("Other"))
        server.on("/a", page("A", link("/c"))).on("/b", page("B")).on("/c", page("C"))
        done = await crawl(server, "/", seeds=f"{server.url('/')} {server.url('/other')}")
        assert paths(done, server) == {"/", "/other"}
        done = await crawl(
            server, "/", seeds=f"{server.url('/')} {server.url('/other')}", sitemaps="true"
        )
        assert paths(done, server) == {"/", "/other", "/a", "/b", "/c"}
        assert [x.path for x in server.exchanges].count("/1.xml") == 1
    assert [*done.reasons().values()] == ["robots"]
    assert done.stats["wikicrawler/sitemaps/read"] == 2


@pytest.mark.parametrize("answer", [Reply(404, body="no"), page("Not found")])
@deferred_f_from_coro_f
async def test_a_host_without_sitemaps_is_no_problem(
    answer: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    with ScriptedServer() as server:
        server.on("/", page("Home", link("/a"))).on("/a", page("A")).on("/sitemap.xml", answer)
        done = await crawl(server, "/", sitemaps="true")
        assert paths(done, server) == {"/", "/a"}
        assert "/sitemap.xml" in [x.path for x in server.exchanges]
    assert "wikicrawler/sitemaps/failed" not in done.stats
    assert not [one for one in caplog.records if "itemap" in one.getMessage()]


@deferred_f_from_coro_f
async def test_a_sitemap_that_robots_txt_names_and_that_is_missing_is_reported(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(body="Sitemap: /sitemap.xml\n")).on("/", page("Home"))
        done = await crawl(server, "/", sitemaps="true")
    assert done.stats["wikicrawler/sitemaps/failed"] == 1
    assert [one for one in caplog.records if "/sitemap.xml: not read" in one.getMessage()]


@deferred_f_from_coro_f
async def test_sitemaps_bring_only_the_namespaces_that_are_wanted(
    mediawiki: RealMediaWiki,
) -> None:
    with ScriptedServer() as server:
        names = ("Grey Point", "Category:Lights")
        urls = "".join(f"<url><loc>{mediawiki.article_url(n)}</loc></url>" for n in names)
        server.on("/sitemap.xml", Reply(200, XML, f"<urlset>{urls}</urlset>"))
        seeds = f"{mediawiki.article_url('Main Page')} {server.url('/sitemap.xml')}"
        done = await run(WikiSpider, project_settings(), seeds=seeds, max_depth="0")
    assert {item.title for item in done.items} == {"Main Page", "Grey Point"}


def test_categories_and_sitemaps_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="categories and sitemaps exclude"):
        WikiSpider(seeds="http://a.example/", categories="Orcs", sitemaps="true")
