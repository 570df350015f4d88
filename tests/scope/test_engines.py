"""The engines that pages show, and which of their URLs are no content."""

from __future__ import annotations

import json
from functools import partial
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scrapy.http import HtmlResponse
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.growth import LIMIT, growth
from tests.scope.engine_cases import CHROME, CONTENT, HEADS, LISTS
from tests.scope.test_noindex import crawl, link, page, paths
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.scope.engines import (
    EnginePage,
    Kind,
    engine_of,
    engine_page,
    parse_engines,
    shipped_engines,
)
from wikicrawler.spiders.wiki import WikiSpider

SITES = Path(__file__).parent / "sites"
HOST = "https://w.example"
HTML = {"Content-Type": "text/html; charset=utf-8"}


def made_by(engine: str) -> EnginePage:
    body = f"<!doctype html><html><head>{HEADS[engine]}</head><body><p>Text".encode()
    found = engine_page(f"{HOST}/docs/guide/page.html", body)
    assert found is not None
    assert found.engine.id == engine
    return found


def cases(table: dict[str, str]) -> list[tuple[str, str]]:
    return [(engine, url) for engine, urls in table.items() for url in urls.split()]


def test_every_engine_has_cases() -> None:
    engines = shipped_engines()[0]
    assert [*HEADS] == [*CHROME] == [*CONTENT] == [engine.id for engine in engines]
    assert {engine.id for engine in engines if engine.lists or engine.root_lists} >= {*LISTS}


def test_the_shipped_engines_are_valid_though_a_crawl_does_not_check_them() -> None:
    data = files("wikicrawler.scope").joinpath("engines.yml").read_bytes()
    checked, shipped = parse_engines(data, "engines.yml"), shipped_engines()[0]
    assert [(one.id, one.page, one.index_file) for one in checked] == [
        (one.id, one.page, one.index_file) for one in shipped
    ]


@pytest.mark.parametrize(("engine", "url"), cases(CHROME))
def test_chrome(engine: str, url: str) -> None:
    assert made_by(engine).kind_of(HOST + url) is Kind.CHROME


@pytest.mark.parametrize(("engine", "url"), cases(CONTENT))
def test_content(engine: str, url: str) -> None:
    assert made_by(engine).kind_of(HOST + url) is None


@pytest.mark.parametrize(("engine", "url"), cases(LISTS))
def test_lists(engine: str, url: str) -> None:
    assert made_by(engine).kind_of(HOST + url) is Kind.LIST


@pytest.mark.parametrize("engine", HEADS)
def test_urls_of_other_hosts_are_not_judged(engine: str) -> None:
    for url in CHROME[engine].split():
        assert made_by(engine).kind_of("https://other.example" + url) is None


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<p>A page about DokuWiki, MoinMoin, XWiki and Trac.",
        "<code>&lt;meta name=&quot;generator&quot; content=&quot;DokuWiki&quot;&gt;</code>",
        '<meta name="generator" content="WordPress 6.4">',
        '<body class="not-mediawiki">',
        " " * 70_000 + HEADS["dokuwiki"],
    ],
)
def test_pages_of_no_engine(body: str) -> None:
    assert engine_page(HOST, body.encode()) is None


def test_the_first_engine_counts_wherever_its_mark_stands() -> None:
    for first, second in pairwise(HEADS):
        for body in (HEADS[first] + HEADS[second], HEADS[second] + "<p>Text" * 99 + HEADS[first]):
            found = engine_page(HOST, body.encode())
            assert found is not None
            assert found.engine.id == first


def test_the_engine_of_a_response_is_looked_for_once() -> None:
    response = HtmlResponse(HOST, body=HEADS["moin"].encode())
    found = engine_of(response)
    assert found is not None
    assert found.engine.id == "moin"
    assert engine_of(response) is found
    assert engine_of(HtmlResponse(HOST, body=b"<p>Text")) is None


def test_a_root_on_another_host_is_none() -> None:
    for root in ("https://cdn.example/", "//cdn.example/", "http://[", "javascript:"):
        head = f'<script src="{root}_static/doctools.js"></script>'.encode()
        found = engine_page(f"{HOST}/a.html", head)
        assert found is not None
        assert found.kind_of(f"{HOST}/genindex.html") is None


