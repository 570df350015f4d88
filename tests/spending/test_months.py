"""Months and forecasts."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wikicrawler.spending.months import end_of, forecast, month_of


def at(*parts: int) -> float:
    return datetime(*parts, tzinfo=UTC).timestamp()  # type: ignore[arg-type,misc]


def test_a_month_is_that_of_utc_and_ends_where_the_next_begins() -> None:
    assert month_of(at(2026, 8, 31, 23, 59)) == "2026-08"
    assert end_of("2026-08") == at(2026, 9, 1)
    assert end_of("2026-12") == at(2027, 1, 1)
    assert month_of(end_of("2026-12")) == "2027-01"


@pytest.mark.parametrize(
    ("used", "since", "now", "expected"),
    [
        (100, at(2026, 9, 1), at(2026, 9, 11), 300),  # ten of thirty days
        (100, at(2026, 9, 21), at(2026, 9, 26), 200),  # five days, five to go
        (10, at(2026, 9, 29), at(2026, 9, 29), 30),  # a pace is that of a day at least
        (100, at(2026, 9, 1), at(2026, 10, 5), 100),  # the month is over
        (0, at(2026, 9, 1), at(2026, 9, 2), 0),
    ],
)
def test_the_forecast_goes_on_at_the_pace_so_far(
    used: float, since: float, now: float, expected: float
) -> None:
    assert forecast(used, "2026-09", since, now) == pytest.approx(expected)
