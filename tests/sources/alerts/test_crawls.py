"""Alerts of crawls that are killed, that cannot use the database, and that use paid services."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.scrapy_runs import Running
from tests.servers.firecrawl import ScriptedFirecrawl, scraped
from tests.servers.regulations import RegulationSite
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.alerts.receiving import alerts_in, deliveries_in, posted, titles, webhook
from tests.sources.watching import Watch, source
from wikicrawler.errors import ConfigError
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

ARTICLE = "<html><body><main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20


@pytest.fixture
def hooks() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/hook")
        yield server


@deferred_f_from_coro_f
async def test_a_message_whose_process_was_killed_is_delivered_by_the_next(
    hooks: ScriptedServer, tmp_path: Path
) -> None:
    hooks.on("/hook", Reply(delay=60))
    with RegulationSite(count=1) as site:
        watched = Watch(tmp_path, source(site.url("/1024/1/"), method="scrape"))
        watched.settings["WIKICRAWLER_ALERTS"] = webhook(hooks)
        watched.settings["WIKICRAWLER_ALERT_TIMEOUT"] = 120
        site.remove("/1024/1/", 403)
        kill_when_posted(watched, hooks)
        (waiting,) = deliveries_in(watched.database_url)
        assert (waiting.delivered_at, waiting.attempts) == (None, 0)
        hooks.on("/hook")
        page = RegulationSite(count=1).documents["/1024/1/"]
        site.documents["/1024/1/"] = page
        await watched.crawl()
    assert titles(hooks)[-2:] == [
        "[high] reg-x is blocked",
        "[resolved] reg-x: the source works again",
    ]


def kill_when_posted(watched: Watch, hooks: ScriptedServer) -> None:
    """Crawl in a process of its own, and kill it while it delivers a message."""
    settings = watched.settings | {
        "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
        "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    }
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    command = ["crawl", "sources", "-a", f"manifest={watched.file}", *options]
    with Path(os.devnull).open("w") as nothing:
        process = Running(command, stdout=nothing, stderr=nothing)
    give_up = time.monotonic() + 120
    while not hooks.exchanges and process.poll() is None and time.monotonic() < give_up:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert hooks.exchanges


@deferred_f_from_coro_f
async def test_most_of_a_services_credits_are_an_alert_in_any_crawl(
    hooks: ScriptedServer, tmp_path: Path
) -> None:
    url = f"sqlite:///{tmp_path}/db.sqlite"
    with ScriptedServer() as site, ScriptedFirecrawl() as firecrawl:
        site.on("/robots.txt", Reply(404))
        firecrawl.every_page = scraped(ARTICLE)
        settings = firecrawl.settings | {
            "WIKICRAWLER_TIERS": "firecrawl,http",
            "WIKICRAWLER_CREDITS": json.dumps({"firecrawl": 5}),
            "WIKICRAWLER_DATABASE_URL": url,
            "WIKICRAWLER_ALERTS": webhook(hooks),
            "WIKICRAWLER_ALERT_TIMEOUT": 120,
        }
        await fetch(*(site.url(f"/app{number}") for number in range(4)), **settings)
        assert titles(hooks) == ["[warning] firecrawl has used most of its credits"]
        await fetch(*(site.url(f"/app{number}") for number in range(4)), **settings)
    assert titles(hooks) == ["[warning] firecrawl has used most of its credits"]
    assert "4 of the 5 credits for " in posted(hooks)[0]["message"]
    alert = alerts_in(url)["credits"]
    assert (alert.subject, alert.resolved_at) == ("firecrawl", None)
    assert alert.times > 1


@deferred_f_from_coro_f
async def test_a_crawl_with_channels_creates_no_database(
    hooks: ScriptedServer, tmp_path: Path
) -> None:
    with ScriptedServer() as site:
        site.on("/robots.txt", Reply(404)).on("/a")
        settings = {
            "WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite",
            "WIKICRAWLER_ALERTS": webhook(hooks),
        }
        await fetch(site.url("/a"), **settings)
    assert not Database(settings["WIKICRAWLER_DATABASE_URL"]).has_tables()


@pytest.mark.parametrize(
    ("setting", "value"),
    [
        ("WIKICRAWLER_ALERTS", "slack://nothing"),
        ("WIKICRAWLER_ALERT_SEVERITIES", '{"lost": "high"}'),
    ],
)
@deferred_f_from_coro_f
async def test_a_wrong_setting_ends_the_start_of_a_crawl(
    setting: str, value: str, tmp_path: Path
) -> None:
    watched = Watch(tmp_path, source("http://127.0.0.1:1/"))
    with pytest.raises(ConfigError, match=f"^{setting}"):
        await watched.crawl(settings={setting: value})
