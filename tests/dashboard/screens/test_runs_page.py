"""Run control in a real browser, with real crawls."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.screens.watched import (
    SETTINGS,
    accessible,
    activate,
    click,
    context,
    described,
    serve_rules,
    text,
    told,
    words,
)
from tests.servers.dashboard import RealDashboard
from tests.servers.scripted import ScriptedServer
from wikicrawler.control.jobs import list_jobs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.chromium import Chromium


@pytest.fixture(scope="module")
def site() -> Iterator[ScriptedServer]:
    with ScriptedServer() as server:
        yield serve_rules(server)


@pytest.fixture(scope="module")
def dashboard(
    tmp_path_factory: pytest.TempPathFactory, site: ScriptedServer
) -> Iterator[RealDashboard]:
    with RealDashboard(tmp_path_factory.mktemp("page") / "project", SETTINGS) as running:
        activate(running, described(site))
        yield running
        with context(running) as steering:
            for job in list_jobs(steering.database):
                if job.pid is not None and job.is_live:
                    os.kill(job.pid, signal.SIGKILL)


def test_a_crawl_is_started_followed_and_stopped(
    dashboard: RealDashboard, axe: Chromium, site: ScriptedServer
) -> None:
    driver = axe.driver
    driver.get(dashboard.url + "/runs")
    accessible(axe)
    driver.find_element(By.ID, "ids").send_keys("guide")
    click(axe, "Visit")
    told(axe, "A crawl was started: 1 source")
    driver.execute_script("window.same = true")
    # Without loading the page again:
    axe.until(lambda: "running" in text(axe, "[sse-swap=jobs]"))
    axe.until(lambda: "0 of 1 sources" in text(axe, "[sse-swap=jobs]"))
    driver.execute_script("document.querySelector('[sse-swap=jobs] button.danger').focus()")
    before = text(axe, "[sse-swap^=job-]")
    axe.until(lambda: text(axe, "[sse-swap^=job-]") not in {before, ""})
    assert (driver.switch_to.active_element.get_attribute("id") or "").startswith("stop-")
    assert driver.execute_script("return window.same")
    accessible(axe)

    axe.click(By.CSS_SELECTOR, "[sse-swap=jobs] h3 a")
    axe.until(lambda: text(axe, "h1") == "Crawl: guide")
    axe.until(lambda: "127.0.0.1" in text(axe, "[sse-swap^=job-]"))
    accessible(axe)
    click(axe, "Stop the crawl of guide")
    axe.until(lambda: driver.switch_to.alert).accept()
    axe.until(lambda: "stopped" in text(axe, "[sse-swap=ended]"))
    axe.until(lambda: "No crawl runs now" in text(axe, "[sse-swap=jobs]"))
    accessible(axe)


def test_a_hidden_page_gives_its_stream_back_and_takes_it_again(
    dashboard: RealDashboard, chromium: Chromium
) -> None:
    driver = chromium.driver
    driver.get(dashboard.url + "/runs")
    chromium.until(lambda: driver.execute_script("return streams.size") == 1)
    first = driver.current_window_handle
    hide = (
        "Object.defineProperty(document, 'hidden', {value: %s, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'));"
        "return [...streams].map((one) => one.readyState)"
    )
    assert driver.execute_script(hide % "true") == [2]
    driver.execute_script(hide % "false")
    state = "return [...streams].map((one) => one.readyState)"
    chromium.until(lambda: driver.execute_script(state) == [1])
    # What follows is shown, so the new stream is heard.
    with context(dashboard) as steering:
        count = len(list_jobs(steering.database))
        dashboard.post("/runs/visit", {"ids": "one", "force": "1"})
        latest, *earlier = list_jobs(steering.database)
    assert len(earlier) == count
    link = f"[sse-swap] a[href='/runs/{latest.id}']"
    chromium.until(lambda: driver.find_element(By.CSS_SELECTOR, link))
    assert driver.current_window_handle == first


def test_many_tabs_still_load(dashboard: RealDashboard, chromium: Chromium) -> None:
    driver = chromium.driver
    first = driver.current_window_handle
    for _ in range(8):
        driver.switch_to.new_window("tab")
        driver.get(dashboard.url + "/runs")
        assert text(chromium, "h1") == "Run control"
    for handle in driver.window_handles:
        if handle != first:
            driver.switch_to.window(handle)
            driver.close()
    driver.switch_to.window(first)


def test_controls_work_without_scripts(dashboard: RealDashboard, chromium: Chromium) -> None:
    driver = chromium.driver
    chromium.scripts(enabled=False)
    try:
        driver.get(dashboard.url + "/runs")
        driver.find_element(By.ID, "ids").send_keys("two")
        driver.find_element(By.ID, "reason").send_keys("they move")
        click(chromium, "Pause these sources")
        told(chromium, "Paused until resumed: two")
        assert "they move" in text(chromium, "#sources ~ .scroll")
        click(chromium, "Resume two")
        told(chromium, "Resumed: two")
        driver.find_element(By.ID, "site").send_keys("127.0.0.9")
        click(chromium, "Pause the site")
        told(chromium, "127.0.0.9 is paused until")
        click(chromium, "Release 127.0.0.9")
        told(chromium, "not paused any more")
        driver.find_element(By.LINK_TEXT, "Refresh").click()
        chromium.until(lambda: words(chromium, "#message") == [""])
        assert text(chromium, "h1") == "Run control"
    finally:
        chromium.scripts(enabled=True)


def test_the_scheduler_is_paused_by_keyboard_alone(
    dashboard: RealDashboard, chromium: Chromium
) -> None:
    driver = chromium.driver
    driver.get(dashboard.url + "/runs")
    for _ in range(60):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        if driver.switch_to.active_element.get_attribute("id") == "scheduler-reason":
            break
    driver.switch_to.active_element.send_keys("an audit", Keys.ENTER)
    told(chromium, "The scheduler is paused")
    click(chromium, "Resume the scheduler")
    told(chromium, "The scheduler is resumed")


def test_all_sources_are_visited_only_after_a_question(
    dashboard: RealDashboard, chromium: Chromium, site: ScriptedServer
) -> None:
    driver = chromium.driver
    driver.get(dashboard.url + "/runs")
    driver.find_element(By.ID, "which-all").click()
    click(chromium, "Schedule once")
    question = chromium.until(lambda: driver.switch_to.alert)
    assert question.text == "Really all 4 active sources?"
    question.dismiss()
    assert text(chromium, "#message") == ""
