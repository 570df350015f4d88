"""Credits are counted where several crawls see them, and end at the operator's limit."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests import scrapy_runs
from tests.crawling import fetch
from tests.databases import database, url  # noqa: F401 - fixtures
from tests.servers.firecrawl import ScriptedFirecrawl, error, scraped
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.signals import credits_low
from wikicrawler.spending.ledger import CreditLedger, CreditsUsedUpError
from wikicrawler.store.database import Database
from wikicrawler.store.spending import list_spending, reserve_credits, settle_credits
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SHELL = '<html><body><div id="root"></div><script src="/app.js"></script></body></html>'
ARTICLE = "<html><body><main><h1>Amber</h1>" + "<p>Amber is fossilised tree resin.</p>" * 20
AUGUST = datetime(2026, 8, 10, tzinfo=UTC).timestamp()
SEPTEMBER = datetime(2026, 9, 1, tzinfo=UTC).timestamp()


def test_credits_are_added_up_to_the_limit_and_not_beyond(database: Database) -> None:  # noqa: F811
    def reserve(price: float, limit: float | None = 10) -> float | None:
        with database.write() as connection:
            found = reserve_credits(connection, "a", "2026-08", price, now=1.0, limit=limit)
        return found.credits if found else None

    assert [reserve(4), reserve(4), reserve(4), reserve(2), reserve(1)] == [4, 8, None, 10, None]
    assert reserve(11, limit=10) is None
    assert reserve(100, limit=None) == 110
    with database.write() as connection:
        settled = settle_credits(connection, "a", "2026-08", -105)
        assert reserve_credits(connection, "b", "2026-08", 3, now=2.0, limit=2) is None
    assert settled is not None
    assert (settled.credits, settled.requests) == (5, 4)
    with database.read() as connection:
        assert list_spending(connection, "2026-07") == []
        assert list_spending(connection) == [settled]


def test_processes_at_once_do_not_exceed_the_limit(url: str, tmp_path: Path) -> None:  # noqa: F811
    program = (
        "import sys\n"
        "from wikicrawler.errors import StoreError\n"
        "from wikicrawler.store.database import Database\n"
        "from wikicrawler.store.spending import reserve_credits\n"
        "database, got, left = Database(sys.argv[1]), 0, 30\n"
        "sys.stdin.readline()\n"
        "while left:\n"
        "    try:\n"
        "        with database.write() as connection:\n"
        "            found = reserve_credits(connection, 'a', '2026-08', 1, now=1.0, limit=50)\n"
        "    except StoreError:\n"
        "        continue\n"
        "    got, left = got + bool(found), left - 1\n"
        "print(got)"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        for _ in range(3)
    ]
    for process in started:
        assert process.stdin
        process.stdin.close()
    got = [int(process.stdout.read()) for process in started if process.stdout]
    assert [process.wait(120) for process in started] == [0] * 3
    assert sum(got) == 50
    opened = Database(url, tmp_path)
    with opened.read() as connection:
        (row,) = list_spending(connection)
    opened.close()
    assert (row.credits, row.requests) == (50, 50)


class Account:
    """A ledger with a clock, and what it signals."""

    def __init__(self, folder: Path, limit: float | None, now: float = AUGUST) -> None:
        self.now = now
        self.crawler = get_crawler()
        self.signals: list[dict[str, Any]] = []
        self.crawler.signals.connect(self._low, credits_low)
        self.database = Database(f"sqlite:///{folder}/db.sqlite")
        self.ledger = CreditLedger(
            "a", self.database, self.crawler, limit=limit, clock=lambda: self.now
        )

    def _low(self, **values: Any) -> None:
        self.signals.append({k: v for k, v in values.items() if k not in {"signal", "sender"}})

    async def spend(self, price: float, used: float | None = None) -> None:
        reservation = await self.ledger.reserve(price)
        await self.ledger.settle(reservation, price if used is None else used)


@deferred_f_from_coro_f
async def test_80_percent_is_a_warning_and_100_the_end_of_the_month(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    account = Account(tmp_path, limit=10)
    for _ in range(7):
        await account.spend(1)
    assert (account.signals, account.ledger.refusal) == ([], "")
    await account.spend(1)
    await account.spend(1)
    assert [(one["used"], one["limit"]) for one in account.signals] == [(8.0, 10.0)]
    assert "8 of the 10 credits for 2026-08 are used (80 %)" in caplog.text
    await account.spend(1)
    for _ in range(3):
        with pytest.raises(CreditsUsedUpError, match="10 credits of a for 2026-08 are used up"):
            await account.spend(1)
    assert [one["used"] for one in account.signals] == [8.0, 10.0]
    assert "WIKICRAWLER_CREDITS" in account.ledger.refusal
    stats = account.crawler.stats
    assert stats.get_value("spending/month_credits/a") == 10
    assert stats.get_value("spending/forecast/a") == 10 + 10 * 22
    assert stats.get_value("spending/refused_count/a") == 3
    account.now = SEPTEMBER
    assert account.ledger.refusal == ""
    await account.spend(1)


@deferred_f_from_coro_f
async def test_what_a_request_cost_replaces_its_price(tmp_path: Path) -> None:
    account = Account(tmp_path, limit=10)
    await account.spend(5, used=1)
    await account.spend(5, used=0)
    spent = await account.ledger.spent()
    assert spent is not None
    assert (spent.credits, spent.requests) == (1.0, 2)


@deferred_f_from_coro_f
async def test_without_a_database_a_limit_ends_the_tier_and_no_limit_does_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "db.sqlite").mkdir()
    limited, free = Account(tmp_path, limit=10), Account(tmp_path, limit=None)
    with pytest.raises(CreditsUsedUpError, match="cannot be counted"):
        await limited.spend(1)
    await free.spend(1)
    await free.spend(1)
    assert caplog.text.count("are not counted") == 1
    assert free.crawler.stats.get_value("spending/credits/a") == 2


@pytest.mark.parametrize(
    ("credits_of", "says"),
    [
        ({"nothing": 5}, "'nothing'"),
        ({"http": 5}, "no tier of that name reports credits"),
        ({"firecrawl": "many"}, r"\['firecrawl'\] is .*many"),
        ({"firecrawl": -1}, "-1"),
        ({"firecrawl": True}, "True"),
        ({"firecrawl": 10**400}, "or more, is right"),
        ({5: 5}, "the key 5"),
        ("{", "not JSON"),
    ],
)
def test_a_wrong_limit_is_named(credits_of: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        TierRegistry.from_settings(Settings({"WIKICRAWLER_CREDITS": credits_of}))


@pytest.fixture
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404))
        for number in range(6):
            server.on(f"/app{number}", Reply(body=SHELL))
        yield server


@deferred_f_from_coro_f
async def test_pages_beyond_the_limit_go_to_the_next_tier(
    site: ScriptedServer, tmp_path: Path
) -> None:
    with ScriptedFirecrawl() as firecrawl:
        firecrawl.every_page = scraped(ARTICLE)
        firecrawl.page(site.url("/app0"), error(500, "SCRAPE_ALL_ENGINES_FAILED"))  # costs nothing
        settings = firecrawl.settings | {
            "WIKICRAWLER_TIERS": "firecrawl,http",
            "WIKICRAWLER_CREDITS": json.dumps({"firecrawl": 3}),
            "WIKICRAWLER_DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite",
        }
        done = await fetch(*(site.url(f"/app{number}") for number in range(6)), **settings)
        assert len(done.responses) == 3
        assert len(firecrawl.pages()) == 4
        assert done.stats["spending/month_credits/firecrawl"] == 3
        again = await fetch(site.url("/app1"), **settings)
        assert len(firecrawl.pages()) == 4, "the next crawl knows it"
    (skipped,) = again.skipped
    assert [(a["tier"], a["reason"]) for a in skipped["attempts"]] == [
        ("firecrawl", "service_config"),
        ("http", "js_shell"),
    ]
    assert "used up" in skipped["attempts"][0]["detail"]


def test_the_command_prints_what_was_spent(tmp_path: Path) -> None:
    def scrapy(*arguments: str) -> subprocess.CompletedProcess[str]:
        return scrapy_runs.run(["spending", *arguments], cwd=tmp_path)

    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    at = f"WIKICRAWLER_DATABASE_URL=sqlite:///{tmp_path}/db.sqlite"
    nothing = scrapy("-s", at)
    assert (nothing.returncode, nothing.stdout) == (
        0,
        "no credits were used, and there is no limit\n",
    )
    assert not (tmp_path / "db.sqlite").exists()
    opened = Database(f"sqlite:///{tmp_path}/db.sqlite")
    with opened.write() as connection:
        reserve_credits(connection, "firecrawl", "2020-01", 7, now=AUGUST)
    opened.close()
    limits = 'WIKICRAWLER_CREDITS={"firecrawl": 500}'
    head, now, earlier = scrapy("-s", at, "-s", limits).stdout.splitlines()
    assert head.split() == [
        *("month", "service", "requests", "credits", "limit", "used", "forecast")
    ]
    assert now.split()[1:] == ["firecrawl", "0", "0", "500", "0", "%", "0"]
    assert earlier.split() == ["2020-01", "firecrawl", "1", "7"]
    (line,) = scrapy("-s", at, "--json").stdout.splitlines()
    assert json.loads(line)["credits"] == 7
    wrong = scrapy("-s", 'WIKICRAWLER_CREDITS={"http": 5}')
    assert wrong.returncode == 2
    assert "no tier of that name" in wrong.stderr
