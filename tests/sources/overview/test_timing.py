"""Why a source is visited when it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.sources.watching import read_source, source
from wikicrawler.sources.overview.timing import timetable
from wikicrawler.sources.schedule.timing import Timing
from wikicrawler.store.source_states import SourceState, save_states

if TYPE_CHECKING:
    from wikicrawler.store.database import Database

URL = "https://agency.example/rules"
NOW = 1_790_000_000.0  # 2026-09-21 14:13 UTC
DAY = 86_400.0
CRON = {"cron": "0 3 * * 1", "time_zone": "UTC"}
HOURS = {"shortest_hours": 24, "longest_hours": 720}


def reasons(
    database: Database,
    state: SourceState | None = None,
    timing: Timing | None = None,
    **fields: Any,
) -> str:
    """Why the source is visited, with what the database knows of it."""
    with database.write() as connection:
        if state is not None:
            save_states(connection, [state])
    described = read_source(source(URL, **fields))
    found = timetable(database, described, timing or Timing(), NOW)
    assert found.state == state
    return " ".join(found.reasons)


def state(**facts: Any) -> SourceState:
    """A source that was visited a day ago."""
    return SourceState("reg-x", NOW - 9 * DAY, last_started=NOW - DAY, **facts)


def test_a_database_without_tables_knows_nothing(database: Database) -> None:
    found = timetable(database, read_source(source(URL)), Timing(), NOW)
    assert found.reasons == ("It was never visited: it is due at once.",)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"frequency": "weekly"}, "once in each week, at a moment of its own"),
        ({"frequency": "monthly"}, "once in each month, at a moment of its own"),
        (
            {"frequency": "cron", "schedule": CRON},
            "The next time of its cron expression after the last visit is 2026-09-21 03:00 UTC.",
        ),
        (
            {"frequency": "adaptive", "schedule": HOURS},
            "Its interval follows its changes, and is 24 hours now: the next visit is due "
            "2026-09-21 14:13 UTC.",
        ),
        ({"status": "retired"}, "It is not visited: its status in the manifest is retired."),
    ],
)
def test_the_frequency_is_the_first_reason(
    database: Database, fields: dict[str, Any], why: str
) -> None:
    assert why in reasons(database, state(), **fields)


def test_a_cron_expression_does_not_begin_at_once(database: Database) -> None:
    first = SourceState("reg-x", NOW)
    found = reasons(database, first, frequency="cron", schedule=CRON)
    assert "the first time of its cron expression is 2026-09-28 03:00 UTC" in found


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (
            {"paused_at": NOW - 60, "pause_reason": "moved"},
            "An operator paused it at 2026-09-21 14:12 UTC: moved.",
        ),
        (
            {"consecutive_failures": 5},
            "5 scheduled visits failed in a row: it waits until an operator resumes it.",
        ),
        ({"consecutive_failures": 2}, "after 3 more it is paused"),
        ({"reduced": 1, "successes": 2}, "less often, by 1 of 3 steps, after 2 successes since"),
        ({"not_before": NOW + 60}, "asked for no request before 2026-09-21 14:14 UTC"),
        ({"override_at": NOW + 120}, "besides the schedule, once: 2026-09-21 14:15 UTC"),
        ({"owner": "elsewhere", "leased_until": NOW + 60}, "A process visits it now."),
    ],
)
def test_what_is_known_of_the_visits_is_a_reason(
    database: Database, facts: dict[str, Any], why: str
) -> None:
    assert why in reasons(database, state(**facts))


def test_what_is_over_is_no_reason(database: Database) -> None:
    over = state(not_before=NOW - 60, owner="elsewhere", leased_until=NOW - 60)
    found = reasons(database, over)
    assert "asked for no request" not in found
    assert "visits it now" not in found


def test_a_lowered_frequency_has_a_longer_window(database: Database) -> None:
    assert "once in each two weeks" in reasons(database, state(reduced=1), frequency="weekly")


def test_off_peak_hours_are_a_reason(database: Database) -> None:
    timing = Timing(off_peak_hosts=("agency.example",), off_peak_start=22, off_peak_end=6)
    found = reasons(database, state(), timing)
    assert "in the off-peak hours only: from 22:00 to 6:00" in found
