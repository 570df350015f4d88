"""Telling a change from chance."""

from __future__ import annotations

import random

import pytest

from wikicrawler.learning.model.change import THRESHOLD, UNSUSPICIOUS, Suspicion


def attempts_until_told(outcomes: list[bool], expected: float) -> int | None:
    suspicion = UNSUSPICIOUS
    for number, success in enumerate(outcomes, 1):
        suspicion = suspicion.after(success, expected)
        if suspicion.is_change:
            return number
    return None


@pytest.mark.parametrize("expected", [0.001, 0.1, 0.5, 0.9, 0.999])
def test_one_surprise_is_no_change_and_a_few_are(expected: float) -> None:
    surprise = expected < 0.5
    told = attempts_until_told([surprise] * 20, expected)
    assert told is not None
    assert told > 1


@pytest.mark.parametrize("usual", [True, False])
def test_what_is_expected_is_no_change_however_often(usual: bool) -> None:
    assert attempts_until_told([usual] * 10_000, float(usual)) is None


@pytest.mark.parametrize("p", [0.02, 0.2, 0.5, 0.8, 0.98])
def test_chance_alone_is_rarely_told_for_a_change(p: float) -> None:
    chance, told, suspicion = random.Random(1), 0, UNSUSPICIOUS  # noqa: S311 - no secret
    for _ in range(20_000):
        suspicion = suspicion.after(chance.random() < p, p)
        if suspicion.is_change:
            told, suspicion = told + 1, UNSUSPICIOUS
    assert told < 20


def test_suspicion_passes_again() -> None:
    suspicion = UNSUSPICIOUS.after(success=False, expected=0.95)
    assert 0 < suspicion.worse < THRESHOLD
    for _ in range(20):
        suspicion = suspicion.after(success=True, expected=0.95)
    assert suspicion == Suspicion(suspicion.better, 0.0)
