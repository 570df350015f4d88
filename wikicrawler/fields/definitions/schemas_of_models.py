"""JSON Schema as pydantic writes it for a model, reduced to what a definition can say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pydantic.json_schema import GenerateJsonSchema

from wikicrawler.fields.definitions.shapes import KEYWORDS, MAX_DEPTH
from wikicrawler.fields.values.formats import FORMATS
from wikicrawler.text.safe import quoted

_FORMATS = {"uuid4": "uuid", "uri-reference": None, "password": None, "multi-host-uri": None}
"""Names of pydantic's formats that differ; None for one without a check."""
MAX_COUNTED = 1_000
"""Repetitions that a pattern of RE2 can have."""
_TYPES = ("string", "number", "integer", "boolean", "array", "object")

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic_core.core_schema import DecimalSchema


class UnsupportedTypeError(Exception):
    """No definition of a field has the type; the message says why."""


class _Generator(GenerateJsonSchema):
    """Writes a ``Decimal`` as a number, without the text that pydantic accepts beside it."""

    def decimal_schema(self, schema: DecimalSchema) -> dict[str, Any]:
        written = super().decimal_schema(schema)
        return next(one for one in written["anyOf"] if one["type"] == "number")


def schema_of_model(model: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of *model*, as pydantic writes it."""
    return model.model_json_schema(mode="validation", schema_generator=_Generator)


def simplified(
    schema: dict[str, Any], definitions: dict[str, Any], seen: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Return *schema* without references, unions with null and keywords that have no effect.

    :param definitions: ``$defs`` of the whole schema
    :param seen: the models around it
    :raises UnsupportedTypeError: it is recursive, or of a type that no definition has
    """
    schema, seen = _resolved(schema, definitions, seen)
    if len(seen) > MAX_DEPTH:
        raise UnsupportedTypeError(f"models are nested more than {MAX_DEPTH} deep")
    kind = schema.get("type")
    if "const" in schema:
        schema = {"enum": [schema["const"]], **schema}
    if "enum" in schema:
        kind = _type_of_values(schema["enum"])
    if kind not in _TYPES:
        raise UnsupportedTypeError("its type is not supported (Any, or none that JSON has)")
    simple = {key: one for key, one in schema.items() if key in KEYWORDS} | {"type": kind}
    if kind == "array":
        simple["items"] = _items(schema, definitions, seen)
    elif kind == "object":
        simple |= _members(schema, definitions, seen)
    elif kind in ("number", "integer"):
        simple |= _limits(schema, kind)
    elif kind == "string":
        simple |= _text(schema)
    return {key: one for key, one in simple.items() if one is not None}


def _resolved(
    schema: dict[str, Any], definitions: dict[str, Any], seen: tuple[str, ...]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return *schema* without references and without a union, and the models around it."""
    while True:
        if "$ref" in schema:
            name = schema["$ref"].rpartition("/")[2]
            if name in seen:
                raise UnsupportedTypeError(f"the model {name} contains itself")
            seen = (*seen, name)
            rest = {key: one for key, one in schema.items() if key != "$ref"}
            schema = {**definitions[name], **rest}
            continue
        choices = schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf")
        if choices is None:
            return schema, seen
        rest = {k: one for k, one in schema.items() if k not in ("anyOf", "oneOf", "allOf")}
        schema = {**_only(choices), **rest}


def _only(choices: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the only choice besides null; numbers are one."""
    choices = [one for one in choices if one.get("type") != "null"]
    numbers = [one for one in choices if one.get("type") in ("number", "integer")]
    if len(choices) == 1:
        return choices[0]
    if len(numbers) == len(choices) > 0:
        return {"type": "number"}
    raise UnsupportedTypeError("it is a union of several types (use one type, or one | None)")


def _type_of_values(values: list[Any]) -> str:
    values = [one for one in values if one is not None]
    kinds = {type(one) for one in values}
    if kinds == {str}:
        return "string"
    if kinds == {int}:
        return "integer"
    if kinds and kinds <= {int, float}:
        return "number"
    raise UnsupportedTypeError("its values are not all texts or all numbers")


def _items(
    schema: dict[str, Any], definitions: dict[str, Any], seen: tuple[str, ...]
) -> dict[str, Any]:
    if "prefixItems" in schema or not schema.get("items"):
        raise UnsupportedTypeError("a list needs one type of elements (like list[str])")
    return simplified(schema["items"], definitions, seen)


def _members(
    schema: dict[str, Any], definitions: dict[str, Any], seen: tuple[str, ...]
) -> dict[str, Any]:
    properties = schema.get("properties")
    if not properties:
        if "additionalProperties" in schema:
            return {"properties": None}
        raise UnsupportedTypeError("the model has no fields")
    found = {}
    for name, one in properties.items():
        try:
            found[name] = simplified(one, definitions, seen)
        except UnsupportedTypeError as error:
            raise UnsupportedTypeError(f"{name}: {error}") from None
    return {"properties": found}


def _limits(schema: dict[str, Any], kind: str) -> dict[str, Any]:
    """Return the limits; an exclusive one of a float includes itself, and the model excludes it."""
    step = 1 if kind == "integer" else 0
    low, high = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    limits = {}
    if low is not None:
        limits["minimum"] = max(low + step, schema.get("minimum", low))
    if high is not None:
        limits["maximum"] = min(high - step, schema.get("maximum", high))
    return limits


def _text(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the format, and a pattern for the length if nothing else says more."""
    if name := schema.get("format"):
        name = _FORMATS.get(name, name)
        if name is not None and name not in FORMATS:
            raise UnsupportedTypeError(f"the format {quoted(name, 40)} is not supported")
        return {"format": name}
    low, high = schema.get("minLength", 0), schema.get("maxLength")
    if "pattern" in schema or (low < 2 and high is None) or max(low, high or 0) > MAX_COUNTED:
        return {}
    return {"pattern": f"(?s)^.{{{low},{'' if high is None else high}}}$"}
