"""Definitions of fields from a pydantic model, and its instances from extracted values.

=========================================== =======================================
Python                                      Field
=========================================== =======================================
``str``, ``int``, ``float``, ``bool``       ``string``, ``integer``, ``number``, ``boolean``
``Decimal``                                 ``number``
``date``, ``datetime``, ``time``,           ``string`` with ``format``
``timedelta``, ``UUID``, ``HttpUrl`` …
``Literal``, ``Enum``                       the type of its values, with ``enum``
``X | None``                                as ``X``
``list[X]``, ``set[X]``, ``tuple[X, ...]``  ``list[…]``; integers are ``list[number]``
a model                                     ``object`` with ``properties``
``list`` of a model or of ``dict``          ``list[object]``
=========================================== =======================================

``ge``, ``le``, ``gt``, ``lt``, ``pattern``, the length of a list and the description are kept. What
a definition cannot say (the length of a string, ``gt`` of a float, validators) the model checks
when :func:`to_model` builds an instance.
"""

from __future__ import annotations

import importlib
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError

from wikicrawler.fields.definitions.checks import faults_of
from wikicrawler.fields.definitions.schemas_of_models import (
    UnsupportedTypeError,
    schema_of_model,
    simplified,
)
from wikicrawler.fields.errors import ConfigError, ExtractionError
from wikicrawler.fields.models import FieldDefinition
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Mapping

Model = TypeVar("Model", bound=BaseModel)
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*", re.ASCII)
_ATTRIBUTES = ("description", "enum", "format", "pattern", "minimum", "maximum", "properties")


def fields_of_model(model: type[BaseModel]) -> list[FieldDefinition]:
    """Return a definition for each field of *model*, under its alias if it has one.

    :raises ConfigError: a field has a type that no definition has, or the model contains itself
    """
    name = model.__name__
    try:
        schema = schema_of_model(model)
    except (PydanticInvalidForJsonSchema, PydanticUserError, RecursionError) as error:
        field = next((one for one in model.model_fields if not _has_schema(model, one)), None)
        place = f"{name}.{field}" if field else name
        raise ConfigError(f"{place}: its type is not supported: {one_line(error, 200)}") from None
    definitions = schema.get("$defs", {})
    if "$ref" in schema:  # a model that contains itself
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    fields, faults = [], []
    for key, one in schema.get("properties", {}).items():
        try:
            fields.append(_definition(key, simplified(one, definitions, (name,))))
        except (UnsupportedTypeError, ConfigError) as error:
            faults.append(f"{name}.{one_line(key, 80)}: {error}")
    if not fields and not faults:
        faults = [f"{name}: has no fields"]
    if faults:
        raise ConfigError("\n".join(faults))
    return fields


def _has_schema(model: type[BaseModel], field: str) -> bool:
    try:
        TypeAdapter[Any](model.model_fields[field].annotation or Any).json_schema()
    except (PydanticUserError, RecursionError):
        return False
    return True


def _definition(name: str, schema: dict[str, Any]) -> FieldDefinition:
    kind, values = schema["type"], {"description": schema.get("description", "")[:2000]}
    element = schema
    if kind == "array":
        element = schema["items"]
        kind = "number" if element["type"] == "integer" else element["type"]
        if kind == "array":
            raise UnsupportedTypeError("a list of lists is not supported")
        kind = f"list[{kind}]"
        values |= {"min_items": schema.get("minItems"), "max_items": schema.get("maxItems")}
    values |= {key: element[key] for key in _ATTRIBUTES[1:] if key in element}
    field = FieldDefinition(name=name, type=kind, **values)
    if faults := faults_of(field):
        raise UnsupportedTypeError("; ".join(f"{key}: {what}" for key, what in faults))
    return field


def to_model(model: type[Model], data: Mapping[str, Any]) -> Model:
    """Return the instance of *model* with the values *data*.

    A null that the model does not allow is left out, so that its default applies.

    :raises ExtractionError: the model refuses a value, or a required one is missing. ``details``
        has ``model`` and ``faults``: what the model says of each field
    """
    values: Any = deepcopy(dict(data))
    try:
        return model.model_validate(values)
    except ValidationError as error:
        nulls = [one["loc"] for one in error.errors(include_url=False) if one["input"] is None]
    for place in reversed(nulls):
        _remove(values, place)
    try:
        return model.model_validate(values)
    except ValidationError as error:
        faults = [
            f"{'.'.join(one_line(part, 60) for part in one['loc'])}: {one_line(one['msg'], 200)}"
            for one in error.errors(include_input=False, include_url=False, include_context=False)
        ]
    raise ExtractionError(
        f"{model.__name__}: {'; '.join(faults[:10])}", {"model": model.__name__, "faults": faults}
    )


def _remove(values: Any, place: tuple[int | str, ...]) -> None:
    """Remove the null at *place*, behind which pydantic may name the member of a union."""
    for part in place:
        if isinstance(values, dict) and part in values and values[part] is None:
            del values[part]
            return
        try:
            values = values[part]
        except (KeyError, IndexError, TypeError):
            return


def load_model(path: str) -> type[BaseModel]:
    """Return the pydantic model that *path* names: ``package.module:Model``.

    The module is imported, so its code runs.

    :raises ConfigError: there is no such module or model
    """
    shown = quoted(path, 120)
    if not _PATH.fullmatch(path):
        raise ConfigError(f"{shown} does not name a model (like package.module:Product)")
    module_name, _, name = path.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        why = f"{type(error).__name__}: {one_line(error, 200)}"
        raise ConfigError(f"{shown}: the module cannot be imported: {why}") from None
    models = [
        key
        for key, one in vars(module).items()
        if isinstance(one, type) and issubclass(one, BaseModel) and one is not BaseModel
    ]
    if name in models:
        return getattr(module, name)  # type: ignore[no-any-return]
    if hasattr(module, name):
        raise ConfigError(f"{shown}: {name} is not a pydantic model")
    close = nearest(name, models)
    known = f"did you mean {close}?" if close else f"models there: {', '.join(models) or 'none'}"
    raise ConfigError(f"{shown}: the module has no {name} ({known})")
