"""The table of sources."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest

from tests.audit.samples import operation, write
from tests.sources.watching import read_source, source
from wikicrawler.process.owner import own_name
from wikicrawler.sources.agenda import agenda as agendas
from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.sources.overview.listing import Asked, Overview, SortBy
from wikicrawler.sources.overview.status import Status
from wikicrawler.sources.schedule.retry import VisitError
from wikicrawler.sources.schedule.timing import DEFAULT_TIMING
from wikicrawler.sources.schedule.visits import Visit
from wikicrawler.store.source_pages import PageState, save_page
from wikicrawler.store.source_states import SourceState, load_states, save_states
from wikicrawler.store.source_visits import COUNTS, begin_visit, end_visit

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.store.database import Database

NOW = datetime(2026, 2, 13, 17, tzinfo=UTC).timestamp()
DAY = 86_400.0
HOSTILE = (
    "'; DROP TABLE alerts; --",
    "<script>alert(1)</script>",
    "a\0b",
    "\ud800",
    "%_\\",
    "\u202e",
)


def sources(count: int, **fields: Any) -> list[Source]:
    return [read_source(source(f"https://agency{n}.org/", f"s{n}", **fields)) for n in range(count)]


def visited(
    database: Database, name: str, at: float, error: str | None = None, new: int = 0
) -> None:
    """Store a visit to a source."""
    with database.write() as connection:
        begin_visit(connection, f"run-{at}", name, manifest_version="1", started=at, forced=False)
        counts = dict.fromkeys(COUNTS, 0) | {"new": new}
        end_visit(connection, f"run-{at}", name, ended=at + 9, error=error, counts=counts)


def test_each_status_follows_its_rule(database: Database, reader: Database) -> None:
    watched = sources(6)
    paused = read_source(source("https://agency9.org/", "s9", status="paused"))
    overview = Overview([*watched, paused], DEFAULT_TIMING)
    agenda = Agenda(database, watched, owner=own_name())
    for name, error, is_changed in (
        ("s1", None, False),
        ("s2", None, True),
        ("s3", VisitError.TIMEOUT, False),
    ):
        started = datetime.fromtimestamp(NOW - 60, UTC)
        agenda.finish(name, Visit(started, error, is_changed=is_changed))
    with database.write() as connection:
        states = load_states(connection)
        stopped = agendas.paused(
            states.get("s4") or SourceState("s4", NOW), NOW, "too many <b>errors</b>"
        )
        save_states(connection, [stopped])
        running = SourceState("s5", NOW, owner=own_name(), leased_until=NOW + 60)
        save_states(connection, [running])
    found = overview.page(reader, Asked(), NOW)
    assert [line.status for line in found.lines] == [
        *(Status.PENDING, Status.OK, Status.CHANGED, Status.FAILED, Status.PAUSED, Status.RUNNING),
        Status.PAUSED,
    ]
    assert found.lines[4].pause_reason == "too many <b>errors</b>"
    assert found.lines[6].pause_reason == "its status in the manifest is paused"
    assert found.by_status[Status.PAUSED] == 2
    (only,) = overview.page(reader, Asked(status=Status.FAILED), NOW).lines
    assert only.source.id == "s3"


def test_the_next_visit_is_that_of_the_agenda_whenever_it_is_asked(
    database: Database, reader: Database
) -> None:
    watched = [
        *sources(2),
        read_source(source("https://agency.gov/", "night")),
        read_source(
            source(
                "https://agency.org/",
                "cron",
                frequency="cron",
                schedule={"cron": "30 4 * * *", "time_zone": "America/New_York"},
            )
        ),
    ]
    overview, agenda = Overview(watched, DEFAULT_TIMING), Agenda(database, watched)
    for one in watched[1:]:
        agenda.finish(one.id, Visit(datetime.fromtimestamp(NOW - DAY, UTC)))
    for hours in range(0, 24 * 16, 5):
        at = NOW + hours * 3600
        expected = [entry.next_visit for entry in agenda.entries(at)]
        page = overview.page(reader, Asked(), at)
        assert [line.next_visit for line in page.lines] == expected
    with database.write() as connection:
        asked = load_states(connection).get("s1") or SourceState("s1", NOW)
        save_states(connection, [asked._replace(override_at=NOW + 7)])
    assert overview.page(reader, Asked(), NOW).lines[1].next_visit == datetime.fromtimestamp(
        NOW + 7, UTC
    )


def test_a_line_has_the_error_the_changes_the_hash_and_the_credits(
    database: Database, reader: Database
) -> None:
    watched = sources(2)
    overview = Overview(watched, DEFAULT_TIMING)
    with database.write() as connection:
        save_states(connection, [SourceState("s0", NOW, NOW - 60, NOW - DAY, NOW - DAY)])
        page = PageState(
            *("s0", watched[0].url, True, "sha256:ab", "x", "1", "browser", None, None, None, 0),
            *("e", "p", 0, NOW, NOW, NOW),
        )
        save_page(connection, page)
    visited(database, "s0", NOW - 40 * DAY, new=9)
    visited(database, "s0", NOW - DAY, new=3)
    visited(database, "s0", NOW - 60, error="busy: HTTP 503")
    write(database, operation(1, source="s0", credits_consumed=2.5))
    line = overview.line(reader, "s0", NOW)
    assert line == overview.page(reader, Asked(), NOW).lines[0]
    assert line is not None
    assert (line.error, line.content_hash, line.engine, line.credits) == (
        *("busy: HTTP 503", "sha256:ab", "browser"),
        2.5,
    )
    assert line.changes == (*[0] * 28, 3, 0)
    assert overview.line(reader, "nobody", NOW) is None


@pytest.mark.parametrize("sort", SortBy)
def test_each_order_has_all_sources_once(
    database: Database, reader: Database, sort: SortBy
) -> None:
    overview = Overview(sources(7), DEFAULT_TIMING)
    with database.write() as connection:
        save_states(connection, [SourceState(f"s{n}", NOW, NOW - n, NOW - n) for n in range(5)])
    visited(database, "s3", NOW - DAY, new=3)
    orders = []
    for descending in (False, True):
        asked = [Asked(sort=sort, descending=descending, page=n) for n in (1, 2, 3)]
        pages = [overview.page(reader, one, NOW, size=3) for one in asked]
        orders.append([line.source.id for page in pages for line in page.lines])
    assert sorted(orders[0]) == sorted(orders[1]) == [f"s{n}" for n in range(7)]
    if sort is SortBy.CHANGES:
        assert orders[0][-1] == orders[1][0] == "s3"


def test_filters_and_words_narrow_the_table(database: Database) -> None:
    watched = [*sources(2), *(read_source(source("https://x.gov/9", "x9", name="Ünique Rule")),)]
    overview = Overview(watched, DEFAULT_TIMING)
    found = overview.page(database, Asked(text="ÜNIQUE rule"), NOW)
    assert [line.source.id for line in found.lines] == ["x9"]
    assert overview.page(database, Asked(domain="agency1.org"), NOW).matching == 1
    assert overview.page(database, Asked(priority="low"), NOW).matching == 0
    assert overview.choices.domains == (("agency0.org", 1), ("agency1.org", 1), ("x.gov", 1))
    last = overview.page(database, Asked(page=99), NOW, size=2)
    assert (last.page, last.pages, len(last.lines)) == (2, 2, 1)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_only_texts(database: Database, text: str) -> None:
    overview = Overview(sources(1), DEFAULT_TIMING)
    asked = Asked(domain=text, text=text, jurisdiction=text, priority=text)
    assert overview.page(database, asked, NOW).matching == 0


def test_a_database_without_tables_has_pending_sources(reader: Database) -> None:
    found = Overview(sources(2), DEFAULT_TIMING).page(reader, Asked(), NOW)
    assert [line.status for line in found.lines] == [Status.PENDING] * 2
    assert Overview((), DEFAULT_TIMING).page(reader, Asked(), NOW).pages == 1
