"""The breaker pauses a failing server, longer each time, and tries it before closing."""

from __future__ import annotations

from wikicrawler.tiers.service.breaker import FAILURES, Breaker


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def opened(clock: Clock) -> Breaker:
    breaker = Breaker(clock)
    assert [breaker.failed() for _ in range(FAILURES)] == [False] * (FAILURES - 1) + [True]
    return breaker


def test_only_consecutive_failures_open_it() -> None:
    breaker = Breaker(Clock())
    for _ in range(FAILURES - 1):
        breaker.failed()
    breaker.succeeded()
    for _ in range(FAILURES - 1):
        breaker.failed()
    assert breaker.state == "closed"
    breaker.failed()
    assert breaker.state == "open"


def test_pauses_double_up_to_five_minutes() -> None:
    clock = Clock()
    breaker = opened(clock)
    pauses = []
    for _ in range(8):
        pauses.append(breaker.remaining)
        clock.now += breaker.remaining
        assert breaker.state == "half_open"
        assert breaker.failed()
    assert pauses == [5, 10, 20, 40, 80, 160, 300, 300]


def test_failures_in_flight_when_it_opens_do_not_extend_the_pause() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 1
    assert not breaker.failed()
    assert breaker.remaining == 4


def test_a_success_closes_it_and_resets_the_pause() -> None:
    clock = Clock()
    breaker = opened(clock)
    clock.now += 5
    breaker.failed()
    clock.now += 10
    assert breaker.succeeded()
    assert breaker.state == "closed"
    assert not breaker.succeeded()
    for _ in range(FAILURES):
        breaker.failed()
    assert breaker.remaining == 5
