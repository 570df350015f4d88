"""Every fetch of every tier becomes an attempt in the database."""

from __future__ import annotations

import logging
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.crawling import fetch
from tests.frontier.sites import Crawl, ManyPages
from tests.learning.recorded import ARTICLE, SHELL, Recorded
from tests.servers.crawl4ai.scripted import ScriptedCrawl4AI, rendered
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield server.on("/robots.txt", Reply(404)).on("/amber", Reply(body=ARTICLE))


@pytest.fixture
def recorded(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path / "db.sqlite")


@deferred_f_from_coro_f
async def test_a_page_is_an_attempt_with_all_that_is_known_of_it(
    site: ScriptedServer, recorded: Recorded
) -> None:
    page = ARTICLE.replace("<title>", '<meta name="generator" content="Hugo 0.120"><title>')
    site.on("/2024/amber.html", Reply(200, {"Content-Type": "text/html; charset=utf-8"}, page))
    done = await fetch(site.url("/2024/amber.html?a=1#part"), **recorded.settings)
    assert recorded.attempts("url", "domain", "registered_domain", "suffix", "shape", "wiki") == [
        (site.url("/2024/amber.html?a=1"), "127.0.0.1", "127.0.0.1", ".html", "/#/*.html?", "page")
    ]
    assert recorded.attempts("tier", "ok", "reason", "final", "is_banned", "status", "size") == [
        ("http", 1, "ok", 0, 0, 200, len(page))
    ]
    assert recorded.attempts("cost", "policy", "propensity", "step") == [(1.0, "static", 1.0, 1)]
    assert 0 < recorded.attempts("latency")[0] < 30
    assert recorded.attempts("scheme", "configured") == [("http", "http")]
    assert recorded.heuristics() == {
        "content_type": "text/html",
        "server": "basehttp",
        "generator": "hugo",
    }
    assert done.stats["store/attempt_count"] == 1
    assert "store/lost_count" not in done.stats


@deferred_f_from_coro_f
async def test_every_tier_that_is_tried_is_an_attempt(
    site: ScriptedServer, recorded: Recorded
) -> None:
    site.on("/app", Reply(body=SHELL))
    with ScriptedCrawl4AI(rendered(ARTICLE)) as browser:
        await fetch(site.url("/app"), **browser.settings, **recorded.settings)
    assert recorded.attempts("tier", "reason", "ok", "cost", "step") == [
        ("http", "js_shell", 0, 1.0, 1),
        ("browser", "ok", 1, 12.0, 2),
    ]


@deferred_f_from_coro_f
async def test_a_wikis_api_is_a_tier_like_any(
    site: ScriptedServer, recorded: Recorded, tmp_path: Path
) -> None:
    site.on("/api.php", Reply(500)).on("/wiki/Amber", Reply(body=ARTICLE))
    config = tmp_path / "sources.yml"
    config.write_text(f"mediawiki_sites:\n  {site.netloc}: {site.url('/api.php')}\n")
    await fetch(
        site.url("/wiki/Amber"), site.url("/wiki/Resin"),
        WIKICRAWLER_CONFIG=str(config), RETRY_ENABLED=False, **recorded.settings,
    )  # fmt: skip
    # siteinfo failed: the API was never asked for a page, and that is no attempt
    assert recorded.attempts("tier", "reason", "wiki", "step") == [
        ("http", "ok", "wiki", 2),
        ("http", "missing", "wiki", 2),
    ]


@pytest.mark.parametrize(
    ("first", "reason", "status"),
    [
        (Reply(429), "busy", 429),
        (Reply(500), "http_error", 500),
        (Reply(drop=True), "network", None),
        (Reply(delay=2), "timeout", None),
    ],
    ids=["429", "500", "reset", "timeout"],
)
@deferred_f_from_coro_f
async def test_a_fetch_that_is_made_again_was_an_attempt(
    site: ScriptedServer, recorded: Recorded, first: Reply, reason: str, status: int | None
) -> None:
    site.on("/again", first, Reply(body=ARTICLE))
    # without robots.txt there is no open connection, on which Twisted itself would ask again
    own = {"DOWNLOAD_TIMEOUT": 1, "ROBOTSTXT_OBEY": False}
    await fetch(site.url("/again"), **own, **recorded.settings)
    assert recorded.attempts("tier", "reason", "status", "step") == [
        ("http", reason, status, 1),
        ("http", "ok", 200, 1),
    ]
    assert site.paths() == ["/again", "/again"]


