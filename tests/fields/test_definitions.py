"""Definitions of fields are read from programs, command lines and files, or all faults named."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from wikicrawler.fields.definitions import define_fields, parse_fields, read_fields_file
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import FieldDefinition

if TYPE_CHECKING:
    from pathlib import Path

TITLE = FieldDefinition(name="title")
PRICE = FieldDefinition(name="price", type="number", description="in euros", minimum=0)
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


YAML = """\
title:
price:
  type: number
  description: in euros
  minimum: 0
tags: list[string]
"""
LIST = """\
- title
- {name: price, type: number, description: in euros, minimum: 0.0}
- name: tags
  type: list[string]
"""


@pytest.mark.parametrize("text", [YAML, LIST])
def test_a_yaml_file_is_a_mapping_or_a_list(text: str, tmp_path: Path) -> None:
    path = tmp_path / "fields.yml"
    path.write_text(text)
    assert read_fields_file(path) == [TITLE, PRICE, TAGS]
    assert read_fields_file(str(path)) == [TITLE, PRICE, TAGS]


@pytest.mark.parametrize("indent", [None, "\t", 2])
def test_a_json_file_is_read_as_json(indent: Any, tmp_path: Path) -> None:
    path = tmp_path / "fields.json"
    fields = {"f": {"description": "\U0001f600 a/b\t", "type": "number", "maximum": 1e5}}
    path.write_text(json.dumps(fields, indent=indent))
    (field,) = read_fields_file(path)
    assert field.description == "\U0001f600 a/b\t"
    assert field.maximum == 1e5


def test_negative_limits_and_quoted_values_are_read(tmp_path: Path) -> None:
    path = tmp_path / "fields.yml"
    path.write_text('t: {type: number, minimum: -2.5}\nyear: {enum: ["2019", "no"]}\n')
    t, year = read_fields_file(path)
    assert t.minimum == -2.5
    assert year.enum == ("2019", "no")


@pytest.mark.parametrize(
    ("text", "messages"),
    [
        (
            "title: strnig\nprice:\n  type: number\n  minimun: 0\n  maximum: x\n",
            [
                "1: title: 'strnig' is no type (did you mean string?)",
                "4: price.minimun: unknown key (did you mean minimum?)",
                "5: price.maximum: is not a number",
            ],
        ),
        ("a: string\na: number\n", ["2: a: appears twice (first in line 1; keep one)"]),
        ("a: string\nA: number\n", ["2: A: A differs from a only in its capitals (keep one)"]),
        ("- name: a\n- name: a\n", ["2: [1]: a appears twice (keep one)"]),
        ("- name: string\n", ["1: [0]: string is a type (write name: title and type: string)"]),
        (
            "- title: string\n",
            [
                "1: [0]: has no name (like name: title)",
                "1: [0].title: unknown key (known: type, description, enum",
            ],
        ),
        ("size: {enum: [yes, no]}\n", ["1: size.enum[0]: YAML reads it as true or false: put a"]),
        ("year: {enum: [010]}\n", ["1: year.enum[0]: YAML reads it as a number or a date"]),
        ("day: 2020-01-01\n", ["1: day: YAML reads it as a number or a date"]),
        ("a: {type: [\n", ["is not YAML"]),
        ("just text\n", ["1: is neither a mapping nor a list (like title: string)"]),
        ("", [": there are no fields (name at least one, like title: string)"]),
        ("{}\n", [": there are no fields"]),
        ("a: &x string\nb: *x\n", ["1: &x: an anchor", "2: *x: an alias"]),
    ],
)
def test_a_fault_in_a_file_has_its_line(text: str, messages: list[str], tmp_path: Path) -> None:
    path = tmp_path / "fields.yml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        read_fields_file(path)
    lines = str(caught.value).splitlines()
    assert lines[0].startswith(f"{path}:")
    assert [one for one in messages if not any(one in line for line in lines)] == []


def test_json_that_is_none_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "fields.json"
    path.write_text('{\n "a": "string",\n}')
    with pytest.raises(ConfigError, match=r"fields\.json:\d: is not JSON"):
        read_fields_file(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"a":\n "\xff"}', "fields.json:2: byte 0xff is not UTF-8"),
        (b'{"a": ' + b"1" * 5000 + b"}", "fields.json:1: is not JSON: a number or the nesting"),
        (b"[" * 100_000, "fields.json:1: is not JSON: a number or the nesting"),
        (b'"' + b"a" * 1_100_000 + b'"', "fields.json:1: "),
    ],
)
def test_json_that_python_cannot_read_is_a_fault(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "fields.json").write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        read_fields_file(tmp_path / "fields.json")
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["no-such-file.yml", ".", "a\0b", "no\n\x1b[31m.yml"])
def test_a_file_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="the fields cannot be read") as caught:
        read_fields_file(f"{tmp_path}/{name}")
    assert str(caught.value).isprintable()


@given(st.text(max_size=80))
def test_any_text_is_fields_or_a_fault(text: str) -> None:
    try:
        fields = parse_fields(text)
    except ConfigError as error:
        assert all(line.isprintable() for line in str(error).split("\n"))  # noqa: PT017
    else:
        assert fields


@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_any_file_is_fields_or_a_fault(tmp_path_factory: Any, text: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    for name in ("any.yml", "any.json"):
        path = folder / name
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            assert read_fields_file(path)
        except ConfigError as error:
            assert all(line.isprintable() for line in str(error).split("\n"))  # noqa: PT017
