"""The JSON Schema of an answer, as servers with structured output require it.

A strict schema has an object at its root, no keys but those declared, and every key required; an
optional value may be null. Without quotes, a field is its type or null::

    {"title": "The Salt Road", "tags": ["novel"]}

With quotes, the model returns the text that proves each value; a list without elements is empty::

    {"title": {"value": "The Salt Road", "quote": "# The Salt Road"},
     "tags": [{"value": "novel", "quote": "a novel"}]}

A ``derived`` field needs no evidence, and has a quote all the same: one shape for all fields.

The schema says less than the definition where servers would refuse it, or would make the model
invent: a coerced value is checked against all of it.

* ``min_items`` is left out: a model that must return three elements invents them.
* ``pattern`` is sent if it is anchored and in a syntax that all servers share.
* ``format`` is sent if it is one of :data:`SENT_FORMATS`.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.definitions.shapes import Shape, shape_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikicrawler.fields.models import FieldDefinition

SENT_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
)
MAX_PROPERTIES = 5_000
MAX_LEVELS = 10
"""Objects within each other, the root included."""
MAX_ENUM = 1_000
"""Values of all enums together."""
MAX_CHARACTERS = 120_000
"""Of all names and enum values together."""
_ESCAPED = r"\\[dDwWsS.\\/+*?\-()\[\]{}|^$]"
_ITEM = rf"(?:[^\\^$()|{{}}\[\]*+?]|{_ESCAPED}|\[\^?(?:[^\\\[\]^]|{_ESCAPED})+\])"
_PORTABLE = re.compile(rf"\^(?:{_ITEM}(?:[*+?]|\{{\d{{1,3}}(?:,\d{{0,3}})?\}})?)*\$", re.ASCII)
"""Anchored patterns of characters, classes and simple quantifiers, which mean the same everywhere:
no groups, alternatives, lazy quantifiers and names of classes."""
_NULL = "null"


def answer_schema(fields: Iterable[FieldDefinition], *, quotes: bool) -> dict[str, Any]:
    """Return the JSON Schema of one answer.

    The keys stand in the order of *fields*, so equal definitions return an equal text.

    :raises ConfigError: the ``properties`` of a field are invalid
    """
    properties = {}
    for field in fields:
        shape = shape_of(field)
        properties[field.name] = _with_quotes(shape) if quotes else _nullable(shape)
    return _closed(properties)


def is_strict(fields: Iterable[FieldDefinition], *, quotes: bool = True) -> bool:
    """Return whether servers accept the schema as strict.

    They do not if an object may have any keys (``list[object]`` without ``properties``), because a
    strict object is closed, and if the schema is larger than they allow. Such a schema is sent with
    ``strict: false``: the model sees it, and nothing forces it.
    """
    schema = answer_schema(fields, quotes=quotes)
    objects = list(_objects(schema, 1))
    if any(one["additionalProperties"] is not False for one, _ in objects):
        return False
    names = [name for one, _ in objects for name in one["properties"]]
    enums = [str(value) for values in _enums(schema) for value in values]
    return (
        len(names) <= MAX_PROPERTIES
        and max(level for _, level in objects) <= MAX_LEVELS
        and len(enums) <= MAX_ENUM
        and sum(map(len, names)) + sum(map(len, enums)) <= MAX_CHARACTERS
    )


def schema_name(fields: Iterable[FieldDefinition]) -> str:
    """Return a name for the schema, of ``[a-z0-9_]``: equal definitions have an equal one."""
    text = json.dumps([field.model_dump(mode="json") for field in fields], sort_keys=True)
    return f"fields_{sha256(text.encode()).hexdigest()[:16]}"


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _with_quotes(shape: Shape) -> dict[str, Any]:
    if shape.type != "array":
        return _described(_quoted(_nullable(shape, with_description=False)), shape)
    array: dict[str, Any] = {"type": "array", "items": _quoted(_plain(_items(shape)))}
    return _described(_sized(array, shape), shape)


def _quoted(value: dict[str, Any]) -> dict[str, Any]:
    return _closed({"value": value, "quote": {"type": ["string", _NULL]}})


def _nullable(shape: Shape, *, with_description: bool = True) -> dict[str, Any]:
    schema = _plain(shape, with_description=with_description)
    schema["type"] = [schema["type"], _NULL]
    if "enum" in schema:
        schema["enum"] = [*schema["enum"], None]
    return schema


def _plain(shape: Shape, *, with_description: bool = True) -> dict[str, Any]:
    """Return the schema of a value that is not null."""
    schema: dict[str, Any]
    if shape.type == "array":
        schema = _sized({"type": "array", "items": _plain(_items(shape))}, shape)
    elif shape.type != "object":
        schema = _scalar(shape)
    elif shape.properties is None:
        schema = {"type": "object", "properties": {}, "additionalProperties": True}
    else:
        schema = _closed({name: _nullable(one) for name, one in shape.properties.items()})
    return _described(schema, shape) if with_description else schema


def _scalar(shape: Shape) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": shape.type}
    if shape.enum is not None:
        schema["enum"] = list(shape.enum)
        return schema  # the other keywords add nothing, and some servers refuse them beside it
    if shape.format in SENT_FORMATS:
        schema["format"] = shape.format
    if shape.pattern is not None and _PORTABLE.fullmatch(shape.pattern):
        schema["pattern"] = shape.pattern
    for keyword, limit in (("minimum", shape.minimum), ("maximum", shape.maximum)):
        if limit is not None:
            schema[keyword] = int(limit) if float(limit).is_integer() else limit
    return schema


def _sized(schema: dict[str, Any], shape: Shape) -> dict[str, Any]:
    return schema if shape.max_items is None else {**schema, "maxItems": shape.max_items}


def _described(schema: dict[str, Any], shape: Shape) -> dict[str, Any]:
    return {**schema, "description": shape.description} if shape.description else schema


def _items(shape: Shape) -> Shape:
    return shape.items or Shape("string")


def _objects(schema: dict[str, Any], level: int) -> Iterator[tuple[dict[str, Any], int]]:
    """Yield the schemas of objects, with the number of objects around them and themselves."""
    if "properties" in schema:
        yield schema, level
        for one in schema["properties"].values():
            yield from _objects(one, level + 1)
    elif "items" in schema:
        yield from _objects(schema["items"], level)


def _enums(schema: dict[str, Any]) -> Iterator[list[Any]]:
    if "enum" in schema:
        yield schema["enum"]
    for one in (*schema.get("properties", {}).values(), schema.get("items")):
        if one:
            yield from _enums(one)
