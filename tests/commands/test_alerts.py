"""``scrapy alerts``, and what ``scrapy due`` does about alerts where nothing is due."""

from __future__ import annotations

import json
from time import time
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from tests import scrapy_runs
from tests.servers.mailbox import Mailbox
from tests.servers.regulations import RegulationSite
from tests.servers.scripted import Reply, ScriptedServer
from tests.sources.alerts.receiving import alerts_in, titles, webhook
from tests.sources.watching import Watch, source
from wikicrawler.sources.alerts.book import AlertBook, Problem
from wikicrawler.sources.alerts.channels import Channel
from wikicrawler.sources.alerts.events import SEVERITIES, AlertEvent
from wikicrawler.spending.months import month_of
from wikicrawler.store.database import Database
from wikicrawler.store.spending import reserve_credits
from wikicrawler.store.tables import alerts, source_states

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

DAY = 86_400.0


@pytest.fixture
def hooks() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/hook")
        yield server


def scrapy(folder: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    settings.setdefault("WIKICRAWLER_DATABASE_URL", database_url(folder))
    options = [part for name, value in settings.items() for part in ("-s", f"{name}={value}")]
    return scrapy_runs.run([*command, *options])


def database_url(folder: Path) -> str:
    return f"sqlite:///{folder / 'db.sqlite'}"


def report(folder: Path, *subjects: str, channel: str = "") -> None:
    """Open an alert about each of *subjects*, as a crawl does that is killed right after."""
    database = Database(database_url(folder))
    channels = [Channel(channel, channel)] if channel else []
    for subject in subjects:
        AlertBook(database, channels, SEVERITIES).report(
            Problem(AlertEvent.BLOCKED, subject, "HTTP 403", "https://x.example/")
        )
    database.close()


def test_open_alerts_are_shown_until_they_are_resolved(tmp_path: Path) -> None:
    assert scrapy(tmp_path, "alerts").stdout == "no alert is open\n"
    assert list(tmp_path.iterdir()) == [], "it creates no database"
    report(tmp_path, "reg-x", "reg-z")
    shown = scrapy(tmp_path, "alerts").stdout.splitlines()
    assert [line.split()[:4] for line in shown] == [
        ["2", "high", "blocked", "reg-z"],
        ["1", "high", "blocked", "reg-x"],
    ]
    assert scrapy(tmp_path, "alerts", "resolve", "2").returncode == 0
    again = scrapy(tmp_path, "alerts", "resolve", "2")
    assert (again.returncode, "there is no open alert 2" in again.stderr) == (1, True)
    (line,) = scrapy(tmp_path, "alerts", "--open").stdout.splitlines()
    assert line.split()[0] == "1"
    lines = scrapy(tmp_path, "alerts", "--all", "--json").stdout.splitlines()
    found = [json.loads(line) for line in lines]
    assert [alert["resolution"] for alert in found] == ["resolved by an operator", None]
    assert [alert["times"] for alert in found] == [1, 1]
    (line,) = scrapy(tmp_path, "alerts", "--all", "--source", "reg-x").stdout.splitlines()
    assert "reg-x" in line


def test_a_test_message_is_sent_to_each_channel(tmp_path: Path, hooks: ScriptedServer) -> None:
    hooks.on("/bad", Reply(401))
    with Mailbox() as mailbox:
        channels = f"{mailbox.url} high={webhook(hooks)} {webhook(hooks, '/bad')}"
        done = scrapy(tmp_path, "alerts", "test", WIKICRAWLER_ALERTS=channels)
        assert mailbox.subjects() == ["[test] wikicrawler"]
    assert done.returncode == 1
    assert titles(hooks) == ["[test] wikicrawler"]
    mail, good, bad = done.stdout.splitlines()
    assert mail.endswith("  delivered")
    assert good == f"json://{hooks.netloc}  delivered"
    assert bad.startswith(f"json://{hooks.netloc} #2  failed: ")
    assert "error=401" in bad


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("lost",), "known: test, resolve"),
        (("resolve",), "resolve needs the id of an alert"),
        (("resolve", "x"), "'x' is not the id of an alert"),
        (("test",), "there are no channels: WIKICRAWLER_ALERTS is unset"),
    ],
)
def test_wrong_arguments(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    done = scrapy(tmp_path, "alerts", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


@pytest.mark.parametrize(
    "command", [("alerts", "test"), ("crawl", "wiki", "-a", "seeds=https://x.org")]
)
def test_a_wrong_channel_is_told_without_its_secret(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    done = scrapy(tmp_path, *command, WIKICRAWLER_ALERTS="slack://correct-horse-battery")
    assert done.returncode == 2
    assert "WIKICRAWLER_ALERTS: entry 1, slack://…, is not a URL" in done.stderr
    assert "correct-horse" not in done.stderr + done.stdout


def test_due_delivers_what_a_killed_process_left_where_nothing_is_due(
    tmp_path: Path, hooks: ScriptedServer
) -> None:
    with RegulationSite(count=1) as site:
        watch = Watch(tmp_path, source(site.url("/1024/1/"), method="scrape"))
        watch.settings["DOMAIN_THROTTLE_REQUESTS_PER_MINUTE"] = "60000"
        settings = watch.settings | {"WIKICRAWLER_ALERTS": f"all={webhook(hooks)}"}
        command = ("due", "--manifest", str(watch.file))
        assert scrapy(tmp_path, *command, **settings).returncode == 0
        report(tmp_path, "reg-z", channel=f"json://{hooks.netloc}")
        change(tmp_path, last_changed=source_states.c.last_changed - 31 * DAY)
        settings["WIKICRAWLER_CREDITS"] = '{"firecrawl": 100}'
        spend(tmp_path, service="firecrawl", credits_used=10)
        done = scrapy(tmp_path, *command, **settings)
    assert done.returncode == 0, done.stderr
    assert "Nothing is due" in done.stdout
    assert "Alert no_change (warning): reg-x: no change was found for 31 days" in done.stdout
    assert "Alert credits is resolved: firecrawl: the limit was changed" in done.stdout
    assert titles(hooks) == [
        "[high] reg-z is blocked",
        "[warning] reg-x has not changed for long",
    ]


def test_due_reports_a_source_whose_pause_a_killed_process_did_not(tmp_path: Path) -> None:
    with RegulationSite(count=1) as site:
        watch = Watch(tmp_path, source(site.url("/1024/1/"), method="scrape"))
        watch.settings["DOMAIN_THROTTLE_REQUESTS_PER_MINUTE"] = "60000"
        command = ("due", "--manifest", str(watch.file))
        assert scrapy(tmp_path, *command, **watch.settings).returncode == 0
        change(tmp_path, consecutive_failures=5)
        for _ in range(2):
            assert scrapy(tmp_path, *command, **watch.settings).returncode == 0
    assert alerts_in(database_url(tmp_path))["paused"].times == 1


def test_alerts_about_credits_end_with_the_month(tmp_path: Path) -> None:
    with RegulationSite(count=1) as site:
        watch = Watch(tmp_path, source(site.url("/1024/1/"), method="scrape"))
        watch.settings["DOMAIN_THROTTLE_REQUESTS_PER_MINUTE"] = "60000"
        settings = watch.settings | {"WIKICRAWLER_CREDITS": '{"firecrawl": 100}'}
        command = ("due", "--manifest", str(watch.file))
        assert scrapy(tmp_path, *command, **settings).returncode == 0
        spend(tmp_path, service="firecrawl", credits_used=90)
        assert scrapy(tmp_path, *command, **settings).returncode == 0
        assert alerts_in(database_url(tmp_path))["credits"].resolved_at is None
        database = Database(database_url(tmp_path))
        with database.write() as connection:
            connection.execute(update(alerts).values(first_seen=time() - 40 * DAY))
        database.close()
        done = scrapy(tmp_path, *command, **settings)
    assert "Alert credits is resolved: firecrawl: a new month has begun" in done.stdout


def change(folder: Path, **values: object) -> None:
    database = Database(database_url(folder))
    with database.write() as connection:
        connection.execute(update(source_states).values(**values))
    database.close()


def spend(folder: Path, *, service: str, credits_used: float) -> None:
    """Use credits, with an open alert about them."""
    database = Database(database_url(folder))
    now = time()
    with database.write() as connection:
        reserve_credits(connection, service, month_of(now), credits_used, now=now)
    AlertBook(database, [], SEVERITIES).report(
        Problem(AlertEvent.CREDITS, service, "most of them are used")
    )
    database.close()


def test_without_channels_the_alerts_of_a_crawl_are_in_the_database_and_the_log(
    tmp_path: Path,
) -> None:
    with RegulationSite(count=2) as site:
        site.remove("/", 403)
        watched = Watch(tmp_path, source(site.url("/")))
        done = scrapy(
            tmp_path,
            *("crawl", "sources", "-a", f"manifest={watched.file}", "-a", "force=true"),
            WIKICRAWLER_STAGING=str(watched.staged),
        )
    assert "Alert blocked (high): reg-x" in done.stderr
    assert "blocked" in scrapy(tmp_path, "alerts").stdout
