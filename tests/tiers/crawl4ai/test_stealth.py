"""After a block by a vendor's mark the browser hides that it is automated, under every policy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from scrapy import Request
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch, project_settings, run
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.scripted import Reply, ScriptedServer
from tests.tiers.verdict.labelled import load
from wikicrawler.config import Config
from wikicrawler.errors import ConfigError
from wikicrawler.spiders.wiki import WikiSpider
from wikicrawler.tiers.verdict.full_verdict import full_verdict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.tiers.verdict.labelled import LabelledPage

ARTICLE = (
    "<html><head><title>Amber</title></head><body><main><h1>Amber</h1>"
    + "<p>Amber is fossilised tree resin, valued for its colour since antiquity.</p>" * 6
    + "</main></body></html>"
)
SHELL = Reply(body='<html><body><div id="root"></div><script src="/app.js"></script></body></html>')
BLOCKS = [
    page
    for page in load()
    if page.reason in {"blocked", "blocked_captcha"} and b'http-equiv="refresh"' not in page.body
]


def reply(page: LabelledPage) -> Reply:
    return Reply(page.status, page.headers, page.body)


CHALLENGE = reply(next(page for page in BLOCKS if page.reason == "blocked_captcha"))


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/robots.txt", Reply(404))


def with_stealth(server: ScriptedCrawl4AI) -> dict[str, bool]:
    """Whether each page was rendered with stealth, by its path."""
    return {
        "/" + data["urls"][0].split("/", 3)[3]: bool(
            data["browser_config"]["params"].get("enable_stealth")
        )
        for data in server.asked()
    }


@deferred_f_from_coro_f
async def test_each_vendors_block_page_leads_to_a_browser_with_stealth(
    site: ScriptedServer,
) -> None:
    for page in BLOCKS:
        site.on(f"/{page.name}", reply(page))
    urls = [site.url(f"/{page.name}") for page in BLOCKS]
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        done = await fetch(*urls, **server.settings)
        asked = with_stealth(server)
    assert done.reasons() == {}
    assert len(done.responses) == len(BLOCKS)
    assert asked == {
        f"/{page.name}": bool(full_verdict(page.status, page.headers, page.body).vendor)
        for page in BLOCKS
    }
    assert sum(asked.values()) > 30


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (Reply(403, body="<p>Members only."), False),
        (Reply(401, body="<p>Members only."), False),
        (Reply(503, body="<p>Later."), False),
        (SHELL, False),
        (CHALLENGE, True),
        (Reply(403, {"cf-mitigated": "challenge"}, "<p>No."), True),
        (Reply(405, {"x-amzn-waf-action": "captcha"}, "<p>No."), True),
    ],
    ids=["403", "401", "503", "shell", "challenge", "cloudflare-header", "aws-header"],
)
@deferred_f_from_coro_f
async def test_only_a_vendors_mark_leads_to_stealth(
    site: ScriptedServer, answer: Reply, expected: bool
) -> None:
    site.on("/page", answer)
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        done = await fetch(site.url("/page"), **server.settings, WIKICRAWLER_RETRY={503: []})
        assert with_stealth(server) == {"/page": expected}
    assert len(done.responses) == 1


@pytest.mark.parametrize(
    "case",
    [
        (None, None, None, {"/challenged": True, "/shell": False}),
        ("never", None, None, {"/challenged": False, "/shell": False}),
        ("always", None, None, {"/challenged": True, "/shell": True}),
        (None, "never", None, {"/challenged": False, "/shell": False}),
        ("never", "challenged", None, {"/challenged": True, "/shell": False}),
        ("never", "always", None, {"/challenged": True, "/shell": True}),
        (None, None, False, {"/challenged": False, "/shell": False}),
        ("never", "never", True, {"/challenged": True, "/shell": True}),
    ],
)
@pytest.mark.parametrize("policy", ["static", "learned"])
@deferred_f_from_coro_f
async def test_the_setting_the_domain_and_the_request_say_for_which_pages(
    site: ScriptedServer,
    tmp_path: Path,
    policy: str,
    case: tuple[str | None, str | None, bool | None, dict[str, bool]],
) -> None:
    setting, domain, meta, expected = case
    site.on("/challenged", CHALLENGE).on("/shell", SHELL)
    more: dict[str, Any] = {
        "WIKICRAWLER_STEALTH": setting,
        "WIKICRAWLER_TIER_POLICY": policy,
        "WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite",
        "WIKICRAWLER_EXPLORE": 0,
    }
    if domain:
        file = tmp_path / "sources.yml"
        file.write_text(f"domains:\n  127.0.0.1: {{stealth: {domain}}}\n")
        more["WIKICRAWLER_CONFIG"] = str(file)
    requests = [
        Request(site.url(path), meta={} if meta is None else {"crawl4ai_stealth": meta})
        for path in ("/shell", "/challenged")  # learned: the challenge tells of what comes after it
    ]
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        done = await fetch(*requests, **server.settings, **more)
        assert with_stealth(server) == expected
    assert len(done.responses) == 2


@deferred_f_from_coro_f
async def test_the_wiki_spider_renders_challenged_pages_with_stealth(
    site: ScriptedServer,
) -> None:
    for path in ("/", "/a"):
        site.on(path, CHALLENGE)
    page = rendered(ARTICLE.replace("</h1>", f'</h1><a href="{site.url("/a")}">a</a>', 1))
    with ScriptedCrawl4AI(page) as server:
        done = await run(WikiSpider, project_settings(**server.settings), seeds=site.url("/"))
        assert with_stealth(server) == {"/": True, "/a": True}
    assert {item.tier for item in done.items} == {"browser"}


@deferred_f_from_coro_f
async def test_a_named_plan_and_a_redirect_do_not_lose_the_challenge(
    site: ScriptedServer,
) -> None:
    site.on("/old", Reply(302, {"Location": "/new"})).on("/new", CHALLENGE)
    page = Request(site.url("/old"), meta={"tiers": ["http", "browser"]})
    with ScriptedCrawl4AI(rendered(ARTICLE)) as server:
        await fetch(page, **server.settings)
        assert with_stealth(server) == {"/new": True}


@pytest.mark.parametrize("word", ["yes", "true", "challenge", "[always]", "null"])
def test_a_wrong_word_is_refused(tmp_path: Path, word: str) -> None:
    file = tmp_path / "sources.yml"
    file.write_text(f"domains:\n  a.example: {{stealth: {word}}}\n")
    with pytest.raises(ConfigError, match=r"sources.yml:2: .*stealth.*challenged"):
        Config.from_settings(Settings({"WIKICRAWLER_CONFIG": str(file)}))