@deferred_f_from_coro_f
async def test_a_block_is_a_ban_and_says_whose_it_is(
    site: ScriptedServer, recorded: Recorded
) -> None:
    challenge = Reply(403, {"cf-mitigated": "challenge"}, "<title>Just a moment...</title>")
    site.on("/blocked", challenge)
    await fetch(site.url("/blocked"), **recorded.settings)
    assert recorded.attempts("reason", "is_banned", "status") == [("blocked_captcha", 1, 403)]
    assert recorded.heuristics()["challenge"] == "cloudflare"


@deferred_f_from_coro_f
async def test_what_is_true_of_the_page_is_marked_so(
    site: ScriptedServer, recorded: Recorded
) -> None:
    await fetch(site.url("/missing"), **recorded.settings)
    assert recorded.attempts("reason", "final", "is_banned") == [("missing", 1, 0)]


@deferred_f_from_coro_f
async def test_what_was_never_asked_for_is_no_attempt(
    site: ScriptedServer, recorded: Recorded
) -> None:
    site.on("/robots.txt", Reply(body="User-agent: *\nDisallow: /closed"))
    site.on("/leads-there", Reply(302, {"Location": "/closed/too"}))
    await fetch(
        site.url("/closed"),  # robots.txt
        site.url("/leads-there"),
        "http://127.0.0.1:1/",  # no robots.txt, and nobody there
        Request(site.url("/left-alone"), meta={"tiers": False}),
        Request(site.url("/amber"), meta={"tiers": ["browser"]}),  # of which there is none
        **recorded.settings,
    )
    assert not recorded.file.exists()


@deferred_f_from_coro_f
async def test_tiers_that_a_request_names_are_no_choice_of_the_policy(
    site: ScriptedServer, recorded: Recorded
) -> None:
    request = Request(site.url("/amber"), meta={"tiers": ["http"]})
    await fetch(request, **recorded.settings)
    assert recorded.attempts("policy", "propensity") == [("request", 1.0)]


class Own:
    """A policy of somebody's own."""

    @classmethod
    def from_crawler(cls, crawler: object) -> Own:
        return cls()

    def plan(self, url: str, *, is_wiki: bool) -> tuple[str, ...]:
        return ("http",)


@deferred_f_from_coro_f
async def test_the_propensity_of_an_unknown_policy_is_unknown(
    site: ScriptedServer, recorded: Recorded
) -> None:
    policy = "tests.learning.test_recorder.Own"
    await fetch(site.url("/amber"), WIKICRAWLER_TIER_POLICY=policy, **recorded.settings)
    assert recorded.attempts("policy", "propensity") == [("Own", None)]


@deferred_f_from_coro_f
async def test_an_answer_from_the_cache_is_no_attempt(
    site: ScriptedServer, recorded: Recorded, tmp_path: Path
) -> None:
    cached = {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(tmp_path / "cache")}
    for _ in range(2):
        await fetch(site.url("/amber"), **cached, **recorded.settings)
    assert len(recorded.attempts("url")) == 1


# The database away


@deferred_f_from_coro_f
async def test_a_crawl_goes_on_without_its_database(
    site: ScriptedServer, recorded: Recorded, caplog: pytest.LogCaptureFixture
) -> None:
    recorded.file.mkdir()
    done = await fetch(site.url("/amber"), site.url("/missing"), **recorded.settings)
    assert [response.url for response in done.responses] == [site.url("/amber")]
    assert done.stats["store/lost_count"] == 2
    assert done.stats["store/attempt_count"] == 0
    ours = [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING]
    told = [line.partition(":")[0] for line in ours if str(recorded.file) in line]
    assert sorted(told) == [  # by three threads
        "The crawl cannot be reported at the moment",
        "What earlier crawls paused is not known",
        "What tiers do is not recorded until the database can be used",
    ]


