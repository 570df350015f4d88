"""The arithmetic of a site's delay, with explicit times."""

from wikicrawler.politeness.budget import IDLE, IDLE_RAISED, Budget


def budget(base: float = 1.0, max_delay: float = 60.0) -> Budget:
    return Budget(default=base, max_delay=max_delay)


def test_the_base_is_the_configured_delay_and_robots_txt_raises_it() -> None:
    b = budget(1.0)
    b.configure(0.2, None)
    assert b.delay == 0.2
    b.crawl_delay = 5.0
    assert b.delay == 5.0


def test_the_strictest_host_of_a_slot_decides() -> None:
    b = budget()
    for delay, concurrency in ((2.0, 3), (0.5, 8), (None, None), (1.0, 2)):
        b.configure(delay, concurrency)
    assert (b.delay, b.concurrency) == (2.0, 2)


def test_a_delay_of_zero_can_be_configured() -> None:
    b = budget(1.0)
    b.configure(0.0, None)
    assert b.delay == 0.0


def test_a_busy_server_doubles_the_delay_up_to_the_limit() -> None:
    b = budget(10.0)
    b.record_busy(now=100)
    assert b.delay == 20.0
    for now in (200, 300, 400):
        b.record_busy(now)
    assert b.delay == 60.0


def test_a_busy_server_raises_a_delay_of_zero() -> None:
    b = budget(0.0)
    b.record_busy(now=100)
    assert b.delay > 0


def test_a_base_above_the_limit_is_kept() -> None:
    b = budget(90.0)
    b.record_busy(now=100)
    assert b.delay == 90.0


def test_responses_in_flight_raise_the_delay_once() -> None:
    b = budget(1.0)
    for now in (100.0, 100.1, 100.2):  # three in flight when the server became busy
        b.record_busy(now, latency=2.0)
    assert b.delay == 2.0


def test_only_good_responses_lower_a_raised_delay_and_not_below_the_base() -> None:
    b = budget(1.0)
    b.record_busy(now=100)
    b.record_response(0.1, 101, good=False)
    assert b.delay == 2.0
    seen = []
    for now in range(102, 122):
        b.record_response(0.1, now, good=True)
        seen.append(b.delay)
    assert seen == sorted(seen, reverse=True)
    assert seen[0] > 1.5
    assert seen[-1] == 1.0
    assert not b.raised


def test_the_delay_is_at_least_the_latency() -> None:
    b = budget(1.0)
    b.record_response(5.0, 100, good=True)
    assert b.delay == 5.0
    b.record_response(4.9, 110, good=True)
    assert 4.8 < b.delay <= 5.0


def test_a_response_much_slower_than_usual_doubles_the_delay() -> None:
    b = budget(1.0)
    for now in range(100, 105):
        b.record_response(0.2, now, good=True)
    assert b.delay == 1.0
    b.record_response(1.1, 110, good=True)
    assert b.delay == 2.0


def test_a_slow_response_within_the_delay_does_not_raise_it() -> None:
    b = budget(1.0)
    b.record_response(0.02, 100, good=True)
    b.record_response(0.3, 101, good=True)
    assert b.delay == 1.0


def test_a_constantly_slow_site_becomes_the_new_normal() -> None:
    b = budget(1.0)
    for now in range(100, 110):
        b.record_response(0.1, now, good=True)
    now = 200.0
    for _ in range(60):
        now += b.delay + 4.0
        b.record_response(4.0, now, good=True)
    assert b.delay < 6.0


def test_only_an_idle_budget_is_forgotten() -> None:
    now = 10_000.0
    b = budget(1.0)
    b.last_used = now
    assert not b.is_idle(now + IDLE / 2)
    assert b.is_idle(now + IDLE + 2)
    b.pause(500, now)
    assert not b.is_idle(now + 490)
    b.record_busy(now)
    assert not b.is_idle(now + 500 + IDLE + 10)
    assert b.is_idle(now + 500 + IDLE_RAISED + 10)
