"""The functions for programs without an event loop, wherever they are called."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.fields.scraper.processes import children_of, soon
from tests.fields.scraper.scraping import SETTINGS, arguments, page
from wikicrawler.fields import (
    AllKeysExhaustedError,
    ConfigError,
    crawl_sync,
    scrape_many_sync,
    scrape_sync,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.servers.openai_model import ScriptedModel
    from tests.servers.scripted import ScriptedServer


@pytest.fixture(autouse=True)
def pages(site: ScriptedServer) -> None:
    site.on("/", page("Home", "/contact"))
    site.on("/contact", page("Contact", text="Email: me@books.example"))
    for number in range(30):
        site.on(f"/{number}", page(f"Book {number}"))


def test_a_page_is_read_without_a_loop(model: ScriptedModel, site: ScriptedServer) -> None:
    result = scrape_sync(site.url("/1"), "title", **arguments(model))
    assert result.data == {"title": "Book 1"}
    assert children_of() == []


def test_attempts_are_recorded(model: ScriptedModel, site: ScriptedServer, tmp_path: Path) -> None:
    recorded = {
        "WIKICRAWLER_RECORD_ATTEMPTS": True,
        "WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite",
    }
    result = scrape_sync(site.url("/1"), "title", **arguments(model, settings=SETTINGS | recorded))
    assert result.data == {"title": "Book 1"}
    with closing(sqlite3.connect(tmp_path / "db.sqlite")) as database:
        spiders = database.execute("SELECT DISTINCT spider FROM runs").fetchall()
    assert spiders == [("field-service",)]


def test_a_page_is_read_inside_of_a_loop(model: ScriptedModel, site: ScriptedServer) -> None:
    async def cell() -> str:
        return str(scrape_sync(site.url("/2"), "title", **arguments(model)).data["title"])

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(asyncio.run, cell()).result() == "Book 2"
    assert children_of() == []


@deferred_f_from_coro_f
async def test_a_site_is_crawled_inside_of_a_reactor(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    with crawl_sync(site.url("/"), "title, email", **arguments(model)) as crawl:
        assert crawl.state is None
        assert [one.url for one in crawl] == [site.url("/"), site.url("/contact")]
        assert crawl.state is not None
        assert crawl.state.merged_data == {"title": "Home", "email": "me@books.example"}
        assert next(crawl, None) is None
    assert children_of() == []


def test_a_loop_that_is_left_ends_its_process(model: ScriptedModel, site: ScriptedServer) -> None:
    asked = iter(range(30))
    urls = (site.url(f"/{number}") for number in asked)
    results = scrape_many_sync(urls, "title", **arguments(model, max_concurrent=2))
    assert children_of() == []
    for result in results:
        assert result.success
        assert len(children_of()) == 1
        break
    del results
    gc.collect()
    assert soon(lambda: not children_of())
    assert next(asked) <= 3


def test_a_loop_that_is_closed_is_at_its_end(model: ScriptedModel, site: ScriptedServer) -> None:
    urls = [site.url(f"/{number}") for number in range(9)]
    results = scrape_many_sync(urls, "title", **arguments(model, max_concurrent=2))
    assert next(results).success
    results.close()
    assert children_of() == []
    assert list(results) == []
    results.close()


def test_errors_are_raised_in_the_caller(model: ScriptedModel, site: ScriptedServer) -> None:
    wrong = arguments(model, api_keys=["sk-wrong"])
    with pytest.raises(AllKeysExhaustedError):
        scrape_sync(site.url("/1"), "title", **wrong)
    with pytest.raises(AllKeysExhaustedError):
        list(scrape_many_sync([site.url("/1")], "title", **wrong))
    with pytest.raises(ConfigError, match="no tier for 'browser'"):
        list(crawl_sync(site.url("/"), "title", **arguments(model, backend="browser")))
    assert children_of() == []


def test_what_is_wrong_is_said_at_once(model: ScriptedModel) -> None:
    given = arguments(model)
    with pytest.raises(ConfigError, match="no field"):
        scrape_sync("https://books.example/", "", **given)
    with pytest.raises(ConfigError, match="no field"):
        scrape_many_sync(["https://books.example/"], [], **given)
    with pytest.raises(ConfigError, match="urls is a str"):
        scrape_many_sync("https://books.example/", "title", **given)
    with pytest.raises(ConfigError, match="no field"):
        crawl_sync("https://books.example/", {}, **given)
    with pytest.raises(ConfigError, match="max_depth"):
        crawl_sync("https://books.example/", "title", max_depth=-1, **given)
