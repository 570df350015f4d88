"""Which changes of a site's delay the log reports; times are in seconds."""

from __future__ import annotations

from wikicrawler.politeness.notices import Notices


def test_a_slow_phase_is_reported_once_and_so_is_its_end() -> None:
    notices = Notices()
    assert [notices.slow(now) for now in (0, 1, 59, 61, 500)] == [True, *[False] * 4]
    assert notices.recover() == (True, True)
    assert notices.recover() == (False, False)


def test_a_phase_within_the_minute_is_reported_when_it_lasts() -> None:
    notices = Notices()
    assert notices.slow(0)
    notices.recover()
    assert [notices.slow(now) for now in (30, 59, 60, 61)] == [False, False, True, False]
    assert notices.recover() == (True, True)


def test_the_end_of_a_phase_that_was_not_reported_is_not_reported() -> None:
    notices = Notices()
    notices.slow(0)
    notices.recover()
    assert not notices.slow(10)
    assert notices.recover() == (True, False)


def test_the_same_pause_is_reported_once_a_minute_and_a_longer_one_at_once() -> None:
    notices = Notices()
    assert notices.pause(5, 0)
    assert notices.recover() == (True, True)
    assert not notices.pause(5, 10)
    assert notices.pause(6, 11)
    assert not notices.pause(5, 90)  # no recovery since
    assert notices.recover() == (True, True)
    assert notices.pause(5, 91)
