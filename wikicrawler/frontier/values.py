"""Python values as JSON, for requests and ``spider.state`` in a state folder.

JSON's own types are written as they are. Any other type is an object with one key, the type's name
after a ``$``: ``{"$tuple": [1, 2]}``. Reading such a value runs no code of the file's choice: it
imports nothing, and creates only the types of this module and instances of classes that the process
has imported (see :mod:`~wikicrawler.frontier.instances`).

A subclass of str, bytes, int or float that is no enum is written as its base class.
"""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections import Counter, OrderedDict, defaultdict, deque
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID
from zoneinfo import ZoneInfo

from wikicrawler.frontier import instances
from wikicrawler.frontier.instances import NotStorableError, short

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_DEPTH = 100
"""Levels of nesting."""
PLAIN = frozenset({str, int, bool, type(None)})
"""Types that are written as they are, and contain nothing."""
_FACTORIES: dict[str, Any] = {
    cls.__name__: cls for cls in (bool, bytes, dict, float, int, list, set, str, tuple)
} | {"None": None}


def to_json(value: Any, depth: int = 0) -> Any:
    """Return *value* as what ``json.dumps`` writes unchanged.

    :raises NotStorableError: it is, or contains, what has no such form
    """
    cls = type(value)
    if cls in PLAIN:
        return value
    if depth >= MAX_DEPTH:
        raise NotStorableError(f"is nested more than {MAX_DEPTH} levels deep, or contains itself")
    if cls is dict:
        return _dict(value, depth + 1)
    if cls is list:
        return _list(value, depth + 1)
    if cls is float:
        return value if math.isfinite(value) else {"$float": repr(value)}
    if (write := _WRITERS.get(cls)) is not None:
        name, content = write[0], write[1](value)
    else:
        for base, convert in _BASES:
            if isinstance(value, base) and not instances.is_enum(value):
                return to_json(convert(value), depth)
        name, content = instances.take_apart(value)
    return {f"${name}": to_json(content, depth + 1)}


def from_json(value: Any) -> Any:
    """Return what :func:`to_json` made *value* of.

    :raises Exception: it made it of nothing, or a class in it is not imported or has changed
    """
    if type(value) is list:
        return [x if type(x) in PLAIN else from_json(x) for x in value]
    if type(value) is not dict:
        return value
    if len(value) == 1:
        ((name, content),) = value.items()
        if name.startswith("$"):
            return _READERS[name[1:]](from_json(content))
    return {k: v if type(v) in PLAIN else from_json(v) for k, v in value.items()}


def _dict(value: dict[Any, Any], depth: int) -> dict[str, Any]:
    written = {}
    for key, item in value.items():
        if type(key) is not str:
            return {"$dict": _pairs(value, depth)}
        try:
            written[key] = item if type(item) in PLAIN else to_json(item, depth)
        except NotStorableError as error:
            error.add_key(key)
            raise
    if len(written) == 1 and next(iter(written)).startswith("$"):
        return {"$dict": _pairs(value, depth)}
    return written


def _pairs(value: dict[Any, Any], depth: int) -> list[list[Any]]:
    pairs = []
    for key, item in value.items():
        try:
            pairs.append([to_json(key, depth), to_json(item, depth)])
        except NotStorableError as error:
            error.add_key(key)
            raise
    return pairs


def _list(value: list[Any], depth: int) -> list[Any]:
    written = []
    for number, item in enumerate(value):
        try:
            written.append(item if type(item) in PLAIN else to_json(item, depth))
        except NotStorableError as error:
            error.add_key(number)
            raise
    return written


def _items(value: dict[Any, Any]) -> list[tuple[Any, Any]]:
    return [[key, item] for key, item in value.items()]  # type: ignore[misc]


def _base64(value: bytes | bytearray) -> str:
    return b64encode(value).decode("ascii")


def _write_datetime(value: datetime) -> Any:
    zone = value.tzinfo
    if isinstance(zone, ZoneInfo) and zone.key:
        return [value.replace(tzinfo=None).isoformat(), value.fold, zone.key]
    return [value.isoformat(), value.fold, None]


def _read_datetime(content: Any) -> datetime:
    text, fold, key = content
    found = datetime.fromisoformat(text).replace(fold=fold)
    return found if key is None else found.replace(tzinfo=ZoneInfo(key))


def _write_factory(value: defaultdict[Any, Any]) -> Any:
    name = getattr(value.default_factory, "__name__", "None")
    if name not in _FACTORIES or _FACTORIES[name] is not value.default_factory:
        raise NotStorableError(f"is a defaultdict of {short(value.default_factory)}")
    return [name, dict(value)]


_BASES: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (str, str.__str__),
    (bytes, bytes),
    (int, int.__int__),
    (float, float.__float__),
)
_WRITERS: dict[type, tuple[str, Callable[[Any], Any]]] = {
    tuple: ("tuple", list),
    set: ("set", list),
    frozenset: ("frozenset", list),
    bytes: ("bytes", _base64),
    bytearray: ("bytearray", _base64),
    datetime: ("datetime", _write_datetime),
    date: ("date", date.isoformat),
    time: ("time", time.isoformat),
    timedelta: ("timedelta", lambda value: [value.days, value.seconds, value.microseconds]),
    Decimal: ("decimal", str),
    Fraction: ("fraction", str),
    UUID: ("uuid", str),
    complex: ("complex", lambda value: [repr(value.real), repr(value.imag)]),
    type(Path()): ("path", str),
    deque: ("deque", lambda value: [list(value), value.maxlen]),
    Counter: ("counter", dict),
    OrderedDict: ("ordereddict", _items),
    defaultdict: ("defaultdict", _write_factory),
}
_READERS: dict[str, Callable[[Any], Any]] = {
    "dict": dict,
    "float": float,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "bytes": lambda content: b64decode(content, validate=True),
    "bytearray": lambda content: bytearray(b64decode(content, validate=True)),
    "datetime": _read_datetime,
    "date": date.fromisoformat,
    "time": time.fromisoformat,
    "timedelta": lambda content: timedelta(*content),
    "decimal": Decimal,
    "fraction": Fraction,
    "uuid": UUID,
    "complex": lambda content: complex(*map(float, content)),
    "path": Path,
    "deque": lambda content: deque(*content),
    "counter": Counter,
    "ordereddict": OrderedDict,
    "defaultdict": lambda content: defaultdict(_FACTORIES[content[0]], content[1]),
    **instances.READERS,
}
