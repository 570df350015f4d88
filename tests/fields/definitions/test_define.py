"""Definitions of fields are read from programs and command lines, or all faults are named."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from wikicrawler.fields.definitions.define import define_fields, parse_fields
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import FieldDefinition

TITLE = FieldDefinition(name="title")
TAGS = FieldDefinition(name="tags", type="list[string]")


class Book(BaseModel):
    title: str
    tags: list[str]


@pytest.mark.parametrize(
    "given_as",
    [
        {"title": "string", "tags": "list[string]"},
        {"title": str, "tags": list[str]},
        {"title": {"type": "string"}, "tags": {"type": "list[string]"}},
        {"title": {}, "tags": TAGS},
        [{"name": "title"}, {"name": "tags", "type": "List[ string ]"}],
        [TITLE, TAGS],
        (one for one in (TITLE, TAGS)),
        "title, tags: list[string]",
        Book,
    ],
)
def test_fields_are_given_as_mappings_lists_texts_and_models(given_as: Any) -> None:
    assert define_fields(given_as) == [TITLE, TAGS]


def test_fields_are_given_by_name() -> None:
    assert define_fields(title="string", tags=list[str]) == [TITLE, TAGS]
    assert define_fields([TITLE], tags="list[string]") == [TITLE, TAGS]


def test_a_text_has_types_and_descriptions() -> None:
    text = "title, price: number (in euros, or (rarely) dollars; net),\n tags: list[string];"
    title, price, tags = parse_fields(text)
    assert (title, tags) == (TITLE, TAGS)
    assert price.type == "number"
    assert price.description == "in euros, or (rarely) dollars; net"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("price: nubmer", "'nubmer' is no type (did you mean number?)"),
        ("price: float", "'float' is no type (did you mean number?)"),
        ("price: xyz", "'xyz' is no type (known: string, number, integer, boolean, list[string]"),
        ("a: list[integer]", "did you mean list[number]?"),
        ("a: object", "type: is object without properties (add them, or use list[object])"),
        ("price: number (in euros", "the parenthesis is not closed at the end"),
        ("price: number (a) b", "the parenthesis is not closed at the end"),
        ("tags: list[string", "a bracket is not closed (like tags: list[string])"),
        ("2nd: string", "'2nd' is not a name (letters, digits, _ and -, at most 64"),
        (": string", "has no name"),
        ("a: string, a: number", "a appears twice (keep one)"),
        ("a: string, A: number", "A differs from a only in its capitals (keep one)"),
        ("__proto__: string", "'__proto__' is reserved"),
        ("", "there are no fields (name at least one, like title: string)"),
        (" ,;\n", "there are no fields"),
        (",".join(f"f{n}" for n in range(101)), "there are 101 fields (at most 100)"),
        ("x" * 100_001, "the fields have 100,001 characters (at most 100,000)"),
    ],
)
def test_a_fault_in_a_text_says_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_fields(text)
    assert message in str(caught.value)


def test_all_faults_of_a_text_are_named_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_fields("a: nubmer, b: string, c: strnig, d d: string")
    assert str(caught.value).splitlines() == [
        "field 'a: nubmer': type: 'nubmer' is no type (did you mean number?)",
        "field 'c: strnig': type: 'strnig' is no type (did you mean string?)",
        "field 'd d: string': 'd d' is not a name (letters, digits, _ and -, at most 64, no digit"
        " first)",
    ]


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"desciption": "x"}, "f.desciption: unknown key (did you mean description?)"),
        ({"type": 5}, "f.type: is not the name of a type"),
        ({"type": []}, "f.type: is not the name of a type"),
        ({"minimum": "0"}, "f.minimum: is not a number"),
        ({"minimum": True}, "f.minimum: is not a number"),
        ({"derived": "yes"}, "f.derived: is not true or false"),
        ({"minimum": 0}, "f.minimum: is for numbers, not for string"),
        ({"type": "number", "minimum": 2, "maximum": 1}, "f.minimum: 2 is more than maximum, 1"),
        ({"type": "number", "maximum": float("nan")}, "f.maximum: is not a finite number"),
        ({"type": "number", "format": "date"}, "f.format: is for strings, not for number"),
        ({"format": "dat"}, "f.format: 'dat' is unknown (did you mean date?)"),
        ({"pattern": "(a"}, "f.pattern: is no regular expression of RE2: missing )"),
        ({"pattern": "(?=a)"}, "f.pattern: is no regular expression of RE2"),
        ({"pattern": "a" * 2001}, "f.pattern: has 2,001 characters (at most 2,000)"),
        ({"enum": []}, "f.enum: is empty"),
        ({"enum": "abc"}, "f.enum: is not a list of texts or numbers"),
        ({"enum": [True]}, "f.enum: is not a list of texts or numbers"),
        ({"enum": [2019]}, "f.enum: '2019' is not of the type string (put it in quotes)"),
        ({"enum": [" a"]}, "f.enum: ' a' is not of the type string"),
        ({"type": "integer", "enum": [1.5]}, "f.enum: '1.5' is not of the type integer"),
        ({"type": "number", "enum": ["1"]}, "f.enum: '1' is not of the type number"),
        ({"enum": ["a", "a"]}, "f.enum: 'a' appears twice (keep one)"),
        ({"type": "boolean", "enum": ["a"]}, "f.enum: is for strings and numbers"),
        ({"max_items": 3}, "f.max_items: is for lists, and the type is string"),
        ({"type": "list[string]", "max_items": 0}, "f.max_items: is 0 (at least 1)"),
        ({"type": "list[string]", "min_items": 2, "max_items": 1}, "2 is more than max_items, 1"),
        ({"type": "list[string]", "min_items": -1}, "min_items: Input should be greater"),
        ({"properties": {"a": "string"}}, "f.properties: is for list[object]"),
        ({"type": "list[object]", "properties": {}}, "f.properties: f: properties is not"),
        ({"type": "list[object]", "properties": {"a": "nubmer"}}, "f.a: unknown type 'nubmer'"),
        ({"type": "list[object]", "properties": {"a": 5}}, "f.a: is neither a type nor a mapping"),
        ({"type": "list[object]", "properties": {"a": {"$ref": "x"}}}, "unknown keyword '$ref'"),
        (
            {"type": "list[object]", "properties": {"a": {"type": "string", "pattern": "("}}},
            "f.properties: f.a: pattern: is no regular expression",
        ),
        (
            {"type": "list[object]", "properties": {"a": {"type": "string", "enum": 5}}},
            "f.properties",
        ),
        ({"enum": [str(n) for n in range(5001)]}, "f.enum: has 5,001 values (at most 5,000)"),
        ({"type": "number", "pattern": "a"}, "f.pattern: is for strings, not for number"),
        (
            {
                "type": "list[object]",
                "properties": {"a": {"type": "array", "minItems": 2, "maxItems": 1}},
            },
            "f.properties: f.a: minItems: 2 is more than maxItems, 1",
        ),
        (
            {
                "type": "list[object]",
                "properties": {"a": {"type": "array", "items": {"type": "number", "enum": ["x"]}}},
            },
            "f.properties: f.a: enum: 'x' is not of the type number",
        ),
        ({"type": "list[object]", "properties": {"a": {"type": ["string", "number"]}}}, "f.a: unk"),
        (
            {"type": "list[object]", "properties": {"a": {"type": "number", "minimum": "x"}}},
            "f.properties: f.a: minimum: is not a finite number",
        ),
    ],
)
def test_a_fault_of_an_attribute_names_it(attributes: Any, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        define_fields(f=attributes)
    assert message in str(caught.value)


def test_a_definition_is_checked_as_its_attributes_are() -> None:
    with pytest.raises(ConfigError, match=r"^f\.pattern: is no regular expression"):
        define_fields([FieldDefinition(name="f", pattern="(")])
    with pytest.raises(ConfigError, match="is the definition of 'f'"):
        define_fields({"g": FieldDefinition(name="f")})


@pytest.mark.parametrize(
    "given_as", [None, {}, [], 5, [5], ["title"], [{"type": "string"}], {5: "string"}, b"title"]
)
def test_what_defines_no_field_is_refused(given_as: Any) -> None:
    with pytest.raises(ConfigError):
        define_fields(given_as)


def test_a_list_of_objects_has_properties() -> None:
    (field,) = define_fields(offers={"type": "list[object]", "properties": {"price": "number"}})
    assert field.properties == {"price": "number"}


@given(st.text(max_size=80))
def test_any_text_is_fields_or_a_fault(text: str) -> None:
    try:
        fields = parse_fields(text)
    except ConfigError as error:
        assert all(line.isprintable() for line in str(error).split("\n"))  # noqa: PT017
    else:
        assert fields
