"""What a month costs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.audit.samples import operation, write
from wikicrawler.spending.costs import month_costs
from wikicrawler.spending.costs_table import COLUMNS, cost_rows
from wikicrawler.spending.history import months_with_costs
from wikicrawler.spending.model_ledger import ModelLedger
from wikicrawler.store.model_usage import ModelUsage, add_usage
from wikicrawler.store.spending import reserve_credits

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.store.database import Database

NOW = datetime(2026, 2, 15, tzinfo=UTC).timestamp()  # 14 of 28 days have passed
USED = {"requests": 2, "cached": 0, "prompt_tokens": 90, "completion_tokens": 10}


def test_a_month_has_its_costs_and_a_forecast(database: Database, reader: Database) -> None:
    write(
        database,
        operation(1, engine="browser", source="a", credits_consumed=3),
        operation(2, engine="browser", source="b", credits_consumed=5),
    )
    with database.write() as connection:
        reserve_credits(connection, "browser", "2026-02", 8, now=NOW - 14 * 86_400)
        used = [
            ModelUsage("2026-02-01", "m1", "a.org", **USED, cost=1.5),
            ModelUsage("2026-02-14", "<m2>", "b.org", **USED, cost=0.5, unpriced=1),
            ModelUsage("2026-01-31", "m1", "a.org", **USED, cost=9.0),
        ]
        add_usage(connection, used)
        add_usage(connection, used[:1])
    settings = Settings({"WIKICRAWLER_CREDITS": {"browser": 10, "firecrawl": 5}})
    found = month_costs(settings, reader, NOW)
    browser, firecrawl = found.services
    assert (browser.credits, browser.limit, browser.forecast, browser.share) == (8, 10, 16, 0.8)
    assert (firecrawl.credits, firecrawl.limit) == (0, 5)
    assert [(one.name, one.credits) for one in found.sources] == [("b", 5), ("a", 3)]
    assert [(one.name, one.cost) for one in found.models] == [("m1", 3.0), ("<m2>", 0.5)]
    assert (found.total.tokens, found.total.unpriced) == (300, 1)
    assert (found.cost_forecast, found.tokens_forecast) == (7.0, 600)
    assert len(found.days) == 28
    assert found.days[12].by_engine == (("browser", 8.0),)
    earlier = month_costs(settings, reader, NOW, "2026-01")
    assert (earlier.total.cost, earlier.cost_forecast, earlier.services) == (9.0, 9.0, ())


@pytest.mark.parametrize("month", ["2026-13", "2026", "'; --", "2026-02-01", "a\0b"])
def test_what_is_no_month_is_refused(reader: Database, month: str) -> None:
    with pytest.raises(ValueError, match="is not a month"):
        month_costs(Settings(), reader, NOW, month)


def test_a_database_without_tables_has_no_costs(reader: Database) -> None:
    found = month_costs(Settings(), reader, NOW)
    assert (found.services, found.models, found.cost_forecast) == ((), (), 0)


async def note(ledger: ModelLedger, cost: float | None) -> None:
    for _ in range(2):
        ledger.note("m", "https://www.a.org/1", **USED, cost=cost)
    await ledger.close()


@deferred_f_from_coro_f
async def test_calls_of_models_are_counted_by_day_and_site(
    database: Database, reader: Database
) -> None:
    await note(ModelLedger(database, clock=lambda: NOW), 0.25)
    await note(ModelLedger(database, clock=lambda: NOW), None)
    found = month_costs(Settings(), reader, NOW)
    (site,) = found.sites
    assert (site.name, site.requests, site.tokens, site.cost, site.unpriced) == (
        *("a.org", 8, 400, 0.5),
        4,
    )
    assert found.days[14].tokens == 400


@deferred_f_from_coro_f
async def test_no_database_is_made_for_the_calls_of_models(
    tmp_path: Path, database: Database
) -> None:
    await note(ModelLedger(database, creates=False), 0.25)
    assert not (tmp_path / "db.sqlite").exists()
    assert not database.has_tables()


def test_the_months_are_those_of_services_and_of_models(
    database: Database, reader: Database
) -> None:
    assert months_with_costs(reader) == ()
    with database.write() as connection:
        reserve_credits(connection, "browser", "2026-02", 8, now=NOW)
        reserve_credits(connection, "a", "2026-02", 1, now=NOW)
        days = ("2025-12-31", "2026-02-01", "2026-02-28")
        add_usage(connection, [ModelUsage(day, "m", "a.org", **USED, cost=0.5) for day in days])
    february, december = months_with_costs(reader)
    assert (february.month, february.tokens, february.cost) == ("2026-02", 200, 1.0)
    assert (february.services, february.credits) == ((("a", 1.0), ("browser", 8.0)), 9.0)
    assert (december.month, december.tokens, december.services) == ("2025-12", 100, ())


def test_a_table_has_each_figure_once(database: Database, reader: Database) -> None:
    with database.write() as connection:
        reserve_credits(connection, "browser", "2026-02", 8, now=NOW)
        add_usage(connection, [ModelUsage("2026-02-01", "m", "a.org", **USED, cost=0.5)])
    rows = list(cost_rows(month_costs(Settings(), reader, NOW)))
    assert [row["kind"] for row in rows] == ["service", "day", "model", "site", "models"]
    assert {row["month"] for row in rows} == {"2026-02"}
    assert all(set(row) <= set(COLUMNS) for row in rows)
    assert (rows[0]["credits"], rows[-1]["tokens"]) == (8, 100)
