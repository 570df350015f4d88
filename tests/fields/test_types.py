"""What a model returned becomes a value of the field's type, or null with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.fields.models import FieldDefinition
from wikicrawler.fields.rejections import Rejection
from wikicrawler.fields.types import coerce, coerce_element, validation_errors

TYPES = (
    *("string", "number", "integer", "boolean"),
    *("list[string]", "list[number]", "list[boolean]", "list[object]", "object"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)


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


@pytest.mark.parametrize(
    ("raw", "kind", "expected"),
    [
        ("a", "list[string]", ["a"]),
        (["a", None, "", " b"], "list[string]", ["a", "b"]),
        ([], "list[string]", []),
        ([None], "list[number]", []),
        ("", "list[string]", None),
        (["1", 1.0, 2], "list[number]", [1, 1.0, 2]),
        ({"a": 1}, "list[object]", [{"a": 1}]),
        ([{"a": None}, {"a": 0}], "list[object]", [{"a": 0}]),
        (None, "list[string]", None),
    ],
)
def test_a_list_wraps_a_scalar_and_drops_nulls(raw: Any, kind: str, expected: Any) -> None:
    assert value(raw, kind) == expected


def test_a_bad_element_is_reported_and_the_others_stay() -> None:
    field = FieldDefinition(name="sizes", type="list[number]")
    coerced = coerce([1, True, "2", [3], "x"], field)
    assert coerced.value == [1, 2]
    assert coerced.reason is None
    assert [(one.path, one.raw, one.reason) for one in coerced.rejected] == [
        ("sizes[1]", True, Rejection.WRONG_TYPE),
        ("sizes[3]", [3], Rejection.WRONG_TYPE),
        ("sizes[4]", "x", Rejection.WRONG_TYPE),
    ]


def test_a_list_of_bad_elements_is_null_with_the_reason() -> None:
    assert reason([True, "x"], "list[number]") == Rejection.WRONG_TYPE


def test_an_element_is_coerced_by_itself() -> None:
    field = FieldDefinition(name="sizes", type="list[number]", maximum=9)
    assert coerce_element("7", field).value == 7
    assert coerce_element(70, field).reason == Rejection.OUT_OF_RANGE
    assert coerce_element([7], field).reason == Rejection.WRONG_TYPE


OFFER = {"name": {"type": "string"}, "price": "number", "tags": "list[string]"}


def test_an_object_has_the_declared_keys_and_no_others() -> None:
    field = FieldDefinition(name="offers", type="list[object]", properties=OFFER)
    coerced = coerce([{"name": " a ", "price": "x", "colour": "red"}, {"name": ""}, 5], field)
    assert coerced.value == [{"name": "a", "price": None, "tags": None}]
    assert [(one.path, one.reason) for one in coerced.rejected] == [
        ("offers[0].colour", Rejection.UNKNOWN_KEY),
        ("offers[0].price", Rejection.WRONG_TYPE),
        ("offers[2]", Rejection.WRONG_TYPE),
    ]


def test_an_object_without_properties_may_have_any_keys() -> None:
    raw = {"a": [1, None, {"b": float("nan"), "c": "\ud800"}], "d": True}
    coerced = coerce(raw, FieldDefinition(name="o", type="object"))
    assert coerced.value == {"a": [1, {"b": None, "c": "\ufffd"}], "d": True}
    assert [(one.path, one.reason) for one in coerced.rejected] == [
        ("o.a[2].b", Rejection.NOT_FINITE)
    ]


def test_what_json_does_not_have_is_rejected() -> None:
    coerced = coerce({"a": {1, 2}, "b": 10**400, "c": 1}, FieldDefinition(name="o", type="object"))
    assert coerced.value == {"a": None, "b": None, "c": 1}
    assert [str(one) for one in coerced.rejected] == [
        "o.a: expected a string, got a value that JSON does not have",
        "o.b: the number is too large",
    ]


def test_a_deep_object_is_cut() -> None:
    raw: Any = "x"
    for _ in range(900):
        raw = {"a": raw}
    coerced = coerce(raw, FieldDefinition(name="o", type="object"))
    assert [one.reason for one in coerced.rejected] == [Rejection.TOO_DEEP]


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


def test_elements_behind_the_maximum_are_rejected() -> None:
    coerced = coerce(["a", "b", "c"], FieldDefinition(name="f", type="list[string]", max_items=2))
    assert coerced.value == ["a", "b"]
    assert [(one.path, one.reason) for one in coerced.rejected] == [("f[2]", Rejection.TOO_MANY)]


def test_few_elements_are_reported_and_stay() -> None:
    coerced = coerce(["a"], FieldDefinition(name="f", type="list[string]", min_items=2))
    assert coerced.value == ["a"]
    assert [one.reason for one in coerced.rejected] == [Rejection.TOO_FEW]


def test_errors_are_sentences_for_the_model() -> None:
    fields = [
        FieldDefinition(name="price", type="number"),
        FieldDefinition(name="size", enum=("S", "M")),
        FieldDefinition(name="tags", type="list[string]", min_items=9),
        FieldDefinition(name="name"),
    ]
    data = {"price": [1], "size": "XL", "tags": ["a", 1.5], "name": "n", "extra": 1}
    assert validation_errors(data, fields) == [
        "price: expected a number, got a list",
        "size: expected one of 'S', 'M', got 'XL'",
        "tags[1]: expected a string, got a number",
    ]
    assert validation_errors({}, fields) == []
    assert validation_errors([], fields) == [
        "expected one JSON object with the keys price, size, tags, name, got a list"
    ]


def test_there_are_at_most_twenty_sentences_and_a_count() -> None:
    errors = validation_errors({"f": [True] * 50}, [FieldDefinition(name="f", type="list[string]")])
    assert len(errors) == 21
    assert errors[-1] == "and 30 more values are wrong"


def test_what_a_model_said_stands_escaped_and_cut_in_a_sentence() -> None:
    (error,) = validation_errors(
        {"f": "\x1b[31m\n" + "x" * 500}, [FieldDefinition(name="f", type="number")]
    )
    assert error.isprintable()
    assert len(error) < 120


@given(JSON, st.sampled_from(TYPES), st.booleans())
def test_every_json_value_is_coerced_to_json_or_null_and_stays_as_it_is(
    raw: Any, kind: str, closed: bool
) -> None:
    properties = {"a": "number", "b": {"type": "string"}} if closed else None
    has_objects = kind in ("object", "list[object]")
    field = FieldDefinition(name="f", type=kind, properties=properties if has_objects else None)
    once = coerce(raw, field)
    json.dumps(once.value, allow_nan=False).encode()
    again = coerce(once.value, field)
    assert again.value == once.value
    assert not again.rejected
    if raw is not None and once.value is None:
        is_empty = raw in ("", [], {}) or isinstance(raw, (str, dict, list))
        assert once.reason is not None or is_empty


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e15, max_value=1e15))
def test_the_text_of_a_number_is_that_number_or_ambiguous(number: float) -> None:
    coerced = coerce(repr(number), FieldDefinition(name="f", type="number"))
    assert coerced.reason == Rejection.AMBIGUOUS or coerced.value == number


@given(st.text(alphabet="0123456789.,' -+$e€E", max_size=20))
def test_no_text_of_digits_and_separators_raises(text: str) -> None:
    coerce(text, FieldDefinition(name="f", type="number"))
