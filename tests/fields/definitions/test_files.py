"""Files of definitions are YAML or JSON, and each fault has its line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.fields.definitions.define import read_fields_file
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import FieldDefinition

if TYPE_CHECKING:
    from pathlib import Path

TITLE = FieldDefinition(name="title")
PRICE = FieldDefinition(name="price", type="number", description="in euros", minimum=0)
TAGS = FieldDefinition(name="tags", type="list[string]")

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
