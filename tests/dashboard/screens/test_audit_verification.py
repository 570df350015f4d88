"""The verification of the audit log by a page."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.audit.samples import operation, write
from tests.dashboard.screens.failing import copy_of, database_of
from tests.dashboard.screens.test_audit import change_record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from requests import Response

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard

PAGE = "/audit/verification"


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
def long(failed_crawl: Path, tmp_path: Path) -> Iterator[RealDashboard]:
    """A dashboard of a log that takes some seconds to verify."""
    made = copy_of(failed_crawl, tmp_path / "project")
    database = database_of(made)
    for run in range(15):
        entries = [operation(n, run=f"r{run}") for n in range(1, 4001)]
        write(database, *entries, run=f"r{run}")
    database.close()
    with made as running:
        yield running


def test_one_runs_at_a_time_and_its_progress_is_shown(long: RealDashboard) -> None:
    start(long, sums="1")
    start(long)
    page = html.fromstring(long.get(PAGE).text)
    assert "a verification runs already" in page.xpath("//*[@id='message']")[0].text_content()
    (progress,) = page.xpath("//progress")
    assert int(progress.get("max")) > 60_000
    assert 0 <= int(progress.get("value")) < int(progress.get("max"))
    assert not page.xpath("//form[@action='/audit/verify']")
    text = result(long)
    assert "● sound" in text
    assert "Sums compared yes" in text  # it was the first one


def test_a_dashboard_that_ends_does_not_wait_for_it(long: RealDashboard) -> None:
    start(long, sums="1")
    assert html.fromstring(long.get(PAGE).text).xpath("//progress")
    long.process.terminate()
    assert long.process.wait(30) in {0, -15}


def test_the_page_shows_the_result_by_itself(long: RealDashboard, chromium: Chromium) -> None:
    chromium.size(1280)
    chromium.driver.get(long.url + PAGE)
    button = chromium.driver.find_element(By.XPATH, "//button[starts-with(text(), 'Verify')]")
    chromium.driver.find_element(By.NAME, "sums").click()
    button.click()
    chromium.driver.find_element(By.TAG_NAME, "progress")
    chromium.driver.execute_script("window.__same = true")
    WebDriverWait(chromium.driver, 120).until(
        lambda driver: "sound" in driver.find_element(By.ID, "verification").text
    )
    assert chromium.driver.execute_script("return window.__same")  # it was not loaded again
    assert chromium.driver.find_elements(By.XPATH, "//button[starts-with(text(), 'Verify')]")
    assert chromium.violations() == []


def test_without_scripts_a_link_refreshes_it(long: RealDashboard, chromium: Chromium) -> None:
    chromium.scripts(enabled=False)
    try:
        chromium.driver.get(long.url + PAGE)
        chromium.driver.find_element(By.XPATH, "//button[starts-with(text(), 'Verify')]").send_keys(
            Keys.ENTER
        )
        while links := chromium.driver.find_elements(By.LINK_TEXT, "Refresh"):
            links[0].click()
            time.sleep(0.2)
        assert "sound" in chromium.driver.find_element(By.ID, "verification").text
    finally:
        chromium.scripts(enabled=True)


def test_a_read_only_dashboard_starts_none(failed_crawl: Path, tmp_path: Path) -> None:
    with copy_of(failed_crawl, tmp_path / "project", "--read-only") as running:
        assert "scrapy audit verify" in running.get(PAGE).text
        assert start(running).status_code == 403
