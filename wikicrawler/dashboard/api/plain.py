"""What the questions return, as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import UTC, date, datetime
from enum import Enum
from math import isfinite
from pathlib import PurePath
from typing import Any

from wikicrawler.sources.manifest.model import Source
from wikicrawler.text.safe import without_surrogates

_SOURCE_FIELDS = ("name", "domain", "regulatory_domain", "jurisdiction", "source_type", "priority")


def plain(value: Any) -> Any:
    """Return *value* as dicts, lists and scalars.

    Named tuples and dataclasses become objects with the names of their fields; times are ISO 8601
    in UTC, sets are sorted lists, and of a source there are its main fields.
    """
    match value:
        case Enum():
            found = plain(value.value)
        case None | bool() | int():
            found = value
        case float():
            found = value if isfinite(value) else None
        case str():
            found = without_surrogates(value)
        case datetime():
            found = value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case date() | PurePath():
            found = str(value)
        case Source():
            chosen = {name: plain(value.fields.get(name)) for name in _SOURCE_FIELDS}
            found = {"id": value.id, "url": value.url, **chosen}
        case _:
            found = _container(value)
    return found


def _container(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    if hasattr(value, "_asdict"):
        return {name: plain(one) for name, one in value._asdict().items()}
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(one) for name, one in value.items()}
    if isinstance(value, AbstractSet):
        return sorted(map(plain, value))
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    raise TypeError(f"{type(value).__name__} has no form in JSON")
