"""Parsing of Retry-After as servers write it."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scrapy.http.headers import Headers

from wikicrawler.politeness.retry_after import MAX_WAIT, parse_retry_after, retry_after_of

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (b"120", 120.0),
        ("120", 120.0),
        (b" 5 ", 5.0),
        (b"0", 0.0),
        (b"0.5", 0.5),
        (b"Fri, 02 Jan 2026 03:04:35 GMT", 30.0),
        (b"Friday, 02-Jan-26 03:04:35 GMT", 30.0),
        (b"Fri Jan  2 03:04:35 2026", 30.0),
        (b"Fri, 02 Jan 2026 04:04:35 +0100", 30.0),
        (b"Fri, 02 Jan 2026 03:04:00 GMT", 0.0),  # has passed
        (b"Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
    ],
)
def test_seconds_and_dates_are_parsed(value: bytes | str, seconds: float) -> None:
    assert parse_retry_after(value, NOW) == seconds


@pytest.mark.parametrize("value", [b"9" * 5_000, b"99999999999", b"Fri, 31 Dec 9999 23:59:59 GMT"])
def test_long_waits_are_capped(value: bytes) -> None:
    assert parse_retry_after(value, NOW) == MAX_WAIT


@pytest.mark.parametrize(
    "value",
    [
        None, b"", b"soon", b"-5", b"inf", b"nan", b"1e3", b"+5", b"0x10", b"5 s", b"1_000",
        b"\xb2", "٣", b"Fri, 99 Jan 2026 03:04:35 GMT", b"Fri, 02 Jan 2026 03:04:35 +9999",
        b"," * 100_000,
    ],
)  # fmt: skip
def test_an_invalid_value_is_ignored(value: bytes | str | None) -> None:
    assert parse_retry_after(value, NOW) is None


dates = st.datetimes(timezones=st.just(UTC)).map(lambda d: format_datetime(d, usegmt=True))
almost_dates = st.from_regex(
    r"\A[A-Z][a-z]{2}, \d{1,3} [A-Z][a-z]{2} \d{1,6} \d+:\d+:\d+ [-+A-Z]?\w{0,6}\Z"
)


@settings(max_examples=60, deadline=None)
@given(st.one_of(st.binary(), st.text(), st.integers().map(str), dates, almost_dates))
def test_any_value_is_parsed_without_an_error(value: bytes | str) -> None:
    seconds = parse_retry_after(value, NOW)
    assert seconds is None or 0 <= seconds <= MAX_WAIT


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6))
def test_a_date_and_its_seconds_give_the_same_wait(seconds: int) -> None:
    date = format_datetime(NOW + timedelta(seconds=seconds), usegmt=True)
    assert parse_retry_after(date, NOW) == parse_retry_after(str(seconds), NOW) == seconds


@pytest.mark.parametrize("minutes", [-1, 0, 1])
def test_a_date_counts_from_that_of_its_server(minutes: int) -> None:
    now = datetime.now(UTC) + timedelta(minutes=minutes)
    later = format_datetime(now + timedelta(seconds=30), usegmt=True)
    headers = Headers({"Retry-After": later, "Date": format_datetime(now, usegmt=True)})
    assert retry_after_of(headers) == 30


@pytest.mark.parametrize("date", [None, "", "yesterday", "x" * 10_000])
def test_a_date_without_that_of_its_server_counts_from_now(date: str | None) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    headers = Headers({"Retry-After": later, "Date": date})
    found = retry_after_of(headers)
    assert found is not None
    assert 0 < found <= 30
    assert retry_after_of(Headers({"Retry-After": "5", "Date": date})) == 5
    assert retry_after_of(Headers()) is None
