"""Instances of classes of the project and its libraries, as the parts that they are made of.

A class is named by its module, and found only in modules that the process has imported already: a
state folder cannot have one imported. Dataclasses and attrs classes are put together field by
field, without their constructors, so that no code of theirs runs.
"""

from __future__ import annotations

import dataclasses
import sys
from enum import Enum
from typing import TYPE_CHECKING, Any

from scrapy import Item

if TYPE_CHECKING:
    from collections.abc import Callable


class NotStorableError(ValueError):
    """A value cannot be written as JSON; the message says where it is, and what is wrong."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self._why = why
        self._place = ""

    def add_key(self, key: object) -> None:
        """Add the key that leads to the value, from the inside to the outside."""
        self._place = f"[{short(key)}]{self._place}"

    def add_name(self, name: str) -> None:
        """Add the name of what holds the value."""
        self._place = f"{name}{self._place}"

    def __str__(self) -> str:
        return f"{self._place} {self._why}" if self._place else self._why


def take_apart(value: Any) -> tuple[str, list[Any]]:
    """Return the kind of *value*, a key of :data:`READERS`, and its parts: the class's name, and
    values that may need the same.

    :raises NotStorableError: its class is of no such kind, or is not found by its name
    """
    cls = type(value)
    if isinstance(value, Enum):
        if value.name is None:
            raise NotStorableError(f"is a combination of flags ({short(value)})")
        return "enum", [name_of(cls), value.name]
    if isinstance(value, tuple) and hasattr(cls, "_fields"):
        return "namedtuple", [name_of(cls), list(value)]
    if isinstance(value, Item):
        return "item", [name_of(cls), dict(value)]
    names = _field_names(cls)
    if names is None:
        raise NotStorableError(f"is of the type {cls.__qualname__}, which JSON cannot hold")
    try:
        return "object", [name_of(cls), {name: getattr(value, name) for name in names}]
    except AttributeError as error:
        raise NotStorableError(f"is a {cls.__qualname__} without the field {error.name}") from None


def is_enum(value: object) -> bool:
    return isinstance(value, Enum)


def name_of(cls: type) -> str:
    """Return the name by which :func:`class_of` finds *cls*.

    :raises NotStorableError: it finds another class, or none
    """
    name = f"{cls.__module__}:{cls.__qualname__}"
    try:
        found = class_of(name)
    except ValueError:
        found = None
    if found is not cls:
        raise NotStorableError(
            f"is of the class {cls.__qualname__}, which is not found by its name in the module "
            f"{cls.__module__}"
        )
    return name


def class_of(name: str) -> type:
    """Return the class *name* (``module:qualified name``) of a module that was imported before.

    :raises ValueError: there is none
    """
    module, _, path = name.partition(":")
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = vars(found).get(part) if hasattr(found, "__dict__") else None
    if not isinstance(found, type):
        raise ValueError(f"the class {name} does not exist, or its module is not imported")
    return found


def _field_names(cls: type) -> list[str] | None:
    """Return the names of the fields of a dataclass or attrs class.

    None for any other class, and for those that cannot be put together without their code.
    """
    makes_itself: Any = cls.__new__
    if makes_itself is not object.__new__ or hasattr(cls, "__del__"):
        return None
    if dataclasses.is_dataclass(cls):
        return [field.name for field in dataclasses.fields(cls)]
    if (attributes := vars(cls).get("__attrs_attrs__")) is not None:
        return [attribute.name for attribute in attributes]
    return None


def _enum(parts: list[Any]) -> Any:
    name, member = parts
    cls = class_of(name)
    if not issubclass(cls, Enum):
        raise ValueError(f"{name} is no enum")
    return cls.__members__[member]


def _named_tuple(parts: list[Any]) -> Any:
    name, values = parts
    cls = class_of(name)
    if not issubclass(cls, tuple) or len(getattr(cls, "_fields", ())) != len(values):
        raise ValueError(f"{name} is no named tuple of {len(values)} fields")
    return tuple.__new__(cls, values)


def _item(parts: list[Any]) -> Item:
    name, fields = parts
    cls = class_of(name)
    if not issubclass(cls, Item):
        raise ValueError(f"{name} is no Scrapy item")
    return cls(fields)


def _object(parts: list[Any]) -> Any:
    name, fields = parts
    cls = class_of(name)
    names = _field_names(cls)
    if names is None or fields.keys() != set(names):
        raise ValueError(f"{name} has other fields now, or is no dataclass")
    found: Any = object.__new__(cls)
    for field, value in fields.items():
        object.__setattr__(found, field, value)
    return found


def short(value: object) -> str:
    """Return *value* as it is shown in messages."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


READERS: dict[str, Callable[[Any], Any]] = {
    "enum": _enum,
    "namedtuple": _named_tuple,
    "item": _item,
    "object": _object,
}
"""Functions that put the parts of :func:`take_apart` together, by kind. They raise any exception
where the parts are not such, or the class has changed."""
