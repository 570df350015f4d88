"""Checks of a field's definition beyond the types of its attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.fields.definitions.shapes import Shape, element_shape
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.values.formats import FORMATS
from wikicrawler.fields.values.rejections import Refused
from wikicrawler.fields.values.scalars import coerce_scalar, compile_pattern
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.text.yaml import suggest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wikicrawler.fields.models import FieldDefinition

MAX_PATTERN = 2_000
"""Characters of a pattern."""
MAX_ENUM = 5_000
"""Values of an enum."""
MAX_ITEMS = 100_000
_ARRAY_ONLY = ("min_items", "max_items")


def faults_of(field: FieldDefinition) -> list[tuple[str, str]]:
    """Return what is wrong with *field*, as pairs of the attribute and a sentence."""
    faults = []
    if field.name.startswith("__"):
        faults.append(("name", f"{quoted(field.name)} is reserved (names may not start with __)"))
    faults += [
        (key, f"is for lists, and the type is {field.type}")
        for key in _ARRAY_ONLY
        if getattr(field, key) is not None and not field.is_list
    ]
    if field.max_items == 0:
        faults.append(("max_items", "is 0 (at least 1)"))
    faults += _order(field.min_items, field.max_items, "min_items", "max_items")
    if field.properties is not None and field.element_type != "object":
        faults.append(("properties", f"is for list[object], and the type is {field.type}"))
    elif field.properties is None and field.type == "object":
        faults.append(("type", "is object without properties (add them, or use list[object])"))
    try:
        shape = element_shape(field)
    except (ConfigError, TypeError, ValueError) as error:
        return [*faults, ("properties", one_line(error))]
    faults += _shape_faults(shape)
    faults += [("properties", f"{path}: {what}") for path, what in _nested(shape, field.name)]
    return faults


def _nested(shape: Shape, path: str) -> Iterator[tuple[str, str]]:
    for name, one in (shape.properties or {}).items():
        below = f"{path}.{one_line(name, 60)}"
        faults = _shape_faults(one)
        if one.items is not None:
            faults += _order(one.min_items, one.max_items, "minItems", "maxItems")
            faults += _shape_faults(one.items)
            yield from _nested(one.items, f"{below}[]")
        yield from ((below, f"{key}: {what}") for key, what in faults)
        yield from _nested(one, below)


def _shape_faults(shape: Shape) -> list[tuple[str, str]]:
    faults: list[tuple[str, str]] = []
    is_text, is_number = shape.type == "string", shape.type in ("number", "integer")
    if shape.enum is not None:
        faults += [("enum", what) for what in _enum_faults(shape)]
    if shape.format is not None and (not is_text or shape.format not in FORMATS):
        name = str(shape.format)
        known = f"{quoted(name, 40)} is unknown ({suggest(name, tuple(FORMATS))})"
        faults.append(("format", known if is_text else f"is for strings, not for {shape.type}"))
    if shape.pattern is not None:
        faults += [("pattern", what) for what in _pattern_faults(shape, is_text)]
    for key, limit in (("minimum", shape.minimum), ("maximum", shape.maximum)):
        if limit is None:
            continue
        if not is_number:
            faults.append((key, f"is for numbers, not for {shape.type}"))
        elif not _is_finite(limit):
            faults.append((key, "is not a finite number"))
    if not any(key in ("minimum", "maximum") for key, _ in faults):
        faults += _order(shape.minimum, shape.maximum, "minimum", "maximum")
    return faults


def _is_finite(value: object) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) < float("inf")  # type: ignore[arg-type]


def _order(low: float | None, high: float | None, one: str, other: str) -> list[tuple[str, str]]:
    if low is None or high is None or low <= high:
        return []
    return [(one, f"{low:.15g} is more than {other}, {high:.15g}")]


def _enum_faults(shape: Shape) -> Iterator[str]:
    values = shape.enum or ()
    if shape.type not in ("string", "number", "integer"):
        yield f"is for strings and numbers, not for {shape.type}"
        return
    if not values:
        yield "is empty (name the values that are allowed)"
    if len(values) > MAX_ENUM:
        yield f"has {len(values):,} values (at most {MAX_ENUM:,})"
        return
    bare, seen = Shape(shape.type), set()
    for value in values:
        shown = quoted(str(value), 40)
        wanted = str if shape.type == "string" else (int, float)
        try:
            is_same = isinstance(value, wanted) and coerce_scalar(value, bare) == value
        except Refused:
            is_same = False
        if not is_same or isinstance(value, bool):
            hint = "put it in quotes" if shape.type == "string" else "without quotes"
            yield f"{shown} is not of the type {shape.type} ({hint})"
        elif value in seen:
            yield f"{shown} appears twice (keep one)"
        seen.add(value)


def _pattern_faults(shape: Shape, is_text: bool) -> Iterator[str]:
    pattern = str(shape.pattern)
    if not is_text:
        yield f"is for strings, not for {shape.type}"
    elif len(pattern) > MAX_PATTERN:
        yield f"has {len(pattern):,} characters (at most {MAX_PATTERN:,})"
    else:
        try:
            compile_pattern(pattern)
        except ValueError as error:
            yield f"is no regular expression of RE2: {one_line(error, 120)}"
