"""API keys are rotated when they fail, rest when they are limited, and are shown nowhere."""

from __future__ import annotations

import asyncio
import traceback
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy.utils.defer import deferred_f_from_coro_f

from wikicrawler.fields.errors import AllKeysExhaustedError, ConfigError
from wikicrawler.fields.keys import MAX_COOL_DOWN, KeyRotator

KEYS = [f"sk-secret-{letter}" for letter in "abcde"]
A, B, C = KEYS[:3]


class Clock:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_the_first_key_is_current() -> None:
    rotator = KeyRotator(KEYS)
    assert rotator.current_key == A
    assert len(rotator) == 5


def test_keys_are_used_in_order_until_each_failed() -> None:
    rotator = KeyRotator([A, B, C])
    assert rotator.rotate("rate limited") == B
    assert rotator.rotate("rate limited") == C
    with pytest.raises(AllKeysExhaustedError):
        rotator.rotate("rate limited")
    assert rotator.attempts == 3


def test_a_success_starts_the_count_again() -> None:
    rotator = KeyRotator([A, B])
    for _ in range(10):
        rotator.rotate("rate limited")
        rotator.reset()
        assert rotator.attempts == 0
    assert rotator.current_key == A


def test_one_key_is_exhausted_at_once_and_usable_after_a_reset() -> None:
    rotator = KeyRotator([A])
    with pytest.raises(AllKeysExhaustedError, match=r"^the API key failed"):
        rotator.rotate("rate limited")
    rotator.reset()
    assert rotator.current_key == A


@pytest.mark.parametrize("keys", [[], [""]])
def test_no_key_is_an_error(keys: list[str]) -> None:
    with pytest.raises(ConfigError, match="there is no API key"):
        KeyRotator(keys)


def test_a_key_that_is_there_twice_counts_once() -> None:
    assert len(KeyRotator([A, B, A, ""])) == 2


@pytest.mark.parametrize("count", range(1, 6))
def test_every_sequence_of_outcomes(count: int) -> None:
    """Each key is tried once since the last success, in order, and never after it is refused."""
    keys = KEYS[:count]
    for outcomes in product(("ok", "limited", "refused"), repeat=6):
        rotator = KeyRotator(keys, clock=lambda: 0.0)
        retired: set[int] = set()
        failed: set[int] = set()
        current = 0
        for outcome in outcomes:
            key = rotator.current_key
            assert key == keys[current]
            assert rotator.next_ready() == key
            if outcome == "ok":
                rotator.reset()
                failed = set()
                continue
            if outcome == "refused":
                rotator.retire(key)
                retired.add(current)
            failed.add(current)
            order = [(current + step) % count for step in range(1, count + 1)]
            left = [index for index in order if index not in failed | retired]
            if left:
                assert rotator.rotate(outcome, key) == keys[left[0]]
                current = left[0]
                continue
            with pytest.raises(AllKeysExhaustedError) as caught:
                rotator.rotate(outcome, key)
            assert caught.value.details["refused"] == len(retired)
            if len(retired) == count:
                with pytest.raises(AllKeysExhaustedError):
                    assert rotator.current_key
                with pytest.raises(AllKeysExhaustedError):
                    rotator.next_ready()
                break
            rotator.reset()  # a client that waits and goes on
            failed = set()
            current = keys.index(rotator.current_key)
            assert current not in retired


def test_a_key_that_is_no_longer_current_rotates_nothing() -> None:
    rotator = KeyRotator([A, B, C])
    assert [rotator.rotate("429", A) for _ in range(4)] == [B] * 4
    assert rotator.attempts == 1
    rotator.reset()
    assert rotator.rotate("429", A) == B  # an answer that came late
    assert rotator.attempts == 0


async def _send(rotator: KeyRotator, limited: set[str], used: list[str]) -> str:
    while True:
        key = rotator.current_key
        used.append(key)
        await asyncio.sleep(0)
        if key not in limited:
            rotator.reset()
            return key
        rotator.rotate("429", key)


