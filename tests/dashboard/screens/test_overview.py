"""The table of all sources, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.screens.sources_project import PAYLOAD, watched
from tests.sources.watching import source

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard
    from tests.servers.postgres import RealPostgres

COUNT = 250


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """250 sources, of which ``s-007`` is paused by an operator and ``s-008`` by the manifest."""
    sources = [
        source(
            f"http://agency{number % 5}.example/{number}",
            f"s-{number:03}",
            name=f"Rules {number}",
            citation="Part A",
            jurisdiction="federal" if number % 10 else "state",
            priority=("high", "medium", "low")[number % 3],
            status="paused" if number == 8 else "active",
        )
        for number in range(COUNT)
    ]
    sources[9]["name"] = PAYLOAD
    sources[9]["citation"] = "{{7*7}} \u202etxt"
    dashboard = watched(tmp_path_factory.mktemp("many") / "project", *sources)
    dashboard.scrapy("sources", "pause", "s-007", "--why", "they asked us to")
    with dashboard:
        yield dashboard


def names(page: str) -> list[str]:
    """The ids of the sources of a page, in its order."""
    return re.findall(r'href="/sources/(s-\d+)"', page)


def test_without_a_manifest_the_page_says_how_to_get_one(dashboard: RealDashboard) -> None:
    page = dashboard.get("/").text
    assert "No manifest is active" in page
    assert "scrapy manifest activate FILE" in page


def test_a_page_has_100_sources_and_links_to_the_next(many: RealDashboard) -> None:
    page = many.get("/").text
    assert names(page) == [f"s-{number:03}" for number in range(100)]
    assert "250 of 250 sources" in page
    assert "Page 1 of 3" in page
    assert names(many.get("/?page=3").text)[-1] == "s-249"


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("status=paused", ["s-007", "s-008"]),
        ("status=pending&q=rules+24&priority=high", ["s-024", "s-240", "s-243", "s-246", "s-249"]),
        ("jurisdiction=state&priority=high&q=agency0", [f"s-{n:03}" for n in range(0, 250, 30)]),
        ("regulatory_domain=TILA", []),
        ("source_type=regulation&q=S-249", ["s-249"]),
    ],
)
def test_filters_are_a_form_of_the_address(
    many: RealDashboard, asked: str, found: list[str]
) -> None:
    assert names(many.get(f"/?{asked}").text) == found


def test_counts_by_status_are_links_that_filter(many: RealDashboard) -> None:
    counts = re.findall(
        r'class="count" href="([^"]+)".*?</span> (\w+)</span> (\d+)', many.get("/").text
    )
    assert {word: int(count) for _, word, count in counts} == {
        "running": 0,
        "paused": 2,
        "pending": 248,
        "failed": 0,
        "changed": 0,
        "ok": 0,
    }
    links = {word: link for link, word, _ in counts}
    assert names(many.get(f"/{links['paused']}").text) == ["s-007", "s-008"]


@pytest.mark.parametrize(
    "key",
    [
        *("name", "status", "priority", "last_visit", "next_visit"),
        *("hash", "engine", "credits", "changes", "failures"),
    ],
)
def test_each_column_sorts_in_both_directions(many: RealDashboard, key: str) -> None:
    up, down = many.get(f"/?sort={key}").text, many.get(f"/?sort={key}&desc=1").text
    assert 'aria-sort="ascending"' in up
    assert 'aria-sort="descending"' in down
    assert len(names(up)) == len(names(down)) == 100


def test_a_sort_by_priority_begins_with_the_highest(many: RealDashboard) -> None:
    assert names(many.get("/?sort=priority").text)[:2] == ["s-000", "s-003"]
    assert names(many.get("/?sort=priority&desc=1").text)[:2] == ["s-002", "s-005"]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("status=fine", "is not one of running, paused"),
        ("sort=colour", "is not one of manifest, id"),
        ("page=x", "is not a number of a page"),
        ("page=99999999999999999999", "is not a number of a page"),
    ],
)
def test_a_wrong_parameter_says_what_would_be_right(
    many: RealDashboard, asked: str, why: str
) -> None:
    answer = many.get(f"/?{asked}")
    assert answer.status_code == 400
    assert why in answer.text


def test_why_a_source_is_paused_stands_beside_its_status(many: RealDashboard) -> None:
    page = many.get("/?status=paused").text
    assert "they asked us to" in page
    assert "its status in the manifest is paused" in page


def test_a_source_that_is_not_active_has_no_controls(many: RealDashboard) -> None:
    page = many.get("/sources/s-008").text
    assert "Its status in the manifest is paused" in page
    assert "/sources/pause" not in page
    assert "/sources/pause" in many.get("/sources/s-007").text


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_is_accessible(
    many: RealDashboard, axe: Chromium, scheme: str, width: int
) -> None:
    axe.size(width)
    axe.media(prefers_color_scheme=scheme)
    axe.driver.get(many.url + "/?q=rules+1&jurisdiction=state")
    assert axe.axe() == []
    assert axe.violations() == []
    assert axe.driver.execute_script("return document.documentElement.scrollWidth") <= width


def test_the_list_follows_what_one_types(many: RealDashboard, chromium: Chromium) -> None:
    driver = chromium.driver
    driver.get(many.url + "/")
    field = driver.find_element(By.ID, "q")
    field.send_keys("rules 249")
    chromium.until(lambda: "q=rules%20249" in driver.current_url)
    chromium.until(lambda: driver.find_element(By.ID, "found").text == "1 of 250 sources")
    chromium.until(lambda: names(driver.page_source) == ["s-249"])
    assert driver.switch_to.active_element == field
    assert chromium.violations() == []


def test_the_filters_work_without_scripts_by_the_keyboard_alone(
    many: RealDashboard, chromium: Chromium
) -> None:
    driver = chromium.driver
    chromium.scripts(enabled=False)
    try:
        driver.get(many.url + "/")
        driver.find_element(By.ID, "q").send_keys("rules 249", Keys.ENTER)
        chromium.until(lambda: "q=rules+249" in driver.current_url)
        assert names(driver.page_source) == ["s-249"]
    finally:
        chromium.scripts(enabled=True)


def test_enter_in_a_field_of_the_table_sends_nothing(
    many: RealDashboard, chromium: Chromium
) -> None:
    driver = chromium.driver
    driver.get(many.url + "/?q=rules+249")
    driver.execute_script(
        "window.sent = []; document.querySelector('form[method=post]').addEventListener('submit',"
        " (event) => { if (event.submitter.formMethod === 'dialog') return;"
        " event.preventDefault(); window.sent.push(event.submitter.textContent); });"
    )
    driver.find_element(By.NAME, "source").send_keys(Keys.SPACE, Keys.ENTER)
    reason = driver.find_element(By.ID, "reason")
    reason.send_keys("because", Keys.ENTER, Keys.TAB)
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert driver.execute_script("return window.sent") == ["Pause"]
    assert reason.get_attribute("value") == "because"  # of the same page


def test_all_boxes_are_ticked_by_one(many: RealDashboard, chromium: Chromium) -> None:
    driver = chromium.driver
    driver.get(many.url + "/?jurisdiction=state")
    driver.find_element(By.CSS_SELECTOR, "[data-all=source]").send_keys(Keys.SPACE)
    boxes = driver.find_elements(By.NAME, "source")
    assert len(boxes) == 25
    assert all(box.is_selected() for box in boxes)


def test_a_hostile_name_is_text(many: RealDashboard, chromium: Chromium) -> None:
    chromium.driver.get(many.url + "/?q=s-009")
    row = chromium.driver.find_element(By.CSS_SELECTOR, "tbody th")
    assert PAYLOAD in row.text
    assert chromium.driver.execute_script("return window.ran") is None
    assert chromium.violations() == []
    assert "{{7*7}}" not in chromium.driver.page_source  # the citation has no place in the table


def test_sources_in_postgresql_are_shown_and_paused(postgres: RealPostgres, tmp_path: Path) -> None:
    url = postgres.empty_database()
    with watched(
        tmp_path / "project",
        source("http://a.example/", "s-000"),
        WIKICRAWLER_DATABASE_URL=url,
    ) as dashboard:
        dashboard.post("/sources/pause", {"source": "s-000", "reason": "no credits left"})
        for path in ("/?sort=changes&desc=1", "/?sort=next_visit", "/sources/s-000"):
            assert "no credits left" in dashboard.get(path).text
        for tab in ("documents", "versions", "calendar", "errors", "schedule", "entry"):
            assert dashboard.get(f"/sources/s-000/{tab}").status_code == 200
