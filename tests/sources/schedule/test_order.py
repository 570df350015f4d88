"""Which of several due sources is visited first."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.sources.schedule.clock import utc
from wikicrawler.sources.schedule.order import TURNS, Due, Priority, order

START = utc("2026-06-02")
HIGH, MEDIUM, LOW = Priority.HIGH, Priority.MEDIUM, Priority.LOW


def due(priority: Priority, minute: int, name: str = "") -> Due:
    return Due(name or f"{priority}-{minute}", priority, START + timedelta(minutes=minute))


def test_of_eight_visits_five_are_high_two_medium_and_one_low() -> None:
    many = [due(priority, minute) for priority in Priority for minute in range(100)]
    ordered = order(many)
    for begin in range(0, 160, 8):
        counts = Counter(found.priority for found in ordered[begin : begin + 8])
        assert counts == {HIGH: 5, MEDIUM: 2, LOW: 1}
    assert ordered[0] == due(HIGH, 0)


def test_within_a_priority_the_longest_due_comes_first() -> None:
    found = order([due(LOW, 3), due(LOW, 1, "b"), due(LOW, 1, "a"), due(LOW, 2)])
    assert [one.source_id for one in found] == ["a", "b", "low-2", "low-3"]


def test_a_turn_without_a_source_is_for_the_highest_priority_there_is() -> None:
    assert [one.priority for one in order([due(LOW, 1), due(MEDIUM, 2)])] == [MEDIUM, LOW]
    lows = [due(LOW, minute) for minute in range(20)]
    assert order(reversed(lows)) == lows


@given(
    st.lists(
        st.builds(due, st.sampled_from(Priority), st.integers(0, 50), st.uuids().map(str)),
        max_size=60,
    ),
    st.integers(0, 100),
    st.none() | st.integers(-2, 70),
)
def test_each_source_is_returned_once(many: list[Due], turn: int, at_most: int | None) -> None:
    ordered = order(many, turn=turn, at_most=at_most)
    count = len(many) if at_most is None else max(at_most, 0)
    assert len(ordered) == min(len(many), count)
    assert len(set(ordered)) == len(ordered)
    assert set(ordered) <= set(many)
    assert ordered == order(reversed(many), turn=turn)[: len(ordered)]


@settings(deadline=None)
@given(st.lists(st.sampled_from(Priority), min_size=1, max_size=30), st.integers(0, 7))
def test_a_low_source_waits_for_fewer_than_eight_visits_for_each_low_one_before_it(
    first: list[Priority], turn: int
) -> None:
    """Even if a high and a medium source become due with each visit."""
    waiting = [due(priority, number, f"first-{number}") for number, priority in enumerate(first)]
    waited_for = due(LOW, 1_000, "low")
    waiting.append(waited_for)
    lows = sum(one.priority == LOW for one in waiting)
    for visit in range(len(TURNS) * lows):
        (chosen,) = order(waiting, turn=turn + visit, at_most=1)
        waiting.remove(chosen)
        if chosen == waited_for:
            return
        waiting.append(due(HIGH, 2_000 + visit))
        waiting.append(due(MEDIUM, 2_000 + visit))
        waiting.append(due(LOW, 2_000 + visit))
    raise AssertionError("it still waits")
