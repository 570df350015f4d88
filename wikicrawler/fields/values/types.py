"""Coercion of what a model returned to the type of a field. Pure functions.

========== =======================================================================================
Type       What is accepted
========== =======================================================================================
any        null: the value is absent. Strings lose white space at both ends, and an empty one is
           null; U+FFFD stands for NUL and lone surrogates, which databases refuse
string     strings; integers, as their digits (``94103``). No floats: ``3.10`` would become
           ``3.1``. No booleans
number     integers and floats; text that is one number only (``14.50``, ``1,234.5``, ``1 234,5``,
           ``$14.50``, ``14.50 EUR``, ``1.5e3``). Not ``1,234`` (ambiguous), units, per cent, NaN,
           infinities, booleans, integers of more than 1,023 bits
integer    as number, where integral: ``3.0``, ``"1,234,567"``; no floats beyond 2**53
boolean    booleans; ``true``, ``false``, ``yes``, ``no`` in any case. Not 0 and 1
list[…]    lists; another value is a list of one. Null elements are dropped, and each other one is
           coerced by itself: a bad one is reported, and the others stay
object     objects. With ``properties`` the result has each declared key, null if it is missing;
           unknown keys are dropped and reported. Without, any JSON of at most 32 levels.
           An object whose values are all null is null
========== =======================================================================================

Then ``enum`` (strings in any case, in the declared spelling), ``minimum`` and ``maximum``,
``format``, ``pattern`` (searched in the string; RE2) apply to a value or to each element. The
elements of a list behind ``max_items`` are rejected. Fewer than ``min_items`` are reported and
kept: another page may have more.

Coercion is idempotent: a coerced value is returned as it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.definitions.shapes import Shape, element_shape, shape_of
from wikicrawler.fields.values.rejections import Refused, Rejected, Rejection, described
from wikicrawler.fields.values.scalars import EXPECTED, coerce_scalar
from wikicrawler.store.chain_text import clean
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.fields.models import FieldDefinition

MAX_LEVELS = 32
"""Of an object without ``properties``."""
MAX_ERRORS = 20
"""Sentences of :func:`validation_errors`."""
_NUMBER, _STRING = Shape("number"), Shape("string")


@dataclass(frozen=True, slots=True)
class Coerced:
    """A value of a field's type, and what was not accepted of it."""

    value: Any
    rejected: tuple[Rejected, ...] = ()

    @property
    def reason(self) -> Rejection | None:
        """Why the value is None; None if it is not, or if the model returned nothing."""
        return self.rejected[0].reason if self.value is None and self.rejected else None


def coerce(value: Any, field: FieldDefinition) -> Coerced:
    """Return *value*, decoded from JSON, as a value of *field*'s type; None if it cannot be one.

    A list of which no element is accepted is None.
    """
    rejected: list[Rejected] = []
    return Coerced(_coerced(value, shape_of(field), field.name, rejected), tuple(rejected))


def coerce_element(value: Any, field: FieldDefinition) -> Coerced:
    """Return *value* as an element of *field*, a list; for another field, as its value."""
    rejected: list[Rejected] = []
    return Coerced(_coerced(value, element_shape(field), field.name, rejected), tuple(rejected))


def validation_errors(data: Any, fields: Iterable[FieldDefinition]) -> list[str]:
    """Return what is wrong with *data*, an answer without quotes: a sentence for each value.

    The sentences are for the model: ``price: expected a number, got a list``. Keys that are unknown
    or missing are no errors; neither are lists with few elements, because a request for more would
    invite inventions.
    """
    fields = list(fields)
    if not isinstance(data, dict):
        names = ", ".join(field.name for field in fields)
        return [f"expected one JSON object with the keys {names}, got {described(data)}"]
    ignored = (Rejection.UNKNOWN_KEY, Rejection.TOO_FEW)
    errors = [
        str(one)
        for field in fields
        for one in coerce(data.get(field.name), field).rejected
        if one.reason not in ignored
    ]
    if len(errors) > MAX_ERRORS:
        errors[MAX_ERRORS:] = [f"and {len(errors) - MAX_ERRORS} more values are wrong"]
    return errors


def _coerced(raw: Any, shape: Shape, path: str, rejected: list[Rejected]) -> Any:
    if raw is None:
        return None
    if shape.type == "array":
        return _list(raw, shape, path, rejected)
    try:
        if shape.type != "object":
            return coerce_scalar(raw, shape)
        if not isinstance(raw, dict):
            raise Refused(
                Rejection.WRONG_TYPE, f"expected {EXPECTED['object']}, got {described(raw)}"
            )
    except Refused as refused:
        rejected.append(Rejected(path, raw, refused.reason, refused.message))
        return None
    if shape.properties is None:
        members = _open_object(raw, path, rejected, 1)
    else:
        members = _object(raw, shape, path, rejected)
    return members if any(one is not None for one in members.values()) else None


def _list(raw: Any, shape: Shape, path: str, rejected: list[Rejected]) -> list[Any] | None:
    assert shape.items is not None  # noqa: S101 - each array has it
    many = isinstance(raw, (list, tuple))
    elements: list[Any] = []
    before = len(rejected)
    for index, one in enumerate(raw if many else [raw]):
        place = f"{path}[{index}]" if many else path
        element = _coerced(one, shape.items, place, rejected)
        if element is None:
            continue
        if shape.max_items is not None and len(elements) >= shape.max_items:
            message = f"expected at most {shape.max_items} elements"
            rejected.append(Rejected(place, one, Rejection.TOO_MANY, message))
            continue
        elements.append(element)
    if not elements and (len(rejected) > before or not many):
        return None
    if shape.min_items is not None and len(elements) < shape.min_items:
        message = f"expected at least {shape.min_items} elements, got {len(elements)}"
        rejected.append(Rejected(path, raw, Rejection.TOO_FEW, message))
    return elements


def _object(
    raw: dict[Any, Any], shape: Shape, path: str, rejected: list[Rejected]
) -> dict[Any, Any]:
    properties = shape.properties or {}
    for key, value in raw.items():
        if key not in properties:
            place = f"{path}.{one_line(key, 40)}"
            rejected.append(Rejected(place, value, Rejection.UNKNOWN_KEY, "is an unknown key"))
    return {
        key: _coerced(raw.get(key), one, f"{path}.{key}", rejected)
        for key, one in properties.items()
    }


def _open_object(
    raw: dict[Any, Any], path: str, rejected: list[Rejected], level: int
) -> dict[str, Any]:
    return {
        str(clean(str(key))): _json(one, f"{path}.{one_line(key, 40)}", rejected, level + 1)
        for key, one in raw.items()
    }


def _json(raw: Any, path: str, rejected: list[Rejected], level: int) -> Any:
    """Return any JSON value without what JSON or a database cannot store."""
    try:
        if not isinstance(raw, (dict, list, tuple)):
            return _json_scalar(raw)
        if level > MAX_LEVELS:
            raise Refused(Rejection.TOO_DEEP, f"is nested more than {MAX_LEVELS} deep")
    except Refused as refused:
        rejected.append(Rejected(path, raw, refused.reason, refused.message))
        return None
    if isinstance(raw, dict):
        return _open_object(raw, path, rejected, level)
    elements = (_json(one, f"{path}[{n}]", rejected, level + 1) for n, one in enumerate(raw))
    return [one for one in elements if one is not None]


def _json_scalar(raw: Any) -> Any:
    if raw is None or isinstance(raw, bool):
        return raw
    if isinstance(raw, (int, float)):
        return coerce_scalar(raw, _NUMBER)
    return coerce_scalar(raw, _STRING)
