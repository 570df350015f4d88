"""The sums of the audit log are those of its records."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.audit.samples import operation, outcome, write
from wikicrawler.audit.verification import verify
from wikicrawler.store.audit_summaries import Question, percentile, summarise
from wikicrawler.store.audit_sums import bucket_of, middle_of

if TYPE_CHECKING:
    from wikicrawler.store.audit_chain import Entry
    from wikicrawler.store.database import Database

START = datetime(2025, 11, 20, tzinfo=UTC)


def entries(number: int) -> list[Entry]:
    """Operations and outcomes of some months."""
    rng = random.Random(5)  # noqa: S311 - not for secrets
    made: list[Entry] = []
    for index in range(1, number, 2):
        at = START + timedelta(days=100 * index / number)
        source, engine = rng.choice(("a", "b", None)), rng.choice(("http", "browser"))
        made.append(
            operation(
                index,
                at=at,
                source=source,
                engine=engine,
                status=rng.choice((200, 200, 503)),
                ms=rng.randrange(1, 5000),
                credits_consumed=rng.choice((None, 1, 0.5)),
            )
        )
        changed = rng.choice((True, False, False, None))
        made.append(
            outcome(index + 1, index, at=at, source=source, engine=engine, content_changed=changed)
        )
    return made


@pytest.fixture
def made(database: Database) -> list[Entry]:
    found = entries(600)
    write(database, *found[:250])
    write(database, *found[250:])
    return found


@pytest.mark.parametrize("by", ["source", "engine", "day", "month"])
@pytest.mark.parametrize(
    ("first", "last"),
    [
        (None, None),
        (date(2025, 12, 1), date(2026, 1, 31)),
        (date(2025, 11, 25), date(2026, 2, 3)),
        (date(2026, 1, 7), date(2026, 1, 7)),
        (date(2000, 1, 1), date(2100, 1, 1)),
    ],
)
def test_the_sums_of_a_period_are_those_of_its_records(
    database: Database, made: list[Entry], by: str, first: date | None, last: date | None
) -> None:
    expected: dict[str | None, list[float]] = defaultdict(lambda: [0] * 6)
    times: dict[str | None, list[int]] = defaultdict(list)
    for entry in made:
        fields = entry.fields
        day = fields["timestamp"][:10]
        if (first and day < first.isoformat()) or (last and day > last.isoformat()):
            continue
        groups = {"source": fields["manifest_id"], "engine": fields["engine"]}
        key = (groups | {"day": day, "month": day[:7]})[by]
        sums = expected[key]
        if fields["kind"] == "request":
            sums[0] += 1
            sums[1] += fields["failed"]
            sums[2] += fields["bytes"]
            times[key].append(fields["response_time_ms"])
        else:
            sums[4] += fields["content_changed"] is not None
            sums[5] += bool(fields["content_changed"])
        sums[3] += fields["credits_consumed"] or 0
    with database.read() as connection:
        found = summarise(connection, Question(by, first, last))
    assert {
        s.group: [s.operations, s.failures, s.bytes, s.credits, s.observed, s.changed]
        for s in found
    } == expected
    for summary in found:
        exact = sorted(times[summary.group])
        for share, shown in ((0.5, summary.p50_ms), (0.95, summary.p95_ms)):
            rank = max(0, -int(-share * len(exact) // 1) - 1)
            assert shown == pytest.approx(exact[rank], rel=0.05)


def test_changes_are_counted_by_day_too(database: Database) -> None:
    days = [START + timedelta(days=n) for n in (0, 0, 1, 2)]
    changed = (True, True, False, True)
    made: list[Entry] = []
    for number, (at, is_changed) in enumerate(zip(days, changed, strict=True)):
        made.append(operation(2 * number + 1, at=at))
        made.append(outcome(2 * number + 2, 2 * number + 1, at=at, content_changed=is_changed))
    write(database, *made)
    with database.read() as connection:
        (found,) = summarise(connection, Question("source"))
    assert (found.observed, found.changed) == (4, 3)
    assert (found.observed_days, found.changed_days) == (3, 2)
    assert found.change_rate == pytest.approx(2 / 3)


def test_only_one_source_or_engine_can_be_asked_for(database: Database, made: list[Entry]) -> None:
    with database.read() as connection:
        by_day = summarise(connection, Question("day", source="a", engine="browser"))
        (by_source,) = summarise(connection, Question("source", source="a", engine="browser"))
    expected = [
        e
        for e in made
        if e.fields["kind"] == "request"
        and (e.fields["manifest_id"], e.fields["engine"]) == ("a", "browser")
    ]
    assert by_source.operations == len(expected) == sum(day.operations for day in by_day)


def test_a_source_with_the_name_of_the_sum_of_all_is_one_of_them(database: Database) -> None:
    write(database, operation(1, source="*"), operation(2, source="b"))
    with database.read() as connection:
        assert [(s.group, s.operations) for s in summarise(connection, Question("source"))] == [
            ("*", 1),
            ("b", 1),
        ]
        assert [s.operations for s in summarise(connection, Question("day"))] == [2]


def test_an_empty_log_has_no_sums(database: Database) -> None:
    with database.read() as connection:
        assert summarise(connection, Question("source")) == []


@pytest.mark.parametrize("ms", [0, 1, 2, 10, 99, 1234, 60_000, 3_600_000])
def test_a_bucket_stands_for_times_within_five_percent(ms: int) -> None:
    assert middle_of(bucket_of(ms)) == pytest.approx(max(ms, 1), rel=0.05)


def test_a_percentile_of_one_time_is_that_time() -> None:
    assert percentile([(bucket_of(100), 1)], 0.95) == pytest.approx(100, rel=0.05)


def test_names_that_databases_refuse_are_summed_up_as_they_are_recorded(
    database: Database,
) -> None:
    write(database, operation(1, source="a\x00\ud800", engine="b\x00"))
    with database.read() as connection:
        assert [one.group for one in summarise(connection, Question("source"))] == ["a\ufffd\ufffd"]
        assert verify(connection, with_sums=True).faults == []
