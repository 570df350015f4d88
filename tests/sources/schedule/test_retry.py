"""What to do after an error within a visit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.sources.schedule.retry import MAX_DELAY, Alert, RetryStep, VisitError, retry

FALLBACK = RetryStep(delay=0.0, to_fallback=True)


@pytest.mark.parametrize(
    ("error", "delays", "end"),
    [
        (VisitError.RATE_LIMITED, [30, 60, 120, 300, 600], RetryStep(lower_frequency=True)),
        (VisitError.UNAVAILABLE, [10, 30, 60], None),
        (VisitError.OTHER, [10, 30, 60], None),
        (VisitError.FORBIDDEN, [], RetryStep(alert=Alert.BLOCKED)),
        (VisitError.MISSING, [], RetryStep(alert=Alert.MOVED)),
        (VisitError.TIMEOUT, [15, 30], FALLBACK),
        (VisitError.CAPTCHA, [], FALLBACK),
        (VisitError.PARSE, [], RetryStep(alert=Alert.UNREADABLE)),
    ],
)
def test_each_error_has_its_retries_and_its_end(
    error: VisitError, delays: list[float], end: RetryStep | None
) -> None:
    steps = [retry(error, attempt) for attempt in range(1, len(delays) + 3)]
    assert steps == [*(RetryStep(delay=delay) for delay in delays), end, end]


@pytest.mark.parametrize("error", [VisitError.TIMEOUT, VisitError.CAPTCHA])
def test_after_the_fallback_engine_there_is_no_other(error: VisitError) -> None:
    assert retry(error, 9, on_fallback=True) == RetryStep(alert=Alert.FALLBACK_FAILED)
    assert retry(VisitError.TIMEOUT, 1, on_fallback=True) == RetryStep(delay=15)


@given(
    error=st.sampled_from(VisitError),
    attempt=st.integers(1, 10),
    asked=st.none() | st.floats(),
    on_fallback=st.booleans(),
)
def test_retry_after_only_lengthens(
    error: VisitError, attempt: int, asked: float | None, on_fallback: bool
) -> None:
    step = retry(error, attempt, asked, on_fallback=on_fallback)
    usual = retry(error, attempt, on_fallback=on_fallback)
    if step is None or step.delay is None:
        # The visit ends: it would have ended anyway, or the server asks for a longer time.
        assert usual is None or usual.delay is None or (asked is not None and asked > MAX_DELAY)
        return
    assert usual is not None
    assert usual.delay is not None
    assert usual.delay <= step.delay <= MAX_DELAY
    assert step.to_fallback == usual.to_fallback
    if asked is not None and asked > usual.delay:
        assert step.delay == asked


def test_a_visit_does_not_wait_for_days() -> None:
    assert retry(VisitError.RATE_LIMITED, 1, 86_400) == RetryStep(lower_frequency=True)
    assert retry(VisitError.UNAVAILABLE, 1, 86_400) is None


def test_attempts_count_from_one() -> None:
    with pytest.raises(ValueError, match="attempt: 0"):
        retry(VisitError.TIMEOUT, 0)
