"""``scrapy tiers`` shows the plan for a page, and whether the servers answer."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from tests import scrapy_runs
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, refused, rendered
from wikicrawler.demo.server import DemoWiki

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki


def tiers(directory: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    (directory / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    given = os.environ | {"CRAWL4AI_URL": ""} | environment
    return scrapy_runs.run(["tiers", *arguments], cwd=directory, env=given)


def test_all_servers_of_a_wiki_page_answer(demo: DemoWiki, tmp_path: Path) -> None:
    (tmp_path / "config").mkdir()
    host = demo.url.removeprefix("http://")
    configured = f'mediawiki_sites:\n  "{host}": {demo.url}/api.php\n'
    (tmp_path / "config" / "sources.yml").write_text(configured)
    page = f"{demo.url}/wiki/Honey"
    with ScriptedCrawl4AI(rendered("<p>here")) as server:
        done = tiers(tmp_path, page, CRAWL4AI_URL=server.url(""), CRAWL4AI_API_TOKEN="t")  # noqa: S106
        assert [url[:4] for url in server.urls()] == ["raw:"]
        assert server.exchanges[-1].headers["Authorization"] == "Bearer t"
        with_json = tiers(tmp_path, "--json", page, CRAWL4AI_URL=server.url(""))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == page
    assert "order  mediawiki, http, browser (by WIKICRAWLER_TIERS)" in done.stdout
    assert "1 mediawiki  yes" in done.stdout
    assert "page 'Honey'" in done.stdout
    assert "3 browser    yes  crawl4ai at" in done.stdout
    plan = json.loads(with_json.stdout)
    assert [step["tier"] for step in plan["steps"]] == ["mediawiki", "http", "browser"]
    assert plan["servers_answer"] is True


def test_a_server_that_does_not_answer_is_named_with_exit_code_1(tmp_path: Path) -> None:
    with ScriptedCrawl4AI(refused(401)) as server:
        done = tiers(tmp_path, "https://a.example/", CRAWL4AI_URL=server.url(""))
    assert done.returncode == 1
    assert "browser    no" in done.stdout
    assert "HTTP 401" in done.stdout


def test_without_crawl4ai_the_browser_is_reported_as_missing(tmp_path: Path) -> None:
    done = tiers(tmp_path, "https://a.example/")
    assert done.returncode == 0
    assert "no crawl4ai is configured (CRAWL4AI_URL)" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        ([], {}, "a URL is needed"),
        (["a.example"], {}, "has no scheme"),
        (["https://a.example/"], {"CRAWL4AI_URL": "x"}, "CRAWL4AI_URL"),
    ],
    ids=["nothing", "no-url", "setting"],
)
def test_mistakes_are_reported_in_one_line(
    arguments: list[str], environment: dict[str, str], words: str, tmp_path: Path
) -> None:
    done = tiers(tmp_path, *arguments, **environment)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
