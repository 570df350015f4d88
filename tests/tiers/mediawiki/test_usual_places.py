"""A wiki whose pages are blocked, and whose API is open."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.tiers.mediawiki.usual_places import MAX_PLACES, usual_apis

if TYPE_CHECKING:
    from tests.servers.scripted import Exchange

CHALLENGE = Reply(
    403,
    {"Server": "cloudflare", "CF-Mitigated": "challenge"},
    "<!DOCTYPE html><title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/x'>"
    "</script><p>Enable JavaScript and cookies to continue",
)
JSON = {"Content-Type": "application/json"}
TEXT = "<p>Each colony has workers, drones and a queen, and stores honey in combs of wax.</p>" * 5


class BlockedWiki(ScriptedServer):
    """A wiki whose pages are challenged. *api* is the path of its open API, if it has one."""

    def __init__(self, api: str = "", article_path: str = "/wiki/$1", robots: str = "") -> None:
        super().__init__()
        self._api, self._article_path, self._robots = api, article_path, robots

    def reply_to(self, exchange: Exchange) -> Reply:
        path, _, query = exchange.path.partition("?")
        if path == "/robots.txt":
            return Reply(body=self._robots) if self._robots else Reply(404)
        if path != self._api:
            return Reply(404) if path.endswith("api.php") else CHALLENGE
        if "meta=siteinfo" in query:
            general = {"articlepath": self._article_path, "scriptpath": path[: -len("/api.php")]}
            answer: object = {"query": {"general": general, "namespaces": {}}}
        else:
            page = {"title": "Honey", "pageid": 3, "revid": 4, "text": TEXT, "links": []}
            answer = {"parse": page}
        return Reply(200, JSON, json.dumps(answer))

    def asked_apis(self) -> list[str]:
        """Paths at which a siteinfo was requested, in order."""
        return [path.partition("?")[0] for path in self.paths() if "meta=siteinfo" in path]


@pytest.mark.parametrize(
    ("api", "article_path", "seed"),
    [
        ("/w/api.php", "/wiki/$1", "/wiki/Honey"),
        ("/api.php", "/wiki/$1", "/wiki/Honey"),
        ("/wiki/api.php", "/wiki/$1", "/wiki/Honey"),
        ("/mediawiki/api.php", "/wiki/$1", "/wiki/Honey"),
        ("/a/b/api.php", "/a/b/index.php?title=$1", "/a/b/index.php?title=Honey"),
        ("/a/b/api.php", "/a/b/index.php/$1", "/a/b/index.php/Honey"),
        ("/w/api.php", "/wiki/$1", "/w/index.php?title=Honey"),
        ("/api.php", "/index.php/$1", "/index.php/Honey"),
    ],
)
@deferred_f_from_coro_f
async def test_pages_come_by_the_open_api(api: str, article_path: str, seed: str) -> None:
    with BlockedWiki(api, article_path) as wiki:
        done = await fetch(wiki.url(seed))
        (response,) = done.responses
        assert response.meta["tier"] == "mediawiki"
        assert response.url == wiki.url(article_path.replace("$1", "Honey"))
        assert len(wiki.asked_apis()) <= MAX_PLACES
    assert done.stats["wikicrawler/wikis_discovered"] == 1


@deferred_f_from_coro_f
async def test_the_places_are_tried_once_a_host(caplog: pytest.LogCaptureFixture) -> None:
    with BlockedWiki() as wiki:
        done = await fetch(*(wiki.url(f"/wiki/Page_{n}") for n in range(3)))
        assert wiki.asked_apis() == [
            "/w/api.php",
            "/api.php",
            "/wiki/api.php",
            "/mediawiki/api.php",
        ]
    assert done.responses == []
    (warning,) = [r.getMessage() for r in caplog.records if "blocks its pages" in r.getMessage()]
    assert "mediawiki_sites" in warning


@deferred_f_from_coro_f
async def test_robots_txt_forbids_a_place() -> None:
    robots = "User-agent: *\nDisallow: /w/\nDisallow: /api.php\n"
    with BlockedWiki("/w/api.php", robots=robots) as wiki:
        done = await fetch(wiki.url("/wiki/Honey"))
        assert wiki.asked_apis() == ["/wiki/api.php", "/mediawiki/api.php"]
    assert done.responses == []


@deferred_f_from_coro_f
async def test_no_place_is_tried_if_discovery_is_off(caplog: pytest.LogCaptureFixture) -> None:
    with BlockedWiki("/w/api.php") as wiki:
        await fetch(wiki.url("/wiki/Honey"), WIKICRAWLER_DISCOVER_WIKIS=False)
        assert wiki.asked_apis() == []
    assert "WIKICRAWLER_DISCOVER_WIKIS is off" in caplog.text


@deferred_f_from_coro_f
async def test_an_api_of_another_wiki_is_not_used() -> None:
    with BlockedWiki("/w/api.php", article_path="/other/$1") as wiki:
        done = await fetch(wiki.url("/wiki/Honey"))
    assert done.responses == []


@pytest.mark.parametrize(
    "path", ["/", "/wiki", "/wiki/", "/shop/wiki/x", "/index.php", "/a?title=b"]
)
def test_other_urls_do_not_look_like_a_wikis(path: str) -> None:
    assert usual_apis("https://site.example" + path) == ()
