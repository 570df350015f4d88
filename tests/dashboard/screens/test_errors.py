"""What failed, and why."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.audit.samples import operation, write
from tests.dashboard.screens.failing import (
    HOSTILE,
    add_hostile,
    copy_of,
    database_of,
    rows_of,
    run_by,
)
from wikicrawler.sources.overview.error_rows import MAX_FETCHES
from wikicrawler.store.audit_chain import KeptResponse, head

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard

CAUSES = "Failures by cause"
EACH = "Failures one by one"


@pytest.fixture(scope="module")
def failed(failed_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """The dashboard of a project whose crawl failed."""
    with copy_of(failed_crawl, tmp_path_factory.mktemp("errors") / "project") as running:
        yield running


@pytest.fixture(scope="module")
def hostile(
    failed_crawl: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealDashboard]:
    """The same with strangers' texts in each field."""
    made = copy_of(failed_crawl, tmp_path_factory.mktemp("hostile") / "project")
    add_hostile(made)
    with made as running:
        yield running


def test_failures_are_grouped_by_their_cause(failed: RealDashboard) -> None:
    rows = rows_of(failed.get("/errors").text, CAUSES)
    limited = next(row for row in rows if "rate_limited" in row)
    assert "429 127.0.0.1" in limited
    assert "slow-down (3)" in limited
    assert " 3 failures, one by one 3 3 " in limited  # failures, not resolved, retries
    assert any("forbidden" in row and "403" in row for row in rows)
    assert any("http_error" in row and "500" in row and "broken (2)" in row for row in rows)
    assert any("missing" in row and "404" in row for row in rows)
    assert any("network" in row and "dropped (2)" in row for row in rows)


def test_the_most_severe_come_first(failed: RealDashboard) -> None:
    severities = [row.split()[1] for row in rows_of(failed.get("/errors").text, CAUSES)]
    assert severities == sorted(severities)  # high, warning
    assert set(severities) == {"high", "warning"}
    each = rows_of(failed.get("/errors?view=each").text, EACH)
    assert [row.split()[1] for row in each] == sorted(row.split()[1] for row in each)


def test_the_latest_come_first_if_wanted(failed: RealDashboard) -> None:
    page = html.fromstring(failed.get("/errors?view=each&sort=last").text)
    times = page.xpath(f"//div[@aria-label='{EACH}']//td/time/@datetime")
    assert len(times) > 5
    assert times == sorted(times, reverse=True)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("source=denied", {"denied"}),
        ("status=404", {"gone"}),
        ("engine=http&status=500", {"broken"}),
        ("engine=nobody", set()),
        ("site=127.0.0.1&severity=high", {"denied"}),
        ("cause=rate_limited", {"slow-down"}),
        ("text=SLOW-down", {"slow-down"}),
        ("text=nothing-like-it", set()),
        ("resolved=yes", set()),
        ("until=2020-01-01", set()),
        ("since=2020-01-01&source=gone", {"gone"}),
    ],
)
def test_filters_restrict_what_is_shown_and_exported(
    failed: RealDashboard, asked: str, expected: set[str]
) -> None:
    page = failed.get(f"/errors?view=each&{asked}").text
    shown = html.fromstring(page).xpath(f"//div[@aria-label='{EACH}']//td[5]")
    assert {cell.text_content().strip() for cell in shown} == expected
    lines = failed.get(f"/errors/export?format=jsonl&{asked}").text.splitlines()
    assert {json.loads(line)["source"] for line in lines} == expected


def test_a_wrong_filter_is_named_and_kept(failed: RealDashboard) -> None:
    answer = failed.get("/errors?status=abc&since=2026-13-01&severity=loud&source=gone")
    assert answer.status_code == 400
    page = html.fromstring(answer.text)
    said = page.xpath("//*[@role='alert']")[0].text_content()
    assert "status: 'abc' is not a whole number from 100 to 999" in said
    assert "since: '2026-13-01' is not a day (like 2026-02-13)" in said
    assert "severity: 'loud' is not one of high, warning, info" in said
    assert page.xpath("string(//input[@name='status']/@value)") == "abc"
    assert page.xpath("string(//input[@name='source']/@value)") == "gone"
    assert failed.get("/errors/export?status=abc").status_code == 400


def test_days_in_the_wrong_order_are_named(failed: RealDashboard) -> None:
    answer = failed.get("/errors?since=2026-02-02&until=2026-02-01")
    assert "since: 2026-02-02 is after until: 2026-02-01" in answer.text


def test_a_failure_leads_to_its_response(failed: RealDashboard) -> None:
    each = html.fromstring(failed.get("/errors?view=each&status=403&engine=http").text)
    (link,) = each.xpath(f"//div[@aria-label='{EACH}']//td[last()]/a")
    assert link.get("href").endswith("#response")
    record = html.fromstring(failed.get(link.get("href")).text)
    body = record.xpath("//pre[starts-with(@aria-label, 'Body')]")[0].text_content()
    assert body.startswith("<h1>Denied</h1><script>")
    assert "\\u202egnp.exe" in body
    assert body.endswith("<b>tail</b>")
    headers = {
        row.xpath("string(th)").strip().lower(): row.xpath("string(td)").strip()
        for row in record.xpath("//section[@aria-label]//tbody/tr")
    }
    assert headers["via"] == "<script>alert(1)</script>"
    assert headers["set-cookie"] == "***"
    assert "a=secret" not in record.text_content()