@pytest.mark.parametrize(
    ("head", "engine"),
    [
        ('<html lang="en" data-content_root="../">', "sphinx"),
        ('<link rel="stylesheet" href="../_static/pygments.css?v=1" />', "sphinx"),
        ("<link rel=stylesheet href=../_static/pygments.css>", "sphinx"),
        (
            '<meta name="generator" content="mkdocs-1.6.1, mkdocs-material-9.8.1">'
            '<script>__md_scope=new URL("..",location)</script>',
            "mkdocs",
        ),
        (
            '<meta name="generator" content="zensical-0.0.73">'
            '<script>__md_scope=new URL("..",location)</script>',
            "mkdocs",
        ),
        (
            '<link rel="stylesheet" href="../css/theme_extra.css" />'
            '<script>var mkdocs_page_name = "Installation";</script>',
            "mkdocs",
        ),
    ],
)
def test_the_root_of_a_long_page_is_known(head: str, engine: str) -> None:
    # The scripts that name the root, too, are at its end.
    body = f"<!doctype html>{head}<body>{'<p>Text' * 20_000}".encode()
    found = engine_page(f"{HOST}/docs/guide/", body)
    assert found is not None
    assert found.engine.id == engine
    assert found.kind_of(f"{HOST}/docs/404.html") is Kind.CHROME
    assert found.kind_of(f"{HOST}/other/404.html") is None


def test_a_root_that_is_only_quoted_is_none() -> None:
    quoted = "&lt;link href='../../_static/pygments.css'> &lt;html data-content_root='../../'>"
    body = f"<html data-content_root='./'><p><code>{quoted}</code>".encode()
    found = engine_page(f"{HOST}/docs/", body)
    assert found is not None
    assert found.kind_of(f"{HOST}/docs/search.html") is Kind.CHROME
    assert found.kind_of(f"{HOST}/search.html") is None


@pytest.mark.parametrize(
    ("engine", "head", "canonical"),
    [
        (
            "trac",
            '<link rel="alternate"  href="/a/wiki/WikiStart?format=txt" title="Plain Text" />',
            f"{HOST}/a/wiki/WikiStart",
        ),
        ("trac", '<link rel="alternate" href="/a/report/1?format=rss" title="RSS" />', None),
        ("trac", '<link rel="alternate" href="//cdn.example/wiki/A?format=txt" />', None),
        (
            "moin",
            '<ul class="moin-alias"><li> Alias Names </li><li> <a href="/A%20B">A B</a></li></ul>',
            f"{HOST}/A%20B",
        ),
        (
            "moin",
            '<ul class="moin-alias"><li> Alias Names </li><li> <a href="/z">z</a></li></ul>',
            f"{HOST}/a/wiki",
        ),
        ("moin", '<ul class="moin-trail"><li> Trail </li><li> <a href="/z">z</a></li></ul>', None),
    ],
)
def test_the_url_that_stands_for_a_page(engine: str, head: str, canonical: str | None) -> None:
    found = engine_page(f"{HOST}/a/wiki", f"<html>{HEADS[engine]}{head}".encode())
    assert found is not None
    assert found.canonical == canonical


@pytest.mark.parametrize("engine", HEADS)
def test_the_search_is_linear(engine: str) -> None:
    start = HEADS[engine][: len(HEADS[engine]) * 2 // 3]
    assert growth(lambda t: engine_page(HOST, t.encode()), lambda n: start * n, 40) < LIMIT
    judge = made_by(engine)
    for part in ("/a", "?do", "&action", "%26", ";s[", "/wiki/", "_", "/bin/view"):
        tail = partial(str.__mul__, part)
        assert growth(lambda t: judge.kind_of(HOST + "/" + t), tail, 50) < LIMIT


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("- {id: a, name: A}", "lacks page"),
        ("- {id: a, name: A, page: ['(']}", "is not an RE2 pattern"),
        ("- {id: a, name: A, page: [a], chrome: ['(?=x)']}", "is not an RE2 pattern"),
        ("- {id: a, name: A, page: [a], crome: [b]}", "did you mean chrome?"),
        ("- {id: a, name: A, page: [a]}\n- {id: a, name: B, page: [b]}", "not unique"),
        ("- {id: a, name: A, page: [a], root: b}", "root: needs a group"),
        ("a: b", "is not a list"),
    ],
)
def test_errors_of_the_file(data: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message.replace("?", r"\?")):
        parse_engines(data.encode(), "engines.yml")


