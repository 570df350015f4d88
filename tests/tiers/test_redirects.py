"""Redirects whose target holds a login, or is no address."""

from __future__ import annotations

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.spiders.wiki import WikiSpider


def refresh(url: str) -> Reply:
    return Reply(body=f'<html><meta http-equiv="refresh" content="0;url={url}"><p>Go on</html>')


@pytest.mark.parametrize("tiers", [True, False])
@deferred_f_from_coro_f
async def test_a_page_is_fetched_without_the_login_of_the_redirect_to_it(tiers: bool) -> None:
    with ScriptedServer() as server:
        target = server.url("/page").replace("//", "//bob:hunter2@")
        server.on("/moved", Reply(302, {"Location": target})).on("/page")
        server.on("/refresh", refresh(target + "?b"))
        settings = project_settings(WIKICRAWLER_TIERS_ENABLED=tiers)
        seeds = f"{server.url('/moved')} {server.url('/refresh')}"
        done = await run(WikiSpider, settings, seeds=seeds, follow_links=False)
        assert sorted(item.url for item in done.items) == [
            server.url("/page"),
            server.url("/page?b"),
        ]
        assert sorted(item.redirected_from for item in done.items) == seeds.split()
        assert all("Authorization" not in x.headers for x in server.exchanges)
    assert "hunter2" not in repr((done.items, done.skipped, done.stats))


@pytest.mark.parametrize(
    "target",
    ["javascript:alert(1)", "http://[::1", "http://a[b.org/", "//", "http://x\u00e2\u0080\u00a8y/"],
)
@deferred_f_from_coro_f
async def test_a_redirect_to_what_is_no_address_is_a_failure_with_a_reason(
    target: str, caplog: pytest.LogCaptureFixture
) -> None:
    with ScriptedServer() as server:
        server.on("/moved", Reply(302, {"Location": target})).on("/refresh", refresh(target))
        await fetch(server.url("/refresh"))
        settings = project_settings()
        done = await run(WikiSpider, settings, seeds=server.url("/moved"), follow_links=False)
        assert set(done.reasons()) == {server.url("/moved")}
    assert "Traceback" not in caplog.text
