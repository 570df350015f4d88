"""After which delay a fetch is repeated."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.sources.schedule.retry import DELAYS, MAX_DELAY, VisitError, next_delay


@pytest.mark.parametrize("error", VisitError)
def test_each_delay_is_used_once(error: VisitError) -> None:
    delays = DELAYS[error]
    used = [next_delay(delays, retries) for retries in range(len(delays) + 2)]
    assert used == [*delays, None, None]


@given(
    error=st.sampled_from(VisitError),
    retries=st.integers(0, 10),
    asked=st.none() | st.floats(),
)
def test_retry_after_only_lengthens(error: VisitError, retries: int, asked: float | None) -> None:
    usual = next_delay(DELAYS[error], retries)
    delay = next_delay(DELAYS[error], retries, asked)
    if delay is None:
        # It was not repeated anyway, or the server asks for a longer time.
        assert usual is None or (asked is not None and asked > MAX_DELAY)
        return
    assert usual is not None
    assert usual <= delay <= MAX_DELAY
    if asked is not None and asked > usual:
        assert delay == asked


def test_a_fetch_does_not_wait_for_days() -> None:
    assert next_delay(DELAYS[VisitError.RATE_LIMITED], 0, 86_400) is None


def test_retries_count_from_zero() -> None:
    with pytest.raises(ValueError, match="retries: -1"):
        next_delay(DELAYS[VisitError.TIMEOUT], -1)
