"""The JSON Schema of the manifest, and its faults in plain words.

``schema.json`` is a JSON Schema 2020-12 that other programs can use, and jsonschema applies it.
``title`` and ``examples`` of a part of the schema are what a fault says would be right.
"""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import re2
from jsonschema import Draft202012Validator, FormatChecker, ValidationError, validators

from wikicrawler.text.safe import quoted
from wikicrawler.text.yaml import suggest
from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wikicrawler.sources.manifest.faults import Path
    from wikicrawler.sources.manifest.tree import Tree

_KINDS = {
    "string": "a text",
    "integer": "a whole number",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_DATE_TIME = re.compile(
    r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:[Zz]|[+-]\d\d:\d\d)", re.ASCII
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_NOT_IN_ID = re.compile(r"[^a-z0-9]+")
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_FORMATS = FormatChecker(formats=())


@cache
def schema_text() -> str:
    """Return the JSON Schema of a manifest as its file has it."""
    return files("wikicrawler").joinpath("sources/manifest/schema.json").read_text("utf-8")


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of a manifest. Do not change it."""
    parsed: dict[str, Any] = json.loads(schema_text())
    return parsed


def resolved(part: Mapping[str, Any]) -> dict[str, Any]:
    """Return *part* of the schema with what its reference says."""
    if "$ref" not in part:
        return dict(part)
    referred: dict[str, Any] = schema()["$defs"][part["$ref"].rpartition("/")[2]]
    return referred | dict(part)


def part_at(path: Path) -> dict[str, Any]:
    """Return the part of the schema for the value at *path*; empty if there is none."""
    part = schema()
    for step in path:
        below = part.get("items") if isinstance(step, int) else None
        if isinstance(step, str):
            below = part.get("properties", {}).get(step) or part.get("additionalProperties")
        if not isinstance(below, dict):
            return {}
        part = resolved(below)
    return part


def check_schema(tree: Tree) -> None:
    """Add the faults of the values in *tree* that the schema finds."""
    for error in _validator().iter_errors(tree.root):
        path = tuple(error.absolute_path)
        if "propertyNames" in error.absolute_schema_path:
            path = (*path, str(error.instance))
            tree.faults.add(tree.key_place(path), path, _explain(error, error.schema))
        elif error.validator == "additionalProperties":
            _report_unknown(error, tree, path)
        elif error.validator == "required":
            _report_missing(error, tree, path)
        elif error.validator == "uniqueItems":
            _report_twice(error, tree, path)
        elif not tree.is_refused(path) and not _is_of_type(error):
            tree.faults.add(tree.place(path), path, _explain(error, part_at(path)))
        if tree.faults.is_full:
            return


def matches(path: Path, text: str) -> bool:
    """Return whether *text* has the length and the pattern that the schema has at *path*."""
    part = part_at(path)
    is_short = len(text) <= part.get("maxLength", len(text))
    return (
        is_short
        and _compiled(part.get("pattern", "")).search(text.encode("utf-8", "replace")) is not None
    )


def parse_time(text: str) -> datetime:
    """Return the RFC 3339 date and time *text*.

    :raises ValueError: it is something else
    """
    if not _DATE_TIME.fullmatch(text):
        raise ValueError(text)
    return datetime.fromisoformat(text.upper())


def _report_unknown(error: ValidationError, tree: Tree, path: Path) -> None:
    known = list(part_at(path).get("properties", {}))
    found: Any = error.instance
    for key in found:
        if key in known:
            continue
        place, below = tree.key_place((*path, key)), (*path, key)
        inner = [name for name in known if key in part_at((*path, name)).get("properties", {})]
        hint = f"it belongs in {inner[0]}" if inner else suggest(key, known)
        tree.faults.add(place, below, f"unknown key ({hint})")
        if tree.faults.is_full:
            return


def _report_missing(error: ValidationError, tree: Tree, path: Path) -> None:
    found: Any = error.instance
    needed: Any = error.validator_value
    for key in needed:
        if key not in found:
            tree.faults.add(tree.place(path), path, f"lacks {key} (add it{_hint((*path, key))})")


def _report_twice(error: ValidationError, tree: Tree, path: Path) -> None:
    found: Any = error.instance
    seen: set[str] = set()
    for index, item in enumerate(found):
        if isinstance(item, str) and item in seen:
            below = (*path, index)
            tree.faults.add(tree.place(below), below, f"{described(item)} appears twice (keep one)")
            if tree.faults.is_full:
                return
        elif isinstance(item, str):  # anything else is a fault of its own
            seen.add(item)


def _is_of_type(error: ValidationError) -> bool:
    """Return whether *error* repeats that the value has another type."""
    return error.validator == "enum" and not isinstance(error.instance, str)


def _hint(path: Path) -> str:
    part = part_at(path)
    if "enum" in part:
        return f": one of {', '.join(part['enum'])}"
    return f", like {json.dumps(part['examples'][0])}" if part.get("examples") else ""


def _explain(error: ValidationError, part: Mapping[str, Any]) -> str:  # noqa: PLR0911 - keywords
    """Return what is wrong with the value of *error*, which has *part* of the schema."""
    value: Any = error.instance
    limit: Any = error.validator_value
    expected = part.get("title", "")
    like = f" (like {json.dumps(part['examples'][0])})" if part.get("examples") else ""
    match error.validator:
        case "enum":
            return f"{described(value)} is unknown ({suggest(value, limit)})"
        case "type":
            return _explain_type(value, limit, part)
        case "const":
            return f"{described(value)} is not the id of this schema (write {limit})"
        case "minLength" | "minItems":
            return f"is empty{like or ' (add one)'}"
        case "maxLength" | "maxItems" | "maxProperties":
            unit = "characters" if isinstance(value, str) else "entries"
            return f"has {len(value):,} {unit} (at most {limit:,})"
        case "minimum" | "maximum":
            low, high = part.get("minimum"), part.get("maximum")
            return f"{described(value)} is out of bounds (a whole number from {low} to {high:,})"
        case "format" if limit == "uri":
            return str(error.cause)
    if expected.endswith("id") and (right := _NOT_IN_ID.sub("-", value.lower()).strip("-")):
        like = f" (write {quoted(right)})"
    return f"{described(value)} is not a {expected or 'valid value'}{like}"


def _explain_type(value: object, limit: str | list[str], part: Mapping[str, Any]) -> str:
    if part.get("$id"):
        keys = ", ".join(part["required"])
        return f"{described(value)} is not a manifest (an object with the keys {keys})"
    right = ""
    if "enum" in part:
        right = f" (one of {', '.join(part['enum'])})"
    elif part.get("examples"):
        right = f" (like {json.dumps(part['examples'][0])})"
    kinds = [limit] if isinstance(limit, str) else limit
    return f"{described(value)} is not {' or '.join(_KINDS[kind] for kind in kinds)}{right}"


def described(value: object) -> str:
    """Return a description of a JSON value for a message."""
    match value:
        case None:
            return "null"
        case str():
            return f"the text {quoted(value, 60)}" if value.strip() else "an empty text"
        case bool():
            return str(value).lower()
        case int() | float():
            return f"the number {value}"
        case list():
            return "a list" if value else "an empty list"
    return "an object"


@cache
def _validator() -> Any:
    # Python's re may backtrack, and its $ matches before a line end; ECMA's and RE2's do not.
    with_re2: Any = validators.extend(  # type: ignore[no-untyped-call]
        Draft202012Validator, {"pattern": _check_pattern}
    )
    return with_re2(schema(), format_checker=_FORMATS)


def _check_pattern(_: object, pattern: str, value: object, __: object) -> Iterator[ValidationError]:
    if (
        isinstance(value, str)
        and _compiled(pattern).search(value.encode("utf-8", "replace")) is None
    ):
        yield ValidationError("does not match")


@cache
def _compiled(pattern: str) -> Any:
    return re2.compile(pattern.encode(), _OPTIONS)


@_FORMATS.checks("uri", raises=ValueError)
def _is_url(value: object) -> bool:
    if isinstance(value, str) and value:
        parse_url(value)
        if "#" in value:
            raise ValueError("has a fragment (remove # and what follows)")
    return True


@_FORMATS.checks("date-time", raises=ValueError)
def _is_time(value: object) -> bool:
    return not isinstance(value, str) or bool(parse_time(value))


@_FORMATS.checks("date", raises=ValueError)
def _is_date(value: object) -> bool:
    if not isinstance(value, str):
        return True
    return bool(_DATE.fullmatch(value) and date.fromisoformat(value))