@deferred_f_from_coro_f
async def test_a_url_of_no_database_ends_the_start(site: ScriptedServer) -> None:
    with pytest.raises(ConfigError, match="WIKICRAWLER_DATABASE_URL"):
        await fetch(
            site.url("/amber"),
            WIKICRAWLER_RECORD_ATTEMPTS=True,
            WIKICRAWLER_DATABASE_URL="mysql://host/db",
        )


def test_ctrl_c_ends_a_crawl_though_the_database_is_locked(tmp_path: Path) -> None:
    with ScriptedServer() as server:
        links = "".join(f'<p><a href="{path}">A page</a></p>' for path in ("/slow", "/a"))
        server.on("/robots.txt", Reply(404)).on(
            "/", Reply(body=ARTICLE.replace("</main>", f"{links}</main>"))
        )
        server.on("/slow", Reply(delay=25)).on("/a", Reply(body=ARTICLE))
        crawl = Crawl(tmp_path, server.url("/"))
        other = sqlite3.connect(tmp_path / "db.sqlite", isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        process = crawl.start(
            *("-s", "WIKICRAWLER_RECORD_ATTEMPTS=1"),
            *("-s", "WIKICRAWLER_DATABASE_URL=sqlite:///db.sqlite"),
        )
        crawl.wait_for(lambda: "/slow" in server.paths() and len(crawl.lines()) == 2, process)
        process.send_signal(signal.SIGINT)
        assert process.wait(120) == 130
        (slow,) = (x for x in server.exchanges if x.path == "/slow")
        assert slow.end == float("inf")  # it has not answered yet
        other.close()
    assert crawl.log.count("not recorded until the database can be used") == 1
    assert "'store/lost_count': 2" in crawl.log
    assert "attempts of tiers that are not in the database: 2" in crawl.log


def test_of_a_killed_crawl_what_is_missing_is_known(tmp_path: Path, recorded: Recorded) -> None:
    on = [part for pair in recorded.settings.items() for part in ("-s", "{}={}".format(*pair))]
    with ManyPages(300, delay=0.02) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        process = crawl.start(*on)
        crawl.wait_for(lambda: len(crawl.lines()) > 100, process)
        process.kill()
        process.wait()
        lines, asked = len(crawl.lines()), len(site.asked)
        assert crawl.run(*on, "-s", "CLOSESPIDER_ITEMCOUNT=1") == 0
    (killed, begun, lost), _ = recorded.rows("SELECT run, begun, lost FROM runs ORDER BY started")
    kept = recorded.attempts("run").count(killed)
    assert lines <= begun <= asked
    assert lost == begun - kept
    said = f"a crawl that was killed had not written {lost} of its {begun} attempts"
    assert (said in crawl.log) == (lost > 0)


@pytest.mark.parametrize(
    "command", [["fetch", "--nolog"], ["shell", "-c", "response"], ["tiers"]], ids=lambda x: x[0]
)
def test_commands_that_crawl_nothing_record_nothing(tmp_path: Path, command: list[str]) -> None:
    with ManyPages(2) as site:
        Crawl(tmp_path, site.url)
        on = ("-s", "WIKICRAWLER_RECORD_ATTEMPTS=1", "-s", "WIKICRAWLER_PRIVATE_HOSTS=127.0.0.1")
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", *command, f"{site.url}/1", *on],
            cwd=tmp_path,
            env={"PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0
    assert not (tmp_path / ".scrapy" / "wikicrawler.sqlite").exists()


# Off


def test_a_crawl_that_records_nothing_makes_nothing_and_loads_no_library(tmp_path: Path) -> None:
    program = """
import sys
from scrapy.cmdline import execute
try:
    execute(sys.argv)
finally:
    print("sqlalchemy" in sys.modules)
"""
    with ManyPages(2) as site:
        crawl = Crawl(tmp_path, f"{site.url}/0")
        command = crawl.command(output=())
        done = subprocess.run(
            [sys.executable, "-c", program, *command],
            cwd=tmp_path,
            env={"PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.stdout == "False\n"
    assert "item_scraped_count': 2" in done.stderr
    assert "store/" not in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"scrapy.cfg"}
