"""Columns of a Parquet file: those of pages, and those that the rows of other items have."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pyarrow as pa

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_TEXT = pa.string()
_TEXTS = pa.list_(_TEXT)
_ATTEMPT = pa.struct(
    [("tier", _TEXT), ("reason", _TEXT), ("status", pa.int32()), ("detail", _TEXT)]
)
_INFOBOX = pa.struct([("title", _TEXT), ("fields", pa.map_(_TEXT, _TEXT))])
_CHUNK = pa.struct(
    [
        *(("id", _TEXT), ("headings", _TEXTS), ("prefix", _TEXT)),
        *(("start", pa.int64()), ("end", pa.int64()), ("tokens", pa.int64())),
    ]
)
PAGE_SCHEMA = pa.schema(
    [
        *(("url", _TEXT), ("title", _TEXT), ("content", _TEXT)),
        *(("links", _TEXTS), ("categories", _TEXTS)),
        *(("tier", _TEXT), ("attempts", pa.list_(_ATTEMPT)), ("status", pa.int32())),
        *(("redirected_from", _TEXT), ("revid", pa.int64()), ("lang", _TEXT)),
        *(("fetched_at", pa.timestamp("us", tz="UTC")), ("content_hash", _TEXT)),
        *(("description", _TEXT), ("published", _TEXT), ("modified", _TEXT)),
        *(("license", _TEXT), ("author", _TEXT), ("site_name", _TEXT)),
        *(("infobox", pa.list_(_INFOBOX)), ("chunks", pa.list_(_CHUNK))),
        *(("change", _TEXT), ("previous_url", _TEXT)),
    ]
)
"""The columns of pages, whatever the crawl: files of several crawls can be read together."""

_OPTIONAL = ("chunks", "change", "previous_url")
_REQUIRED = frozenset(PAGE_SCHEMA.names) - set(_OPTIONAL)
_JSON = {b"wikicrawler": b"json"}
"""Metadata of a column whose values are JSON."""
_JSON_TYPE = "json"
_INT64 = 1 << 63
_KINDS = {type(None): None, bool: "bool", int: "int", float: "float", str: "text"}
_TYPES: dict[str, Any] = {
    "bool": pa.bool_(),
    "int": pa.int64(),
    "float": pa.float64(),
    "text": _TEXT,
    "texts": _TEXTS,
}
"""What a column of other items may be; any other is JSON."""


def is_page(row: Mapping[str, Any]) -> bool:
    """Return True if *row* has the fields of a page, and no others."""
    return row.keys() >= _REQUIRED and row.keys() <= set(PAGE_SCHEMA.names)


def page_table(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return the rows of pages.

    :raises ValueError: a value is not what a page has; as are pyarrow's own errors
    """
    return pa.Table.from_pylist([_page(row) for row in rows], schema=PAGE_SCHEMA)


def _page(row: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(row)
    time = found["fetched_at"]
    found["fetched_at"] = _time(time) if time else None
    found["infobox"] = [
        {"title": box["title"], "fields": list(box["fields"].items())} for box in row["infobox"]
    ]
    return found


def _time(text: str) -> datetime:
    found = datetime.fromisoformat(text)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


# The rows of other items


class Columns:
    """The columns that rows of any items need."""

    def __init__(self) -> None:
        self._kinds: dict[str, str | None] = {}  # None: nothing but null so far

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Take the columns of *rows* into account."""
        for row in rows:
            for name, value in row.items():
                self._kinds[name] = _common(self._kinds.get(name), _kind(value))

    def add_schema(self, schema: pa.Schema) -> None:
        """Take the columns of a file into account. A type that no item has stays, if all rows are
        of that file."""
        for field in schema:
            self._kinds[field.name] = _common(self._kinds.get(field.name), _kind_of_field(field))

    def schema(self, old: pa.Schema | None = None) -> pa.Schema:
        """Return the columns, with the types of *old* where they fit."""
        return pa.schema([self._field(name, kind, old) for name, kind in self._kinds.items()])

    @staticmethod
    def _field(name: str, kind: str | None, old: pa.Schema | None) -> pa.Field:
        if kind in _TYPES:
            return pa.field(name, _TYPES[kind])
        if kind is None:
            return pa.field(name, _TEXT)
        if kind.startswith("=") and old is not None:
            return old.field(name)
        return pa.field(name, _TEXT, metadata=_JSON)


def _kind(value: Any) -> str | None:
    if isinstance(value, list):
        return "texts" if all(isinstance(one, str) for one in value) else _JSON_TYPE
    if isinstance(value, int) and not -_INT64 <= value < _INT64:
        return _JSON_TYPE
    return _KINDS.get(type(value), _JSON_TYPE)


def _kind_of_field(field: pa.Field) -> str:
    if is_json(field):
        return _JSON_TYPE
    for kind, type_ in _TYPES.items():
        if field.type == type_:
            return kind
    return f"={field.type}"


def _common(one: str | None, other: str | None) -> str | None:
    """Return the kind that holds values of both."""
    if one is None or one == other:
        return other
    if other is None:
        return one
    return "float" if {one, other} == {"int", "float"} else _JSON_TYPE


def is_json(field: pa.Field) -> bool:
    """Return True if the values of the column are JSON."""
    return bool(field.metadata) and field.metadata.get(b"wikicrawler") == b"json"


def table_of(rows: Sequence[Mapping[str, Any]], schema: pa.Schema) -> pa.Table:
    """Return *rows*, whose columns are in *schema*."""
    columns = [
        pa.array([_value(row.get(field.name), field) for row in rows], type=field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(columns, schema=schema)


def _value(value: Any, field: pa.Field) -> Any:
    if value is None:
        return None
    if is_json(field):
        return json.dumps(value, ensure_ascii=False, default=str)
    return float(value) if pa.types.is_floating(field.type) else value


def adapted(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Return *table* with the columns of *schema*, which are its own and more; or of other types
    that hold the same values."""
    columns = []
    for field in schema:
        place = table.schema.get_field_index(field.name)
        if place < 0:
            columns.append(pa.nulls(len(table), field.type))
            continue
        own = table.schema.field(place)
        column = table.column(place)
        if is_json(field) and not is_json(own):
            values = (_value(value, field) for value in column.to_pylist())
            columns.append(pa.array(values, type=_TEXT))
        else:
            columns.append(column.cast(field.type) if column.type != field.type else column)
    return pa.Table.from_arrays(columns, schema=schema)
