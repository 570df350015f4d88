"""Pages with several addresses: one record for a canonical URL, and no page lost by a wrong one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.content.sketch import text_key
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path

TEXT = "The mill at Arden has two wheels; the lower one drives a saw that was added in 1831."


def page(text: str = TEXT, canonical: str = "", title: str = "Mill", links: str = "") -> Reply:
    stated = f'<link rel="canonical" href="{canonical}">' if canonical else ""
    menu = "".join(f'<a href="{link}">{link}</a> ' for link in links.split())
    return Reply(
        body=f"<!doctype html><title>{title}</title>{stated}<nav>{menu}</nav>"
        f"<main><h1>{title}</h1><p>{text}</p></main>"
    )


async def crawl(server: ScriptedServer, **settings: Any) -> Outcome:
    settings = {"WIKICRAWLER_DISCOVER_WIKIS": False} | settings
    return await run(WikiSpider, project_settings(**settings), seeds=server.url("/"))


def paths(done: Outcome, server: ScriptedServer) -> list[str]:
    return sorted(item.url.removeprefix(server.url("")) for item in done.items)


@deferred_f_from_coro_f
async def test_a_page_with_four_addresses_has_one_record() -> None:
    with ScriptedServer() as server:
        links = "/mill?ref=menu /mill/ /mill /index.php/mill"
        server.on(
            "/", page("The start of a site about the mills of the valley and hills.", links=links)
        )
        for path in links.split():
            server.on(path, page(canonical="/mill", links=links))
        done = await crawl(server)
        assert len(done.items) == 2
        assert sorted(done.reasons().values()) == ["duplicate"] * 3
        assert "/mill with this text has its record" in done.skipped[0]["detail"]


@pytest.mark.parametrize(
    ("case", "canonical"),
    [
        ("home page on every page", "/"),
        ("one that does not exist", "/gone"),
        ("another page", "/mill"),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_canonical_loses_no_page(case: str, canonical: str) -> None:
    with ScriptedServer() as server:
        links = [f"/page-{number}" for number in range(6)]
        text = "The start of a site about the mills of the valley, and about those of the hills."
        server.on("/", page(text, canonical, links=" ".join(links)))
        for number, link in enumerate(links):
            server.on(link, page(f"{TEXT} It has the number {number}.", canonical))
        done = await crawl(server)
        assert paths(done, server) == ["/", *links], case
        assert done.skipped == []


@deferred_f_from_coro_f
async def test_an_engine_states_the_page_in_its_own_way() -> None:
    trac = '<link rel="help" href="/wiki/TracGuide"><link rel="alternate" href="{}?format=txt">'
    moin = (
        '<link href="/+serve/a.css"><ul class="moin-alias"><li>Alias Names</li>'
        '<li><a href="{}">{}</a></li></ul>'
    )
    pages = {
        "/wiki": (trac.format("/wiki/Start"), TEXT),
        "/wiki/Start": (trac.format("/wiki/Start"), TEXT),
        "/wiki/Other": (trac.format("/wiki/Other"), TEXT),
        "/Alias": (moin.format("/Item", "Item"), TEXT),
        "/Item": (moin.format("/Alias", "Alias"), TEXT),
        "/Same": (moin.format("/Else", "Else"), TEXT),
        "/Else": (moin.format("/Same", "Same"), f"{TEXT} It is no more."),
    }
    with ScriptedServer() as server:
        links = " ".join(pages)
        server.on("/", page("The start of a site about the mills of the valley.", links=links))
        for path, (marks, text) in pages.items():
            reply = page(text)
            server.on(path, Reply(body=str(reply.body).replace("<nav>", f"<nav>{marks}")))
        done = await crawl(server)
        written = paths(done, server)
        assert len(written) == 6
        assert {"/", "/wiki/Other", "/Same", "/Else"} < {*written}
        assert len({"/Alias", "/Item"} & {*written}) == 1


@deferred_f_from_coro_f
async def test_what_is_compared() -> None:
    with ScriptedServer() as server:
        cases = {
            "/one": page(canonical="/one"),
            "/sorted": page(" ".join(reversed(TEXT.split())), "/one"),
            "/elsewhere-1": page(canonical="https://other.example/mill"),
            "/elsewhere-2": page(canonical="https://other.example/mill"),
            "/none-1": page(),
            "/none-2": page(),
            "/titled": page(canonical="/one", title="Another mill"),
            "/short-1": page("Picture", "/pictures", "Picture"),
            "/short-2": page("Picture", "/pictures", "Picture"),
        }
        for path, reply in cases.items():
            server.on(path, reply)
        server.on(
            "/", page("The start of a site about the mills of the valley.", links=" ".join(cases))
        )
        done = await crawl(server)
        # The words are the same in another order.
        assert set(cases) - set(paths(done, server)) in ({"/sorted"}, {"/one"})


@deferred_f_from_coro_f
async def test_links_to_other_views_lead_to_the_page() -> None:
    with ScriptedServer() as server:
        views = "printable=yes useskin=monobook mobileaction=toggle_view_mobile action=render"
        links = " ".join(f"/wiki/Mill?{view}" for view in views.split())
        server.on("/", page("The start of a site about the mills of the valley.", links=links))
        server.on("/wiki/Mill", page())
        done = await crawl(server)
        assert paths(done, server) == ["/", "/wiki/Mill"]
        asked = [exchange.path for exchange in server.exchanges]
        assert sorted(asked) == ["/", "/robots.txt", "/wiki/Mill"]


@deferred_f_from_coro_f
async def test_texts_are_remembered_when_a_crawl_is_resumed(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        server.on(
            "/", page("The start of a site about the mills.", links="/mill /mill?b=1 /mill?c=1")
        )
        for path in ("/mill", "/mill?b=1", "/mill?c=1"):
            server.on(path, page(canonical="/mill"))
        job = {"JOBDIR": str(tmp_path / "job")}
        first = await crawl(server, CLOSESPIDER_ITEMCOUNT=2, CONCURRENT_REQUESTS=1, **job)
        second = await crawl(server, **job)
        written = [*first.items, *second.items]
        assert len([item for item in written if "/mill" in item.url]) == 1


def test_the_key_of_a_text_leaves_out_urls() -> None:
    link = "[the lower one](https://mill.example/?a=1)"
    text = TEXT.replace("the lower one", link)
    assert text_key("Mill", text) == text_key("Mill", text.replace("a=1", "b=2"))
    assert text_key("Mill", text) == text_key("Mill", f"{text} <https://mill.example/?c>")
    assert text_key("Mill", text) != text_key("Mill", text.replace("1831", "1832"))
    assert text_key("Mill", text) != text_key("Saw", text)
    assert text_key("Mill", "Next, previous") == b""
