"""Reports with their candidates, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.screens.feeds import (
    crawl_reports,
    hostile_report,
    page_record,
    path_of,
    project,
    report_record,
    written,
)
from tests.dashboard.screens.sources_project import PAYLOAD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver.remote.webelement import WebElement

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """A project with ``reports.jsonl`` of a real crawl, and other feeds beside it."""
    dashboard = project(tmp_path_factory.mktemp("reports") / "project")
    folder = dashboard.folder
    crawl_reports(folder)
    written(folder / "hostile.jsonl", hostile_report())
    none = report_record(error="no candidate is left", candidates=[{"provider": "ir"}])
    written(folder / "mixed.jsonl", none, page_record(), "[]\n", report_record())
    with dashboard:
        yield dashboard


def section(chromium: Chromium, company: str) -> WebElement:
    """The part of the page about *company*."""
    return chromium.driver.find_element(By.XPATH, f"//article[contains(h2, '{company}')]")


def candidates(of: WebElement) -> list[list[str]]:
    return [
        [cell.text for cell in row.find_elements(By.XPATH, "./*")]
        for row in of.find_elements(By.CSS_SELECTOR, ".candidates tbody tr")
    ]


def test_without_a_feed_the_page_says_how_to_get_one(dashboard: RealDashboard) -> None:
    page = dashboard.get("/reports").text
    assert "No feed has records of reports" in page
    assert "scrapy crawl reports" in page


def test_all_candidates_stand_in_order_with_why_each_lost(
    crawled: RealDashboard, chromium: Chromium
) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "reports", "reports.jsonl"))
    hives = section(chromium, "Amber Hives")
    first, second = candidates(hives)
    assert first[0:6:3] == ["1", "2"]
    assert first[4] == "30"
    assert "✖ wrong_type" in first[6]
    assert "of another type than it was offered as: the file is HTML" in first[6]
    assert "line 2 of the catalogue" in first[7]
    assert second[2:5] == ["company_ir", "3", "50"]
    assert "● winner" in second[6]
    assert "proved to be what it claims" in second[6]


def test_the_winner_has_its_document_and_what_verified_it(
    crawled: RealDashboard, chromium: Chromium
) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "reports", "reports.jsonl"))
    facts = section(chromium, "Amber Hives").find_element(By.TAG_NAME, "dl")
    assert "company_ir, rank 2 of 2" in facts.text
    assert "application/pdf, 7.74 kB" in facts.text
    assert "names “Amber Hives” on its cover" in facts.text
    link = facts.find_element(By.TAG_NAME, "a")
    assert link.get_attribute("href").endswith("/files/annual-report-2023.pdf")
    assert link.get_attribute("rel") == "noreferrer noopener"
    apple = section(chromium, "Apple Inc.")
    assert "Apple Inc. (AAPL, CIK 0000320193), fiscal year 2023" in apple.text


def test_what_each_provider_answered_stands_below(
    crawled: RealDashboard, chromium: Chromium
) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "reports", "reports.jsonl"))
    text = section(chromium, "Amber Hives").find_elements(By.TAG_NAME, "table")[1].text
    assert "sec_edgar 1 ○ not_found\nno company is named 'Amber Hives'" in text
    assert "company_ir 3 ● answered 1" in text


def test_a_report_without_a_winner_says_why(crawled: RealDashboard) -> None:
    page = crawled.get(path_of(crawled, "reports", "mixed.jsonl")).text
    assert "no candidate is left" in page
    assert "not tried" in page
    assert "No provider offered a document." in page


def test_other_records_of_the_feed_are_told(crawled: RealDashboard) -> None:
    path = path_of(crawled, "reports", "mixed.jsonl")
    page = crawled.get(path).text
    assert f'<a href="{path.replace("reports", "fields")}">fields</a>' in page
    assert "<bdi>the line is not a record</bdi>" in page
    assert crawled.get(path.replace("reports", "fields")).status_code == 200


@pytest.mark.parametrize("name", ["reports.jsonl", "hostile.jsonl", "mixed.jsonl", ""])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_pages_are_accessible(
    crawled: RealDashboard, axe: Chromium, width: int, scheme: str, name: str
) -> None:
    axe.size(width)
    axe.media(prefers_color_scheme=scheme)
    axe.driver.get(crawled.url + (path_of(crawled, "reports", name) if name else "/reports"))
    assert axe.axe() == []
    assert axe.violations() == []
    assert axe.driver.execute_script("return document.documentElement.scrollWidth") <= width


def test_a_hostile_record_is_text(crawled: RealDashboard, chromium: Chromium) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "reports", "hostile.jsonl"))
    assert PAYLOAD in chromium.driver.find_element(By.TAG_NAME, "h2").text
    assert PAYLOAD in chromium.driver.find_element(By.CSS_SELECTOR, ".candidates td").text
    assert chromium.driver.execute_script("return window.ran") is None
    assert chromium.violations() == []
    source = chromium.driver.page_source
    assert 'href="javascript' not in source
    assert 'href="../' not in source
    assert not set("\u202e\u2066\x1b") & set(source)


def test_a_report_is_reached_without_scripts_by_the_keyboard_alone(
    crawled: RealDashboard, chromium: Chromium
) -> None:
    chromium.scripts(enabled=False)
    try:
        driver = chromium.driver
        driver.get(crawled.url + "/reports")
        driver.find_element(By.XPATH, "//a[contains(., 'reports.jsonl')]").send_keys(Keys.ENTER)
        chromium.until(lambda: driver.find_element(By.TAG_NAME, "h1").text == "reports.jsonl")
        region = driver.find_element(By.CSS_SELECTOR, "article .scroll")
        driver.execute_script("arguments[0].focus()", region)
        assert driver.switch_to.active_element == region
    finally:
        chromium.scripts(enabled=True)
