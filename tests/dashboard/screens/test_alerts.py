"""Alerts, and what operators do about them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from lxml import html
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.dashboard.screens.failing import HOSTILE, copy_of, database_of, rows_of, run_by
from wikicrawler.sources.alerts.book import AlertBook, Problem
from wikicrawler.sources.alerts.channels import Channel
from wikicrawler.sources.alerts.events import SEVERITIES, AlertEvent
from wikicrawler.store.alert_deliveries import deliveries_of, note_delivered, note_failed
from wikicrawler.store.alerts import find_alerts
from wikicrawler.store.audit_queries import Wanted, find_controls
from wikicrawler.store.tables import alerts as alerts_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from requests import Response

    from tests.servers.chromium import Chromium
    from tests.servers.dashboard import RealDashboard

CHANNEL = "jsons://hooks.example.org"
SECRET = "jsons://ann:hunter2hunter2@hooks.example.org/T0KEN"  # noqa: S105
DAY = 86_400


@pytest.fixture(scope="module")
def seen(failed_crawl: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealDashboard]:
    """A dashboard with the alerts of a crawl, ``blocked`` and ``moved``, and with one more whose
    message arrived at one channel only, to look at."""
    with with_alerts(failed_crawl, tmp_path_factory.mktemp("alerts") / "project") as running:
        yield running


@pytest.fixture
def alerted(failed_crawl: Path, tmp_path: Path) -> Iterator[RealDashboard]:
    """The same, to change."""
    with with_alerts(failed_crawl, tmp_path / "project") as running:
        yield running


def with_alerts(crawled: Path, folder: Path) -> RealDashboard:
    made = copy_of(crawled, folder, WIKICRAWLER_ALERT_REMINDER_DAYS=2)
    made.environment["WIKICRAWLER_ALERTS"] = SECRET
    database = database_of(made)
    channels = [Channel(CHANNEL, SECRET), Channel("mailtos://smtp.example.org:587", "mailtos://x")]
    AlertBook(database, channels, SEVERITIES).report(
        Problem(AlertEvent.PAUSED, "broken", "five visits failed", "http://127.0.0.1/broken")
    )
    with database.write() as connection:
        first = find_alerts(connection, only_open=True, subject="broken")[0].id
        delivered, failed = deliveries_of(connection, [first])[first]
        note_delivered(connection, delivered.id, 1_790_000_000.0)
        note_failed(connection, failed.id, "535 log-in refused")
    database.close()
    return made


def titles(page: str) -> list[str]:
    """The titles of the alerts of a page."""
    return [
        " ".join(found.text_content().split())
        for found in html.fromstring(page).xpath("//article/h2")
    ]


def number_of(running: RealDashboard, subject: str) -> int:
    with database_of(running).read() as connection:
        return find_alerts(connection, subject=subject)[0].id


def resolve(running: RealDashboard, fields: dict[str, str]) -> Response:
    """The answer to the form that resolves alerts."""
    return running.post("/alerts/resolve", {"csrf": running.csrf("/alerts")} | fields)


def states(running: RealDashboard) -> dict[str, str | None]:
    """Why the alerts of each subject are resolved."""
    with database_of(running).read() as connection:
        return {alert.subject: alert.resolution for alert in find_alerts(connection)}


def test_open_alerts_are_shown_with_their_messages(seen: RealDashboard) -> None:
    page = seen.get("/alerts").text
    assert titles(page)[0] == "paused: broken"  # the last one
    assert set(titles(page)[1:]) == {"blocked: denied", "moved: gone"}
    assert "3 high" in page
    first = number_of(seen, "broken")
    sent = rows_of(page, f"Messages about alert {first}")
    assert sent[0].startswith(f"{CHANNEL} raised")
    assert "● delivered" in sent[0]
    assert "✖ not delivered 1 535 log-in refused" in sent[1]
    assert "hunter2" not in page
    assert "T0KEN" not in page


def test_the_page_says_when_a_message_is_repeated(seen: RealDashboard) -> None:
    page = html.fromstring(seen.get("/alerts").text)
    assert "A message is repeated after 2 d while its alert is open." in page.text_content()
    (next_message,) = page.xpath("//dt[text()='Next message']/following-sibling::dd[1]")
    with database_of(seen).read() as connection:
        alert = find_alerts(connection, subject="broken")[0]
    shown = next_message.xpath("string(time/@datetime)")
    expected = datetime.fromtimestamp(alert.notified_at + 2 * DAY, UTC)
    assert shown == expected.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_each_alert_says_what_to_do(seen: RealDashboard) -> None:
    page = html.fromstring(seen.get("/alerts?event=moved").text)
    (article,) = page.xpath("//article")
    assert "activate a manifest with it" in article.text_content()


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("severity=warning", []),
        ("event=blocked", ["blocked: denied"]),
        ("subject=gone", ["moved: gone"]),
        ("state=resolved", []),
        ("state=all&subject=broken", ["paused: broken"]),
    ],
)
def test_filters_restrict_the_alerts(seen: RealDashboard, asked: str, expected: list[str]) -> None:
    assert titles(seen.get(f"/alerts?{asked}").text) == expected


def test_a_wrong_filter_is_named(seen: RealDashboard) -> None:
    answer = seen.get("/alerts?state=closed")
    assert answer.status_code == 400
    assert "one of open, resolved, all" in answer.text


class TestResolve:
    def test_it_needs_a_reason_and_leaves_a_record(self, alerted: RealDashboard) -> None:
        first = number_of(alerted, "gone")
        fields = {"id": str(first), "back": "/alerts?event=moved"}
        answer = resolve(alerted, fields)
        assert "the reason is missing" in alerted.get(answer.headers["Location"]).text
        assert states(alerted)["gone"] is None
        answer = resolve(alerted, fields | {"reason": "has moved to <b>"})
        assert answer.headers["Location"] == "/alerts?event=moved"
        assert f"Resolved: alert {first}." in alerted.get("/alerts").text
        assert states(alerted)["gone"] == "resolved by an operator: has moved to <b>"
        assert "has moved to &lt;b&gt;" in alerted.get("/alerts?state=resolved").text
        with database_of(alerted).read() as connection:
            _, record = next(iter(find_controls(connection, Wanted())))
        assert (record["action"], record["subject"]) == ("alert.resolve", str(first))
        assert (record["via"], record["detail"]) == ("dashboard", {"reason": "has moved to <b>"})
        assert f"resolved the alert {first} in the dashboard" in alerted.get("/audit").text

    def test_one_that_is_over_is_named(self, alerted: RealDashboard) -> None:
        first = number_of(alerted, "gone")
        fields = {"id": str(first), "reason": "seen"}
        resolve(alerted, fields)
        alerted.get("/alerts")
        resolve(alerted, fields)
        assert "no alert among them is open any more" in alerted.get("/alerts").text

    @pytest.mark.parametrize("given", ["", "x", "-1", "9" * 30, "1e3", "٣"])
    def test_a_number_that_is_none_changes_nothing(self, seen: RealDashboard, given: str) -> None:
        resolve(seen, {"id": given, "reason": "seen"})
        assert "no alert is selected" in seen.get("/alerts").text
        assert set(states(seen).values()) == {None}

    def test_without_the_token_of_the_page_nothing_changes(self, seen: RealDashboard) -> None:
        fields = {"id": str(number_of(seen, "gone")), "reason": "seen", "csrf": "wrong"}
        assert resolve(seen, fields).status_code == 403
        assert states(seen)["gone"] is None

    def test_several_are_resolved_at_once(self, alerted: RealDashboard, chromium: Chromium) -> None:
        chromium.size(1280)
        chromium.driver.get(alerted.url + "/alerts")
        chromium.driver.find_element(By.CSS_SELECTOR, "[data-all=id]").click()
        chromium.driver.find_element(By.ID, "reason-all").send_keys("an outage" + Keys.ENTER)
        chromium.until(lambda: chromium.driver.switch_to.alert).accept()
        chromium.until(lambda: chromium.driver.find_element(By.CSS_SELECTOR, ".message"))
        assert set(states(alerted).values()) == {"resolved by an operator: an outage"}

    def test_it_works_without_scripts(self, alerted: RealDashboard, chromium: Chromium) -> None:
        first = number_of(alerted, "denied")
        chromium.scripts(enabled=False)
        try:
            chromium.driver.get(alerted.url + "/alerts")
            chromium.driver.find_element(By.ID, f"reason-{first}").send_keys("permitted now")
            article = chromium.driver.find_element(
                By.CSS_SELECTOR, f"article[aria-labelledby=alert-{first}]"
            )
            article.find_element(By.TAG_NAME, "button").click()
            message = "#message .message"
            said = chromium.until(lambda: chromium.driver.find_element(By.CSS_SELECTOR, message))
            assert f"alert {first}" in said.text
        finally:
            chromium.scripts(enabled=True)
        assert states(alerted)["denied"] == "resolved by an operator: permitted now"

    def test_it_works_by_keyboard_alone(self, alerted: RealDashboard, chromium: Chromium) -> None:
        first = number_of(alerted, "denied")
        chromium.driver.get(alerted.url + "/alerts")
        for _ in range(80):
            chromium.driver.switch_to.active_element.send_keys(Keys.TAB)
            if chromium.driver.switch_to.active_element.get_attribute("id") == f"reason-{first}":
                break
        chromium.driver.switch_to.active_element.send_keys("by keyboard", Keys.TAB, Keys.NULL)
        chromium.driver.switch_to.active_element.send_keys(Keys.SPACE)
        chromium.until(lambda: chromium.driver.find_element(By.CSS_SELECTOR, ".message"))
        assert states(alerted)["denied"] == "resolved by an operator: by keyboard"

    def test_a_read_only_dashboard_does_not(self, failed_crawl: Path, tmp_path: Path) -> None:
        with copy_of(failed_crawl, tmp_path / "project", "--read-only") as running:
            page = running.get("/alerts").text
            assert titles(page)
            assert "Resolve" not in page
            fields = {"id": str(number_of(running, "gone")), "reason": "seen"}
            assert resolve(running, fields).status_code == 403
            assert states(running)["gone"] is None


def test_a_page_has_fifty_and_a_link_to_earlier_ones(failed_crawl: Path, tmp_path: Path) -> None:
    made = copy_of(failed_crawl, tmp_path / "project")
    database = database_of(made)
    with database.write() as connection:
        book_rows = [
            ("blocked", f"s{n}", "high", "m", None, 1.0, 1.0, 1, 1.0, None, None)
            for n in range(120)
        ]
        names = (
            *("event", "subject", "severity", "message", "url", "first_seen", "last_seen"),
            *("times", "notified_at", "resolved_at", "resolution"),
        )
        for row in book_rows:
            connection.execute(alerts_table.insert().values(**dict(zip(names, row, strict=True))))
    database.close()
    found: list[str] = []
    path = "/alerts"
    with made as running:
        while path:
            page = running.get(path).text
            found += titles(page)
            path = html.fromstring(page).xpath("string(//a[@rel='next']/@href)")
    assert len(found) == len(set(found)) == 122


def test_wrong_channels_are_named_without_secrets(failed_crawl: Path, tmp_path: Path) -> None:
    made = copy_of(failed_crawl, tmp_path / "project")
    made.environment["WIKICRAWLER_ALERTS"] = "nonsense=jsons://ann:hunter2hunter2@example.org"
    with made as running:
        page = running.get("/alerts").text
    assert "No message can be sent: " in page
    assert "WIKICRAWLER_ALERTS" in page
    assert "hunter2" not in page
    assert titles(page)


@pytest.fixture(scope="module")
def hostile(
    failed_crawl: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RealDashboard]:
    """Alerts and messages in which strangers said what they liked."""
    made = copy_of(failed_crawl, tmp_path_factory.mktemp("alerts") / "project")
    database = database_of(made)
    with database.write() as connection:
        for text in (one.replace("\x00", "") for one in HOSTILE):
            values = {"event": text, "subject": text, "severity": text, "message": text}
            values |= {"url": text, "first_seen": 1.0, "last_seen": 1.0, "times": 1}
            values |= {"notified_at": 1.0}
            connection.execute(alerts_table.insert().values(**values))
    AlertBook(database, [Channel(HOSTILE[1], "x://")], SEVERITIES).report(
        Problem(AlertEvent.BLOCKED, HOSTILE[0], HOSTILE[2], "javascript:document.title='run'")
    )
    database.close()
    with made as running:
        yield running


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_strangers_texts_are_inert_and_the_page_accessible(
    hostile: RealDashboard, axe: Chromium, scheme: str, width: int
) -> None:
    axe.size(width)
    axe.media(prefers_color_scheme=scheme)
    axe.driver.get(hostile.url + "/alerts")
    assert axe.axe() == []
    assert run_by(axe) == []
    assert axe.driver.execute_script("return document.documentElement.scrollWidth") <= width
    links = axe.driver.find_elements(By.CSS_SELECTOR, "main a")
    assert not [one for one in links if not (one.get_attribute("href") or "").startswith("http")]


def test_a_project_without_alerts_says_what_they_are(dashboard: RealDashboard) -> None:
    page = dashboard.get("/alerts").text
    assert "No alert is open" in page
    assert "WIKICRAWLER_ALERTS" in page
