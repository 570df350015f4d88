"""The screen of costs: what a crawl with a paid service left, and what models used."""

from __future__ import annotations

import csv
import io
import json
import time
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

import pytest
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.audit.samples import operation, write
from tests.dashboard.screens.crawled import (
    LIMIT,
    crawl,
    project_of,
    rows_of,
    serve_firecrawl,
    serve_pages,
)
from tests.dashboard.screens.watched import accessible
from tests.servers.dashboard import RealDashboard
from wikicrawler import options
from wikicrawler.store.database import Database
from wikicrawler.store.model_usage import ModelUsage, add_usage
from wikicrawler.store.spending import reserve_credits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.servers.chromium import Chromium

HOSTILE = "<script>document.title='run'</script>"
FORMULA = '=HYPERLINK("http://evil.test")'
CALLS = {"requests": 2, "cached": 1, "prompt_tokens": 900, "completion_tokens": 100}


@pytest.fixture(autouse=True)
def month() -> str:
    """This month, which does not end in the course of a test: the last minutes of one are waited
    for."""
    while named(datetime.now(UTC)) != named(datetime.now(UTC) + timedelta(minutes=3)):
        time.sleep(1)
    return named(datetime.now(UTC))


@pytest.fixture
def before(month: str) -> str:
    """The month before."""
    return named(datetime.fromisoformat(f"{month}-01") - timedelta(days=1))


@pytest.fixture(scope="module")
def projects(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[[str, str], RealDashboard]]:
    """The dashboard of a month and the one before, made once."""
    with ExitStack() as running:

        @cache
        def project(month: str, before: str) -> RealDashboard:
            made = make(tmp_path_factory.mktemp("costs") / "project", month, before)
            return running.enter_context(made)

        yield project


@pytest.fixture
def billed(projects: Callable[[str, str], RealDashboard], month: str, before: str) -> RealDashboard:
    """The dashboard of a project that used four of its five credits, and models, in *month*."""
    return projects(month, before)


def named(day: datetime) -> str:
    return f"{day:%Y-%m}"


def make(folder: Path, month: str, before: str) -> RealDashboard:
    """The dashboard of :func:`billed`, not started."""
    now = datetime.now(UTC)
    with serve_pages() as site, serve_firecrawl() as firecrawl:
        made = project_of(folder, site, firecrawl)
        crawl(made)
    database = Database(str(made.settings[options.DATABASE_URL.name]))
    write(
        database,
        operation(1, run="hostile", at=now, engine=HOSTILE, source=FORMULA, credits_consumed=2),
        run="hostile",
    )
    with database.write() as connection:
        used = [
            ModelUsage(f"{month}-01", "small-model", "a.test", **CALLS, cost=1.5),
            ModelUsage(f"{month}-01", HOSTILE, FORMULA, **CALLS, cost=0.0, unpriced=2),
            ModelUsage(f"{before}-01", "small-model", "a.test", **CALLS, cost=9.0),
        ]
        add_usage(connection, used)
        reserve_credits(connection, "browser", before, 7, now=now.timestamp() - 40 * 86_400)
    database.close()
    return made


def panel(page: str) -> str:
    """The text of the first limit."""
    found = html.fromstring(page).xpath("//div[contains(@class, 'limit')]")[0]
    return " ".join(found.text_content().split())


def exported(
    dashboard: RealDashboard, month: str, path: str = "/costs/export"
) -> list[dict[str, str]]:
    answer = dashboard.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/csv")
    name = answer.headers["content-disposition"]
    assert name == f'attachment; filename="wikicrawler-costs-{month}.csv"'
    return list(csv.DictReader(io.StringIO(answer.text)))


def test_credits_are_shown_by_service_engine_and_source(billed: RealDashboard) -> None:
    page = billed.get("/costs").text
    (service,) = rows_of(page, "Services")
    assert service.startswith("firecrawl 4 4 5 ")
    assert "firecrawl 4 4" in rows_of(page, "Engines")
    sources = rows_of(page, "Credits of sources")
    assert {"app-0 1 1", "app-3 1 1"} <= set(sources)
    assert "/sources/app-0" in page
    assert "How the forecast is computed" in page
    assert page.count("<figure") == 3  # credits, tokens and money by day


def test_models_are_shown_with_tokens_money_and_sites(billed: RealDashboard) -> None:
    page = billed.get("/costs").text
    assert rows_of(page, "Models")[0] == "small-model 2 1 900 100 $ 1.50 0"
    assert rows_of(page, "Model calls by site")[0].startswith("a.test ")
    assert 'href="/sites/a.test"' in page