def test_a_long_response_is_cut(failed_crawl: Path, tmp_path: Path) -> None:
    made = copy_of(failed_crawl, tmp_path / "project")
    database = database_of(made)
    kept = KeptResponse([(f"x-{n}", "y" * 9000) for n in range(150)], b"<b>" * 40_000, 500_000)
    write(database, operation(1, run="long", status=500, response=kept), run="long")
    with database.read() as connection:
        last = head(connection).sequence
    database.close()
    with made as running:
        page = html.fromstring(running.get(f"/audit/{last}").text)
    body = page.xpath("//pre[starts-with(@aria-label, 'Body')]")[0].text_content()
    assert len(body) == 20_001
    assert "the first 20 kB of 500 kB" in page.text_content()
    rows = page.xpath("//section[@aria-label]//tbody/tr")
    assert len(rows) == 100
    assert max(len(row.text_content()) for row in rows) < 1100


class TestExport:
    def test_csv_has_no_formula(self, hostile: RealDashboard) -> None:
        answer = hostile.get("/errors/export?format=csv")
        assert answer.headers["Content-Type"].startswith("text/csv")
        assert answer.headers["Content-Disposition"] == (
            'attachment; filename="wikicrawler-errors.csv"'
        )
        rows = list(csv.DictReader(io.StringIO(answer.text)))
        assert len(rows) > len(HOSTILE)
        cells = [cell for row in rows for cell in row.values()]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
        assert {'\'=HYPERLINK("http://evil.test")', "'@SUM(1)", "'+1-1"} <= set(cells)
        assert all(cell.isprintable() for cell in cells)

    def test_json_lines_are_whole(self, hostile: RealDashboard) -> None:
        answer = hostile.get("/errors/export?format=jsonl&source=%2B1-1")
        (row,) = map(json.loads, answer.text.splitlines())
        assert (row["source"], row["error"], row["engine"]) == ("+1-1", "+1-1", "+1-1")
        assert answer.headers["Content-Disposition"].endswith('"wikicrawler-errors.jsonl"')

    def test_more_than_a_page_looks_at_is_exported_in_parts(
        self, failed_crawl: Path, tmp_path: Path
    ) -> None:
        made = copy_of(failed_crawl, tmp_path / "project")
        database = database_of(made)
        for run in range(3):
            entries = [operation(n, run=f"many{run}", status=500) for n in range(1, 2001)]
            write(database, *entries, run=f"many{run}")
        database.close()
        with made as running:
            path = "/errors/export?format=jsonl&source=reg-x&since=2026-02-01&until=2026-02-28"
            answer = running.get(path, stream=True, headers={"Accept-Encoding": "identity"})
            assert answer.headers["Transfer-Encoding"] == "chunked"
            lines = answer.content.splitlines()
            shown = running.get(path.replace("/export", "")).text
        assert len({json.loads(line)["sequence"] for line in lines}) == 6000
        assert f"Only the latest {MAX_FETCHES:,} requests" in shown


@pytest.mark.parametrize("path", ["/errors", "/errors?view=each"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_strangers_texts_are_inert_and_the_page_accessible(
    hostile: RealDashboard, axe: Chromium, path: str, scheme: str, width: int
) -> None:
    axe.size(width)
    axe.media(prefers_color_scheme=scheme)
    axe.driver.get(hostile.url + path)
    assert axe.axe() == []
    assert run_by(axe) == []
    assert axe.driver.execute_script("return document.documentElement.scrollWidth") <= width


def test_links_to_strangers_pages_tell_them_nothing(hostile: RealDashboard) -> None:
    page = html.fromstring(hostile.get("/errors?view=each").text)
    outside = page.xpath("//main//a[not(starts-with(@href, '/'))]")
    assert outside
    for link in outside:
        assert link.get("href").startswith(("http://", "https://", "#"))
        assert link.get("href").startswith("#") or link.get("rel") == "noreferrer noopener"


def test_the_page_works_without_scripts(failed: RealDashboard, chromium: Chromium) -> None:
    driver = chromium.driver
    chromium.size(1280)
    chromium.scripts(enabled=False)
    try:
        driver.get(failed.url + "/errors")
        driver.find_element(By.NAME, "source").send_keys("gone")
        driver.find_element(By.XPATH, "//button[text()='Filter']").click()
        chromium.until(lambda: "source=gone" in driver.current_url)
        driver.find_element(By.LINK_TEXT, "One by one").click()
        chromium.until(lambda: driver.find_element(By.CSS_SELECTOR, f"[aria-label='{EACH}']"))
        rows = rows_of(driver.page_source, EACH)
        assert rows
        assert all("gone" in row for row in rows)
    finally:
        chromium.scripts(enabled=True)


def test_the_page_is_used_by_keyboard_alone(failed: RealDashboard, chromium: Chromium) -> None:
    chromium.size(1280)
    chromium.driver.get(failed.url + "/errors")
    for _ in range(40):
        chromium.driver.switch_to.active_element.send_keys(Keys.TAB)
        if chromium.driver.switch_to.active_element.get_attribute("name") == "text":
            break
    chromium.driver.switch_to.active_element.send_keys("slow-down" + Keys.ENTER)
    chromium.until(lambda: "text=slow-down" in chromium.driver.current_url)
    for _ in range(60):
        chromium.driver.switch_to.active_element.send_keys(Keys.TAB)
        if chromium.driver.switch_to.active_element.text.startswith("Record"):
            break
    chromium.driver.switch_to.active_element.send_keys(Keys.ENTER)
    chromium.until(lambda: "/audit/" in chromium.driver.current_url)


def test_a_project_without_failures_says_where_they_come_from(dashboard: RealDashboard) -> None:
    page = dashboard.get("/errors").text
    assert "Nothing failed" in page
    assert "WIKICRAWLER_AUDIT" in page
    assert dashboard.get("/errors/export?format=jsonl").text == ""
