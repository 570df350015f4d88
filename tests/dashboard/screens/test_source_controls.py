"""The controls of sources: what they do is seen in the requests of the crawls that follow."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.screens.sources_project import SETTINGS, watched
from tests.servers.dashboard import RealDashboard
from tests.servers.regulations import RegulationSite
from tests.sources.watching import source
from wikicrawler.control.jobs import list_jobs
from wikicrawler.store.database import Database

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.servers.chromium import Chromium

_PATIENCE = 120
FIRST, SECOND = "/1024/1/", "/1024/2/"


@pytest.fixture(scope="module")
def site() -> Iterator[RegulationSite]:
    with RegulationSite(count=2) as server:
        yield server


@pytest.fixture(scope="module")
def running(
    site: RegulationSite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealDashboard]:
    """A dashboard with the sources ``first`` and ``second``, a page each, which were visited.

    They are due a day after a visit or later, whatever the calendar says.
    """
    how: dict[str, Any] = {
        "method": "scrape",
        "frequency": "adaptive",
        "schedule": {"shortest_hours": 24, "longest_hours": 720},
    }
    dashboard = watched(
        tmp_path_factory.mktemp("controls") / "project",
        source(site.url(FIRST), "first", name="First", **how),
        source(site.url(SECOND), "second", name="Second", **how),
    )
    dashboard.scrapy("sources", "run", "--all")
    with dashboard:
        yield dashboard
        wait_for_jobs(dashboard)


def wait_for_jobs(dashboard: RealDashboard) -> None:
    """Wait until no crawl runs that a page started."""
    database = Database(dashboard.settings["WIKICRAWLER_DATABASE_URL"], read_only=True)
    give_up = time.monotonic() + _PATIENCE
    while any(job.ended is None for job in list_jobs(database)):
        assert time.monotonic() < give_up, "a crawl does not end"
        time.sleep(0.2)
    database.close()


def asked_by_the_next_crawl(dashboard: RealDashboard, site: RegulationSite) -> set[str]:
    """The documents that a crawl asks for which visits what is due."""
    site.documents_asked()
    dashboard.scrapy("due")
    return set(site.documents_asked())


def message(dashboard: RealDashboard) -> str:
    """What the next page says of the last control."""
    found = re.search(r'<p class="message[^>]*>(.*?)</p>', dashboard.get("/").text, re.DOTALL)
    return re.sub(r"<[^>]*>", "", found[1]) if found else ""


def test_sources_are_visited_now_from_the_table_by_the_keyboard_alone(
    running: RealDashboard, site: RegulationSite, chromium: Chromium
) -> None:
    site.documents_asked()
    driver = chromium.driver
    chromium.scripts(enabled=False)
    try:
        driver.get(running.url + "/")
        driver.find_element(By.CSS_SELECTOR, "[name=source][value=second]").send_keys(Keys.SPACE)
        driver.find_element(By.CSS_SELECTOR, ".bulk button").send_keys(Keys.ENTER)
        said = chromium.until(lambda: driver.find_element(By.CLASS_NAME, "message"))
        assert said.text == "A crawl of 1 source was started. Run control shows it."
    finally:
        chromium.scripts(enabled=True)
    wait_for_jobs(running)
    assert set(site.documents_asked()) == {SECOND}


def test_a_paused_source_is_not_visited_until_it_is_resumed(
    running: RealDashboard, site: RegulationSite
) -> None:
    at = {"at": "2020-01-01T00:00"}
    running.post("/sources/override", {"source": "first", **at})
    running.post("/sources/override", {"source": "second", **at})
    back = "/sources/first/schedule"
    reason = "the <b>agency</b> asked"
    answer = running.post("/sources/pause", {"source": "first", "reason": reason, "back": back})
    assert (answer.status_code, answer.headers["Location"]) == (303, back)
    page = running.get(back).text
    assert "Paused: first." in page
    assert "the &lt;b&gt;agency&lt;/b&gt; asked" in page
    assert asked_by_the_next_crawl(running, site) == {SECOND}

    running.post("/sources/resume", {"source": "first"})
    assert message(running) == "Resumed: first."
    assert asked_by_the_next_crawl(running, site) == {FIRST}


def test_a_visit_is_set_once_at_a_time_in_utc(running: RealDashboard, site: RegulationSite) -> None:
    assert asked_by_the_next_crawl(running, site) == set()  # neither is due
    running.post("/sources/override", {"source": "first", "at": "2099-12-31T23:30"})
    assert message(running) == "A visit is set for 2099-12-31 23:30 UTC: first."
    assert "once: 2099-12-31 23:30 UTC" in running.get("/sources/first/schedule").text
    running.post("/sources/override", {"source": "second", "at": "2020-01-01T00:00"})
    assert asked_by_the_next_crawl(running, site) == {SECOND}
    assert asked_by_the_next_crawl(running, site) == set()


def test_the_audit_log_says_who_did_it(running: RealDashboard) -> None:
    running.post("/sources/pause", {"source": "second", "reason": "noted"})
    running.post("/sources/resume", {"source": "second"})
    controls = running.scrapy("audit", "--controls")
    assert re.search(r"source\.pause.*second", controls)
    assert "dashboard" in controls


@pytest.mark.parametrize(
    ("path", "fields", "why"),
    [
        ("run", {}, "no source is chosen"),
        ("pause", {"source": "nobody"}, "there is no such source"),
        ("resume", {"source": "../x"}, "there is no such source"),
        ("override", {"source": "first", "at": "soon"}, "is not a time (like 2026-12-01T03:00"),
        ("override", {"source": "first", "at": "0001-01-01T00:00+14:00"}, "is not a time"),
        ("override", {"source": "first", "at": "1960-01-01T00:00"}, "between 1970 and 9999"),
    ],
)
def test_a_wrong_control_says_what_would_be_right(
    running: RealDashboard, path: str, fields: dict[str, str], why: str
) -> None:
    answer = running.post(f"/sources/{path}", fields)
    assert answer.status_code == 303
    assert why in message(running)


@pytest.mark.parametrize("path", ["run", "pause", "resume", "override"])
def test_a_form_of_another_page_changes_nothing(
    running: RealDashboard, site: RegulationSite, path: str
) -> None:
    site.documents_asked()
    fields = {"source": "first", "at": "2020-01-01T00:00", "csrf": "guessed"}
    assert running.post(f"/sources/{path}", fields).status_code == 403
    origin = {"Origin": "http://evil.test"}
    assert running.post(f"/sources/{path}", fields, headers=origin).status_code == 403
    assert running.get(f"/sources/{path}").status_code == 404  # as the page of a source
    wait_for_jobs(running)
    assert site.documents_asked() == {}


def test_a_read_only_dashboard_has_no_controls(running: RealDashboard) -> None:
    with RealDashboard(running.folder, SETTINGS, "--read-only") as only:
        for page in ("/", "/sources/first"):
            assert "/sources/pause" not in only.get(page).text
        csrf = only.csrf("/")
        assert only.post("/sources/pause", {"source": "first", "csrf": csrf}).status_code == 403
