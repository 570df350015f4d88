"""Extracted fields with their evidence, in a real browser."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.screens.feeds import (
    crawl_fields,
    hostile_page,
    page_record,
    path_of,
    project,
    report_record,
    written,
)
from tests.dashboard.screens.sources_project import PAYLOAD
from wikicrawler.dashboard.screens.fields import REASONS
from wikicrawler.fields.evidence.search import Missing
from wikicrawler.fields.values.rejections import Rejection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selenium.webdriver.remote.webelement import WebElement

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """A project with ``fields.jsonl`` of a real crawl, and hostile feeds beside it."""
    dashboard = project(tmp_path_factory.mktemp("fields") / "project")
    crawl_fields(dashboard)
    folder = dashboard.folder
    written(folder / "hostile.jsonl", hostile_page())
    many = (page_record(url=f"https://a.test/{number}") for number in range(25))
    written(folder / "many.jsonl", *many)
    torn = page_record(url="https://a.test/torn", content="x" * (10 << 20))
    too_long = '{"type": "page", "x": "' + "y" * (17 << 20) + '"}\n'
    lines = (page_record(), "{\n", torn, too_long, report_record(), '{"type": "page", "da')
    written(folder / "broken.jsonl", *lines)
    with dashboard:
        yield dashboard


def section(chromium: Chromium, url: str) -> WebElement:
    """The part of the page about *url*."""
    return chromium.driver.find_element(By.XPATH, f"//article[contains(h2, '{url}')]")


def rows(of: WebElement) -> dict[str, list[str]]:
    """The cells of each field."""
    return {
        row.find_element(By.TAG_NAME, "th").text: [
            cell.text for cell in row.find_elements(By.TAG_NAME, "td")
        ]
        for row in of.find_elements(By.CSS_SELECTOR, "tbody tr")
    }


def test_without_a_feed_the_page_says_how_to_get_one(dashboard: RealDashboard) -> None:
    page = dashboard.get("/fields").text
    assert "No feed has records of fields" in page
    assert "scrapy crawl fields" in page


def test_values_that_a_page_states_for_machines_cost_nothing(
    crawled: RealDashboard, chromium: Chromium
) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "fields", "fields.jsonl"))
    hive = section(chromium, "/hive")
    name, price, sku = (rows(hive)[field] for field in ("name", "price", "sku"))
    assert name[0] == "The larch hive"
    assert name[2] == "100 %"
    assert "structured" in name[3]
    assert "● value" in price[1]
    assert price[0] == "249.0"
    assert "json-ld[0]" in sku[4]
    assert "missing" in rows(hive)["founded"][1]


def test_evidence_is_highlighted_in_the_text_around_it(
    crawled: RealDashboard, chromium: Chromium
) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "fields", "fields.jsonl"))
    about = section(chromium, "/about")
    quote = about.find_element(By.XPATH, ".//tr[th='price']//q")
    assert quote.find_element(By.TAG_NAME, "mark").text == "Price: 14.50 EUR"
    assert "long enough to be read" in quote.text
    assert "Founded: 1987" in quote.text
    assert "unknown: 1 request to the model, " in about.text
    assert rows(about)["founded"][0] == "1987"


def test_a_rejected_value_stands_there_with_the_reason(
    crawled: RealDashboard, chromium: Chromium
) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "fields", "fields.jsonl"))
    price = section(chromium, "/invented").find_element(By.XPATH, ".//tr[th='price']")
    assert "✖ rejected" in price.text
    assert "quote_not_found: the page does not have the text" in price.text
    assert price.find_element(By.TAG_NAME, "s").text == "99"


def test_each_reason_has_words() -> None:
    assert set(REASONS) == {*Missing, *Rejection}


def test_a_page_that_was_not_read_says_why(crawled: RealDashboard, chromium: Chromium) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "fields", "fields.jsonl"))
    gone = section(chromium, "/gone")
    assert "✖ not read" in gone.text
    assert "404" in gone.text


def test_the_text_that_was_read_opens_at_an_evidence_by_the_keyboard_alone(
    crawled: RealDashboard, chromium: Chromium
) -> None:
    chromium.scripts(enabled=False)
    try:
        chromium.driver.get(crawled.url + path_of(crawled, "fields", "fields.jsonl"))
        about = section(chromium, "/about")
        link = about.find_element(By.XPATH, ".//tr[th='founded']//a")
        mark = about.find_element(By.ID, link.get_attribute("href").partition("#")[2])
        assert not mark.is_displayed()
        link.send_keys(Keys.ENTER)
        chromium.until(mark.is_displayed)
        assert mark.text == "Founded: 1987"
        assert mark.get_attribute("data-note") == "founded"
    finally:
        chromium.scripts(enabled=True)


@pytest.mark.parametrize("name", ["fields.jsonl", "hostile.jsonl", "broken.jsonl", ""])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_pages_are_accessible(
    crawled: RealDashboard, axe: Chromium, width: int, scheme: str, name: str
) -> None:
    axe.size(width)
    axe.media(prefers_color_scheme=scheme)
    axe.driver.get(crawled.url + (path_of(crawled, "fields", name) if name else "/fields"))
    axe.driver.execute_script("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert axe.axe() == []
    assert axe.violations() == []
    assert axe.driver.execute_script("return document.documentElement.scrollWidth") <= width


def test_a_hostile_record_is_text(crawled: RealDashboard, chromium: Chromium) -> None:
    chromium.driver.get(crawled.url + path_of(crawled, "fields", "hostile.jsonl"))
    row = chromium.driver.find_element(By.CSS_SELECTOR, "tbody tr")
    assert PAYLOAD in row.find_element(By.TAG_NAME, "th").text
    assert PAYLOAD in row.find_element(By.TAG_NAME, "mark").text
    assert chromium.driver.execute_script("return window.ran") is None
    assert chromium.violations() == []
    source = chromium.driver.page_source
    assert 'href="javascript' not in source
    assert not set("\u202e\u2066\x1b") & set(source)
    assert "{{7*7}}" in source


def test_lines_that_are_no_records_are_told_and_the_rest_is_shown(crawled: RealDashboard) -> None:
    page = crawled.get(path_of(crawled, "fields", "broken.jsonl")).text
    told = re.findall(r"Line (\d+):\s+(.*)</p>", page)
    assert [number for number, _ in told] == ["2", "4", "5"]
    assert "the line is not JSON" in told[0][1]
    assert "more than 16 MiB" in told[1][1]
    assert re.search(r'a record of <a href="/reports/\w+">reports</a>', told[2][1])
    assert "https://a.test/torn" in page
    assert "The last line has no end" in page


def test_pages_of_a_feed_follow_each_other(crawled: RealDashboard) -> None:
    path = first = path_of(crawled, "fields", "many.jsonl")
    urls: list[str] = []
    while path:
        page = crawled.get(path).text
        urls += re.findall(r'href="https://a.test/(\d+)"', page)
        following = re.search(r'rel="next" href="([^"]+)"', page)
        path = following[1] if following else ""
    assert urls == [str(number) for number in range(25)]
    assert f'<a href="{first}">First records</a>' in page


@pytest.mark.parametrize("at", ["x", "1", "1-2-3", "-1-1", "1-" + "9" * 16, "٣-1"])
def test_a_wrong_place_says_what_would_be_right(crawled: RealDashboard, at: str) -> None:
    answer = crawled.get(path_of(crawled, "fields", "many.jsonl"), params={"at": at})
    assert answer.status_code == 400
    assert "is not a place in a feed (like 5120-4)" in answer.text


def test_a_place_behind_the_end_has_no_records(crawled: RealDashboard) -> None:
    path = path_of(crawled, "fields", "many.jsonl")
    answer = crawled.get(path, params={"at": "999999999999999-1"})
    assert answer.status_code == 200
    assert "No more records" in answer.text


def test_a_file_is_named_by_its_token_only(crawled: RealDashboard) -> None:
    for name in ("fields.jsonl", "..%2Ffields.jsonl", "%2Fetc%2Fpasswd", "0" * 16, "%00"):
        answer = crawled.get(f"/fields/{name}")
        assert answer.status_code == 404
        assert "root:" not in answer.text
