"""Detection of changes."""

from __future__ import annotations

import random

import pytest

from wikicrawler.learning.model.change import NEW_TEST, THRESHOLD, ChangeTest


def attempts_until_change(outcomes: list[bool], expected: float) -> int | None:
    test = NEW_TEST
    for number, success in enumerate(outcomes, 1):
        test = test.after(success, expected)
        if test.is_change:
            return number
    return None


@pytest.mark.parametrize("expected", [0.001, 0.1, 0.5, 0.9, 0.999])
def test_a_few_surprises_signal_a_change_and_one_does_not(expected: float) -> None:
    surprise = expected < 0.5
    number = attempts_until_change([surprise] * 20, expected)
    assert number is not None
    assert number > 1


@pytest.mark.parametrize("usual", [True, False])
def test_expected_outcomes_never_signal_a_change(usual: bool) -> None:
    assert attempts_until_change([usual] * 10_000, float(usual)) is None


@pytest.mark.parametrize("p", [0.02, 0.2, 0.5, 0.8, 0.98])
def test_false_alarms_are_rare(p: float) -> None:
    chance, alarms, test = random.Random(1), 0, NEW_TEST  # noqa: S311 - no secret
    for _ in range(20_000):
        test = test.after(chance.random() < p, p)
        if test.is_change:
            alarms, test = alarms + 1, NEW_TEST
    assert alarms < 20


def test_expected_outcomes_reset_the_sum() -> None:
    test = NEW_TEST.after(success=False, expected=0.95)
    assert 0 < test.worse < THRESHOLD
    for _ in range(20):
        test = test.after(success=True, expected=0.95)
    assert test == ChangeTest(test.better, 0.0)
