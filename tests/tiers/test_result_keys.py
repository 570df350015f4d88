"""What the tiers found of a page does not go into the queue with the links of the page."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest
from scrapy import FormRequest, Request, signals
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import Pages, project_settings, run
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.tiers.state import RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

ARTICLE = "<title>Amber</title><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        for path in ("/start", "/next", "/form", "/plain"):
            server.on(path, Reply(body=f"<!doctype html>{ARTICLE}"))
        yield server


class PassingOn(Pages):
    """Passes on all of ``response.meta``, as many spiders do."""

    queued: dict[str, dict[str, Any]]

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.queued = {}
        crawler.signals.connect(spider.scheduled, signals.request_scheduled)
        return spider

    def scheduled(self, request: Request) -> None:
        self.queued[request.url.rpartition("/")[2]] = dict(request.meta)

    def parse(self, response: Response) -> Iterator[Request]:
        super().parse(response)
        if not response.url.endswith("/start"):
            return
        meta = response.meta | {"mine": 1}
        yield response.follow("/next", meta=meta)
        yield FormRequest(response.urljoin("/form"), formdata={"a": "b"}, meta=deepcopy(meta))
        yield response.follow("/plain", meta=meta | {"tiers": False, "tier": "gold"})


@deferred_f_from_coro_f
async def test_links_and_forms_take_nothing_of_their_page(site: ScriptedServer) -> None:
    done = await run(PassingOn, project_settings(), requests=[site.url("/start")])
    queued = done.spider.queued  # type: ignore[union-attr]
    assert queued.keys() == {"start", "next", "form", "plain"}
    assert not set(queued["next"]) & set(RESULTS)
    assert not set(queued["form"]) & set(RESULTS)
    assert all(queued[name]["mine"] == 1 for name in ("next", "form", "plain"))


@deferred_f_from_coro_f
async def test_a_key_of_the_projects_own_stays_where_the_tiers_are_bypassed(
    site: ScriptedServer,
) -> None:
    done = await run(PassingOn, project_settings(), requests=[site.url("/start")])
    plain = next(r for r in done.responses if r.url.endswith("/plain"))
    assert plain.meta["tier"] == "gold"
    assert "tier_page" not in plain.meta


@deferred_f_from_coro_f
async def test_the_page_keeps_its_results_when_its_own_request_is_repeated(
    site: ScriptedServer,
) -> None:
    class Repeating(Pages):
        def parse(self, response: Response) -> Iterator[Request]:
            super().parse(response)
            if len(self.outcome.responses) == 1:
                response.request.dont_filter = True  # type: ignore[union-attr]
                yield response.request  # type: ignore[misc]

    done = await run(Repeating, project_settings(), requests=[site.url("/start")])
    assert [r.meta["tier_page"].title for r in done.responses] == ["Amber", "Amber"]
    assert all("Amber" in r.meta["tier_content"].markdown for r in done.responses)
