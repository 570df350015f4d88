"""A string, number, integer or boolean is read from what a model returns, or there is a reason."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.fields.models import FieldDefinition
from wikicrawler.fields.values.rejections import Rejection
from wikicrawler.fields.values.types import coerce


def value(raw: Any, kind: str, **more: Any) -> Any:
    coerced = coerce(raw, FieldDefinition(name="f", type=kind, **more))
    assert not coerced.rejected
    return coerced.value


def reason(raw: Any, kind: str, **more: Any) -> Rejection | None:
    coerced = coerce(raw, FieldDefinition(name="f", type=kind, **more))
    assert coerced.value is None
    return coerced.reason


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (" a ", "a"),
        ("", None),
        (" \n\t\u00a0", None),
        (94103, "94103"),
        ("a\x00b\ud800", "a\ufffdb\ufffd"),
        ("null", "null"),
    ],
)
def test_a_string_is_stripped_and_an_empty_one_is_null(raw: Any, expected: Any) -> None:
    assert value(raw, "string") == expected


@pytest.mark.parametrize("raw", [3.1, 3.0, True, ["a"], {"a": 1}])
def test_a_float_is_no_string_because_its_digits_are_lost(raw: Any) -> None:
    assert reason(raw, "string") == Rejection.WRONG_TYPE


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (14.5, 14.5),
        (3, 3),
        ("14.50", 14.5),
        (" 14 ", 14),
        ("1,234.5", 1234.5),
        ("1.234,5", 1234.5),
        ("1 234,5", 1234.5),
        ("1\u202f234\u202f567", 1234567),
        ("1'234.50", 1234.5),
        ("1,234,567", 1234567),
        ("1.234.567", 1234567),
        ("12,34,567", 1234567),
        ("1,234.567", 1234.567),
        ("0,125", 0.125),
        ("0.125", 0.125),
        ("1234.567", 1234.567),
        ("1,5", 1.5),
        (".5", 0.5),
        ("$14.50", 14.5),
        ("-$5", -5),
        ("$-5", -5),
        ("\u22125", -5),
        ("14.50 €", 14.5),
        ("EUR 14.50", 14.5),
        ("14.50 EUR", 14.5),
        ("1.5e3", 1500.0),
        ("007", 7),
        ("٤٢", 42),
        ("", None),
    ],
)
def test_text_that_can_be_one_number_only_is_that_number(raw: Any, expected: Any) -> None:
    found = value(raw, "number")
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize("raw", ["1,234", "1.234", "$1,234", "999.000", "-1,234"])
def test_a_thousand_that_may_be_a_decimal_is_ambiguous(raw: str) -> None:
    assert reason(raw, "number") == Rejection.AMBIGUOUS
    assert reason(raw, "integer") == Rejection.AMBIGUOUS


@pytest.mark.parametrize(
    "raw",
    [
        *("12 km", "12%", "1-2", "a", "NaN", "inf", "1 2", "1 23", "1,23.4", "1.2.3", "--5", "$"),
        *("1,2345,678", "0x10", "1_000", "5 - 6", "12.05.2024", "½", "9" * 61, "1 234 56", "..5"),
        *(True, False, [1, 2], {"a": 1}),
    ],
)
def test_other_text_and_booleans_are_no_numbers(raw: Any) -> None:
    assert reason(raw, "number") == Rejection.WRONG_TYPE


@pytest.mark.parametrize("raw", [float("nan"), float("inf"), float("-inf")])
@pytest.mark.parametrize("kind", ["number", "integer", "list[number]"])
def test_numbers_that_are_not_finite_are_rejected(raw: float, kind: str) -> None:
    assert reason(raw, kind) == Rejection.NOT_FINITE


@pytest.mark.parametrize("raw", [10**400, -(10**400), "1e999"])
def test_a_number_that_no_float_holds_is_out_of_range(raw: Any) -> None:
    assert reason(raw, "number") == Rejection.OUT_OF_RANGE


def test_an_integer_of_very_many_digits_is_no_string() -> None:
    assert reason(10**5000, "string") == Rejection.OUT_OF_RANGE


@pytest.mark.parametrize(("raw", "expected"), [(3.0, 3), ("3", 3), ("1,234,567", 1234567), (0, 0)])
def test_integral_numbers_are_integers(raw: Any, expected: int) -> None:
    found = value(raw, "integer")
    assert found == expected
    assert type(found) is int


@pytest.mark.parametrize("raw", [3.5, "3.5", True, "three", [3]])
def test_other_numbers_are_no_integers(raw: Any) -> None:
    assert reason(raw, "integer") == Rejection.WRONG_TYPE


def test_a_float_beyond_the_exact_ones_is_no_integer() -> None:
    assert reason(1e300, "integer") == Rejection.OUT_OF_RANGE
    assert value(2.0**53, "integer") == 2**53


@pytest.mark.parametrize(
    ("raw", "expected"),
    [(True, True), ("TRUE", True), (" yes ", True), ("no", False), ("False", False), ("", None)],
)
def test_words_are_booleans(raw: Any, expected: Any) -> None:
    assert value(raw, "boolean") is expected


@pytest.mark.parametrize("raw", [0, 1, 1.0, "0", "1", "on", "y", [True], {}, "yes please"])
def test_numbers_are_no_booleans(raw: Any) -> None:
    assert reason(raw, "boolean") == Rejection.WRONG_TYPE


@pytest.mark.parametrize(("raw", "expected"), [("eur", "EUR"), (" Usd", "usd"), ("USD", "USD")])
def test_a_value_of_an_enum_has_the_declared_spelling(raw: str, expected: str) -> None:
    assert value(raw, "string", enum=("EUR", "usd", "USD")) == expected


def test_a_value_outside_the_enum_is_not_allowed() -> None:
    assert reason("GBP", "string", enum=("EUR",)) == Rejection.NOT_ALLOWED
    assert reason(3, "integer", enum=(1, 2)) == Rejection.NOT_ALLOWED
    assert value("2.0", "number", enum=(1, 2)) == 2


@pytest.mark.parametrize(
    ("kind", "more", "good", "bad", "why"),
    [
        ("number", {"minimum": 0}, 0, -0.1, Rejection.OUT_OF_RANGE),
        ("integer", {"maximum": 10}, "10", 11, Rejection.OUT_OF_RANGE),
        ("string", {"pattern": "^[A-Z]+$"}, "AB", "Ab", Rejection.BAD_FORMAT),
        ("string", {"pattern": "b"}, "abc", "ac", Rejection.BAD_FORMAT),
        ("string", {"format": "date"}, "2026-02-28", "2026-02-30", Rejection.BAD_FORMAT),
        ("string", {"format": "date"}, "2026-02-28", "20260228", Rejection.BAD_FORMAT),
        ("string", {"format": "date-time"}, "2026-02-28T10:00", "2026-02-28", Rejection.BAD_FORMAT),
        ("string", {"format": "date-time"}, "2026-02-28T10:00:00Z", "T", Rejection.BAD_FORMAT),
        ("string", {"format": "time"}, "23:59", "24:00", Rejection.BAD_FORMAT),
        ("string", {"format": "duration"}, "P1DT2H", "P", Rejection.BAD_FORMAT),
        ("string", {"format": "email"}, "a.b@x.org", "a@b@x..org", Rejection.BAD_FORMAT),
        ("string", {"format": "email"}, "a@müller.de", "a@localhost", Rejection.BAD_FORMAT),
        ("string", {"format": "uri"}, "https://x.org/a", "/a", Rejection.BAD_FORMAT),
        ("string", {"format": "uri"}, "mailto:a@x.org", "http://", Rejection.BAD_FORMAT),
        ("string", {"format": "uri"}, "http://x:80", "http://x:99999", Rejection.BAD_FORMAT),
        ("string", {"format": "hostname"}, "x.org", "-x.org", Rejection.BAD_FORMAT),
        ("string", {"format": "ipv4"}, "192.0.2.1", "192.0.2.256", Rejection.BAD_FORMAT),
        ("string", {"format": "ipv6"}, "::1", "::g", Rejection.BAD_FORMAT),
        ("string", {"format": "uuid"}, "0" * 8 + "-0000" * 3 + "-" + "0" * 12, "0", "bad_format"),
    ],
)
def test_constraints(kind: str, more: Any, good: Any, bad: Any, why: str) -> None:
    assert value(good, kind, **more) is not None
    assert reason(bad, kind, **more) == why


def test_a_pattern_that_backtracks_elsewhere_takes_linear_time() -> None:
    assert reason("a" * 20_000, "string", pattern="^(a+)+$b") == Rejection.BAD_FORMAT


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15))
def test_the_text_of_a_number_is_that_number_or_ambiguous(number: float) -> None:
    coerced = coerce(repr(number), FieldDefinition(name="f", type="number"))
    assert coerced.reason == Rejection.AMBIGUOUS or coerced.value == number


@given(st.text(alphabet="0123456789.,' -+$e€E", max_size=20))
def test_no_text_of_digits_and_separators_raises(text: str) -> None:
    coerce(text, FieldDefinition(name="f", type="number"))
