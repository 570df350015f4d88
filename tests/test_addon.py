"""The add-on in another Scrapy project: one ``ADDONS`` line installs it, and switches disable its
parts."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings

from wikicrawler.addon import WikiCrawler
from wikicrawler.console.project_notice import changes
from wikicrawler.demo.server import DemoWiki
from wikicrawler.feeds.exporters import CsvExporter, PlainCsvExporter
from wikicrawler.feeds.file_storage import FeedStorage
from wikicrawler.feeds.line_feeds import LineExporter
from wikicrawler.frontier.scheduler import FrontierScheduler
from wikicrawler.frontier.site_queue import SiteAwarePriorityQueue
from wikicrawler.frontier.spider_state import JsonSpiderState
from wikicrawler.guard.cookies import BoundedCookiesMiddleware
from wikicrawler.learning.recorder import AttemptRecorder
from wikicrawler.politeness.retry import SiteRetryMiddleware
from wikicrawler.politeness.robots import SiteRobotsMiddleware
from wikicrawler.version import PRODUCT

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]

SETTINGS = """
BOT_NAME = "theirs"
SPIDER_MODULES = ["theirs.spider"]
{addon}
LOG_LEVEL = "INFO"
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False
WIKICRAWLER_CONFIG = "sources.yml"
DOMAIN_THROTTLE_REQUESTS_PER_MINUTE = 6000
"""

SPIDER = '''
import scrapy


class BeeSpider(scrapy.Spider):
    """A spider that knows nothing of tiers."""

    name = "bees"

    async def start(self):
        for path in ("wiki/Honey", "wiki/Drone", "articles/first-hive", "wiki/Nowhere"):
            yield scrapy.Request(f"{self.url}/{path}", errback=self.failed)

    def parse(self, response):
        yield {
            "url": response.url,
            "heading": response.css("h1 ::text").get("").strip(),
            "tier": response.meta.get("tier"),
            "html": response.text,
            "content": None,
        }

    def failed(self, failure):
        subject = getattr(failure.value, "response", failure.request)
        yield {"url": subject.url, "failed": type(failure.value).__name__}
'''

ADDON = 'ADDONS = {"wikicrawler.addon.WikiCrawler": 500}'
SWITCHES = (
    "WIKICRAWLER_TIERS_ENABLED",
    "DOMAIN_THROTTLE_ENABLED",
    "WIKICRAWLER_MARKDOWN_ENABLED",
    "WIKICRAWLER_PROGRESS_ENABLED",
    "WIKICRAWLER_SUMMARY_ENABLED",
)


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki


def crawl(demo: DemoWiki, folder: Path, addon: str) -> tuple[dict[str, dict[str, Any]], str]:
    """Run a crawl of another project. Return its items by URL, and its log."""
    (folder / "theirs").mkdir()
    (folder / "theirs" / "__init__.py").touch()
    (folder / "theirs" / "settings.py").write_text(SETTINGS.format(addon=addon))
    (folder / "theirs" / "spider.py").write_text(SPIDER)
    (folder / "sources.yml").write_text(f'mediawiki_sites:\n  "{demo.url[7:]}": {demo.api}\n')
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = theirs.settings\n")
    done = subprocess.run(
        [sys.executable, "-m", "scrapy", "crawl", "bees", "-a", f"url={demo.url}", "-O", "o.jsonl"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": f"{folder}:{ROOT}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = (folder / "o.jsonl").read_text("utf-8").splitlines()
    items = [json.loads(line) for line in lines]
    return {item["url"].removeprefix(demo.url): item for item in items}, done.stderr


def test_another_projects_spider_gets_tiers_and_markdown(demo: DemoWiki, tmp_path: Path) -> None:
    items, log = crawl(demo, tmp_path, ADDON)
    assert items["/wiki/Honey"]["heading"] == "Honey"
    tiers = {path: item.get("tier") for path, item in items.items()}
    assert tiers["/wiki/Honey"] == tiers["/wiki/Drone"] == "mediawiki"
    assert tiers["/articles/first-hive"] == "http"
    for path in ("/wiki/Honey", "/wiki/Drone", "/articles/first-hive"):
        assert items[path]["content"].strip()
        assert "<p>" not in items[path]["content"]
    assert items["/wiki/Nowhere"]["failed"] == "HttpError"
    assert "Traceback" not in log


def test_with_every_switch_off_the_crawl_equals_one_without_the_add_on(
    demo: DemoWiki, tmp_path: Path
) -> None:
    off = "\n".join(f"{switch} = False" for switch in SWITCHES)
    crawls = {}
    for name, addon in {"without": "ROBOTSTXT_OBEY = True", "off": f"{ADDON}\n{off}"}.items():
        folder = tmp_path / name
        folder.mkdir()
        before = len(demo.requests)
        items, log = crawl(demo, folder, addon)
        crawls[name] = (items, sorted(path for _, path in demo.requests[before:]))
        assert "Traceback" not in log
    assert crawls["off"] == crawls["without"]
    assert not any("api.php" in path for path in crawls["off"][1])


def updated(**own: Any) -> Settings:
    settings = Settings()
    settings.setdict(own, priority="project")
    WikiCrawler().update_settings(settings)
    return settings


def test_project_settings_take_precedence() -> None:
    settings = updated(USER_AGENT="theirs/2", ROBOTSTXT_OBEY=False)
    assert settings["USER_AGENT"] == "theirs/2"
    assert not settings.getbool("ROBOTSTXT_OBEY")


def test_a_middleware_that_the_project_removed_stays_removed() -> None:
    path = "scrapy.downloadermiddlewares.retry.RetryMiddleware"
    middlewares = updated(DOWNLOADER_MIDDLEWARES={path: None})["DOWNLOADER_MIDDLEWARES"]
    assert SiteRetryMiddleware not in middlewares
    assert middlewares[path] is None


def test_a_middleware_that_the_project_moved_is_replaced_in_place() -> None:
    path = "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware"
    middlewares = updated(DOWNLOADER_MIDDLEWARES={path: 77})["DOWNLOADER_MIDDLEWARES"]
    assert middlewares[SiteRobotsMiddleware] == 77


@pytest.mark.parametrize(
    ("switch", "name", "path"),
    [
        (
            *("REMOTE_CONTROL_ENABLED", "EXTENSIONS_BASE"),
            "scrapy.extensions.remote_control.RemoteControl",
        ),
        (
            *("COOKIES_ENABLED", "DOWNLOADER_MIDDLEWARES_BASE"),
            "scrapy.downloadermiddlewares.cookies.CookiesMiddleware",
        ),
    ],
)
def test_a_component_that_is_switched_off_is_not_imported(
    switch: str, name: str, path: str
) -> None:
    assert path not in updated(**{switch: False})[name]
    assert path in updated(**{switch: True})[name]


def test_cookies_are_bounded_where_they_are_kept() -> None:
    assert BoundedCookiesMiddleware in updated()["DOWNLOADER_MIDDLEWARES"]
    kept_out = updated(COOKIES_ENABLED=False)["DOWNLOADER_MIDDLEWARES"]
    assert BoundedCookiesMiddleware not in kept_out


def test_feeds_and_frontier_are_added_to_the_projects_own() -> None:
    settings = updated()
    assert settings["SCHEDULER"] is FrontierScheduler
    assert settings["FEED_STORAGES"][""] is FeedStorage
    assert settings["FEED_EXPORTERS"]["jsonl"] is LineExporter
    assert settings["FEED_EXPORTERS"]["csv"] is PlainCsvExporter
    assert updated(SPIDER_MODULES=["wikicrawler.spiders"])["FEED_EXPORTERS"]["csv"] is CsvExporter
    assert settings["EXTENSIONS"][JsonSpiderState] == 0
    own = updated(
        SCHEDULER="their.Scheduler",
        FEED_STORAGES={"": "their.Storage"},
        FEED_EXPORTERS={"jsonl": "their.Exporter"},
    )
    assert own["SCHEDULER"] == "their.Scheduler"
    assert own["FEED_STORAGES"][""] == "their.Storage"
    assert own["FEED_STORAGES"]["file"] is FeedStorage
    assert own["FEED_EXPORTERS"]["jsonl"] == "their.Exporter"


@pytest.mark.parametrize(
    ("project", "records"),
    [
        ({}, False),
        ({"WIKICRAWLER_RECORD_ATTEMPTS": True}, True),
        ({"WIKICRAWLER_RECORD_ATTEMPTS": True, "WIKICRAWLER_TIERS_ENABLED": False}, False),
    ],
)
def test_attempts_are_recorded_only_on_request(project: dict[str, Any], records: bool) -> None:
    assert (AttemptRecorder in updated(**project)["EXTENSIONS"]) == records


def test_the_throttle_replaces_autothrottle(caplog: pytest.LogCaptureFixture) -> None:
    assert not updated(AUTOTHROTTLE_ENABLED=True, DOMAIN_THROTTLE_ENABLED=True).getbool(
        "AUTOTHROTTLE_ENABLED"
    )
    assert "AUTOTHROTTLE_ENABLED is switched off" in caplog.text
    kept = updated(AUTOTHROTTLE_ENABLED=True, DOMAIN_THROTTLE_ENABLED=False)
    assert kept.getbool("AUTOTHROTTLE_ENABLED")


def test_the_contact_is_in_the_user_agent() -> None:
    contact = updated(WIKICRAWLER_CONTACT="https://me.example/bot")
    assert contact["USER_AGENT"].endswith("(+https://me.example/bot)")
    assert (
        updated(USER_AGENT=PRODUCT, WIKICRAWLER_CONTACT="a@b")["USER_AGENT"] == f"{PRODUCT} (+a@b)"
    )
    theirs = updated(USER_AGENT="theirs/2", WIKICRAWLER_CONTACT="a@b")
    assert theirs["USER_AGENT"] == "theirs/2"


@pytest.mark.parametrize(
    ("own", "throttled"),
    [
        ({}, False),
        ({"DOWNLOAD_DELAY": 2}, False),
        ({"DOMAIN_THROTTLE_ENABLED": True}, True),
        ({"DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 30}, True),
        ({"WIKICRAWLER_RETRY": {"429": [1]}}, True),
        ({"WIKICRAWLER_RETRY": {"429": [1]}, "DOMAIN_THROTTLE_ENABLED": False}, False),
        ({"WIKICRAWLER_CONFIG": "slow.yml"}, True),
        ({"WIKICRAWLER_CONFIG": "plain.yml"}, False),
    ],
)
def test_a_project_keeps_its_pace_unless_it_asks_for_the_throttle(
    own: dict[str, Any], throttled: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "slow.yml").write_text("domains:\n  a.example: {delay: 5}\n")
    (tmp_path / "plain.yml").write_text("domains:\n  a.example: {traps: false}\n")
    settings = updated(**own)
    assert settings.getbool("DOMAIN_THROTTLE_ENABLED") == throttled
    assert (SiteRetryMiddleware in settings["DOWNLOADER_MIDDLEWARES"]) == throttled
    assert settings.getint("CONCURRENT_REQUESTS_PER_DOMAIN") == (1 if throttled else 8)
    assert settings["DOWNLOAD_DELAY"] == own.get("DOWNLOAD_DELAY", 0)
    assert settings["USER_AGENT"].startswith("Scrapy/")
    assert (settings["SCHEDULER_PRIORITY_QUEUE"] is SiteAwarePriorityQueue) == throttled


def test_pages_can_wait_for_a_browser_without_the_throttle() -> None:
    settings = updated(CRAWL4AI_URL="http://127.0.0.1:11235")
    assert settings["SCHEDULER_PRIORITY_QUEUE"] is SiteAwarePriorityQueue


def test_the_environment_asks_for_the_throttle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RATE_LIMIT_REQUESTS_PER_MINUTE", "30")
    assert updated().getbool("DOMAIN_THROTTLE_ENABLED")


def test_what_changes_is_what_the_project_did_not_set() -> None:
    default = "; ".join(changes(updated()))
    assert "robots.txt" in default
    assert "tiers mediawiki, http" in default
    assert "pace" not in default
    own = updated(
        ROBOTSTXT_OBEY=True,
        WIKICRAWLER_TIERS_ENABLED=False,
        WIKICRAWLER_ADDRESS_GUARD_ENABLED=False,
    )
    assert not [*changes(own)]
