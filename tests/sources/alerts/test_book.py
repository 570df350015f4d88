"""A problem that lasts is one alert, with one message, in SQLite and PostgreSQL."""

from __future__ import annotations

import subprocess
import sys
from time import time
from typing import TYPE_CHECKING

from sqlalchemy import update

from wikicrawler.sources.alerts.book import DAY, AlertBook, Problem
from wikicrawler.sources.alerts.channels import Channel
from wikicrawler.sources.alerts.events import SEVERITIES, AlertEvent
from wikicrawler.store.alert_deliveries import deliveries_of
from wikicrawler.store.alerts import count_open, find_alerts, last_alerts, resolve_alert
from wikicrawler.store.tables import alerts

if TYPE_CHECKING:
    from wikicrawler.store.alert_deliveries import Delivery
    from wikicrawler.store.alerts import AlertRow
    from wikicrawler.store.database import Database

CHANNELS = [Channel("one", "json://one"), Channel("two", "json://two", frozenset({"all"}))]
BLOCKED = Problem(AlertEvent.BLOCKED, "reg-x", "HTTP 403", "https://x.example/")


def book(database: Database, reminder: float = 0.0) -> AlertBook:
    return AlertBook(database, CHANNELS, SEVERITIES, reminder)


def stored(database: Database) -> tuple[list[AlertRow], list[Delivery]]:
    """The alerts, the first one first, and the messages."""
    with database.read() as connection:
        found = find_alerts(connection)[::-1]
        sent = deliveries_of(connection, [alert.id for alert in found])
    return found, sorted(one for some in sent.values() for one in some)


def test_a_problem_that_is_seen_again_is_the_same_alert(database: Database) -> None:
    kept = book(database)
    stats = [notice.stat for _ in range(3) for notice in kept.report(BLOCKED)]
    assert stats == ["alerts/raised_count/blocked", *["alerts/repeated_count/blocked"] * 2]
    (alert,), sent = stored(database)
    assert (alert.subject, alert.times, alert.severity) == ("reg-x", 3, "high")
    assert [(one.kind, one.channel) for one in sent] == [("raised", "one"), ("raised", "two")]


def test_alerts_of_other_subjects_and_events_are_others(database: Database) -> None:
    kept = book(database)
    for problem in (
        BLOCKED,
        BLOCKED._replace(subject="reg-z"),
        BLOCKED._replace(event=AlertEvent.NO_CHANGE),
    ):
        kept.report(problem)
    found, sent = stored(database)
    assert len(found) == 3
    with database.read() as connection:
        assert count_open(connection) == {"high": 2, "warning": 1}
        assert set(last_alerts(connection, "blocked")) == {"reg-x", "reg-z"}
        assert len(find_alerts(connection, subject="reg-x")) == 2
        assert len(find_alerts(connection, event="no_change")) == 1
    assert [one.channel for one in sent if one.alert == found[-1].id] == ["two"]


def test_a_recovery_is_one_message_to_the_channels_that_heard_of_it(
    database: Database,
) -> None:
    kept = book(database)
    kept.report(BLOCKED)
    kept.report(BLOCKED._replace(event=AlertEvent.PAUSED))
    events = [AlertEvent.BLOCKED, AlertEvent.PAUSED]
    assert len(kept.resolve("reg-x", events, "works again")) == 2
    assert kept.resolve("reg-x", events, "works again") == []
    found, sent = stored(database)
    assert all(alert.resolved_at for alert in found)
    assert [one.channel for one in sent if one.kind == "resolved"] == ["one", "two"]
    kept.report(BLOCKED)
    found, _ = stored(database)
    assert [alert.times for alert in found] == [1, 1, 1], "it is another alert"


def test_a_problem_that_began_anew_is_another_alert(database: Database) -> None:
    kept = book(database)
    kept.report(BLOCKED)
    kept.report(BLOCKED, began=time() - 100)
    assert len(stored(database)[0]) == 1, "it was seen since"
    kept.report(BLOCKED, began=time() + 1)
    found, sent = stored(database)
    assert [alert.resolution for alert in found] == ["it happened again", None]
    assert [one.kind for one in sent] == ["raised"] * 4


def test_a_change_is_never_open(database: Database) -> None:
    kept = book(database)
    for _ in range(2):
        kept.report(Problem(AlertEvent.CHANGED, "reg-x", "1 modified"))
    found, sent = stored(database)
    assert [alert.resolved_at is None for alert in found] == [False, False]
    assert [one.channel for one in sent] == ["two", "two"]


def test_an_open_alert_is_told_again_after_the_reminders_interval(
    database: Database,
) -> None:
    kept = book(database, reminder=DAY)
    kept.report(BLOCKED)
    kept.report(BLOCKED)
    kept.remind()
    assert len(stored(database)[1]) == 2
    with database.write() as connection:
        connection.execute(update(alerts).values(notified_at=alerts.c.notified_at - DAY))
    kept.remind()
    kept.remind()
    _, sent = stored(database)
    assert [one.kind for one in sent[2:]] == ["reminder", "reminder"]
    assert sent[2].title == "Still open: [high] reg-x is blocked"


def test_an_operator_resolves_an_alert_once(database: Database) -> None:
    book(database).report(BLOCKED)
    (alert,), _ = stored(database)
    with database.write() as connection:
        assert resolve_alert(connection, alert.id, now=5.0, why="by hand")
        assert not resolve_alert(connection, alert.id, now=6.0, why="by hand")
    assert len(stored(database)[1]) == 2, "no message"


def test_what_others_say_is_one_plain_line(database: Database) -> None:
    hostile = "x\r\nBcc: all@example.org\x1b[31m <b>[click](https://evil.example/)</b> @everyone"
    book(database).report(BLOCKED._replace(message=hostile, subject="reg\r\nX: y"))
    (alert,), sent = stored(database)
    assert alert.message.isprintable()
    for one in sent:
        assert one.title.isprintable()
        first, _, _ = one.body.partition("\nEvent: ")
        assert first.isprintable()
        assert not set("<>[]@*`") & set(first)
        assert "https://evil" not in one.body
        assert one.body.endswith("\nURL: https://x.example/")


def test_processes_at_once_open_one_alert(url: str) -> None:
    program = (
        "import sys\n"
        "from wikicrawler.errors import StoreError\n"
        "from wikicrawler.sources.alerts.book import AlertBook, Problem\n"
        "from wikicrawler.sources.alerts.channels import Channel\n"
        "from wikicrawler.sources.alerts.events import SEVERITIES, AlertEvent\n"
        "from wikicrawler.store.database import Database\n"
        "book = AlertBook(Database(sys.argv[1]), [Channel('one', 'json://x')], SEVERITIES)\n"
        "problem, left = Problem(AlertEvent.BLOCKED, 'reg-x', 'HTTP 403'), 20\n"
        "sys.stdin.readline()\n"
        "while left:\n"
        "    try:\n"
        "        book.report(problem)\n"
        "    except StoreError:\n"
        "        continue\n"
        "    left -= 1\n"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", program, url], stdin=subprocess.PIPE)
        for _ in range(3)
    ]
    for process in started:
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.close()
    assert [process.wait(timeout=120) for process in started] == [0, 0, 0]
    from wikicrawler.store.database import Database

    opened = Database(url)
    (alert,), sent = stored(opened)
    opened.close()
    assert alert.times == 60
    assert len(sent) == 1
