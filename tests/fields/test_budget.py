"""A run never uses more than its limits, and its sums add up."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fields.llm.wire import run
from wikicrawler.fields.budget import Budget, Sums, tokens_of
from wikicrawler.fields.models import Usage


def use(prompt: int, completion: int = 0, cost: float | None = 0.0) -> Usage:
    return Usage(requests=1, prompt_tokens=prompt, completion_tokens=completion, cost=cost)


def test_what_does_not_fit_is_refused_for_good() -> None:
    budget = Budget(max_tokens=1000)
    first = budget.reserve(use(600, 100))
    assert first is not None
    budget.settle(first, use(500, 50))
    assert budget.reserve(use(451)) is None
    assert budget.why_stopped == "max_tokens"
    assert budget.reserve(use(1)) is None


def test_calls_in_flight_count_but_do_not_end_the_run() -> None:
    budget = Budget(max_tokens=1000)
    first = budget.reserve(use(700))
    assert first is not None
    assert budget.reserve(use(700)) is None
    assert (budget.why_stopped, budget.in_flight) == (None, 1)
    budget.settle(first, use(200))
    assert budget.reserve(use(700)) is not None


def test_money_is_limited() -> None:
    budget = Budget(max_cost=0.10)
    for _ in range(3):
        reservation = budget.reserve(use(10, cost=0.04))
        if reservation:
            budget.settle(reservation, use(10, cost=0.03))
    assert budget.sums.total.cost == pytest.approx(0.09)
    assert budget.reserve(use(10, cost=0.02)) is None
    assert budget.why_stopped == "max_cost"


def test_an_unknown_price_does_not_fit_a_limit_of_money() -> None:
    budget = Budget(max_cost=1)
    assert budget.reserve(use(1, cost=None)) is None
    assert budget.why_stopped == "price_unknown"
    free = Budget(max_tokens=100)
    reservation = free.reserve(use(1, cost=None))
    assert reservation
    free.settle(reservation, use(1, cost=None))
    assert free.sums.total.cost is None


def test_without_limits_nothing_is_refused() -> None:
    assert Budget().reserve(use(10**9, cost=None)) is not None


def test_a_failed_call_costs_nothing_and_is_settled_once() -> None:
    budget = Budget(max_tokens=100)
    reservation = budget.reserve(use(100), url="u")
    assert reservation
    budget.settle(reservation)
    budget.settle(reservation, use(100))
    assert (budget.in_flight, budget.sums) == (0, Sums())


def test_sums_are_kept_by_url_model_key_and_field() -> None:
    budget = Budget()
    for url, key in (("u1", "key-1"), ("u2", "key-1"), ("u2", "key-2")):
        reservation = budget.reserve(use(1), url=url, model="m", fields=["a", "b", "c"])
        assert reservation
        budget.settle(reservation, use(100, 10, 0.3), key=key)
    budget.note_cached(use(100), url="u3", model="m", fields=["a"])
    sums = budget.sums
    assert {url: used.prompt_tokens for url, used in sums.by_url.items()} == {
        "u1": 100,
        "u2": 200,
        "u3": 0,
    }
    assert sums.by_key["key-1"].requests == 2
    assert (sums.by_model["m"].requests, sums.by_model["m"].cached) == (3, 1)
    assert [sums.by_field[name].prompt_tokens for name in "abc"] == [100, 100, 100]
    assert sums.by_field["b"].cost == pytest.approx(0.3)
    assert (sums.total.prompt_tokens, sums.total.cached) == (300, 1)


USAGES = st.builds(
    Usage,
    requests=st.integers(0, 5),
    prompt_tokens=st.integers(0, 10**6),
    completion_tokens=st.integers(0, 10**6),
    cost=st.floats(0, 10),
)
SIZES = st.lists(st.integers(0, 100), min_size=5, max_size=5)


@given(
    st.lists(st.tuples(USAGES, st.lists(st.sampled_from("abcde"), min_size=1, unique=True), SIZES)),
)
def test_the_sums_of_the_fields_are_the_total(
    calls: list[tuple[Usage, list[str], list[int]]],
) -> None:
    budget = Budget()
    for used, fields, sizes in calls:
        reservation = budget.reserve(Usage(), fields=fields)
        assert reservation
        part = (used.cost or 0.0) / 3
        budget.settle(reservation, used, sizes=sizes[: len(fields)], answer_cost=part)
    assert all(one.prompt_tokens >= 0 <= one.requests for one in budget.sums.by_field.values())
    total = sum(budget.sums.by_field.values(), Usage())
    assert total.cost == pytest.approx(budget.sums.total.cost)
    same = {"cost": None}
    assert total.model_copy(update=same) == budget.sums.total.model_copy(update=same)


def test_the_answer_is_divided_by_its_length_and_the_prompt_equally() -> None:
    budget = Budget()
    reservation = budget.reserve(use(1), fields=["a", "b"])
    assert reservation
    budget.settle(reservation, use(100, 40, 3.0), sizes=[30, 10], answer_cost=2.0)
    shares = budget.sums.by_field
    assert [shares[name].prompt_tokens for name in "ab"] == [50, 50]
    assert [shares[name].completion_tokens for name in "ab"] == [30, 10]
    assert [shares[name].cost for name in "ab"] == pytest.approx([0.5 + 1.5, 0.5 + 0.5])


@given(st.integers(1, 7), st.lists(st.integers(0, 50), max_size=60))
def test_no_field_has_more_than_its_share_because_of_rounding(
    number: int, tokens: list[int]
) -> None:
    budget = Budget()
    names = [f"field{at}" for at in range(number)]
    for one in tokens:
        reservation = budget.reserve(use(1), fields=names)
        assert reservation
        budget.settle(reservation, use(one))
    for name in names if tokens else ():
        assert abs(budget.sums.by_field[name].prompt_tokens - sum(tokens) / number) <= 1


def test_what_earlier_runs_used_counts_for_the_limit_alone() -> None:
    budget = Budget(max_tokens=100, before=use(80))
    assert budget.reserve(use(30)) is None
    assert budget.why_stopped == "max_tokens"
    assert budget.sums == Sums()
    assert tokens_of(budget.spent) == 80


@given(st.lists(st.tuples(st.integers(1, 300), st.integers(1, 300))), st.integers(1, 2000))
def test_the_limit_holds_if_the_estimates_do(calls: list[tuple[int, int]], limit: int) -> None:
    budget = Budget(max_tokens=limit)
    waiting = []
    for estimated, used in calls:
        reservation = budget.reserve(use(estimated))
        if reservation:
            waiting.append((reservation, use(min(used, estimated))))
        if len(waiting) > 3:
            budget.settle(*waiting.pop(0))
    for reservation, usage in waiting:
        budget.settle(reservation, usage)
    assert tokens_of(budget.sums.total) <= limit


def test_a_call_waits_for_those_in_flight() -> None:
    async def work() -> list[bool]:
        budget = Budget(max_tokens=1000)

        async def call() -> bool:
            reservation = await budget.acquire(use(600))
            if reservation is None:
                return False
            await asyncio.sleep(0)
            budget.settle(reservation, use(150))
            return True

        done = await asyncio.gather(*(call() for _ in range(10)))
        assert tokens_of(budget.sums.total) == 150 * sum(done)
        assert (budget.why_stopped, budget.in_flight) == ("max_tokens", 0)
        return done

    assert sum(run(work())) == 3


def test_a_call_that_is_cancelled_while_it_waits_leaves_no_trace() -> None:
    async def work() -> None:
        budget = Budget(max_tokens=100)
        first = await budget.acquire(use(80))
        assert first
        second = asyncio.create_task(budget.acquire(use(80)))
        await asyncio.sleep(0)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        budget.settle(first, use(10))
        assert await budget.acquire(use(80))

    run(work())


def test_threads_do_not_exceed_the_limit() -> None:
    budget = Budget(max_tokens=1000)

    def work(_: int) -> None:
        reservation = budget.reserve(use(7))
        if reservation:
            budget.settle(reservation, use(7))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(2000)))
    assert tokens_of(budget.sums.total) <= 1000
    assert budget.in_flight == 0
