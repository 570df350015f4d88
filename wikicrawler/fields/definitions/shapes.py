"""The shape of a value: what a field, an element of a list or a key of an object may be.

Definitions and JSON Schema both become a :class:`Shape`, so that values are coerced, and schemas
written, by one set of rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import LISTS, SCALARS
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.fields.models import FieldDefinition

JSON_TYPES = (*SCALARS, "array", "object")
MAX_DEPTH = 16
"""Objects and lists within each other, below a field."""
KEYWORDS = {
    "type": "type",
    "description": "description",
    "enum": "enum",
    "format": "format",
    "pattern": "pattern",
    "minimum": "minimum",
    "maximum": "maximum",
    "minItems": "min_items",
    "maxItems": "max_items",
    "items": "items",
    "properties": "properties",
}
"""The keywords of JSON Schema that ``properties`` may use, and their attributes of a shape."""
IGNORED = frozenset({"title", "default", "examples", "required", "additionalProperties"})
"""Keywords without an effect: every key may be null, and unknown keys are dropped."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What a value may be; null is always allowed."""

    type: str
    """One of :data:`JSON_TYPES`."""
    description: str = ""
    enum: tuple[str | int | float, ...] | None = None
    format: str | None = None
    pattern: str | None = None
    minimum: float | None = None
    maximum: float | None = None
    min_items: int | None = None
    max_items: int | None = None
    items: Shape | None = None
    """Of an array."""
    properties: Mapping[str, Shape] | None = None
    """Of an object; None: any keys."""


def shape_of(field: FieldDefinition) -> Shape:
    """Return the shape of a field's value.

    :raises ConfigError: ``properties`` are not valid
    """
    element = element_shape(field)
    if not field.is_list:
        return element
    return Shape(
        "array",
        description=field.description,
        min_items=field.min_items,
        max_items=field.max_items,
        items=element,
    )


def element_shape(field: FieldDefinition) -> Shape:
    """Return the shape of an element of a list, or of the value of another field.

    :raises ConfigError: ``properties`` are not valid
    """
    properties = field.properties
    return Shape(
        field.element_type,
        description="" if field.is_list else field.description,
        enum=field.enum,
        format=field.format,
        pattern=field.pattern,
        minimum=field.minimum,
        maximum=field.maximum,
        properties=None if properties is None else _shapes(properties, field.name, 1),
    )


def parse_schema(schema: Any, path: str, depth: int = 0) -> Shape:
    """Return the shape of a key, given as JSON Schema or as the name of a type.

    :param path: the key, for messages: ``offers.price``
    :raises ConfigError: it is neither, or uses keywords other than :data:`KEYWORDS`
    """
    if depth > MAX_DEPTH:
        raise ConfigError(f"{path}: is nested more than {MAX_DEPTH} deep")
    if isinstance(schema, str):
        schema = _schema_of_type(schema, path)
    if not isinstance(schema, dict):
        raise ConfigError(f"{path}: is neither a type nor a mapping (like {{type: string}})")
    for keyword in schema:
        if keyword not in KEYWORDS and keyword not in IGNORED:
            raise ConfigError(
                f"{path}: unknown keyword {quoted(str(keyword), 40)} (known: {', '.join(KEYWORDS)})"
            )
    values = {KEYWORDS[key]: value for key, value in schema.items() if key in KEYWORDS}
    values["type"] = _json_type(values.get("type", "string"), path)
    if values.get("enum") is not None:
        values["enum"] = tuple(one for one in values["enum"] if one is not None)
    if values["type"] == "array":
        values["items"] = parse_schema(values.get("items", "string"), f"{path}[]", depth + 1)
    else:
        values.pop("items", None)
    if (properties := values.get("properties")) is not None:
        values["properties"] = _shapes(properties, path, depth + 1)
    return Shape(**values)


def _shapes(properties: Any, path: str, depth: int) -> dict[str, Shape]:
    if not isinstance(properties, dict) or not properties:
        raise ConfigError(f"{path}: properties is not a mapping (like {{name: string}})")
    return {
        str(name): parse_schema(one, f"{path}.{name}"[:200], depth)
        for name, one in properties.items()
    }


def _schema_of_type(name: str, path: str) -> dict[str, Any]:
    if name in SCALARS:
        return {"type": name}
    if name in LISTS:
        return {"type": "array", "items": {"type": name.removeprefix("list[").removesuffix("]")}}
    raise ConfigError(
        f"{path}: unknown type {quoted(name, 40)} (known: {', '.join((*SCALARS, *LISTS))})"
    )


def _json_type(value: Any, path: str) -> str:
    """Return the type of a ``type``, which may be a list with ``null``."""
    named = [one for one in value if one != "null"] if isinstance(value, list) else [value]
    if len(named) == 1 and named[0] in JSON_TYPES:
        return str(named[0])
    raise ConfigError(
        f"{path}: unknown type {quoted(str(value), 40)} (known: {', '.join(JSON_TYPES)})"
    )
