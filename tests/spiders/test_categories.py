"""Crawls of categories, of a real MediaWiki and of scripted ones."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

import pytest
from pydantic import ValidationError
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Outcome, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.spiders.arguments import WikiArguments
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.mediawiki import RealMediaWiki

LIGHTS = {"Gull Rock", "History of Grey Point", "Grey Point"}  # and one without a text
TEXT = (
    "<p>" + "Each colony has workers, drones and a queen, and stores honey in combs. " * 4 + "</p>"
)


async def crawl(settings: dict[str, Any] | None = None, **arguments: Any) -> Outcome:
    return await run(WikiSpider, project_settings(**(settings or {})), **arguments)


def titles(done: Outcome) -> list[str]:
    return [unquote(item.url.rpartition("/wiki/")[2]).replace("_", " ") for item in done.items]


def set_api(wiki: RealMediaWiki, state: str) -> None:
    if state == "off":
        wiki.api_off("404")
    elif state == "robots":
        wiki.robots("User-agent: *\nDisallow: /api.php\n")


# A real MediaWiki

STATES = pytest.mark.parametrize("api", ["on", "off", "robots"])


@STATES
@deferred_f_from_coro_f
async def test_a_category_as_a_seed_leads_to_its_members(
    api: str, mediawiki: RealMediaWiki
) -> None:
    set_api(mediawiki, api)
    done = await crawl(seeds=mediawiki.article_url("Category:Lights"), max_depth="1")
    assert set(titles(done)) == LIGHTS | {"Category:Lights"}
    assert set(done.reasons().values()) == {"empty"}
    paths = [entry.path for entry in mediawiki.access_log()]
    assert paths.count("/wiki/Category:Lights") == 1
    if api == "robots":
        assert "/api.php" not in paths


@STATES
@pytest.mark.parametrize(
    ("category", "some"),
    [("Never created category", {"Grey Point"}), ("Hard titles", {"AT&T", "C++"})],
    ids=["no page", "a page without a text"],
)
@deferred_f_from_coro_f
async def test_a_category_without_a_text_has_members_and_no_record(
    api: str, category: str, some: set[str], mediawiki: RealMediaWiki
) -> None:
    set_api(mediawiki, api)
    seed = mediawiki.article_url(f"Category:{category}")
    done = await crawl(seeds=seed, max_depth="1")
    assert some <= set(titles(done))
    assert seed not in {item.url for item in done.items}
    assert seed not in done.reasons()


@STATES
@deferred_f_from_coro_f
async def test_a_category_without_members_is_missing(api: str, mediawiki: RealMediaWiki) -> None:
    set_api(mediawiki, api)
    seeds = [mediawiki.article_url(f"Category:No {n}") for n in ("such", "other")]
    done = await crawl(seeds=" ".join(seeds))
    assert done.items == []
    assert done.reasons() == dict.fromkeys(seeds, "missing")
    assert len(done.skipped) == 2


@STATES
@deferred_f_from_coro_f
async def test_only_the_members_of_the_named_categories_are_crawled(
    api: str, mediawiki: RealMediaWiki
) -> None:
    set_api(mediawiki, api)
    nowhere = mediawiki.article_url("Category:Nowhere")
    done = await crawl(
        seeds=mediawiki.url + "/", categories="Lights; category:never created category ;Nowhere"
    )
    assert sorted(titles(done)) == sorted(LIGHTS)
    assert done.reasons()[nowhere] == "missing"
    done = await crawl(categories=mediawiki.article_url("Category:Lights"))
    assert sorted(titles(done)) == sorted(LIGHTS)


@STATES
@pytest.mark.parametrize(("depth", "expected"), [(0, False), (1, True)])
@deferred_f_from_coro_f
async def test_subcategories_are_listed_to_a_depth(
    api: str, depth: int, expected: bool, mediawiki: RealMediaWiki
) -> None:
    set_api(mediawiki, api)
    done = await crawl(
        categories=mediawiki.article_url("Category:Tracking"), category_depth=str(depth)
    )
    assert ("AT&T" in titles(done)) is expected
    assert "Grey Point" in titles(done)
    assert not any(title.startswith("Category:") for title in titles(done))


@deferred_f_from_coro_f
async def test_the_next_pages_of_a_category_are_read(mediawiki: RealMediaWiki) -> None:
    mediawiki.api_off("404")
    mediawiki.php("$wgCategoryPagingLimit = 7;")
    done = await crawl(categories=mediawiki.article_url("Category:Hard titles"))
    assert done.stats["wikicrawler/categories/members"] == 58
    assert len(set(titles(done))) == len(titles(done)) >= 56
    queries = [entry.query for entry in mediawiki.access_log() if "pagefrom" in entry.query]
    assert len(queries) == len(set(queries)) == 8


@deferred_f_from_coro_f
async def test_subcategories_and_pages_go_on_each_for_itself(mediawiki: RealMediaWiki) -> None:
    category = mediawiki.article_url("Category:Places")
    whole = await crawl(categories=category, category_depth="1")
    mediawiki.api_off("404")
    mediawiki.php("$wgCategoryPagingLimit = 1;")
    mediawiki.clear_log()
    done = await crawl(categories=category, category_depth="1")
    assert sorted(titles(done)) == sorted(titles(whole))
    assert len(titles(done)) > len(LIGHTS)
    assert "wikicrawler/enumeration_failed" not in done.stats
    queries = [entry.query for entry in mediawiki.access_log() if "from=" in entry.query]
    assert len(queries) == len(set(queries)) > 3


@deferred_f_from_coro_f
async def test_a_page_that_redirects_to_a_category_stands_for_it(mediawiki: RealMediaWiki) -> None:
    done = await crawl(categories=mediawiki.article_url("To category"))
    assert sorted(titles(done)) == sorted(LIGHTS)


# Scripted wikis


class CategoryWiki(ScriptedServer):
    """A wiki in German with *categories*: titles of members by name; lists have batches of two.

    The API fails from its *api_ends*-th batch of members on.
    """

    def __init__(
        self,
        categories: dict[str, list[str]],
        redirects: dict[str, str] | None = None,
        api_ends: int | None = None,
        *,
        api: bool = True,
    ) -> None:
        super().__init__()
        self.categories, self.redirects = categories, redirects or {}
        self.api_ends, self.has_api, self.batches = api_ends, api, 0
        self.with_page: set[str] = set()

    def next_reply(self, path: str) -> Reply:
        parts = urlsplit(path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/robots.txt":
            return Reply(404)
        if parts.path == "/api.php":
            return self._api(query) if self.has_api else Reply(404)
        title = query.get("title") or unquote(parts.path).removeprefix("/wiki/").replace("_", " ")
        return self._page(title, int(query.get("pagefrom", "0")))

    def _api(self, query: dict[str, str]) -> Reply:
        if query.get("list") == "categorymembers":
            self.batches += 1
            if self.api_ends is not None and self.batches >= self.api_ends:
                return Reply(500)
            data = self._members(query)
        elif query.get("meta") == "siteinfo":
            names = {0: ("", ""), 12: ("Hilfe", "Help"), 14: ("Kategorie", "Category")}
            spaces = {
                str(n): {"id": n, "name": own, "canonical": name, "content": n == 0}
                for n, (own, name) in names.items()
            }
            general = {"articlepath": "/wiki/$1", "lang": "de", "scriptpath": ""}
            data = {"query": {"general": general, "namespaces": spaces}}
        elif query.get("action") == "parse":
            data = self._parsed(query["page"])
        else:
            rsd = f'<rsd><service><apis><api name="MediaWiki" apiLink="{self.url("/api.php")}"/>'
            return Reply(200, {"Content-Type": "text/xml"}, rsd + "</apis></service></rsd>")
        return Reply(200, {"Content-Type": "application/json"}, json.dumps(data))

    def _parsed(self, title: str) -> dict[str, Any]:
        name = title.removeprefix("Kategorie:")
        if name != title and name not in self.with_page:
            return {"error": {"code": "missingtitle", "info": ""}}
        return {"parse": {"title": title, "text": TEXT + title, "links": []}}

    def _members(self, query: dict[str, str]) -> dict[str, Any]:
        name = query["cmtitle"].removeprefix("Kategorie:")
        members, start = self.categories.get(name, []), int(query.get("cmcontinue", "0"))
        data: dict[str, Any] = {
            "query": {
                "categorymembers": [
                    {"ns": self._namespace(title), "title": title}
                    for title in members[start : start + 2]
                ]
            }
        }
        if start + 2 < len(members):
            data["continue"] = {"cmcontinue": str(start + 2), "continue": "-||"}
        if "titles" in query:
            if name in self.redirects:
                to = f"Kategorie:{self.redirects[name]}"
                data["query"]["redirects"] = [{"from": query["titles"], "to": to}]
            page = {"title": query["titles"], "categoryinfo": {"size": len(members)}}
            data["query"]["pages"] = [page if members else {"title": "x", "missing": True}]
        return data

    @staticmethod
    def _namespace(title: str) -> int:
        return {"Kategorie": 14, "Hilfe": 12}.get(title.partition(":")[0], 0)

    def _page(self, title: str, start: int) -> Reply:
        name = title.removeprefix("Kategorie:").removeprefix("Category:")
        if name != title:
            title = f"Kategorie:{name}"
        number = self._namespace(title)
        is_there = number == 0 or name in self.with_page
        lists = ""
        if number == 14:
            members = self.categories.get(name, [])
            below = [m for m in members if m.startswith("Kategorie:")]
            pages = [m for m in members if m not in below]
            lists = f'<div id="mw-subcategories">{self._anchors(below)}</div>'
            following = f"/index.php?title={quote(title)}&pagefrom={start + 2}#mw-pages"
            more = f'(<a href="{escape(following)}">nächste Seite</a>)'
            lists += f'<div id="mw-pages">{more if start + 2 < len(pages) else ""}'
            lists += f"{self._anchors(pages[start : start + 2])}</div>"
            lists = f'<div class="mw-category-generated">{lists if members else ""}</div>'
        text = TEXT + title if is_there else '<div class="noarticletext"><p>Kein Text.</p></div>'
        edit = '<link rel="EditURI" href="/api.php?action=rsd">'
        body = (
            '<html class="client-nojs"><head><meta name="generator" content="MediaWiki 1.43">'
            f'<script>RLCONF={{"wgPageName":{json.dumps(title.replace(" ", "_"))},'
            f'"wgNamespaceNumber":{number},"wgArticleId":{int(is_there)},"wgRevisionId":5}};</script>'
            f'{edit}</head><body class="mediawiki"><h1 id="firstHeading">{title}</h1>'
            f'<div id="mw-content-text"><div class="mw-parser-output">{text}</div>{lists}</div>'
            "</body></html>"
        )
        return Reply(200 if is_there or self.categories.get(name) else 404, {}, body)

    def _anchors(self, names: list[str]) -> str:
        links = (f'<li><a href="/wiki/{quote(n.replace(" ", "_"))}">{n}</a></li>' for n in names)
        return f"<ul>{''.join(links)}</ul>"

    def asked(self, mark: str) -> list[str]:
        return [path for path in self.paths() if mark in path]


BOTH = pytest.mark.parametrize("api", [True, False], ids=["API", "HTML"])
BEES = [f"Biene {n}" for n in range(7)]


@BOTH
@deferred_f_from_coro_f
async def test_localised_categories_are_listed_batch_by_batch(api: bool) -> None:
    with CategoryWiki({"Bienen": [*BEES, "Hilfe:Bienen"]}, api=api) as wiki:
        done = await crawl(seeds=wiki.url("/wiki/Kategorie:Bienen"))
        assert sorted(titles(done)) == BEES
        assert done.stats["wikicrawler/categories/members"] == 8
        assert len(wiki.asked("categorymembers")) == (4 if api else 0)
        assert len(wiki.asked("pagefrom")) == (0 if api else 3)


@BOTH
@deferred_f_from_coro_f
async def test_the_canonical_namespace_names_a_category_too(api: bool) -> None:
    with CategoryWiki({"Bienen": BEES}, api=api) as wiki:
        done = await crawl(seeds=wiki.url("/wiki/Start"), categories="Category:Bienen")
        assert sorted(titles(done)) == BEES


@BOTH
@deferred_f_from_coro_f
async def test_categories_in_circles_are_listed_once(api: bool) -> None:
    tree = {
        "A": ["Eins", "Kategorie:B", "Kategorie:A"],
        "B": ["Zwei", "Kategorie:C"],
        "C": ["Drei", "Kategorie:A", "Kategorie:B"],
    }
    with CategoryWiki(tree, api=api) as wiki:
        done = await crawl(categories=wiki.url("/wiki/Kategorie:A"), category_depth="20")
        assert sorted(titles(done)) == ["Drei", "Eins", "Zwei"]
        assert done.stats["wikicrawler/categories/listed"] == 3


@BOTH
@deferred_f_from_coro_f
async def test_a_category_is_as_deep_as_its_shortest_way(api: bool) -> None:
    tree = {
        "Wurzel": ["Kategorie:Weg", "Null", "Kategorie:Ziel"],
        "Weg": ["Kategorie:Ziel"],
        "Ziel": ["Kategorie:Unten", "Eins"],
        "Unten": ["Zwei"],
    }
    with CategoryWiki(tree, api=api) as wiki:
        done = await crawl(categories=wiki.url("/wiki/Kategorie:Wurzel"), category_depth="2")
        assert sorted(titles(done)) == ["Eins", "Null", "Zwei"]


@pytest.mark.parametrize("batch", [1, 2, 3])
@deferred_f_from_coro_f
async def test_where_the_api_ends_the_page_goes_on(batch: int) -> None:
    with CategoryWiki({"Bienen": BEES}, api_ends=batch) as wiki:
        done = await crawl({"WIKICRAWLER_RETRY": {}}, categories=wiki.url("/wiki/Kategorie:Bienen"))
        assert sorted(titles(done)) == BEES
        assert done.skipped == []
        parsed = wiki.asked("action=parse")
        assert len(parsed) == len(set(parsed))


@deferred_f_from_coro_f
async def test_a_redirect_of_a_category_is_followed_by_the_api() -> None:
    with CategoryWiki({"Bienen": BEES[:3], "Alt": ["Rest"]}, {"Alt": "Bienen"}) as wiki:
        done = await crawl(seeds=wiki.url("/wiki/Start"), categories="Alt")
        assert sorted(titles(done)) == [*BEES[:3], "Rest"]


@BOTH
@deferred_f_from_coro_f
async def test_max_pages_holds_and_ends_the_list(api: bool) -> None:
    members = [f"Biene {n}" for n in range(60)]
    with CategoryWiki({"Bienen": members}, api=api) as wiki:
        done = await crawl(categories=wiki.url("/wiki/Kategorie:Bienen"), max_pages="3")
        assert len(done.items) == 3
        assert len(wiki.asked("categorymembers") + wiki.asked("pagefrom")) <= 8


@BOTH
@deferred_f_from_coro_f
async def test_a_category_goes_on_after_a_stop(api: bool, tmp_path: Path) -> None:
    members = [f"Biene {n:02}" for n in range(20)]
    with CategoryWiki({"Bienen": members}, api=api) as wiki:
        arguments = {"categories": wiki.url("/wiki/Kategorie:Bienen")}
        job = {"JOBDIR": str(tmp_path), "CONCURRENT_REQUESTS": 1}
        first = await crawl(job | {"CLOSESPIDER_ITEMCOUNT": 3}, **arguments)
        assert 3 <= len(first.items) < 20
        rest = await crawl(job, **arguments)
        assert sorted(titles(first) + titles(rest)) == members


@deferred_f_from_coro_f
async def test_links_of_members_are_followed_from_a_seed_but_not_out_of_the_argument() -> None:
    with CategoryWiki({"Bienen": ["Biene", "Drohne"]}) as wiki:
        wiki.with_page = {"Bienen"}
        seed = wiki.url("/wiki/Kategorie:Bienen")
        assert sorted(titles(await crawl(seeds=seed))) == ["Biene", "Drohne", "Kategorie:Bienen"]
        assert sorted(titles(await crawl(categories=seed))) == ["Biene", "Drohne"]
        assert titles(await crawl(seeds=seed, follow_links="false")) == ["Kategorie:Bienen"]
        assert titles(await crawl(seeds=seed, max_depth="0")) == ["Kategorie:Bienen"]
        assert titles(await crawl(categories=seed, follow="Drohne")) == ["Drohne"]


@deferred_f_from_coro_f
async def test_a_name_is_reported_where_there_is_no_wiki(caplog: pytest.LogCaptureFixture) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", Reply(body=f"<main>{TEXT}</main>"))
        done = await crawl(seeds=server.url("/"), categories="Bienen")
    assert done.items == []
    assert "no wiki was recognised" in caplog.text


# Arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"categories": " ; "}, "none in it"),
        ({"categories": "A", "all_pages": "true"}, "exclude each other"),
        ({"category_depth": "-1"}, "greater than or equal to 0"),
        ({"category_depth": "21"}, "less than or equal to 20"),
    ],
)
def test_a_wrong_argument_is_refused(arguments: dict[str, str], message: str) -> None:
    with pytest.raises((ValidationError, ConfigError), match=message):
        WikiArguments(seeds="https://x.org/", **arguments)


@deferred_f_from_coro_f
async def test_names_need_a_seed() -> None:
    with pytest.raises(ConfigError, match="argument seeds is missing"):
        await crawl(categories="Orcs")
