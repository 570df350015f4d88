"""The audit log: records, one record, sums."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from typing import TYPE_CHECKING

import pytest
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.audit.samples import operation, outcome, write
from tests.dashboard.screens.failing import (
    HOSTILE,
    add_hostile,
    copy_of,
    database_of,
    rows_of,
    run_by,
)
from tests.servers.dashboard import RealDashboard
from wikicrawler import options
from wikicrawler.control.alerts import resolve_alerts
from wikicrawler.control.context import Context
from wikicrawler.store.audit_chain import head

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.chromium import Chromium
    from tests.servers.postgres import RealPostgres

RECORDS = "Records"


@pytest.fixture(scope="module")
def logged(failed_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """A log of a crawl that failed, of strangers' texts, of 120 operations and of two people's
    controls."""
    made = copy_of(failed_crawl, tmp_path_factory.mktemp("audit") / "project")
    add_hostile(made)
    fill(made)
    with made as running:
        yield running


def fill(made: RealDashboard) -> None:
    database = database_of(made)
    entries = [operation(n, run="more", ms=n, credits_consumed=0.5) for n in range(1, 121)]
    write(database, *entries, outcome(121, of=7, run="more"), run="more")
    for by, alert in (("ann", 1), ("bob", 2)):
        resolve_alerts(Context(None, database, by, "dashboard"), [alert], "seen")  # type: ignore[arg-type]
    database.close()


def sequences(page: str) -> list[int]:
    return [int(row.split()[0]) for row in rows_of(page, RECORDS)]


def test_records_come_a_page_at_a_time_the_newest_first(logged: RealDashboard) -> None:
    found: list[int] = []
    path = "/audit?source=reg-x"
    pages = 0
    while path:
        page = logged.get(path).text
        found += sequences(page)
        path = html.fromstring(page).xpath("string(//a[@rel='next']/@href)")
        pages += 1
    assert (len(found), len(set(found)), pages) == (121, 121, 3)
    assert found[0] == max(found)


@pytest.mark.parametrize(
    ("asked", "number"),
    [
        ("kind=control&by=ann", 1),
        ("by=bob", 1),
        ("by=nobody", 0),
        ("by=ann&kind=request", 0),
        ("kind=start&since=2020-01-01", 2),
        ("source=%2B1-1", 1),
        ("engine=%40SUM(1)", 1),
        ("status=403", 1),
        ("source=reg-x&kind=outcome", 1),
        ("url=https://example.org/12&source=reg-x", 2),  # and 120
        ("since=2026-02-13&until=2026-02-13&url=https://example.org/77", 1),
        ("until=2020-01-01", 0),
        ("failed=1&source=broken", 2),
    ],
)
def test_records_are_searched(logged: RealDashboard, asked: str, number: int) -> None:
    answer = logged.get(f"/audit?{asked}")
    assert answer.status_code == 200
    rows = html.fromstring(answer.text).xpath(f"//div[@aria-label='{RECORDS}']//tbody/tr")
    assert len(rows) == number
    exported = logged.get(f"/audit/export?format=jsonl&{asked}").text.splitlines()
    assert len(exported) == number


def test_a_wrong_filter_is_named(logged: RealDashboard) -> None:
    answer = logged.get("/audit?kind=everything&before=-1")
    assert answer.status_code == 400
    assert "one of request, outcome, start, end, removal, control" in answer.text
    assert "before: &#39;-1&#39; is not a whole number from 1" in answer.text
    assert logged.get("/audit/export?kind=everything").status_code == 400


def test_controls_say_who_did_what(logged: RealDashboard) -> None:
    rows = rows_of(logged.get("/audit?kind=control").text, RECORDS)
    assert any("ann resolved the alert 1 in the dashboard: seen" in row for row in rows)
    assert any("activated the manifest 1.0.0 on the command line" in row for row in rows)


def test_a_record_shows_its_fields_and_its_canonical_text(logged: RealDashboard) -> None:
    sequence = sequences(logged.get("/audit?by=ann").text)[0]
    page = html.fromstring(logged.get(f"/audit/{sequence}").text)
    names = [name.text_content().strip() for name in page.xpath("//dl/dt")]
    values = [value.text_content().strip() for value in page.xpath("//dl/dd")]
    shown = dict(zip(names, values, strict=True))
    assert (shown["by"], shown["action"], shown["subject"]) == ("ann", "alert.resolve", "1")
    assert shown["detail"] == '{"reason":"seen"}'
    text = page.xpath("//pre")[0].text_content()
    fields = json.loads(text)
    assert json.dumps(fields, sort_keys=True, separators=(",", ":")) == text
    assert fields["sequence"] == sequence
    assert "hash fits the text" in page.text_content()


@pytest.mark.parametrize("path", ["/audit/0", "/audit/9999999", "/audit/" + "9" * 400])
def test_a_record_that_is_not_there_is_no_page(logged: RealDashboard, path: str) -> None:
    assert logged.get(path).status_code == 404


def test_a_record_that_was_changed_is_shown_as_such(failed_crawl: Path, tmp_path: Path) -> None:
    made = copy_of(failed_crawl, tmp_path / "project")
    change_record(made, 1)
    with made as running:
        assert "the record was changed" in running.get("/audit/1").text


def change_record(made: RealDashboard, sequence: int) -> None:
    """Change a record as the owner of a database can."""
    path = str(made.settings[options.DATABASE_URL.name]).removeprefix("sqlite:///")
    with sqlite3.connect(path) as connection:
        query = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'audit'"
        for (name,) in connection.execute(query).fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(
            "UPDATE audit SET text = replace(text, '\"spider\"', '\"spIder\"') WHERE seq = ?",
            (sequence,),
        )
    connection.close()


def test_csv_is_that_of_the_command(logged: RealDashboard) -> None:
    answer = logged.get("/audit/export?format=csv&kind=request&source=reg-x")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="wikicrawler-audit.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    command = logged.scrapy("audit", "--csv", "--source", "reg-x", "--limit", "0")
    for ours, theirs in zip(rows, csv.DictReader(io.StringIO(command)), strict=True):
        assert {name: ours[name] for name in theirs} == theirs


def test_csv_has_no_formula(logged: RealDashboard) -> None:
    answer = logged.get("/audit/export?format=csv")
    cells = [cell for row in csv.DictReader(io.StringIO(answer.text)) for cell in row.values()]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert {"'@SUM(1)", "'+1-1"} <= set(cells)


def test_a_search_for_a_rare_url_goes_on_page_by_page(failed_crawl: Path, tmp_path: Path) -> None:
    made = copy_of(failed_crawl, tmp_path / "project")
    database = database_of(made)
    for run in range(3):
        entries = [operation(n, run=f"many{run}") for n in range(1, 2001)]
        write(database, *entries, run=f"many{run}")
    database.close()
    with made as running:
        path, pages = "/audit?url=https://nowhere.example/", []
        while path:
            pages.append(running.get(path).text)
            path = html.fromstring(pages[-1]).xpath("string(//a[@rel='next']/@href)")
        assert len(pages) > 1
        assert "records that were looked at matches" in pages[0]
        assert "No record matches" in pages[-1]


class TestInABrowser:
    def test_a_record_expands_in_its_row(self, logged: RealDashboard, chromium: Chromium) -> None:
        chromium.size(1280)
        chromium.driver.get(logged.url + "/audit?failed=1")
        details = chromium.driver.find_elements(By.CSS_SELECTOR, "tbody details")
        for one in details[:3]:
            one.find_element(By.TAG_NAME, "summary").click()
            chromium.until(lambda one=one: one.find_element(By.CSS_SELECTOR, ".more .record"))
            assert "request_hash" in one.text
        ids = chromium.driver.execute_script(
            "return [...document.querySelectorAll('[id]')].map(e => e.id)"
        )
        assert len(ids) == len(set(ids))
        assert run_by(chromium) == []

    def test_without_scripts_it_has_a_link(self, logged: RealDashboard, chromium: Chromium) -> None:
        chromium.scripts(enabled=False)
        try:
            chromium.driver.get(logged.url + "/audit?by=ann")
            driver = chromium.driver
            driver.find_element(By.CSS_SELECTOR, "tbody summary").click()
            chromium.until(lambda: driver.find_element(By.PARTIAL_LINK_TEXT, "Open record")).click()
            chromium.until(lambda: "/audit/" in driver.current_url)
            assert "alert.resolve" in driver.page_source
        finally:
            chromium.scripts(enabled=True)

    def test_it_is_used_by_keyboard_alone(self, logged: RealDashboard, chromium: Chromium) -> None:
        chromium.size(1280)
        chromium.driver.get(logged.url + "/audit?by=ann")
        for _ in range(60):
            chromium.driver.switch_to.active_element.send_keys(Keys.TAB)
            if chromium.driver.switch_to.active_element.tag_name == "summary":
                break
        chromium.driver.switch_to.active_element.send_keys(Keys.ENTER)
        record = ".more .record"
        chromium.until(lambda: chromium.driver.find_element(By.CSS_SELECTOR, record))

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    @pytest.mark.parametrize("width", [360, 1280])
    @pytest.mark.parametrize(
        "path",
        ["/audit", "RECORD", "/audit/summary", "/audit/summary?by=source", "/audit/verification"],
    )
    def test_strangers_texts_are_inert_and_the_page_accessible(
        self, logged: RealDashboard, axe: Chromium, path: str, width: int, scheme: str
    ) -> None:
        if path == "RECORD":
            last = len(HOSTILE) - 1
            path = f"/audit/{sequences(logged.get('/audit?source=%2B1-1').text)[0] + last - 8}"
        axe.size(width)
        axe.media(prefers_color_scheme=scheme)
        axe.driver.get(logged.url + path)
        for details in axe.driver.find_elements(By.CSS_SELECTOR, "main .record details"):
            details.find_element(By.TAG_NAME, "summary").click()
        assert axe.axe() == []
        assert run_by(axe) == []
        assert axe.driver.execute_script("return document.documentElement.scrollWidth") <= width

    def test_each_strangers_record_is_inert(
        self, logged: RealDashboard, chromium: Chromium
    ) -> None:
        first = sequences(logged.get("/audit?source=%2B1-1").text)[0] - 8
        for sequence in range(first, first + len(HOSTILE)):
            chromium.driver.get(f"{logged.url}/audit/{sequence}")
            assert "Response" in chromium.driver.page_source
            assert run_by(chromium) == []


class TestSummary:
    def test_days_months_engines_and_sources_are_summed_up(self, logged: RealDashboard) -> None:
        asked = "/audit/summary?source=reg-x"
        (day,) = rows_of(logged.get(asked).text, "Sums")
        assert day.startswith("2026-02-13 120 0 0 %")
        assert " 60.00 1 of 1" in day  # credits, changes
        (month,) = rows_of(logged.get(f"{asked}&by=month").text, "Sums")
        assert month.split()[:2] == ["2026-02", "120"]
        (engine,) = rows_of(logged.get(f"{asked}&by=engine").text, "Sums")
        assert engine.split()[:2] == ["http", "120"]
        sources = rows_of(logged.get("/audit/summary?by=source").text, "Sums")
        assert sources[0].split()[:2] == ["reg-x", "120"]  # the most first

    def test_pictures_have_their_tables(self, logged: RealDashboard) -> None:
        page = html.fromstring(logged.get("/audit/summary?source=reg-x").text)
        images = page.xpath("//main//*[local-name()='svg'][@role='img']")
        assert len(images) == 2
        tables = page.xpath("//main//figure//table")
        counts = [row.xpath("string(td[1])") for row in tables[1].xpath(".//tbody/tr")]
        assert sum(map(int, counts)) == 120

    def test_it_is_sorted_by_its_heads(self, logged: RealDashboard) -> None:
        page = logged.get("/audit/summary?by=source&sort=failures").text
        failures = [int(row.split()[2]) for row in rows_of(page, "Sums") if "reg-x" in row]
        assert failures == [0]
        head_of = html.fromstring(page).xpath("//th[@aria-sort]")
        assert [one.text_content().split()[0] for one in head_of] == ["Failed"]

    def test_it_is_exported(self, logged: RealDashboard) -> None:
        answer = logged.get("/audit/summary/export?by=source")
        command = logged.scrapy("audit", "summary", "--by", "source", "--csv")
        assert answer.text == command

    def test_days_can_be_chosen(self, logged: RealDashboard) -> None:
        page = logged.get("/audit/summary?since=2026-02-14&until=2026-02-20").text
        assert "No operation is recorded" in page
        assert logged.get("/audit/summary?by=year").status_code == 400


def test_a_project_without_a_log_says_how_to_have_one(dashboard: RealDashboard) -> None:
    for path in ("/audit", "/audit/summary", "/audit/verification"):
        page = dashboard.get(path)
        assert page.status_code == 200
        assert "WIKICRAWLER_AUDIT" in page.text


@pytest.mark.postgres
def test_postgresql_has_the_same_pages(postgres: RealPostgres, tmp_path: Path) -> None:
    url = postgres.empty_database()
    made = RealDashboard(tmp_path / "project", {options.DATABASE_URL.name: url})
    add_hostile(made)
    fill(made)
    with made as running:
        for path in (
            *("/errors", "/errors?view=each", "/errors/export", "/alerts", "/audit"),
            *("/audit?by=ann", "/audit?url=https://e&failed=1", "/audit/3", "/audit/export"),
            *("/audit/summary", "/audit/summary?by=month", "/audit/summary?by=source"),
            "/audit/verification",
        ):
            assert running.get(path).status_code == 200, path
        database = database_of(made)
        with database.read() as connection:
            assert head(connection).sequence == len(HOSTILE) + 121
        database.close()
