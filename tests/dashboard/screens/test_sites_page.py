"""The screens of sites in a browser."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.screens.crawled import crawl, project_of, serve_firecrawl, serve_pages
from tests.dashboard.screens.watched import accessible, click, words
from wikicrawler import options
from wikicrawler.store.database import Database
from wikicrawler.store.sites import SitePause, TierChange, add_changes, note_sites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard

SITE = "127.0.0.1"
HOSTILE = "\"><img src=x onerror=document.title='run'>"


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    with serve_pages() as site, serve_firecrawl() as firecrawl:
        made = project_of(tmp_path_factory.mktemp("page") / "project", site, firecrawl)
        crawl(made)
    database = Database(str(made.settings[options.DATABASE_URL.name]))
    now = time.time()
    with database.write() as connection:
        pause = SitePause(now, HOSTILE, now + 9_000, 2, HOSTILE)
        note_sites(connection, [(HOSTILE, now)], [pause])
        add_changes(connection, 9, [(1, TierChange(now, SITE, SITE, "http", 0.3, better=True))])
    database.close()
    with made as running:
        yield running


def main_text(browser: Chromium) -> str:
    script = "return (document.getElementById('main') || {}).innerText || ''"
    return str(browser.driver.execute_script(script))  # at once: the page may be changing


@pytest.mark.parametrize(
    "path",
    [
        "/sites",
        f"/sites/{SITE}",
        f"/sites/{SITE}/learned",
        f"/sites/{quote(HOSTILE)}",
        "/sites/why",
        f"/sites/why?url=http://{SITE}/app-1",
        f"/sites/why?url={quote(HOSTILE)}",
        f"/sites/why?url={quote('https://evil.test/' + HOSTILE)}",
        "/sites?q=nothing-like-it",
    ],
)
def test_each_page_is_accessible_and_nothing_of_strangers_runs(
    dashboard: RealDashboard, axe: Chromium, path: str
) -> None:
    axe.driver.get(dashboard.url + path)
    if path == f"/sites/{SITE}":
        axe.until(lambda: "Last attempts" in main_text(axe))
    accessible(axe)
    assert axe.driver.title != "run"


def test_what_was_learned_follows_where_scripts_run_and_is_a_link_elsewhere(
    dashboard: RealDashboard, chromium: Chromium
) -> None:
    chromium.driver.get(f"{dashboard.url}/sites/{SITE}")
    chromium.until(lambda: "P(SUCCESS)" in main_text(chromium).upper())
    assert len(chromium.driver.find_elements(By.ID, "learned")) == 1
    chromium.scripts(enabled=False)
    try:
        chromium.driver.get(f"{dashboard.url}/sites/{SITE}")
        assert "Last attempts" not in main_text(chromium)
        chromium.driver.find_element(By.PARTIAL_LINK_TEXT, "Estimates, results").click()
        chromium.until(lambda: "Last attempts" in main_text(chromium))
    finally:
        chromium.scripts(enabled=True)


@pytest.mark.parametrize("enabled", [True, False])
def test_a_site_is_paused_and_released_by_keyboard(
    dashboard: RealDashboard, chromium: Chromium, *, enabled: bool
) -> None:
    chromium.scripts(enabled=enabled)
    try:
        chromium.driver.get(f"{dashboard.url}/sites/{SITE}")
        chromium.driver.find_element(By.ID, "seconds").send_keys("6 hours", Keys.TAB)
        field = chromium.driver.switch_to.active_element
        assert field.get_attribute("name") == "reason"
        field.send_keys("maintenance", Keys.TAB)
        chromium.driver.switch_to.active_element.send_keys(Keys.ENTER)
        chromium.until(lambda: "is paused until" in main_text(chromium))
        assert chromium.driver.current_url.endswith(f"/sites/{SITE}")
        assert "paused by a person" in main_text(chromium)
        assert "maintenance" in main_text(chromium)
        click(chromium, f"Release {SITE}")
        chromium.until(lambda: "is not paused any more" in main_text(chromium))
        assert "paused by a person" not in main_text(chromium)
    finally:
        chromium.scripts(enabled=True)


def test_the_list_follows_what_is_typed(dashboard: RealDashboard, chromium: Chromium) -> None:
    chromium.driver.get(f"{dashboard.url}/sites")
    field = chromium.driver.find_element(By.ID, "q")
    field.send_keys("127")
    chromium.until(lambda: "q=127" in chromium.driver.current_url)
    chromium.until(lambda: "\n1 site\n" in main_text(chromium))
    assert chromium.driver.switch_to.active_element == field
    assert chromium.violations() == []


def test_a_url_is_explained_from_the_list(dashboard: RealDashboard, chromium: Chromium) -> None:
    chromium.driver.get(f"{dashboard.url}/sites")
    chromium.driver.find_element(By.ID, "url").send_keys(f"http://{SITE}/app-2", Keys.ENTER)
    chromium.until(lambda: "A crawl tries in this order" in main_text(chromium))
    steps = words(chromium, ".steps li")
    assert [step.split()[0] for step in steps] == ["http", "firecrawl"]