# Whole crawls of real sites that were saved: what was wanted of them, and what is chrome


def saved(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SITES / f"{name}.jsonl").read_text("utf-8").splitlines()]


def serve(server: ScriptedServer, name: str) -> tuple[str, set[str]]:
    """Serve a saved site; return its first page, and its pages that a reader would keep."""
    pages = saved(name)
    for one in pages:
        body = one["body"].replace("{BASE}", server.url(""))
        server.on(one["path"], Reply(200, HTML, body))
    wanted = [one["path"] for one in pages if one["kind"] == "wanted"]
    return wanted[0], set(wanted)


@pytest.mark.parametrize("name", sorted(path.stem for path in SITES.glob("*.jsonl")))
@deferred_f_from_coro_f
async def test_of_a_real_site_the_pages_are_written_that_a_reader_keeps(name: str) -> None:
    with ScriptedServer() as server:
        start, wanted = serve(server, name)
        done = await crawl(server, start)
        written = paths(done, server)
    assert written == wanted


@deferred_f_from_coro_f
async def test_a_link_from_elsewhere_into_chrome_is_no_record_and_its_links_are_left() -> None:
    with ScriptedServer() as server:
        head = HEADS["dokuwiki"]
        server.on("/", page("Home", link("/start?do=index"), link("/start")))
        server.on("/start?do=index", page("Index", link("/hidden"), head=head))
        server.on("/start", page("Start", link("/start?do=edit"), head=head))
        server.on("/hidden", page("Hidden", head=head))
        done = await crawl(server)
        assert paths(done, server) == {"/", "/start"}
        assert done.reasons() == {server.url("/start?do=index"): "chrome"}
    assert done.stats["wikicrawler/left_out/chrome"] == 2


@deferred_f_from_coro_f
async def test_a_list_is_no_record_but_followed() -> None:
    with ScriptedServer() as server:
        head = HEADS["moin"] + '<meta name="robots" content="index,nofollow">'
        server.on("/", page("Home", link("/TitleIndex"), link("/?action=edit"), head=head))
        server.on("/TitleIndex", page("Index", link("/Orphan"), head=HEADS["moin"]))
        server.on("/Orphan", page("Orphan", link("/Next"), head=head))
        server.on("/Next", page("Next", head=head))
        done = await crawl(server)
        assert paths(done, server) == {"/", "/Orphan", "/Next"}
        assert done.reasons() == {server.url("/TitleIndex"): "chrome"}


@pytest.mark.parametrize("how", ["seed", "rule", "no engine"])
@deferred_f_from_coro_f
async def test_what_is_not_left_out(how: str) -> None:
    head = "" if how == "no engine" else HEADS["dokuwiki"]
    settings = {"WIKICRAWLER_TRAP_RULES": "deep_path"} if how == "rule" else {}
    with ScriptedServer() as server:
        server.on("/", page("Home", *[link("/a?do=edit")] * (how != "seed"), head=head))
        server.on("/a?do=edit", page("Edit", head=head))
        done = await crawl(server, "/ /a?do=edit" if how == "seed" else "/", **settings)
        assert paths(done, server) == {"/", "/a?do=edit"}


@deferred_f_from_coro_f
async def test_a_missing_topic_with_status_200_is_missing() -> None:
    body = next(one["body"] for one in saved("dokuwiki") if "nowhere" in one["path"])
    with ScriptedServer() as server:
        server.on("/doku.php?id=x", Reply(200, HTML, body.replace("{BASE}", server.url(""))))
        done: Outcome = await run(
            WikiSpider, project_settings(), seeds=server.url("/doku.php?id=x")
        )
    assert done.items == []
    assert [*done.reasons().values()] == ["missing"]
