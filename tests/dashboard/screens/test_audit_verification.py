"""The verification of the audit log by a page."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
import pytest
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.audit.samples import operation, write
from tests.dashboard.screens.failing import copy_of, database_of
from tests.dashboard.screens.test_audit import change_record
from tests.servers.dashboard import RealDashboard
from wikicrawler import options

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from requests import Response
    from selenium.webdriver.remote.webelement import WebElement

    from tests.servers.chromium import Chromium
    from tests.servers.postgres import RealPostgres

PAGE = "/audit/verification"
COUNT = 40


@pytest.fixture(scope="module")
def logged(failed_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    with copy_of(failed_crawl, tmp_path_factory.mktemp("verification") / "project") as running:
        yield running


def start(running: RealDashboard, anchors: str | None = None, **fields: str) -> Response:
    """Send the form."""
    fields |= {"csrf": running.csrf(PAGE), "back": PAGE}
    files = {"anchors": ("anchors.jsonl", anchors or "", "text/plain")} if anchors else None
    return running.session.post(
        running.url + "/audit/verify",
        data=fields,
        files=files or {"anchors": ("", "", "application/octet-stream")},
        headers={"Origin": running.url},
        allow_redirects=False,
    )


def result(running: RealDashboard) -> str:
    """The text of the page once nothing runs any more."""
    while True:
        page = html.fromstring(running.get(PAGE).text)
        if not page.xpath("//progress"):
            return " ".join(" ".join(page.xpath("//main//text()")).split())
        time.sleep(0.1)


def test_a_sound_log_is_found_sound(logged: RealDashboard) -> None:
    assert start(logged, sums="1").headers["Location"] == PAGE
    text = result(logged)
    assert "● sound" in text
    assert "Sums compared yes" in text
    assert "Anchors confirmed none were given" in text


def test_an_anchor_that_was_downloaded_is_confirmed(logged: RealDashboard) -> None:
    answer = logged.get("/audit/anchor")
    assert (
        answer.headers["Content-Disposition"] == 'attachment; filename="wikicrawler-anchor.jsonl"'
    )
    start(logged, answer.text)
    assert "Anchors confirmed 1 of 1" in result(logged)
    wrong = json.loads(answer.text) | {"hash": "0" * 64}
    start(logged, json.dumps(wrong))
    text = result(logged)
    assert "not sound" in text
    assert "the chain was built anew" in text


@pytest.mark.parametrize("given", ["nonsense", '{"format": 1}', "[" * 100_000, "\x00<script>"])
def test_a_file_that_has_no_anchors_is_refused(logged: RealDashboard, given: str) -> None:
    start(logged, given)
    said = html.fromstring(logged.get(PAGE).text).xpath("//*[@id='message']")[0].text_content()
    assert "the anchor file:1: not an anchor" in said


def test_a_log_that_was_changed_is_not_sound(failed_crawl: Path, tmp_path: Path) -> None:
    made = copy_of(failed_crawl, tmp_path / "project")
    change_record(made, 1)
    with made as running:
        start(running)
        text = result(running)
    assert "✖ not sound" in text
    assert "record 1: was changed" in text
    assert "trigger" in text


@pytest.fixture
def running(postgres: RealPostgres, tmp_path: Path) -> Iterator[RealDashboard]:
    """A dashboard of a log of :data:`COUNT` records in PostgreSQL, where it waits for locks without
    a limit."""
    url = postgres.empty_database() + "?options=-c%20lock_timeout%3D0"
    made = RealDashboard(tmp_path / "project", {options.DATABASE_URL.name: url})
    database = database_of(made)
    write(database, *(operation(n) for n in range(1, COUNT + 1)))
    database.close()
    with made:
        yield made


@contextmanager
def held_up(running: RealDashboard) -> Iterator[None]:
    """Let no verification with sums end: it reads them last, and nothing else here does."""
    with psycopg.connect(str(running.settings[options.DATABASE_URL.name])) as connection:
        connection.execute("LOCK TABLE audit_sums IN ACCESS EXCLUSIVE MODE")
        yield


def progress_of(running: RealDashboard) -> tuple[int, int]:
    """How many records were read, and of how many, once all were counted."""
    while True:
        (progress,) = html.fromstring(running.get(PAGE).text).xpath("//progress")
        done, of = int(progress.get("value")), int(progress.get("max"))
        assert 0 <= done <= of
        if done:
            return done, of
        time.sleep(0.05)


def verify_button(browser: Chromium) -> WebElement:
    return browser.driver.find_element(By.XPATH, "//button[starts-with(text(), 'Verify')]")


@pytest.mark.postgres
def test_one_runs_at_a_time_and_its_progress_is_shown(running: RealDashboard) -> None:
    with held_up(running):
        start(running, sums="1")
        start(running)
        page = html.fromstring(running.get(PAGE).text)
        assert "a verification runs already" in page.xpath("//*[@id='message']")[0].text_content()
        assert progress_of(running) == (COUNT, COUNT)
        assert not page.xpath("//form[@action='/audit/verify']")
    text = result(running)
    assert "● sound" in text
    assert "Sums compared yes" in text  # it was the first one


@pytest.mark.postgres
def test_a_dashboard_that_ends_does_not_wait_for_it(running: RealDashboard) -> None:
    with held_up(running):
        start(running, sums="1")
        assert progress_of(running) == (COUNT, COUNT)
        running.process.terminate()
        assert running.process.wait(60) == 0


@pytest.mark.postgres
def test_the_page_shows_the_result_by_itself(running: RealDashboard, chromium: Chromium) -> None:
    driver = chromium.driver
    chromium.size(1280)
    driver.get(running.url + PAGE)
    driver.find_element(By.NAME, "sums").click()
    with held_up(running):
        verify_button(chromium).click()
        chromium.until(lambda: driver.find_element(By.TAG_NAME, "progress"))
        driver.execute_script("window.same = true")
    chromium.until(lambda: "sound" in driver.find_element(By.ID, "verification").text)
    assert driver.execute_script("return window.same")  # it was not loaded again
    assert verify_button(chromium)
    assert chromium.violations() == []


@pytest.mark.postgres
def test_without_scripts_a_link_refreshes_it(running: RealDashboard, chromium: Chromium) -> None:
    driver = chromium.driver
    chromium.scripts(enabled=False)
    try:
        driver.get(running.url + PAGE)
        driver.find_element(By.NAME, "sums").send_keys(Keys.SPACE)
        with held_up(running):
            verify_button(chromium).send_keys(Keys.ENTER)
            link = chromium.until(lambda: driver.find_element(By.LINK_TEXT, "Refresh"))
        assert "sound" in result(running)
        assert "sound" not in driver.find_element(By.ID, "verification").text
        link.click()
        chromium.until(lambda: "sound" in driver.find_element(By.ID, "verification").text)
        assert not driver.find_elements(By.LINK_TEXT, "Refresh")
    finally:
        chromium.scripts(enabled=True)


def test_a_read_only_dashboard_starts_none(failed_crawl: Path, tmp_path: Path) -> None:
    with copy_of(failed_crawl, tmp_path / "project", "--read-only") as running:
        assert "scrapy audit verify" in running.get(PAGE).text
        assert start(running).status_code == 403
