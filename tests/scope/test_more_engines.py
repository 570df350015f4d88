"""Crawls of small sites of engines, as their pages are served."""

from __future__ import annotations

from gzip import compress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import project_settings, run
from tests.servers.engine_pages import ENGINES, TEXT, TOPICS, link
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.servers.scripted import Exchange


class Site(ScriptedServer):
    def __init__(self, page: Callable[[str, str], str | None]) -> None:
        super().__init__()
        self.page = page

    def reply_to(self, exchange: Exchange) -> Reply:
        parts = urlsplit(exchange.path)
        body = self.page(parts.path, parts.query)
        return Reply(404) if body is None else Reply(body=body)


@pytest.mark.parametrize("engine", ENGINES)
@deferred_f_from_coro_f
async def test_records_are_the_pages_that_a_reader_would_keep(engine: str) -> None:
    page, seed, wanted = ENGINES[engine]
    with Site(page) as site:
        done = await run(WikiSpider, project_settings(), seeds=site.url(seed))
        found = {item.url.removeprefix(site.url("")) for item in done.items}
        assert found == wanted
        assert len(done.items) == len(wanted)


@deferred_f_from_coro_f
async def test_a_header_keeps_a_page_out_but_not_a_seed() -> None:
    class Headers(Site):
        def reply_to(self, exchange: Exchange) -> Reply:
            found = super().reply_to(exchange)
            keep = exchange.path in {"/honey", "/wax", "/robots.txt"}
            headers = {} if keep else {"X-Robots-Tag": "otherbot: nofollow, noindex, noarchive"}
            if exchange.path in {"/swarms", "/start"}:
                headers = {"X-Robots-Tag": "noindex"}
            return Reply(found.status, headers, found.body)

    def page(path: str, query: str) -> str | None:
        topic = path.strip("/")
        if topic not in TOPICS:
            return None
        menu = "".join(link(f"/{t}", t) for t in TOPICS)
        text = TEXT.format(topic)
        return f"<!doctype html><title>{topic}</title><nav>{menu}</nav><main>{text}</main>"

    with Headers(page) as site:
        done = await run(WikiSpider, project_settings(), seeds=site.url("/start"))
        found = {item.url.removeprefix(site.url("/")) for item in done.items}
    assert "swarms" not in found
    assert {"start", "honey", "wax"} <= found


@pytest.mark.parametrize("seed", ["/sitemap.xml", "/index.xml", "/part.xml.gz", "/sitemap.txt"])
@deferred_f_from_coro_f
async def test_a_sitemap_is_a_list_of_seeds(seed: str) -> None:
    with ScriptedServer() as site:
        names = [f"/{t}" for t in TOPICS]
        for name in names:
            text = f"<h1>{name}</h1>{TEXT.format(name)}"
            site.on(name, Reply(body=f"<!doctype html><title>{name}</title><main>{text}</main>"))
        start = '<?xml version="1.0" encoding="UTF-8"?>'
        space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
        urls = "".join(
            f"<url><loc>{site.url(n)}</loc><lastmod>2026-01-01</lastmod></url>" for n in names
        )
        xml = f"{start}<urlset {space}>{urls}</urlset>"
        typed = {"Content-Type": "application/xml"}
        site.on("/robots.txt", Reply(404))
        site.on("/sitemap.xml", Reply(200, typed, xml))
        gzip = {"Content-Type": "application/x-gzip"}
        site.on("/part.xml.gz", Reply(200, gzip, compress(xml.encode())))
        part = f"<sitemap><loc>{site.url('/sitemap.xml')}</loc></sitemap>"
        index = f"{start}<sitemapindex {space}>{part}</sitemapindex>"
        site.on("/index.xml", Reply(200, typed, index))
        lines = "\n".join(site.url(name) for name in names)
        site.on("/sitemap.txt", Reply(200, {"Content-Type": "text/plain"}, lines))
        done = await run(WikiSpider, project_settings(), seeds=site.url(seed))
        assert {item.url.removeprefix(site.url("")) for item in done.items} == set(names)
