"""``scrapy fields``: what it prints and writes, as a person runs it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from lxml import html

from tests import scrapy_runs
from tests.servers.openai_model import ScriptedModel
from tests.servers.scripted import Reply, ScriptedServer
from tests.spiders.test_fields import links, page

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(["sk-one"]) as server:
        yield server


@pytest.fixture(scope="module")
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/", page("Acme", "<p>Founded: 1987</p>" + links("/plans", "/blog")))
        server.on("/plans", page("Plans", "<p>Price: 14.50 EUR</p>"))
        server.on("/blog", page("Blog", "<p>Price: 99 EUR</p>"))
        yield server


def command(
    model: ScriptedModel, folder: Path, *arguments: str, key: str = "sk-one"
) -> subprocess.CompletedProcess[str]:
    given = {
        "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
        "WIKICRAWLER_CONTENT_WORKERS": "0",
        "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "6000",
        "WIKICRAWLER_FIELDS_CACHE": str(folder / "answers"),
    }
    parts = [part for name, value in given.items() for part in ("-s", f"{name}={value}")]
    environment = {
        "WIKICRAWLER_FIELDS_API_KEYS": key,
        "WIKICRAWLER_FIELDS_BASE_URL": model.base_url,
    }
    return scrapy_runs.run(["fields", *arguments, *parts], env=os.environ | environment)


def test_a_site_becomes_a_table_and_a_report(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    model.reset()
    report = tmp_path / "report.html"
    fields = "founded: integer, price: number, isbn: string"
    done = command(model, tmp_path, site.url("/"), fields, "--mode", "crawl", "--html", str(report))
    assert (done.returncode, done.stderr) == (0, "")
    rows = [line.split() for line in done.stdout.splitlines()]
    assert ["founded", "1987"] in [row[:2] for row in rows]
    assert ["price", "14.5"] in [row[:2] for row in rows]
    assert ["99", "conflict"] in [row[:2] for row in rows]
    assert ["isbn", "null"] in [row[:2] for row in rows]
    spent = model.usage
    assert f"{spent.prompt_tokens:,} tokens of prompts" in done.stdout
    document = html.fromstring(report.read_text("utf-8"))
    marked = {mark.text_content() for mark in document.iter("mark")}
    assert {"Founded: 1987", "Price: 14.50 EUR"} <= marked


def test_an_estimate_asks_no_model_and_needs_no_key(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    model.reset()
    done = command(model, tmp_path, site.url("/"), "price: number", "--estimate", key="")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("1 page, 1 part to read")
    assert model.requests == []


def test_an_estimate_of_a_site_passes_over_pages_that_are_there_twice(
    model: ScriptedModel, tmp_path: Path
) -> None:
    with ScriptedServer() as site:
        site.on("/", page("Acme", links("/plans", "/old")))
        site.on("/plans", page("Plans", "<p>Price: 14.50 EUR</p>"))
        site.on("/old", Reply(302, {"Location": "/plans"}))
        done = command(
            model, tmp_path, site.url("/"), "price: number", "--mode", "crawl", "--estimate"
        )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 pages, 2 parts to read")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["/"], 2, "give a URL"),
        (["/", "price: numbr"], 2, "did you mean number"),
        (["/nothing", "price: number"], 3, "missing: HTTP 404"),
        (["/plans", "price: number", "--html", "/nowhere/r.html"], 2, "/nowhere/r.html"),
    ],
)
def test_what_goes_wrong_is_said_and_is_the_exit_code(
    site: ScriptedServer, tmp_path: Path, arguments: list[str], code: int, said: str
) -> None:
    with ScriptedModel(["sk-one"]) as model:
        done = command(model, tmp_path, site.url(arguments[0]), *arguments[1:])
    assert done.returncode == code
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_that_is_refused_is_said_and_not_shown(
    model: ScriptedModel, site: ScriptedServer, tmp_path: Path
) -> None:
    done = command(model, tmp_path, site.url("/plans"), "price: number", key="sk-wrong")
    assert done.returncode == 1
    assert "refuses every API key" in done.stdout
    assert "sk-wrong" not in done.stdout + done.stderr
