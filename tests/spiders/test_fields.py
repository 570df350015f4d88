"""Whole crawls for fields, with a model that is a real server and reads what it is sent."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests import scrapy_runs
from tests.crawling import project_settings, run
from tests.fields.scraper.scraping import held
from tests.scrapy_runs import Running
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.spiders.fields import FieldsSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.crawling import Outcome

KEY = "sk-one"
FIELDS = "founded: integer, price: number"


def page(title: str, body: str) -> Reply:
    text = "Acme makes tools for people who like to repair what they own, at home and at work."
    main = f"<main><h1>{title}</h1><p>{text}</p>{body}</main>"
    return Reply(
        headers={"Content-Type": "text/html; charset=utf-8"},
        body=f"<!doctype html><title>{title}</title>{main}",
    )


def links(*paths: str) -> str:
    return "<p>" + " ".join(f'<a href="{path}">Go to {path[1:]}</a>' for path in paths) + "</p>"


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel([KEY, "sk-two"]) as server:
        yield server


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/", page("Acme", links("/blog", "/team", "/plans", "/gone")))
        server.on("/blog", page("Blog", "<p>We write.</p>" + links("/blog/1", "/blog/2")))
        server.on("/blog/1", page("One", "<p>Founded: 1900</p>"))
        server.on("/blog/2", page("Two", "<p>Nothing.</p>"))
        server.on("/team", page("Team", "<p>Founded: 1987</p>"))
        server.on("/plans", page("Plans", "<p>Price: 14.50 EUR</p>"))
        yield server


def settings_for(model: ScriptedModel, folder: Path, **more: Any) -> dict[str, Any]:
    return {
        "WIKICRAWLER_FIELDS_BASE_URL": model.base_url,
        "WIKICRAWLER_FIELDS_API_KEYS": KEY,
        "WIKICRAWLER_FIELDS_CACHE": str(folder / "answers"),
        "ROBOTSTXT_OBEY": False,
    } | more


async def crawl(
    model: ScriptedModel, folder: Path, settings: dict[str, Any] | None = None, **arguments: Any
) -> Outcome:
    given = project_settings(**settings_for(model, folder, **(settings or {})))
    return await run(FieldsSpider, given, **arguments)


def pages_of(done: Outcome) -> dict[str, dict[str, Any]]:
    return {item["url"]: item for item in done.items if item["type"] == "page"}


def asked(site: ScriptedServer) -> list[str]:
    return [exchange.path for exchange in site.exchanges]


@deferred_f_from_coro_f
async def test_a_page_brings_the_values_and_where_they_stand(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    done = await crawl(model, tmp_path, url=site.url("/plans"), fields=FIELDS)
    (item,) = done.items
    assert item["success"]
    assert item["data"] == {"founded": None, "price": 14.5}
    (finding,) = item["findings"]
    place = finding["evidence"]
    assert item["content"][place["start"] : place["end"]] == place["text"] == "Price: 14.50 EUR"
    assert item["content_hash"].startswith("sha256:")
    assert item["usage"]["prompt_tokens"] == model.usage.prompt_tokens
    assert done.stats["fields/tokens/prompt"] == model.usage.prompt_tokens


@pytest.mark.parametrize("form", ["text", "html"])
@deferred_f_from_coro_f
async def test_the_model_may_read_another_form_of_the_page(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path, form: str
) -> None:
    site.on("/x", page("X", "<script>var a = 1</script><p class=big>Price: <b>3</b> EUR</p>"))
    done = await crawl(
        model, tmp_path, url=site.url("/x"), fields="price: number", input_format=form
    )
    (item,) = done.items
    content = item["content"]
    assert "var a" not in content
    assert ("<p>" in content) is (form == "html")
    assert "Price:" in content
    (sent,) = model.requests
    assert "Price:" in sent.text


@deferred_f_from_coro_f
async def test_each_page_of_a_list_is_read_once_and_few_at_a_time(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    model.always(twists.delayed(0.05))
    for number in range(20):
        site.on(f"/p/{number}", page(f"P{number}", f"<p>Price: {number} EUR</p>"))
    urls = [site.url(f"/p/{number}") for number in range(20)]
    done = await crawl(
        model,
        tmp_path,
        {"WIKICRAWLER_FIELDS_MAX_CONCURRENT": 3},
        urls=" ".join([*urls, f"{urls[0]}#part", site.url("/gone")]),
        fields="price: number",
    )
    found = pages_of(done)
    assert {url: item["data"]["price"] for url, item in found.items() if item["success"]} == {
        url: number for number, url in enumerate(urls)
    }
    assert found[site.url("/gone")]["error"] == "missing: HTTP 404"
    assert found[site.url("/gone")]["data"] == {"price": None}
    assert Counter(asked(site)).most_common(1)[0][1] == 1
    assert 1 < model.most_in_flight <= 3
    assert sum(item["usage"]["prompt_tokens"] for item in done.items) == model.usage.prompt_tokens


@pytest.mark.parametrize("mode", ["many", "crawl"])
@deferred_f_from_coro_f
async def test_a_page_that_leads_to_another_one_frees_its_place_at_once(
    model: ScriptedModel, tmp_path: Path, mode: str
) -> None:
    last_is_there = threading.Event()
    waits: list[bool] = []
    model.for_text("Unhurried", held(lambda: waits.append(last_is_there.wait(60))))
    model.for_text("Ultimate", held(last_is_there.set))
    with ScriptedServer() as site:
        site.on("/", page("Start", links("/slow", "/a", "/b", "/last")))
        site.on("/slow", page("Unhurried", ""))
        for path in ("/a", "/b"):
            site.on(path, Reply(302, {"Location": "/slow"}))
        site.on("/last", page("Ultimate", ""))
        if mode == "crawl":
            given = {"url": site.url("/"), "mode": "crawl"}
        else:
            given = {"urls": ",".join(map(site.url, ("/slow", "/a", "/b", "/last")))}
        more = {"WIKICRAWLER_FIELDS_MAX_CONCURRENT": 2, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}
        done = await crawl(model, tmp_path, more, fields="isbn: string", **given)
        pages = pages_of(done)
        assert waits == [True]
        assert pages[site.url("/slow")]["success"]
        assert pages[site.url("/last")]["success"]
        for path in ("/a", "/b"):
            assert pages[site.url(path)]["error"] == f"duplicate: it leads to {site.url('/slow')}"
            assert pages[site.url(path)]["data"] == {"isbn": None}
    assert len([one for one in done.items if one["type"] == "page"]) == len(pages)
    assert done.stats["finish_reason"] == "finished"


@deferred_f_from_coro_f
async def test_a_page_that_another_one_led_to_frees_its_place_at_once(
    model: ScriptedModel, tmp_path: Path
) -> None:
    last_is_there = threading.Event()
    waits: list[bool] = []
    model.for_text("Unhurried", held(lambda: waits.append(last_is_there.wait(60))))
    model.for_text("Ultimate", held(last_is_there.set))
    with ScriptedServer() as site:
        site.on("/old", Reply(302, {"Location": "/new"}))
        site.on("/new", page("New", ""))
        site.on("/slow", page("Unhurried", ""))
        site.on("/last", page("Ultimate", ""))
        urls = ",".join(map(site.url, ("/old", "/slow", "/new", "/last")))
        more = {"WIKICRAWLER_FIELDS_MAX_CONCURRENT": 2, "CONCURRENT_REQUESTS_PER_DOMAIN": 8}
        done = await crawl(model, tmp_path, more, fields="isbn: string", urls=urls)
        pages = pages_of(done)
        assert waits == [True]
        assert pages[site.url("/old")]["success"]
        assert pages[site.url("/new")]["error"].startswith("duplicate: ")
        assert len(done.items) == 4


@deferred_f_from_coro_f
async def test_two_hundred_pages_cost_what_the_server_has_counted(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    model.always(twists.delayed(0.02))
    paths = [f"/p/{number}" for number in range(200)]
    for number, path in enumerate(paths):
        site.on(path, page(f"P{number}", f"<p>Price: {number} EUR</p>"))
    settings = {
        "WIKICRAWLER_FIELDS_PRICES": {"any": {"input": 1e-6, "output": 2e-6}},
        "WIKICRAWLER_FIELDS_MODEL": "openai/any",
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
    }
    urls = " ".join(map(site.url, paths))
    done = await crawl(model, tmp_path, settings, urls=urls, fields="price: number")
    assert [item["data"]["price"] for item in done.items].count(None) == 0
    assert 1 < model.most_in_flight <= 5
    spent = model.usage
    assert done.stats["fields/tokens/prompt"] == spent.prompt_tokens
    assert done.stats["fields/tokens/completion"] == spent.completion_tokens
    cost = sum(item["usage"]["cost"] for item in done.items)
    assert cost == pytest.approx(spent.prompt_tokens * 1e-6 + spent.completion_tokens * 2e-6)
    model.reset()
    again = await crawl(model, tmp_path, settings, urls=urls, fields="price: number")
    assert model.requests == []
    assert len(again.items) == 200
    assert again.stats["fields/tokens/prompt"] == 0


@deferred_f_from_coro_f
async def test_an_unchanged_page_costs_nothing_the_second_time(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    first = await crawl(model, tmp_path, url=site.url("/plans"), fields=FIELDS)
    model.reset()
    second = await crawl(model, tmp_path, url=site.url("/plans"), fields=FIELDS)
    assert model.requests == []
    assert second.items[0]["data"] == first.items[0]["data"]
    assert second.items[0]["usage"]["cached"] == 1
    assert second.items[0]["usage"]["prompt_tokens"] == 0


@deferred_f_from_coro_f
async def test_a_site_is_read_until_the_fields_are_complete(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    done = await crawl(
        model,
        tmp_path,
        {"WIKICRAWLER_FIELDS_MAX_CONCURRENT": 1},
        url=site.url("/"),
        fields=FIELDS,
        mode="crawl",
    )
    # The links that promise a field come first; none is asked for after the last value.
    assert asked(site) == ["/", "/plans", "/blog", "/team"]
    whole = done.items[-1]
    assert whole["type"] == "crawl"
    assert whole["data"] == {"founded": 1987, "price": 14.5}
    assert whole["is_complete"]
    assert whole["pages_scraped"] == 4
    assert {one["field"]: one["url"] for one in whole["findings"]} == {
        "founded": site.url("/team"),
        "price": site.url("/plans"),
    }


@deferred_f_from_coro_f
async def test_no_more_than_one_batch_is_asked_for_after_the_last_value(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    paths = [f"/p/{number}" for number in range(40)]
    for number, path in enumerate(paths):
        text = "<p>Price: 5 EUR</p>" if number == 12 else "<p>Nothing.</p>"
        site.on(path, page(f"P{number}", text))
    site.on("/", page("Acme", links(*paths)))
    done = await crawl(model, tmp_path, url=site.url("/"), fields="price: number", mode="crawl")
    assert done.items[-1]["data"] == {"price": 5}
    read = [item["url"] for item in done.items]
    assert len(read) - 2 - read.index(site.url("/p/12")) <= 4  # those that were in flight
    assert len(asked(site)) == len(read) - 1


@deferred_f_from_coro_f
async def test_a_crawl_for_a_list_reads_every_page_within_its_bounds(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    done = await crawl(
        model, tmp_path, url=site.url("/"), fields="member: list[string]", mode="crawl"
    )
    assert sorted(asked(site)) == ["/", "/blog", "/blog/1", "/blog/2", "/gone", "/plans", "/team"]
    assert asked(site).index("/team") < asked(site).index("/blog/1")
    assert not done.items[-1]["is_complete"]
    site.exchanges.clear()
    done = await crawl(
        model,
        tmp_path,
        url=site.url("/"),
        fields="member: list[string]",
        mode="crawl",
        max_depth="1",
        max_pages="3",
    )
    assert done.items[-1]["pages_scraped"] == 3
    assert "/blog/1" not in asked(site)


@deferred_f_from_coro_f
async def test_other_sites_are_not_read(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    with ScriptedServer("127.0.0.2") as other:
        other.on("/", page("Other", "<p>Price: 1 EUR</p>"))
        site.on("/away", Reply(302, {"Location": other.url("/")}))
        site.on("/", page("Acme", f"<p><a href='{other.url('/')}'>x</a></p>" + links("/away")))
        done = await crawl(model, tmp_path, url=site.url("/"), fields="price: number", mode="crawl")
    assert done.items[-1]["data"] == {"price": None}
    assert pages_of(done)[site.url("/away")]["error"].startswith("offsite")


@deferred_f_from_coro_f
async def test_a_limit_ends_the_run_with_what_was_found(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    urls = " ".join(site.url(path) for path in ("/plans", "/team", "/blog/1"))
    done = await crawl(
        model,
        tmp_path,
        {"WIKICRAWLER_FIELDS_MAX_CONCURRENT": 1, "WIKICRAWLER_FIELDS_MAX_ANSWER_TOKENS": 100},
        urls=urls,
        fields=FIELDS,
        max_tokens="900",
    )
    assert done.stats["finish_reason"] == "max_tokens"
    assert model.usage.prompt_tokens + model.usage.completion_tokens <= 900
    assert done.items[0]["data"]["price"] == 14.5
    assert done.items[-1]["partial"] == "max_tokens"
    assert len(asked(site)) == len(done.items) < 4


@deferred_f_from_coro_f
async def test_a_refused_key_ends_the_run_after_each_was_tried_once(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    model.keys = ["sk-other"]
    done = await crawl(
        model,
        tmp_path,
        {
            "WIKICRAWLER_FIELDS_API_KEYS": "sk-secret-1,sk-secret-2",
            "WIKICRAWLER_FIELDS_MAX_CONCURRENT": 1,
        },
        urls=" ".join(site.url(path) for path in ("/plans", "/team", "/blog", "/blog/1")),
        fields=FIELDS,
    )
    assert done.stats["finish_reason"] == "model_failed"
    assert [request.key for request in model.requests] == ["sk-secret-1", "sk-secret-2"]
    assert not any(item["success"] for item in done.items)
    assert "sk-secret" not in json.dumps([done.items, done.stats], default=str)


@deferred_f_from_coro_f
async def test_a_page_that_the_model_cannot_read_does_not_end_the_run(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    model.for_text("Team", twists.refused)
    urls = " ".join(site.url(path) for path in ("/team", "/plans"))
    done = await crawl(model, tmp_path, urls=urls, fields=FIELDS)
    found = pages_of(done)
    assert not found[site.url("/team")]["success"]
    assert "refused" in found[site.url("/team")]["error"]
    assert found[site.url("/plans")]["data"]["price"] == 14.5
    assert done.stats["finish_reason"] == "finished"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"fields": FIELDS}, "give either url or urls"),
        ({"url": "https://a.example/"}, "give either fields or schema"),
        ({"url": "https://a.example/", "fields": "price: numbr"}, "did you mean number"),
        ({"url": "https://a.example/", "fields": "no-such-file.yml"}, "no-such-file.yml"),
        ({"url": "a.example", "fields": FIELDS}, "is not a URL"),
        ({"url": "https://a.example/", "fields": FIELDS, "mod": "crawl"}, "did you mean mode"),
        ({"urls": "https://a.example/", "fields": FIELDS, "mode": "crawl"}, "for one url"),
        ({"url": "https://a.example/", "schema": "no.such:Model"}, "no.such"),
        ({"url": "https://a.example/", "fields": FIELDS, "max_cost": "1"}, "price"),
        ({"url": "https://a.example/", "fields": FIELDS, "backend": "browser"}, "CRAWL4AI_URL"),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_argument_is_told_before_a_page_is_asked_for(
    model: ScriptedModel, tmp_path: Path, arguments: dict[str, str], said: str
) -> None:
    settings = {"WIKICRAWLER_FIELDS_MODEL": "openai/unheard-of"}
    with pytest.raises((ConfigError, ValueError)) as caught:
        await crawl(model, tmp_path, settings, **arguments)
    assert said in str(caught.value)
    assert model.requests == []


@deferred_f_from_coro_f
async def test_without_a_key_the_start_says_which_variable_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        await run(
            FieldsSpider, project_settings(), url="https://a.example/", fields="price: number"
        )


# Kills


def command(model: ScriptedModel, folder: Path, *arguments: str) -> list[str]:
    given = settings_for(model, folder) | {
        "JOBDIR": str(folder / "job"),
        "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
        "WIKICRAWLER_CONTENT_WORKERS": "0",
        "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "6000",
        "CONCURRENT_REQUESTS_PER_DOMAIN": "8",
    }
    parts = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    parts += [part for argument in arguments for part in ("-a", argument)]
    out = str(folder / "out.jsonl")
    return ["crawl", "fields", *parts, "-o", out]


def kill_after(model: ScriptedModel, requests: int, line: list[str]) -> None:
    with (
        Path(os.devnull).open("w") as nothing,
        Running(line, stdout=nothing, stderr=nothing, start_new_session=True) as process,
    ):
        while process.poll() is None and len(model.requests) < requests:
            time.sleep(0.02)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@deferred_f_from_coro_f
async def test_a_job_is_not_resumed_for_other_fields(
    model: ScriptedModel,
    site: ScriptedServer,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    job = {"JOBDIR": str(tmp_path / "job")}
    await crawl(model, tmp_path, job, url=site.url("/plans"), fields="price: number")
    for _ in range(2):
        caplog.clear()
        done = await crawl(model, tmp_path, job, url=site.url("/plans"), fields="price: string")
        assert done.stats["finish_reason"] == "start_error"
        assert done.items == []
        said = [one.getMessage() for one in caplog.records if one.levelname == "ERROR"]
        assert len(said) == 1
        assert said[0].startswith("JOBDIR has a job with other URLs, fields or another mode")
    done = await crawl(model, tmp_path, job, url=site.url("/plans"), fields="price: number")
    assert done.stats["finish_reason"] == "finished"
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("model_name", "said"),
    [("cohere/x", "unknown provider"), ("litellm/x/y", "litellm"), ("m", "has no provider")],
)
@deferred_f_from_coro_f
async def test_a_model_that_cannot_be_asked_is_told_before_a_page_is_asked_for(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path, model_name: str, said: str
) -> None:
    settings = {"WIKICRAWLER_FIELDS_BASE_URL": "", "WIKICRAWLER_FIELDS_MODEL": model_name}
    with pytest.raises(ConfigError, match=said):
        await crawl(model, tmp_path, settings, url=site.url("/plans"), fields="price: number")
    assert site.exchanges == []


@pytest.mark.parametrize("mode", ["many", "crawl"])
def test_no_page_is_paid_twice_after_kills(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path, mode: str
) -> None:
    model.always(twists.delayed(0.1))
    count = 24
    for number in range(count):
        site.on(f"/p/{number}", page(f"P{number}", f"<p>Member: Person{number} Smith</p>"))
    site.on("/", page("Acme", links(*(f"/p/{number}" for number in range(count)))))
    urls = [site.url(f"/p/{number}") for number in range(count)]
    where = (
        [f"url={site.url('/')}", "mode=crawl"] if mode == "crawl" else [f"urls={','.join(urls)}"]
    )
    line = command(model, tmp_path, *where, "fields=member: list[string]")
    for requests in (5, 12):
        kill_after(model, requests, line)
    done = scrapy_runs.run(line)
    assert done.returncode == 0, done.stderr
    texts = Counter(request.text for request in model.requests)
    # The answers that were under way when the process was killed were paid for, and are lost.
    assert sum(texts.values()) - len(texts) <= 2 * 5
    lines = [json.loads(text) for text in (tmp_path / "out.jsonl").read_text().splitlines()]
    pages = Counter(item["url"] for item in lines if item["type"] == "page")
    assert set(pages.values()) == {1}
    assert set(pages) == {*urls, *([site.url("/")] if mode == "crawl" else [])}
    wholes = [item for item in lines if item["type"] == "crawl"]
    assert len(wholes) == (mode == "crawl")
    for whole in wholes:
        assert sorted(whole["data"]["member"]) == sorted(f"Person{n} Smith" for n in range(count))
        assert whole["pages_scraped"] == count + 1
    requests = len(model.requests)
    again = scrapy_runs.run(line)
    assert again.returncode == 0, again.stderr
    assert len(model.requests) == requests
    assert len((tmp_path / "out.jsonl").read_text().splitlines()) == len(lines)
