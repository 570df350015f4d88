"""The schema of an answer is one that servers with structured output accept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from wikicrawler.fields.definitions.schema import answer_schema, is_strict, schema_name
from wikicrawler.fields.models import FieldDefinition
from wikicrawler.fields.values.types import validation_errors

if TYPE_CHECKING:
    from collections.abc import Iterator

TITLE = FieldDefinition(name="title")
PRICE = FieldDefinition(name="price", type="number", minimum=0, description="in euros")
TAGS = FieldDefinition(name="tags", type="list[string]", enum=("a", "b"), max_items=3)
OFFERS = FieldDefinition(
    name="offers",
    type="list[object]",
    properties={"name": "string", "sizes": {"type": "array", "items": {"type": "integer"}}},
)
OPEN = FieldDefinition(name="rows", type="list[object]")
MAKER = FieldDefinition(name="maker", type="object", properties={"name": "string"})
STRICT = [TITLE, PRICE, TAGS, OFFERS, MAKER]
QUOTE = {"type": ["string", "null"]}


def schemas(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for one in (*schema.get("properties", {}).values(), schema.get("items")):
        if one:
            yield from schemas(one)


def test_without_quotes_each_field_is_its_type_or_null() -> None:
    assert answer_schema([TITLE, PRICE, TAGS], quotes=False) == {
        "type": "object",
        "properties": {
            "title": {"type": ["string", "null"]},
            "price": {"type": ["number", "null"], "minimum": 0, "description": "in euros"},
            "tags": {
                "type": ["array", "null"],
                "items": {"type": "string", "enum": ["a", "b"]},
                "maxItems": 3,
            },
        },
        "required": ["title", "price", "tags"],
        "additionalProperties": False,
    }


def test_with_quotes_each_value_stands_beside_the_text_that_proves_it() -> None:
    schema = answer_schema([TITLE, TAGS], quotes=True)
    assert schema["properties"]["title"] == {
        "type": "object",
        "properties": {"value": {"type": ["string", "null"]}, "quote": QUOTE},
        "required": ["value", "quote"],
        "additionalProperties": False,
    }
    tags = schema["properties"]["tags"]
    assert tags["type"] == "array"
    assert tags["items"]["properties"] == {
        "value": {"type": "string", "enum": ["a", "b"]},
        "quote": QUOTE,
    }


def test_an_optional_enum_contains_null() -> None:
    schema = answer_schema([FieldDefinition(name="size", enum=("S",))], quotes=False)
    assert schema["properties"]["size"]["enum"] == ["S", None]


@pytest.mark.parametrize("quotes", [True, False])
def test_a_strict_schema_closes_each_object_and_requires_each_key(quotes: bool) -> None:
    assert is_strict(STRICT, quotes=quotes)
    schema = answer_schema(STRICT, quotes=quotes)
    Draft202012Validator.check_schema(schema)
    objects = [one for one in schemas(schema) if "properties" in one]
    assert len(objects) >= 3
    for one in objects:
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])
    refused = {"allOf", "anyOf", "oneOf", "not", "if", "then", "else", "$ref", "minItems"}
    assert not any(refused & one.keys() for one in schemas(schema))


def test_objects_with_any_keys_are_not_strict() -> None:
    assert not is_strict([TITLE, OPEN])
    schema = answer_schema([OPEN], quotes=False)
    assert schema["properties"]["rows"]["items"]["additionalProperties"] is True


@pytest.mark.parametrize(
    "field",
    [
        FieldDefinition(name="f", enum=tuple(map(str, range(1001)))),
        FieldDefinition(name="f", enum=tuple("x" * 500 + str(n) for n in range(300))),
        FieldDefinition(
            name="f", type="object", properties={f"p{n}": "string" for n in range(5000)}
        ),
    ],
)
def test_a_schema_that_is_too_large_for_servers_is_not_strict(field: FieldDefinition) -> None:
    assert not is_strict([field])


def test_a_deep_schema_is_not_strict() -> None:
    inner: dict[str, Any] = {"type": "string"}
    for _ in range(8):
        inner = {"type": "object", "properties": {"a": inner}}
    assert not is_strict([FieldDefinition(name="f", type="object", properties={"a": inner})])
    assert is_strict([FieldDefinition(name="f", type="object", properties={"a": "string"})])


@pytest.mark.parametrize(
    ("pattern", "sent"),
    [
        ("^[A-Z]{2}$", True),
        (r"^\d+\.\d+$", True),
        (r"^[^\s]{1,}[\w.-]?.*$", True),
        ("[A-Z]", False),
        ("(?i)^a$", False),
        (r"^\pL+$", False),
        (r"^a\z", False),
        ("^a|b$", False),
        ("^(a|b)$", False),
        ("^a+?$", False),
        ("^[]a]$", False),
        ("^[[:alpha:]]$", False),
        ("^a{$", False),
    ],
)
def test_a_pattern_is_sent_if_all_servers_read_it_alike(pattern: str, sent: bool) -> None:
    schema = answer_schema([FieldDefinition(name="f", pattern=pattern)], quotes=False)
    assert ("pattern" in schema["properties"]["f"]) is sent


def test_a_format_is_sent_if_servers_know_it() -> None:
    fields = [FieldDefinition(name="a", format="date"), FieldDefinition(name="b", format="uri")]
    properties = answer_schema(fields, quotes=False)["properties"]
    assert "format" in properties["a"]
    assert "format" not in properties["b"]


def test_the_name_is_that_of_the_definitions() -> None:
    assert schema_name(STRICT) == schema_name(list(STRICT))
    assert schema_name(STRICT) != schema_name(STRICT[1:])
    assert len(schema_name(STRICT)) <= 64


@given(
    st.none() | st.text(alphabet="ab", max_size=3),
    st.none() | st.integers(-2, 2) | st.floats(-2, 2),
    st.lists(st.sampled_from(["a", "b"]), max_size=3),
)
def test_what_the_schema_allows_has_no_validation_errors(title: Any, price: Any, tags: Any) -> None:
    fields = [TITLE, PRICE, TAGS]
    data = {"title": title, "price": price, "tags": tags}
    valid = Draft202012Validator(answer_schema(fields, quotes=False)).is_valid(data)
    assert valid == (not validation_errors(data, fields))
