"""The table of sites, and one site in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.store.samples import attempt
from wikicrawler.explain.sites import LATENCY_LIMITS, current_hold, site_view, sites_page
from wikicrawler.store.attempts import add_attempts
from wikicrawler.store.site_holds import SiteHold, save_hold
from wikicrawler.store.sites import SitePause, note_sites
from wikicrawler.store.turns import SiteTurn, save_sites

if TYPE_CHECKING:
    from wikicrawler.store.database import Database

NOW = 1_800_000_000.0
DAY = 86_400.0


@pytest.fixture
def filled(database: Database) -> Database:
    made = [
        attempt(at=NOW - 60, heuristics=()),
        attempt(
            at=NOW - DAY, tier="browser", ok=False, reason="blocked", is_banned=True, latency=3.0
        ),
        attempt(at=NOW - DAY, latency=None),
        attempt(at=NOW - 200 * DAY),
    ]
    with database.write() as connection:
        add_attempts(connection, 1, enumerate(made, 1))
        pause = SitePause(NOW, "example.org", NOW + 60, 2, "<b>blocked</b>")
        note_sites(connection, [("example.org", NOW - 60), ("b_.net", NOW - 90)], [pause])
    return database


def test_a_site_has_its_tiers_and_its_pause(filled: Database, reader: Database) -> None:
    found = sites_page(reader, now=NOW)
    assert [line.site for line in found.lines] == ["example.org", "b_.net"]
    line = found.lines[0]
    shares = [(one.tier, one.attempts, round(one.share, 2), one.success) for one in line.tiers]
    assert shares == [("http", 2, 0.67, 1.0), ("browser", 1, 0.33, 0.0)]
    assert (line.pause_reason, line.risk_level) == ("<b>blocked</b>", 2)
    assert [one.site for one in sites_page(reader, only_paused=True, now=NOW).lines] == [
        "example.org"
    ]
    assert sites_page(reader, only_paused=True, now=NOW + 99).lines == ()
    assert [one.site for one in sites_page(reader, text="B_.", now=NOW).lines] == ["b_.net"]
    assert sites_page(reader, page=10**30, now=NOW).page == 1
    with pytest.raises(ValueError, match="no order"):
        sites_page(reader, order="1; DROP TABLE sites")


def test_a_site_in_time_has_days_and_latencies(filled: Database, reader: Database) -> None:
    view = site_view(reader, "example.org", NOW)
    assert view is not None
    assert [(one.tier, one.attempts, one.banned) for one in view.days] == [
        *(("browser", 1, 1), ("http", 1, 0), ("http", 1, 0)),
    ]
    counts = {one.tier: one.counts for one in view.latencies}
    assert counts["browser"].index(1) == LATENCY_LIMITS.index(5.0)
    assert sum(counts["http"]) == 1


@pytest.mark.parametrize("text", ["", "a\0b", "\ud800", "'; --", "a/b@c", "[::1", "x" * 9_000])
def test_hostile_names_are_unknown_sites(filled: Database, text: str) -> None:
    assert site_view(filled, text, NOW) is None
    sites_page(filled, text=text, now=NOW)


def test_a_database_without_tables_has_no_sites(reader: Database) -> None:
    assert sites_page(reader, now=NOW).lines == ()
    assert site_view(reader, "example.org", NOW) is None


def test_a_site_that_an_operator_paused_is_listed_before_its_first_request(
    filled: Database, reader: Database
) -> None:
    with filled.write() as connection:
        save_hold(connection, SiteHold("never.net", NOW, "ann", NOW + 3600, "<i>works</i>"))
        save_hold(connection, SiteHold("b_.net", NOW, "ann", NOW + 30, "busy"))
        save_hold(connection, SiteHold("free.net", NOW, "ann", None, "was released"))
    found = sites_page(reader, order="paused_until", now=NOW)
    assert [one.site for one in found.lines] == ["never.net", "example.org", "b_.net"]
    assert found.matching == 3
    never = found.lines[0]
    assert (never.held_by, never.hold_reason, never.attempts) == ("ann", "<i>works</i>", 0)
    assert (never.is_paused, never.paused_until, never.success) == (True, None, None)
    later = sites_page(reader, only_paused=True, now=NOW + 45).lines
    assert {one.site for one in later} == {"never.net", "example.org"}
    view = site_view(reader, "never.net", NOW)
    assert view is not None
    assert view.line.held_until is not None
    assert (view.last_sent, view.not_before, view.days) == (None, None, ())
    hold = current_hold(reader, "never.net", NOW)
    assert hold is not None
    assert hold.reason == "<i>works</i>"
    assert current_hold(reader, "never.net", NOW + 3601) is None


def test_a_site_has_its_turn(filled: Database, reader: Database) -> None:
    with filled.write() as connection:
        save_sites(connection, [SiteTurn("example.org", NOW - 5, NOW + 10)])
    view = site_view(reader, "example.org", NOW)
    assert view is not None
    assert view.last_sent is not None
    assert view.not_before is not None
    assert (view.last_sent.timestamp(), view.not_before.timestamp()) == (NOW - 5, NOW + 10)