@deferred_f_from_coro_f
async def test_tasks_share_a_rotator() -> None:
    rotator, used = KeyRotator([A, B, C]), list[str]()
    keys = await asyncio.gather(*(_send(rotator, {A, B}, used) for _ in range(5)))
    assert keys == [C] * 5
    assert used == [A] * 5 + [B] * 5 + [C] * 5


def test_a_limited_key_rests_and_is_used_again(clock: Clock) -> None:
    rotator = KeyRotator([A, B], clock)
    rotator.cool_down(A, 30)
    assert rotator.next_ready() == B
    assert rotator.current_key == B
    rotator.cool_down(B, 20)
    assert rotator.next_ready() == 20
    clock.now += 20
    assert rotator.next_ready() == B
    rotator.cool_down(B, 60)
    assert rotator.next_ready() == 10
    clock.now += 10
    assert rotator.next_ready() == A


def test_a_rotation_prefers_a_key_that_is_ready(clock: Clock) -> None:
    rotator = KeyRotator([A, B, C], clock)
    rotator.cool_down(B, 30)
    assert rotator.rotate("429", A) == C
    assert rotator.rotate("429", C) == B  # it rests, and has not failed


@pytest.mark.parametrize(
    ("seconds", "rest"),
    [
        (-5.0, 0.0),
        (float("nan"), 0.0),
        (float("inf"), MAX_COOL_DOWN),
        (1e12, MAX_COOL_DOWN),
        (0.5, 0.5),
    ],
)
def test_a_rest_is_bounded(seconds: float, rest: float, clock: Clock) -> None:
    rotator = KeyRotator([A], clock)
    rotator.cool_down(A, seconds)
    assert rotator.next_ready() == (rest or A)


def test_a_shorter_rest_changes_nothing(clock: Clock) -> None:
    rotator = KeyRotator([A], clock)
    rotator.cool_down(A, 30)
    rotator.cool_down(A, 5)
    assert rotator.next_ready() == 30


def test_a_retired_key_is_never_used_again(clock: Clock) -> None:
    rotator = KeyRotator([A, B, C], clock)
    rotator.retire(B)
    assert rotator.rotate("429", A) == C
    rotator.reset()
    assert rotator.rotate("429", C) == A
    rotator.reset()
    rotator.retire(A)
    rotator.retire(A)
    assert rotator.current_key == C
    rotator.retire(C)
    with pytest.raises(AllKeysExhaustedError, match=r"3 refused, 0 limited\): refused") as caught:
        rotator.next_ready()
    assert caught.value.details == {"keys": 3, "refused": 3, "reason": "refused"}


def test_a_key_is_named_by_its_number() -> None:
    rotator = KeyRotator(KEYS)
    assert [rotator.name_of(key) for key in (A, C)] == ["key 1", "key 3"]
    for call in (rotator.name_of, rotator.retire, lambda key: rotator.rotate("x", key)):
        with pytest.raises(ValueError, match=r"^not a key of this rotator$"):
            call("sk-unknown")


@given(
    st.lists(st.text("xyz", min_size=6, max_size=9), min_size=1, max_size=4, unique=True),
    st.data(),
)
def test_no_key_is_in_a_message_a_detail_or_a_repr(keys: list[str], data: st.DataObject) -> None:
    rotator = KeyRotator(keys, clock=lambda: 0.0)
    orders = [data.draw(st.permutations(keys)) for _ in keys]
    reasons = [f"Incorrect API key provided: {' '.join(order)}\n\x1b[31m" for order in orders]
    for reason in reasons[1:]:
        rotator.rotate(reason)
    with pytest.raises(AllKeysExhaustedError) as caught:
        rotator.rotate(reasons[0])
    shown = [repr(rotator), str(rotator), str(caught.value), repr(caught.value)]
    shown += [str(caught.value.details), "".join(traceback.format_exception(caught.value))]
    assert [key for key in keys for text in shown if key in text] == []
    assert caught.value.message.isprintable()
