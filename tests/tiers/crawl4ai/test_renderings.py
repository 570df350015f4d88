"""A rendering that fails is followed by the next one."""

from __future__ import annotations

from typing import Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.scripted import Reply, ScriptedServer

NAVIGATING = rendered(
    "",
    success=False,
    status_code=None,
    error_message="Unexpected error in _crawl_web at line 58 in run_async (zones.py): Error: "
    "Page.content: Unable to retrieve content because the page is navigating and changing the "
    "content.",
)
CRASHED = rendered(
    "",
    success=False,
    status_code=None,
    error_message="Page.content: Target page, context or browser has been closed",
)
BLOCKED = rendered(
    "<title>Just a moment...</title><script>window._cf_chl_opt = {}</script><p>Checking.",
    success=False,
    status_code=403,
    error_message="Blocked by anti-bot protection: HTTP 403",
)
BEGUN = rendered("<p>Amber is a resin.</p><script>setInterval(() => body.append('x'))</script>")
WHOLE = rendered("<main>" + "<p>Amber is a resin that has turned into stone.</p>" * 20)


async def crawl(*replies: Reply) -> tuple[Any, list[float]]:
    """Return the finished crawl of a page, and the delay of each rendering."""
    with ScriptedCrawl4AI(*replies) as server, ScriptedServer() as site:
        site.on("/robots.txt", Reply(404))
        done = await fetch(
            Request(site.url("/page"), meta={"tiers": ["browser"]}),
            **server.settings | {"CRAWL4AI_RENDERINGS": 3, "RETRY_ENABLED": False},
        )
        asked = [x["crawler_config"]["params"] for x in server.asked()]
    return done, [parameters["delay_before_return_html"] for parameters in asked]


@pytest.mark.parametrize(
    ("replies", "delays"),
    [
        ((NAVIGATING, WHOLE), [0.5, 3.0]),
        ((NAVIGATING, NAVIGATING, WHOLE), [0.5, 3.0, 10.0]),
        ((BLOCKED, NAVIGATING, WHOLE), [0.5, 3.0, 10.0]),
        ((BEGUN, CRASHED, WHOLE), [0.5, 3.0, 10.0]),
        ((BEGUN, NAVIGATING, WHOLE), [0.5, 3.0, 10.0]),
    ],
)
@deferred_f_from_coro_f
async def test_the_next_rendering_has_the_page(replies: list[Reply], delays: list[float]) -> None:
    done, waited = await crawl(*replies)
    assert "turned into stone" in done.responses[0].meta["tier_content"].markdown
    assert waited == delays


@deferred_f_from_coro_f
async def test_a_page_that_is_always_navigating_is_reported_as_such() -> None:
    done, waited = await crawl(NAVIGATING)
    assert waited == [0.5, 3.0, 10.0]
    assert set(done.reasons().values()) == {"network"}
    assert done.stats["crawl4ai/breaker/state"] == "closed"


@deferred_f_from_coro_f
async def test_what_was_rendered_is_kept_if_all_later_renderings_fail() -> None:
    done, _ = await crawl(BEGUN, CRASHED, NAVIGATING)
    assert "Amber is a resin" in done.responses[0].meta["tier_content"].markdown
