"""Crawls of a site for a program, by a real crawl in a child process."""

from __future__ import annotations

from contextlib import aclosing
from threading import Event
from typing import TYPE_CHECKING, Any

from tests.fields.llm.wire import run
from tests.fields.scraper.processes import SECONDS, children_of
from tests.fields.scraper.scraping import held, page, scraper
from tests.servers.openai_twists import error
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from tests.servers.openai_model import ScriptedModel
    from wikicrawler.fields import ScrapeResult


def pages_of(site: ScriptedServer) -> list[str]:
    return [path for path in site.paths() if path != "/robots.txt"]


def shop(site: ScriptedServer) -> None:
    """A site whose pages say little; /contact is linked last, and /far from there."""
    numbers = [f"/{number}" for number in range(20)]
    site.on("/", page("The Shop", *numbers, "/contact"))
    for number in numbers:
        site.on(number, page(f"Page {number}", "/", f"{number}/more"))
        site.on(f"{number}/more", page(f"More of {number}"))
    site.on("/contact", page("Contact", "/far", text="Email: shop@books.example"))


def test_a_crawl_ends_with_the_batch_that_completes_the_fields(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    shop(site)
    completed = Event()
    model.for_text("# Page ", held(lambda: completed.wait(SECONDS)))

    async def work() -> None:
        async with scraper(model, max_concurrent=2) as found:
            assert found.state is None
            crawl = found.crawl(site.url("/"), "title, email")
            results = []
            async for one in crawl:
                results.append(one)
                if crawl.state.is_complete:
                    completed.set()
            assert found.state is crawl.state
        state = crawl.state
        assert state.is_complete
        assert state.merged_data == {"title": "The Shop", "email": "shop@books.example"}
        assert state.start_url == site.url("/")
        (source,) = state.sources["email"]
        assert source.url == site.url("/contact")
        assert state.visited_urls == {one.url for one in results}
        # The page that promises an address is in the first batch of its depth, in which the other
        # page was in work when the fields were complete.
        assert sorted(pages_of(site)) == ["/", "/0", "/contact"]
        assert [one.depth for one in results] == [0, 1, 1]

    try:
        run(work())
    finally:
        completed.set()


def test_a_crawl_for_a_list_reads_as_many_pages_as_it_may(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    shop(site)

    async def work() -> None:
        async with scraper(model, max_concurrent=3) as found:
            limited = found.crawl(site.url("/"), "title: list[string]", max_pages=5)
            assert len([one async for one in limited]) == 5
            assert limited.state.pages_scraped == len(limited.state.merged_data["title"]) == 5
            assert not limited.state.is_complete
            shallow = found.crawl(site.url("/"), "title: list[string]", max_depth=0)
            assert [one.data["title"] async for one in shallow] == [["The Shop"]]
            # One scraper may crawl a site again.
            flat = found.crawl(site.url("/"), "title: list[string]", max_depth=1)
            depths = [one.depth async for one in flat]
            assert depths == [0] + 21 * [1]

    run(work())


def test_a_slow_consumer_keeps_a_crawl_from_going_on(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    shop(site)
    site.on("/other", page("Other"))

    async def work() -> None:
        async with scraper(model, max_concurrent=3) as found:
            taken = 0
            async with aclosing(found.crawl(site.url("/"), "member: list[string]")) as crawl:
                async for _ in crawl:
                    taken += 1
                    assert (await found.scrape(site.url("/other"), "title")).success
                    ahead = set(pages_of(site)) - {"/other"}
                    assert len(ahead) <= taken - 1 + 3
                    if taken == 6:
                        break
            assert (await found.scrape(site.url("/other"), "title")).success
            assert len(set(pages_of(site)) - {"/other"}) <= taken - 1 + 3

    run(work())
    assert children_of() == []


def test_a_crawl_stays_at_its_site_and_reads_each_page_once(model: ScriptedModel) -> None:
    with ScriptedServer() as site, ScriptedServer("127.0.0.2") as other:
        other.on("/", page("Elsewhere"))
        links = ["/a", "/moved", "/away", other.url("/"), "/none", "/x/x/x/x/x/x/x", "/secret"]
        robots = Reply(headers={"Content-Type": "text/plain"}, body="User-agent: *\nDisallow: /s")
        site.on("/robots.txt", robots)
        site.on("/", Reply(302, {"Location": "/home"}))
        site.on("/home", page("Home", *links))
        site.on("/a", page("A", "/home", "/"))
        site.on("/moved", Reply(302, {"Location": "/a"}))
        site.on("/away", Reply(302, {"Location": other.url("/")}))

        async def work() -> dict[str, ScrapeResult]:
            async with scraper(model, max_concurrent=1) as found:
                crawl = found.crawl(site.url("/"), "title: list[string]")
                results = {one.url: one async for one in crawl}
                assert crawl.state.merged_data == {"title": ["Home", "A"]}
                return results

        results = run(work())
        errors: dict[str, Any] = {url: one.error for url, one in results.items() if one.error}
        assert {url for url, one in results.items() if one.success} == {
            site.url("/"),
            site.url("/a"),
        }
        assert errors == {
            site.url("/away"): f"offsite: it redirects to {other.url('/')}",
            site.url("/home"): f"duplicate: it leads to {site.url('/home')}",
            site.url("/moved"): f"duplicate: it leads to {site.url('/a')}",
            site.url("/none"): "missing: HTTP 404",
            site.url("/secret"): errors[site.url("/secret")],
        }
        assert errors[site.url("/secret")].startswith("robots")
        assert len(model.requests) == 2


def test_a_crawl_without_a_first_page_has_its_error(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    async def work() -> None:
        async with scraper(model) as found:
            for url in (site.url("/none"), "books.example"):
                (result,) = [one async for one in found.crawl(url, "title")]
                assert not result.success
                assert found.state is not None
                assert found.state.pages_scraped == 0

    run(work())


def test_a_page_that_the_model_cannot_read_leads_on(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    shop(site)
    model.at(1, error(400, None, "invalid_request_error", "no"))

    async def work() -> None:
        async with scraper(model, max_concurrent=1) as found:
            crawl = found.crawl(site.url("/"), "email")
            first, second = [one async for one in crawl]
            assert not first.success
            assert second.url == site.url("/contact")
            assert crawl.state.merged_data == {"email": "shop@books.example"}

    run(work())


def test_a_crawl_ends_where_the_budget_does(model: ScriptedModel, site: ScriptedServer) -> None:
    shop(site)

    async def work() -> None:
        limits = {"max_tokens": 2000, "max_answer_tokens": 300, "max_concurrent": 1}
        async with scraper(model, **limits) as found:
            results = [one async for one in found.crawl(site.url("/"), "member: list[string]")]
        assert results[-1].partial == "max_tokens"
        assert [one.partial for one in results[:-1]] == [None] * (len(results) - 1)
        assert 1 < len(results) < 20

    run(work())
    assert model.usage.prompt_tokens + model.usage.completion_tokens <= 2000
