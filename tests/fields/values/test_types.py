"""What a model returned becomes a value of the field's type, or null with a reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.fields.models import FieldDefinition
from wikicrawler.fields.values.rejections import Rejection
from wikicrawler.fields.values.types import coerce, coerce_element, validation_errors

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