def test_from_80_per_cent_on_a_limit_warns(billed: RealDashboard) -> None:
    said = panel(billed.get("/costs").text)
    assert f"! 80 % used 4 of {LIMIT} credits (80 %)" in said
    bar = html.fromstring(billed.get("/costs").text).xpath("//progress")[0]
    assert (bar.get("value"), bar.get("max")) == ("4.0", "5.0")


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (4, "✖ limit reached 4 of 4 credits (100 %)"),
        (0, "i no credits allowed 4 of 0 credits"),
        (100_000, "● within the limit 4 of 100,000 credits (0 %)"),
    ],
)
def test_a_limit_is_said_in_words(
    billed: RealDashboard, tmp_path: Path, limit: int, expected: str
) -> None:
    settings = billed.settings | {"WIKICRAWLER_CREDITS": json.dumps({"firecrawl": limit})}
    with RealDashboard(tmp_path / "project", settings) as other:
        assert expected in panel(other.get("/costs").text)


def test_the_months_before_are_listed_and_shown(
    billed: RealDashboard, month: str, before: str
) -> None:
    page = billed.get("/costs").text
    assert rows_of(page, "Costs of each month") == [
        f"{month} firecrawl 4 2,000 $ 1.50",
        f"{before} browser 7 1,000 $ 9.00",
    ]
    earlier = billed.get(f"/costs?month={before}").text
    assert rows_of(earlier, "Services")[0].startswith("browser 7 1 none 7")
    assert "Limits" not in html.fromstring(earlier).xpath("//main")[0].text_content()
    assert rows_of(earlier, "Models") == ["small-model 2 1 900 100 $ 9.00 0"]


def test_a_month_without_costs_says_what_is_counted(dashboard: RealDashboard, month: str) -> None:
    for path in ("/costs", "/costs?month=2020-01"):
        page = dashboard.get(path).text
        assert "Nothing was paid for" in page
        assert "WIKICRAWLER_CREDITS" in page
    assert len(exported(dashboard, month)) == 1  # the sum of all models


@pytest.mark.parametrize("given", ["2026-13", "x", "2026-02-01", "%3Cscript%3E", "..%2F.."])
def test_what_is_no_month_is_refused(billed: RealDashboard, given: str) -> None:
    for path in ("/costs", "/costs/export"):
        answer = billed.get(f"{path}?month={given}")
        assert answer.status_code == 400
        assert "is not a month (like " in answer.text
        assert "<script>" not in answer.text


def test_the_file_has_all_figures_and_computes_nothing(
    billed: RealDashboard, month: str, before: str
) -> None:
    rows = exported(billed, month)
    kinds = [row["kind"] for row in rows]
    assert list(dict.fromkeys(kinds)) == [
        *("service", "engine", "source", "day", "model", "site", "models"),
    ]
    assert {row["month"] for row in rows} == {month}
    service = rows[0]
    assert (service["name"], service["credits"], service["limit"]) == ("firecrawl", "4.0", "5.0")
    assert float(service["forecast"]) >= 4
    day = next(row for row in rows if row["kind"] == "day" and row["tokens"] != "0")
    assert (day["tokens"], day["usd"]) == ("2000", "1.5")
    names = {row["name"] for row in rows}
    assert f"'{FORMULA}" in names
    assert FORMULA not in names
    earlier = exported(billed, before, f"/costs/export?month={before}")
    assert [row["credits"] for row in earlier if row["kind"] == "service"] == ["7.0"]


class TestInABrowser:
    def test_it_is_accessible_and_nothing_of_strangers_runs(
        self, billed: RealDashboard, axe: Chromium, before: str
    ) -> None:
        for path in ("/costs", f"/costs?month={before}", "/costs?month=2020-01"):
            axe.driver.get(billed.url + path)
            accessible(axe)
            assert axe.driver.title.startswith("Costs of ")

    def test_a_month_is_chosen_by_keyboard_without_scripts(
        self, billed: RealDashboard, chromium: Chromium, before: str
    ) -> None:
        chromium.size(1280)
        chromium.scripts(enabled=False)
        try:
            chromium.driver.get(billed.url + "/costs")
            field = chromium.driver.find_element(By.ID, "month")
            field.send_keys(before)
            field.send_keys(Keys.TAB)
            chromium.driver.switch_to.active_element.send_keys(Keys.ENTER)
            path = f"/costs?month={before}"
            chromium.until(lambda: chromium.driver.current_url.endswith(path))
            assert "browser" in chromium.driver.find_element(By.ID, "main").text
        finally:
            chromium.scripts(enabled=True)
