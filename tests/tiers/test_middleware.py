"""The middleware tries the tiers of a page's plan until one fetches the page."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.spidermiddlewares.httperror import HttpError
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, fetch, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.politeness.robots import RobotsDisallowed
from wikicrawler.tiers.failures import TiersExhausted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ARTICLE = (
    '<!doctype html><html lang="en"><head><title>Amber</title></head><body><main><h1>Amber</h1>'
    + "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 6
    + "</main></body></html>"
)
SITEINFO = {
    "query": {
        "general": {"articlepath": "/wiki/$1", "lang": "en", "case": "first-letter"},
        "namespaces": {"0": {"id": 0, "case": "first-letter", "name": "", "content": True}},
        "namespacealiases": [],
    }
}


def answer(data: object, **headers: str) -> Reply:
    return Reply(200, {"Content-Type": "application/json", **headers}, json.dumps(data))


def parse(title: str, text: str = "<p>Amber is resin.</p>", **more: object) -> Reply:
    return answer(
        {"parse": {"title": title, "revid": 7, "text": text, "links": [], "categories": []} | more}
    )


def error(code: str, **headers: str) -> Reply:
    data = {"error": {"code": code, "info": "…"}}
    return answer(data, **{"MediaWiki-API-Error": code}, **headers)


class Wiki(ScriptedServer):
    """A site configured as a wiki, with scripted API responses."""

    def __init__(self) -> None:
        super().__init__()
        self.on("/api.php?" + "action=query", answer(SITEINFO))
        self._siteinfo = answer(SITEINFO)
        self.on("/robots.txt", Reply(404))

    def next_reply(self, path: str) -> Reply:
        return self._siteinfo if "meta=siteinfo" in path else super().next_reply(path)

    def api(self, *replies: Reply) -> Wiki:
        self.on("/api.php", *replies)
        return self

    def pages(self) -> list[str]:
        """Paths requested, without robots.txt and siteinfo; API requests as ``api``."""
        paths = [p for p in self.paths() if p != "/robots.txt" and "siteinfo" not in p]
        return ["api" if p.startswith("/api.php") else p for p in paths]


@pytest.fixture
def wiki() -> Iterator[Wiki]:
    with Wiki() as server:
        yield server


@pytest.fixture
def config(wiki: Wiki, tmp_path: Path) -> str:
    file = tmp_path / "sources.yml"
    file.write_text(f'mediawiki_sites:\n  "{wiki.netloc}": {wiki.url("/api.php")}\n')
    return str(file)


def tried(response_or_error: object) -> list[tuple[str, str]]:
    attempts = getattr(response_or_error, "attempts", None)
    if attempts is None:
        attempts = response_or_error.meta["tier_attempts"]  # type: ignore[attr-defined]
    return [(a["tier"], a["reason"]) for a in attempts]


@deferred_f_from_coro_f
async def test_a_wiki_page_is_fetched_by_the_api_at_its_own_url(wiki: Wiki, config: str) -> None:
    wiki.api(parse("Amber"))
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=config)
    (response,) = done.responses
    assert response.url == response.request.url == wiki.url("/wiki/Amber")
    assert response.css("p::text").get() == "Amber is resin."
    assert response.meta["tier"] == "mediawiki"
    assert response.meta["tier_page"].revid == 7
    assert response.meta["tier_content"].markdown.strip() == "Amber is resin."
    assert wiki.pages() == ["api"]


@deferred_f_from_coro_f
async def test_a_page_outside_wikis_takes_one_plain_request(wiki: Wiki) -> None:
    wiki.on("/amber", Reply(body=ARTICLE))
    done = await fetch(wiki.url("/amber"))
    (response,) = done.responses
    assert response.meta["tier"] == "http"
    assert response.text == ARTICLE
    assert wiki.paths() == ["/robots.txt", "/amber"]


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (error("readonly"), "api_error"),
        (error("internal_api_error_DBQueryError"), "api_error"),
        (Reply(200, {}, "<html><p>The API is off"), "api_off"),
        (Reply(404), "api_off"),
        (Reply(403), "blocked"),
        (Reply(500), "http_error"),
        (Reply(drop=True), "network"),
        (answer({"parse": 5}), "api_error"),
    ],
    ids=["readonly", "internal", "html", "404", "403", "500", "reset", "nonsense"],
)
@deferred_f_from_coro_f
async def test_the_page_itself_is_fetched_if_the_api_fails(
    wiki: Wiki, config: str, reply: Reply, reason: str
) -> None:
    wiki.api(reply).on("/wiki/Amber", Reply(body=ARTICLE))
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=config, RETRY_TIMES=0)
    (response,) = done.responses
    assert response.text == ARTICLE
    assert tried(response) == [("mediawiki", reason), ("http", "ok")]
    assert done.stats[f"tier/fallback/mediawiki/{reason}"] == 1
    assert done.stats["tier/escalated_count/http"] == 1


_WITHOUT_TEXT = {
    "nothing": "",
    "output": '<div class="mw-content-ltr mw-parser-output" lang="en" dir="ltr"></div>',
    "report": '<div class="mw-parser-output">\n<!-- \nNewPP limit report\nCPU: 0.01\n-->\n</div>',
    "spaces": '<div class="mw-parser-output"><p><br />&#160;&nbsp;\n</p></div>',
    "image": '<div class="mw-parser-output"><figure><img src="/a.png" alt="Amber"></figure></div>',
    # texts that only the conversion removes
    "style": '<div class="mw-parser-output"><style>.amber{color:#fb0}</style></div>',
    "script": '<div class="mw-parser-output"><script>load("Amber")</script></div>',
    "menu": '<div class="mw-parser-output"><div role="navigation" class="navbox">Gems</div></div>',
    "not-for-print": '<div class="mw-parser-output"><div class="noprint">Edit me</div></div>',
}
_EMPTY_WIKI_PAGE = (
    '<!doctype html><html><head><title>Amber - Wiki</title></head><body class="mediawiki">'
    '<h1 id="firstHeading">Amber</h1><div id="mw-content-text" class="mw-body-content">'
    '<div class="mw-parser-output"></div></div></body></html>'
)


@pytest.mark.parametrize("text", _WITHOUT_TEXT.values(), ids=_WITHOUT_TEXT)
@deferred_f_from_coro_f
async def test_the_page_itself_is_fetched_if_the_api_has_no_text_of_it(
    wiki: Wiki, config: str, text: str
) -> None:
    wiki.api(parse("Amber", text)).on("/wiki/Amber", Reply(body=ARTICLE))
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=config)
    (response,) = done.responses
    assert response.text == ARTICLE
    assert tried(response) == [("mediawiki", "empty"), ("http", "ok")]


@pytest.mark.parametrize("text", _WITHOUT_TEXT.values(), ids=_WITHOUT_TEXT)
@deferred_f_from_coro_f
async def test_a_page_without_text_by_any_tier_is_empty(wiki: Wiki, config: str, text: str) -> None:
    wiki.api(parse("Amber", text)).on("/wiki/Amber", Reply(body=_EMPTY_WIKI_PAGE))
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=config)
    (failure,) = done.failures
    assert tried(failure)[:2] == [("mediawiki", "empty"), ("http", "empty")]
    assert done.reasons() == {wiki.url("/wiki/Amber"): "empty"}


@deferred_f_from_coro_f
async def test_pages_without_text_do_not_switch_the_api_off(wiki: Wiki, config: str) -> None:
    wiki.api(*[parse("Amber", "")] * 8, parse("Jet"))
    pages = [wiki.url(f"/wiki/Empty_{number}") for number in range(8)]
    for page in pages:
        wiki.on(page.removeprefix(wiki.url("")), Reply(body=_EMPTY_WIKI_PAGE))
    pages.append(wiki.url("/wiki/Jet"))  # the last: one request at a time, in order of priority
    done = await fetch(*pages, WIKICRAWLER_CONFIG=config, CONCURRENT_REQUESTS=1)
    assert set(done.reasons().values()) == {"empty"}
    assert [tried(response) for response in done.responses] == [[("mediawiki", "ok")]]


@pytest.mark.parametrize(
    ("code", "reason"), [("missingtitle", "missing"), ("nosuchpageid", "missing")]
)
@deferred_f_from_coro_f
async def test_a_page_missing_from_the_wiki_is_a_404_without_another_request(
    wiki: Wiki, config: str, code: str, reason: str
) -> None:
    wiki.api(error(code))
    done = await fetch(wiki.url("/wiki/Nowhere"), WIKICRAWLER_CONFIG=config)
    (failure,) = done.failures
    assert isinstance(failure, HttpError)
    assert failure.response.status == 404
    assert failure.response.url == wiki.url("/wiki/Nowhere")
    assert tried(failure.response) == [("mediawiki", reason)]
    assert wiki.pages() == ["api"]


@deferred_f_from_coro_f
async def test_an_invalid_title_is_skipped_without_another_request(wiki: Wiki, config: str) -> None:
    wiki.api(error("invalidtitle"))
    done = await fetch(wiki.url("/wiki/Bad"), WIKICRAWLER_CONFIG=config)
    (failure,) = done.failures
    assert isinstance(failure, TiersExhausted)
    assert done.reasons() == {wiki.url("/wiki/Bad"): "invalid_title"}
    assert wiki.pages() == ["api"]


@pytest.mark.parametrize("code", ["maxlag", "ratelimited"])
@deferred_f_from_coro_f
async def test_a_busy_api_is_retried_after_its_retry_after(
    wiki: Wiki, config: str, code: str
) -> None:
    wiki.api(error(code, **{"Retry-After": "1"}), parse("Amber"))
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=config)
    (response,) = done.responses
    assert tried(response) == [("mediawiki", "ok")]
    assert wiki.pages() == ["api", "api"]
    assert wiki.gaps()[-1] >= 1.0


@deferred_f_from_coro_f
async def test_a_rate_limit_with_status_200_is_waited_for(wiki: Wiki, config: str) -> None:
    limited = Reply(body="<title>Slow down</title><h1>Too many requests, slow down</h1>")
    wiki.on("/notes", limited, Reply(body=ARTICLE))
    wiki.on("/always", limited)
    settings = {"WIKICRAWLER_CONFIG": config, "WIKICRAWLER_TIERS": ["http"], "RETRY_TIMES": 2}
    done = await fetch(wiki.url("/notes"), **settings)
    (response,) = done.responses
    assert tried(response) == [("http", "ok")]
    assert wiki.paths().count("/notes") == 2
    done = await fetch(wiki.url("/always"), **settings)
    assert done.reasons() == {wiki.url("/always"): "busy"}
    assert wiki.paths().count("/always") == 3
    assert done.stats["domain_throttle/pause_count"] >= 1


@deferred_f_from_coro_f
async def test_a_disallowed_api_is_not_requested_and_the_attempt_records_why(
    wiki: Wiki, config: str
) -> None:
    wiki.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /api.php\n"))
    wiki.on("/wiki/Amber", Reply(body=ARTICLE)).on("/wiki/Jet", Reply(body=ARTICLE))
    pages = [wiki.url("/wiki/Amber"), wiki.url("/wiki/Jet")]
    done = await fetch(*pages, WIKICRAWLER_CONFIG=config)
    assert [tried(r) for r in done.responses] == [[("mediawiki", "robots"), ("http", "ok")]] * 2
    assert wiki.paths() == ["/robots.txt", "/wiki/Amber", "/wiki/Jet"]
    assert done.stats["tier/not_tried/mediawiki/robots"] == 2
    assert "tier/fallback/mediawiki/robots" not in done.stats


@deferred_f_from_coro_f
async def test_an_operator_with_permission_uses_a_disallowed_api(
    wiki: Wiki, tmp_path: Path
) -> None:
    wiki.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /api.php\n"))
    wiki.api(parse("Amber"))
    file = tmp_path / "exempt.yml"
    file.write_text(
        f'mediawiki_sites:\n  "{wiki.netloc}":\n    api: {wiki.url("/api.php")}\n'
        "    api_robots: exempt\n"
    )
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=str(file))
    assert tried(done.responses[0]) == [("mediawiki", "ok")]


@deferred_f_from_coro_f
async def test_no_tier_requests_a_disallowed_page(wiki: Wiki, config: str) -> None:
    wiki.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /wiki/\n")).api(parse("Amber"))
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=config)
    assert [type(f) for f in done.failures] == [RobotsDisallowed]
    assert wiki.paths() == ["/robots.txt"]


@deferred_f_from_coro_f
async def test_a_missing_browser_tier_is_logged(
    wiki: Wiki, caplog: pytest.LogCaptureFixture
) -> None:
    shell = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
    wiki.on("/app", Reply(body=shell))
    done = await fetch(wiki.url("/app"))
    (failure,) = done.failures
    assert isinstance(failure, TiersExhausted)
    assert tried(failure) == [("http", "js_shell"), ("browser", "no_tier")]
    assert done.reasons() == {wiki.url("/app"): "js_shell"}
    fallbacks = {k: n for k, n in done.stats.items() if k.startswith("tier/fallback/")}
    assert fallbacks == {"tier/fallback/http/js_shell": 1}
    assert done.stats["tier/not_tried/browser/no_tier"] == 1
    assert "Tier browser cannot be used: no crawl4ai is configured (CRAWL4AI_URL)" in caplog.text


@deferred_f_from_coro_f
async def test_a_redirect_to_another_site_is_planned_by_that_sites_configuration(
    wiki: Wiki, config: str
) -> None:
    wiki.api(parse("Amber"))
    with ScriptedServer("127.0.0.2") as other:
        other.on("/away", Reply(302, {"Location": wiki.url("/wiki/Amber")}))
        done = await fetch(other.url("/away"), WIKICRAWLER_CONFIG=config)
    (response,) = done.responses
    assert response.url == wiki.url("/wiki/Amber")
    assert response.meta["tier"] == "mediawiki"
    assert response.meta["tier_page"].redirected_from == other.url("/away")
    assert response.meta["download_slot"] == "127.0.0.1"


@deferred_f_from_coro_f
async def test_each_tier_has_its_own_retries(wiki: Wiki, config: str) -> None:
    wiki.api(Reply(500)).on("/wiki/Amber", Reply(500), Reply(500), Reply(body=ARTICLE))
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=config, RETRY_TIMES=2)
    assert tried(done.responses[0]) == [("mediawiki", "http_error"), ("http", "ok")]
    assert wiki.pages() == ["api"] * 3 + ["/wiki/Amber"] * 3


@deferred_f_from_coro_f
async def test_an_api_that_keeps_failing_is_switched_off(wiki: Wiki, config: str) -> None:
    wiki.api(error("readonly"))
    urls = [wiki.url(f"/wiki/P{i}") for i in range(8)]
    for i in range(8):
        wiki.on(f"/wiki/P{i}", Reply(body=ARTICLE))
    done = await fetch(*urls, WIKICRAWLER_CONFIG=config, CONCURRENT_REQUESTS=1)
    assert len(done.responses) == 8
    assert wiki.pages().count("api") == 5
    assert done.stats["tier/fallback/mediawiki/api_error"] == 5
    assert done.stats["tier/not_tried/mediawiki/api_error"] == 3


@deferred_f_from_coro_f
async def test_a_request_may_name_its_tiers_or_bypass_them(wiki: Wiki, config: str) -> None:
    wiki.api(parse("Amber"))
    for path in ("/wiki/Amber", "/wiki/Jet"):
        wiki.on(path, Reply(body=ARTICLE))
    done = await fetch(
        Request(wiki.url("/wiki/Amber"), meta={"tiers": ["http"]}),
        Request(wiki.url("/wiki/Jet"), meta={"tiers": False}),
        WIKICRAWLER_CONFIG=config,
    )
    assert [r.meta.get("tier") for r in done.responses] == ["http", None]
    assert "/api.php" not in "".join(wiki.paths())


@deferred_f_from_coro_f
async def test_a_file_that_is_not_html_reaches_the_callback_unchanged(wiki: Wiki) -> None:
    wiki.on("/data", Reply(200, {"Content-Type": "application/json"}, '{"a": 1}'))
    done = await fetch(wiki.url("/data"))
    (response,) = done.responses
    assert response.json() == {"a": 1}
    assert tried(response) == [("http", "not_html")]


@deferred_f_from_coro_f
async def test_the_callback_and_its_arguments_survive_a_fallback(wiki: Wiki, config: str) -> None:
    wiki.api(error("readonly")).on("/wiki/Amber", Reply(body=ARTICLE))
    request = Request(
        wiki.url("/wiki/Amber"), meta={"mine": 1}, headers={"X-Mine": "yes"}, flags=["kept"]
    )
    done = await fetch(request, WIKICRAWLER_CONFIG=config)
    (response,) = done.responses
    assert response.meta["mine"] == 1
    assert response.request.flags == ["kept"]
    sent = [x for x in wiki.exchanges if x.path == "/wiki/Amber"]
    assert sent[0].headers["X-Mine"] == "yes"


@deferred_f_from_coro_f
async def test_duplicate_requests_are_filtered(wiki: Wiki, config: str) -> None:
    wiki.api(parse("Amber"))
    pages = [wiki.url("/wiki/Amber")] * 2
    done = await fetch(*pages, WIKICRAWLER_CONFIG=config)
    assert len(done.responses) == 1
    assert wiki.pages() == ["api"]


@pytest.mark.parametrize(
    "reply",
    [
        Reply(301, {"Location": "/w/api.php"}),
        Reply(302, {"Location": "/api.php"}),
        Reply(302, {}),
        Reply(300),
        Reply(304),
    ],
    ids=["moved", "loop", "nowhere", "300", "304"],
)
@deferred_f_from_coro_f
async def test_an_api_that_redirects_does_not_lose_the_page(
    wiki: Wiki, config: str, reply: Reply
) -> None:
    wiki.api(reply).on("/wiki/Amber", Reply(body=ARTICLE))
    done = await fetch(wiki.url("/wiki/Amber"), WIKICRAWLER_CONFIG=config)
    assert tried(done.responses[0]) == [("mediawiki", "http_error"), ("http", "ok")]


@deferred_f_from_coro_f
async def test_a_moved_api_is_requested_at_its_new_url(wiki: Wiki, tmp_path: Path) -> None:
    class Moved(Wiki):
        def next_reply(self, path: str) -> Reply:
            if path.startswith("/old.php"):
                return Reply(301, {"Location": path.replace("/old.php", "/api.php")})
            return super().next_reply(path)

    with Moved() as server:
        server.api(parse("Amber"), parse("Jet"))
        file = tmp_path / "moved.yml"
        file.write_text(f'mediawiki_sites:\n  "{server.netloc}": {server.url("/old.php")}\n')
        pages = [server.url("/wiki/Amber"), server.url("/wiki/Jet")]
        done = await fetch(*pages, WIKICRAWLER_CONFIG=str(file))
        assert [r.meta["tier"] for r in done.responses] == ["mediawiki"] * 2
        assert server.pages() == ["api", "api"]
        assert sum(path.startswith("/old.php") for path in server.paths()) == 1


@deferred_f_from_coro_f
async def test_an_api_on_another_host_than_its_pages_is_used(tmp_path: Path) -> None:
    with Wiki() as pages, ScriptedServer("127.0.0.2") as api:
        api.on("/robots.txt", Reply(404)).on("/api.php", answer(SITEINFO), parse("Amber"))
        file = tmp_path / "apart.yml"
        file.write_text(f'mediawiki_sites:\n  "{pages.netloc}": {api.url("/api.php")}\n')
        done = await fetch(pages.url("/wiki/Amber"), WIKICRAWLER_CONFIG=str(file))
        (response,) = done.responses
        assert response.url == pages.url("/wiki/Amber")
        assert response.meta["tier"] == "mediawiki"


@deferred_f_from_coro_f
async def test_two_wikis_on_one_host_are_distinguished(tmp_path: Path) -> None:
    class Two(ScriptedServer):
        def next_reply(self, path: str) -> Reply:
            for lang in ("en", "de"):
                if path.startswith(f"/{lang}/api.php?action=rsd"):
                    link = self.url(f"/{lang}/api.php")
                    rsd = f'<rsd><service><apis><api name="MediaWiki" apiLink="{link}"/></apis>'
                    return Reply(200, {"Content-Type": "text/xml"}, rsd + "</service></rsd>")
                if path.startswith(f"/{lang}/api.php") and "siteinfo" in path:
                    general = SITEINFO["query"]["general"] | {"articlepath": f"/{lang}/wiki/$1"}
                    return answer({"query": SITEINFO["query"] | {"general": general}})
                if path.startswith(f"/{lang}/api.php"):
                    return parse("Amber" if lang == "en" else "Bernstein")
                if path.startswith(f"/{lang}/wiki/"):
                    edit = f'<link rel="EditURI" href="/{lang}/api.php?action=rsd">'
                    return Reply(body=ARTICLE.replace("<head>", f"<head>{edit}"))
            return Reply(404)

    with Two() as server:
        paths = ("/en/wiki/Home", "/de/wiki/Start", "/en/wiki/Amber", "/de/wiki/Bernstein")
        done = await fetch(*(server.url(p) for p in paths), CONCURRENT_REQUESTS=1)
        assert {r.url: r.meta["tier"] for r in done.responses} == {
            server.url("/en/wiki/Home"): "http",
            server.url("/de/wiki/Start"): "http",
            server.url("/en/wiki/Amber"): "mediawiki",
            server.url("/de/wiki/Bernstein"): "mediawiki",
        }


@deferred_f_from_coro_f
async def test_a_blog_is_not_taken_for_a_wiki(wiki: Wiki, caplog: pytest.LogCaptureFixture) -> None:
    rsd = '<link rel="EditURI" type="application/rsd+xml" title="RSD" href="/xmlrpc.php?rsd">'
    wiki.on("/post", Reply(body=ARTICLE.replace("<head>", f"<head>{rsd}")))
    done = await fetch(wiki.url("/post"))
    assert done.responses[0].meta["tier_wiki"] is None
    assert wiki.paths() == ["/robots.txt", "/post"]
    assert "is not used" not in caplog.text


@deferred_f_from_coro_f
async def test_the_response_has_no_meta_of_a_tiers_own_request(wiki: Wiki, tmp_path: Path) -> None:
    wiki.api(parse("Amber"))
    file = tmp_path / "exempt.yml"
    file.write_text(
        f'mediawiki_sites:\n  "{wiki.netloc}":\n    api: {wiki.url("/api.php")}\n'
        "    api_robots: exempt\n"
    )
    request = Request(wiki.url("/wiki/Amber"), meta={"mine": 1})
    done = await fetch(request, WIKICRAWLER_CONFIG=str(file))
    meta = done.responses[0].meta
    assert meta["mine"] == 1
    assert not {"robots_exempt", "throttle_slot", "dont_redirect", "_tier_state"} & set(meta)


@pytest.mark.parametrize("status", [403, 500, 503])
@deferred_f_from_coro_f
async def test_a_spider_gets_the_error_statuses_that_it_handles(wiki: Wiki, status: int) -> None:
    wiki.on("/page", Reply(status, body="refused"))
    request = Request(wiki.url("/page"), meta={"handle_httpstatus_list": [status]})
    done = await fetch(request, RETRY_TIMES=0)
    (response,) = done.responses
    assert (response.status, response.text) == (status, "refused")
    assert tried(response)[0][0] == "http"


@deferred_f_from_coro_f
async def test_a_redirect_after_a_fallback_stays_within_allowed_domains(
    wiki: Wiki, config: str
) -> None:
    class Stays(Pages):
        allowed_domains = ["127.0.0.1"]  # noqa: RUF012 - as every spider has it

    with ScriptedServer("127.0.0.2") as other:
        other.on("/away", Reply(body=ARTICLE))
        wiki.api(error("readonly")).on("/wiki/Amber", Reply(302, {"Location": other.url("/away")}))
        settings = project_settings(WIKICRAWLER_CONFIG=config)
        done = await run(Stays, settings, requests=[wiki.url("/wiki/Amber")])
        assert done.responses == []
        assert "/away" not in other.paths()


@deferred_f_from_coro_f
async def test_a_skipped_pages_reason_has_its_own_detail(wiki: Wiki) -> None:
    wiki.on("/page", Reply(403))
    done = await fetch(wiki.url("/page"))
    assert [(str(s["reason"]), s["detail"]) for s in done.skipped] == [("blocked", "HTTP 403")]


@deferred_f_from_coro_f
async def test_where_every_path_is_a_title_a_missing_page_is_fetched_directly(
    wiki: Wiki, tmp_path: Path
) -> None:
    wiki.api(error("missingtitle")).on("/forum/thread-1", Reply(body=ARTICLE))
    wiki._siteinfo = answer(
        {"query": SITEINFO["query"] | {"general": {"articlepath": "/$1", "lang": "en"}}}
    )
    file = tmp_path / "root.yml"
    file.write_text(f'mediawiki_sites:\n  "{wiki.netloc}": {wiki.url("/api.php")}\n')
    done = await fetch(wiki.url("/forum/thread-1"), WIKICRAWLER_CONFIG=str(file))
    assert tried(done.responses[0]) == [("mediawiki", "missing"), ("http", "ok")]
