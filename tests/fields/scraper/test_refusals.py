"""What a scraper refuses, and what ends its calls: by a real crawl in a child process."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

import pytest

from tests.fields.llm.wire import run
from tests.fields.scraper.processes import children_of
from tests.fields.scraper.scraping import SETTINGS, held, page, scraper
from tests.servers.openai_twists import error
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.fields import (
    AllKeysExhaustedError,
    ConfigError,
    ExtractionError,
    Scraper,
    ScraperConfig,
    ScraperError,
    load_config,
)

if TYPE_CHECKING:
    from tests.servers.openai_model import ScriptedModel

BOOK = page("The Salt Road", text="Price: 14.50 EUR")


def test_keys_that_are_refused_end_the_call_and_not_the_scraper(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    site.on("/book", BOOK)
    urls = [site.url("/book"), *(site.url(f"/{number}") for number in range(20))]
    wrong = "sk-correct-horse-battery"

    async def work() -> None:
        async with scraper(model, api_keys=[wrong], max_concurrent=2) as found:
            with pytest.raises(AllKeysExhaustedError, match="refuses every API key") as caught:
                await found.scrape(urls[0], "title")
            assert caught.value.details["status"] == 401
            assert wrong not in f"{caught.value} {caught.value.details}"
            with pytest.raises(AllKeysExhaustedError):
                _ = [one async for one in found.scrape_many(urls, "title")]
            assert not (await found.scrape(site.url("/none"), "title")).success

    run(work())


def test_a_server_that_fails_again_and_again_ends_the_call(
    model: ScriptedModel, site: ScriptedServer
) -> None:
    for number in range(20):
        site.on(f"/{number}", page(f"Book {number}"))
    urls = [site.url(f"/{number}") for number in range(20)]
    model.always(error(400, None, "invalid_request_error", "no"))

    async def work() -> None:
        async with scraper(model, max_concurrent=1) as found:
            results = found.scrape_many(urls, "title")
            for _ in range(2):
                failed = await anext(results)
                assert not failed.success
                assert "refuses the request" in str(failed.error)
            with pytest.raises(ExtractionError, match="refuses the request"):
                await anext(results)
            assert not (await found.scrape(urls[0], "title")).success

    run(work())


def test_a_crawl_that_is_killed_is_an_error(model: ScriptedModel, site: ScriptedServer) -> None:
    site.on("/book", BOOK)

    def kill() -> None:
        for pid in children_of():
            os.kill(pid, signal.SIGKILL)

    model.always(held(kill))

    async def work() -> None:
        async with scraper(model) as found:
            with pytest.raises(ScraperError, match="signal 9") as caught:
                await found.scrape(site.url("/book"), "title")
            assert caught.value.details["log"]
            with pytest.raises(ScraperError, match="make a new Scraper"):
                _ = [one async for one in found.scrape_many([site.url("/book")], "title")]

    run(work())
    assert children_of() == []


def test_only_the_program_leads_to_private_addresses(model: ScriptedModel) -> None:
    settings = {name: one for name, one in SETTINGS.items() if "PRIVATE" not in name}
    with ScriptedServer() as site, ScriptedServer("127.0.0.2") as other:
        site.on("/book", BOOK)
        site.on("/moved", Reply(302, {"Location": other.url("/book")}))
        other.on("/book", BOOK)

        async def work() -> None:
            async with scraper(model, settings=settings) as found:
                assert (await found.scrape(site.url("/book"), "title")).success
                moved = await found.scrape(site.url("/moved"), "title")
                assert str(moved.error).startswith("private_address")

        run(work())
        assert other.paths() == []


def test_what_is_wrong_is_said_before_a_process_starts(model: ScriptedModel) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        Scraper(load_config(environ={}))
    with pytest.raises(ConfigError, match="max_page: unknown setting"):
        scraper(model, max_page=1)
    with pytest.raises(ConfigError, match="config is a dict, not a ScraperConfig"):
        Scraper({"model": "any"})  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="ITEM_PIPELINES is a dict that JSON does not have"):
        scraper(model, settings={"ITEM_PIPELINES": {"a": object()}})
    found = scraper(model)
    for use in (found.scrape_many, found.crawl):
        with pytest.raises(RuntimeError, match="async with"):
            use(["https://books.example/"], "title")  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="async with"):
        run(found.scrape("https://books.example/", "title"))
    assert children_of() == []


def test_what_is_wrong_with_a_call_is_a_config_error(model: ScriptedModel) -> None:
    async def work() -> None:
        async with scraper(model) as found:
            url: Any = "https://books.example/"
            for fields in ([], "", {}):
                with pytest.raises(ConfigError, match="no field"):
                    await found.scrape(url, fields)
                with pytest.raises(ConfigError, match="no field"):
                    found.scrape_many([url], fields)
                with pytest.raises(ConfigError, match="no field"):
                    found.crawl(url, fields)
            with pytest.raises(ConfigError, match="urls is a str, not a list of URLs"):
                found.scrape_many(url, "title")
            with pytest.raises(ConfigError, match="a URL is a int, not a text"):
                _ = [one async for one in found.scrape_many([5], "title")]  # type: ignore[list-item]
            with pytest.raises(ConfigError, match="max_pages"):
                found.crawl(url, "title", max_pages=0)
            with pytest.raises(RuntimeError, match="in use already"):
                await found.__aenter__()
        with pytest.raises(RuntimeError, match="async with"):
            await found.scrape(url, "title")

    run(work())


def test_settings_that_scrapy_refuses_are_a_config_error(model: ScriptedModel) -> None:
    async def enter(**overrides: Any) -> None:
        async with scraper(model, **overrides):
            pass

    with pytest.raises(ConfigError, match="WIKICRAWLER_RETRY is 5"):
        run(enter(settings={"WIKICRAWLER_RETRY": 5}))
    with pytest.raises(ConfigError, match="no tier for 'browser'"):
        run(enter(backend="browser"))
    with pytest.raises(ConfigError, match="JOBDIR"):
        run(enter(settings={"JOBDIR": "job"}))
    assert children_of() == []


def test_overrides_win_over_a_configuration() -> None:
    config = ScraperConfig(model="any", base_url="http://localhost:1/v1", max_pages=7)
    found = Scraper(config, max_pages=9)
    assert (found.config.max_pages, found.config.base_url) == (9, "http://localhost:1/v1")
    assert config.max_pages == 7
