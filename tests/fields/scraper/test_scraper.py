"""Extraction of fields for a program: single pages and lists, by a real crawl in a child process.

Each test has one scraper for all that it states, because a start takes a second or two.
"""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from threading import Barrier, Event
from time import sleep
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.fields.llm.wire import run
from tests.fields.scraper.processes import SECONDS, children_of, soon
from tests.fields.scraper.scraping import SETTINGS, held, page, scraper
from tests.servers.openai_twists import texts
from wikicrawler.fields import (
    FieldDefinition,
    Scraper,
)

if TYPE_CHECKING:
    from tests.servers.openai_model import ScriptedModel
    from tests.servers.openai_twists import Answer
    from tests.servers.scripted import ScriptedServer
    from wikicrawler.fields import ScrapeResult

BOOK = page("The Salt Road", text="Price: 14.50 EUR")


class Book(BaseModel):
    """A book, as a user may define it."""

    title: str
    price: float | None = None


def pages_of(site: ScriptedServer) -> list[str]:
    """What was asked for beside robots.txt."""
    return [path for path in site.paths() if path != "/robots.txt"]


def test_a_page_is_read_whatever_the_fields_are_written_as(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    site.on("/book", BOOK)
    forms: list[Any] = [
        "title: string, price: number",
        {"title": "string", "price": {"type": "number"}},
        [FieldDefinition(name="title"), {"name": "price", "type": "number"}],
        Book,
    ]

    async def work() -> None:
        async with scraper(model) as found:
            for fields in forms:
                result = await found.scrape(site.url("/book"), fields)
                assert result.success
                assert result.data == {"title": "The Salt Road", "price": 14.5}
                assert result.url == site.url("/book")
                assert result.tier == "http"
                assert {one.evidence.text for one in result.findings if one.evidence} == {
                    "The Salt Road",
                    "Price: 14.50 EUR",
                }
                assert result.usage.requests == 1

    run(work())
    assert model.calls_by_key == {"sk-one": len(forms)}
    assert children_of() == []


def test_a_result_has_the_text_in_which_its_evidence_stands(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    async def read(**settings: Any) -> ScrapeResult:
        async with scraper(model, settings=SETTINGS | settings) as one:
            return await one.scrape(site.url("/"), "price: number")

    site.on("/", page("Plans", text="Price: 3 EUR"))
    result = run(read())
    (finding,) = result.findings
    assert finding.evidence is not None
    assert result.content is not None
    place = slice(finding.evidence.start, finding.evidence.end)
    assert result.content[place] == finding.evidence.text == "Price: 3 EUR"
    assert run(read(WIKICRAWLER_FIELDS_CONTENT=False)).content is None


def test_a_page_that_fails_is_a_result_and_not_an_error(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    site.on("/robots.txt", page("Robots"))
    site.on("/odd", BOOK)
    model.for_text("/odd", texts("What a nice page!"))

    async def work() -> None:
        async with scraper(model) as found:
            for url, why in {
                site.url("/none"): "missing: HTTP 404",
                site.url("/odd"): "part 1 of 1: not_json",
                "http://bob:secret@books.example/": "'http://***@books.example/' contains a ",
                "books.example": "'books.example' has no scheme (write 'https://books.example')",
            }.items():
                result = await found.scrape(url, "title, price: number")
                assert not result.success
                assert result.error is not None
                assert result.error.startswith(why)
                assert "secret" not in result.url
                assert result.data == {"title": None, "price": None}

    run(work())


def test_a_list_of_pages_is_read_each_page_once(model: ScriptedModel, site: ScriptedServer) -> None:
    for number in range(6):
        site.on(f"/{number}", page(f"Book {number}"))
    urls = [site.url(f"/{number}") for number in range(6)]
    again = [urls[0], f"{urls[1]}#part", urls[2].replace("http", "HTTP"), "nonsense", "nonsense"]

    async def work() -> None:
        async with scraper(model, max_concurrent=2) as found:
            results = [one async for one in found.scrape_many(iter(urls + again), "title")]
        assert sorted(one.data["title"] or "" for one in results) == [
            "",
            *(f"Book {number}" for number in range(6)),
        ]
        assert sorted(one.url for one in results) == sorted([*urls, "nonsense"])

    run(work())
    assert sorted(pages_of(site)) == sorted(f"/{number}" for number in range(6))


def test_as_many_pages_are_in_work_as_configured(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    for number in range(12):
        site.on(f"/{number}", page(f"Book {number}"))
    three = Barrier(3)  # which would break with a single page in work, or with two

    in_work = []

    def slowly(_: Answer) -> None:
        three.wait(SECONDS)
        sleep(0.3)  # in which a fourth page would be fetched
        fetched = len(pages_of(site))
        in_work.append(fetched - sum(one.status is not None for one in model.requests))

    model.always(slowly)

    async def all_of(found: Scraper, numbers: range) -> int:
        urls = [site.url(f"/{number}") for number in numbers]
        return sum([one.success async for one in found.scrape_many(urls, "title")])

    async def work() -> list[int]:
        async with scraper(model, max_concurrent=3) as found:
            both = all_of(found, range(6)), all_of(found, range(6, 12))
            return await asyncio.gather(*both)

    assert run(work()) == [6, 6]
    assert max(in_work) == model.most_in_flight == 3


def test_a_slow_consumer_keeps_further_pages_from_being_fetched(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    site.on("/other", page("Other"))
    for number in range(9):
        site.on(f"/{number}", page(f"Book {number}"))
    urls = [site.url(f"/{number}") for number in range(9)]

    async def work() -> None:
        async with scraper(model, max_concurrent=3) as found:
            taken = 0
            async for _ in found.scrape_many(urls, "title"):
                taken += 1
                # A page of another call is read meanwhile, with all that was asked for before.
                other = await found.scrape(site.url("/other"), "title")
                assert other.data == {"title": "Other"}
                ahead = set(pages_of(site)) - {"/other"}
                assert len(ahead) <= taken - 1 + 3
            assert taken == 9

    run(work())


def test_a_loop_that_is_left_drops_its_pages(model: ScriptedModel, site: ScriptedServer) -> None:
    site.on("/other", page("Other"))
    for number in range(50):
        site.on(f"/{number}", page(f"Book {number}"))
    asked = iter(range(50))
    urls = (site.url(f"/{number}") for number in asked)

    async def work() -> None:
        async with scraper(model, max_concurrent=2) as found:
            async with aclosing(found.scrape_many(urls, "title")) as results:
                async for _ in results:
                    break
            assert (await found.scrape(site.url("/other"), "title")).success
            assert len(set(pages_of(site)) - {"/other"}) <= 2
            assert next(asked) == 2

    run(work())
    assert children_of() == []


def test_a_call_that_is_cancelled_frees_its_place(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    site.on("/stuck", page("Stuck"))
    site.on("/other", page("Other"))
    end, ended = Event(), []
    model.for_text("/stuck", held(lambda: ended.append(end.wait(SECONDS))))

    async def work() -> None:
        async with scraper(model, max_concurrent=1) as found:
            task = asyncio.create_task(found.scrape(site.url("/stuck"), "title"))
            assert await asyncio.to_thread(soon, lambda: model.requests)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await found.scrape(site.url("/other"), "title")).success
            assert ended == []  # the model still works on the first one

    try:
        run(work())
    finally:
        end.set()


def test_two_scrapers_have_a_crawl_each(model: ScriptedModel, site: ScriptedServer) -> None:
    site.on("/book", BOOK)
    two = Barrier(2)
    model.always(held(lambda: two.wait(SECONDS)))

    async def work() -> None:
        async with scraper(model, max_concurrent=1) as one, scraper(model, max_concurrent=1) as two:
            assert len(children_of()) == 2
            results = await asyncio.gather(
                one.scrape(site.url("/book"), "title"), two.scrape(site.url("/book"), "price")
            )
            assert [set(result.data) for result in results] == [{"title"}, {"price"}]

    run(work())
    assert children_of() == []


@deferred_f_from_coro_f
async def test_it_works_beside_a_reactor_that_runs(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    site.on("/book", BOOK)
    async with scraper(model) as found:
        assert (await found.scrape(site.url("/book"), "title")).success
    assert children_of() == []
