"""Definitions of fields, from a program, a command line or a file.

A command line has ``name: type (description)``, separated by commas, semicolons or lines::

    title: string, price: number (in euros), tags: list[string]

A file is YAML or JSON: a mapping, or a list of mappings with a ``name``::

    title: string
    price: {type: number, description: in euros, minimum: 0}

Errors name all faults at once, each with its field or line, and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from wikicrawler.fields.definitions.building import DefinitionBuilder
from wikicrawler.fields.definitions.files import plain, raise_problems, read_document
from wikicrawler.fields.definitions.pydantic_models import fields_of_model
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import FieldDefinition
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.text.yaml import Value

if TYPE_CHECKING:
    from os import PathLike

MAX_TEXT = 100_000
"""Characters of fields on a command line."""
_OPENING, _CLOSING = "([", ")]"


def define_fields(fields: Any = None, /, **named: Any) -> list[FieldDefinition]:
    """Return the definitions of fields.

    :param fields: a mapping of names to types or attributes, a list of definitions or of mappings
        with a ``name``, a text as in :func:`parse_fields`, or a pydantic model
    :param named: more fields: ``define_fields(title="string", price={"type": "number"})``
    :raises ConfigError: a definition is invalid, or there is none; the message has all faults
    """
    if isinstance(fields, type) and issubclass(fields, BaseModel):
        fields = fields_of_model(fields)
    elif isinstance(fields, str):
        fields = parse_fields(fields)
    builder, faults = DefinitionBuilder(), []
    for index, entry in enumerate([*_entries(fields), *named.items()]):
        name, spec = _name_and_spec(entry)
        place = name if isinstance(name, str) and name else f"fields[{index}]"

        def report(key: str, what: str, place: str = place) -> None:
            faults.append(f"{one_line(f'{place}.{key}' if key else place, 160)}: {what}")

        builder.add(name, spec, report)
    return builder.finish(faults)


def parse_fields(text: str) -> list[FieldDefinition]:
    """Return the definitions in *text*: ``title: string, price: number (in euros)``.

    Without a type, a field is a string.

    :raises ConfigError: as :func:`define_fields`
    """
    builder, faults = DefinitionBuilder(), []
    if len(text) > MAX_TEXT:
        raise ConfigError(f"the fields have {len(text):,} characters (at most {MAX_TEXT:,})")
    for entry in _split(text):

        def report(key: str, what: str, entry: str = entry) -> None:
            faults.append(f"field {quoted(entry, 60)}: {f'{key}: ' if key else ''}{what}")

        name, _, rest = (part.strip() for part in entry.partition(":"))
        kind, opening, description = rest.partition("(")
        spec = {"type": kind.strip() or "string"}
        if opening:
            if not description.endswith(")"):
                report("", "the parenthesis is not closed at the end")
                continue
            spec["description"] = description[:-1].strip()
        elif entry.count("[") != entry.count("]"):
            report("", "a bracket is not closed (like tags: list[string])")
            continue
        builder.add(name, spec, report)
    return builder.finish(faults)


def read_fields_file(path: str | PathLike[str]) -> list[FieldDefinition]:
    """Return the definitions in the YAML or JSON file at *path*.

    :raises ConfigError: the file cannot be read, or as :func:`define_fields`, with lines
    """
    root, problems = read_document(path, "the fields")
    raise_problems(problems)
    builder = DefinitionBuilder()
    for entry, name, members in _file_entries(root):

        def report(key: str, what: str, entry: Value = entry, members: Any = members) -> None:
            members.get(key, entry).wrong(what)

        builder.add(name, {key: plain(value) for key, value in members.items()}, report)
    raise_problems(problems)
    return builder.finish(place=f"{problems.name}: ")


def _entries(fields: Any) -> list[Any]:
    if fields is None:
        return []
    if isinstance(fields, (FieldDefinition, bytes)):
        fields = [fields]
    if isinstance(fields, Mapping):
        return list(fields.items())
    if isinstance(fields, Iterable):
        return list(fields)
    raise ConfigError(
        f"fields is a {type(fields).__name__}, not a mapping, a list or a text (like title: string)"
    )


def _name_and_spec(entry: Any) -> tuple[Any, Any]:
    """Return the name and the specification of an entry of a mapping or a list."""
    if isinstance(entry, FieldDefinition):
        return entry.name, entry
    if isinstance(entry, Mapping):
        return entry.get("name"), {key: one for key, one in entry.items() if key != "name"}
    if isinstance(entry, tuple) and len(entry) == 2:
        return entry
    return None, entry


def _split(text: str) -> list[str]:
    """Return the entries of *text*, split where no parenthesis or bracket is open."""
    entries, start, depth = [], 0, 0
    for at, character in enumerate(text):
        if character in _OPENING:
            depth += 1
        elif character in _CLOSING:
            depth = max(depth - 1, 0)
        elif character in ",;\n" and not depth:
            entries.append(text[start:at].strip())
            start = at + 1
    entries.append(text[start:].strip())
    return [entry for entry in entries if entry]


def _file_entries(root: Value | None) -> Iterable[tuple[Value, Any, dict[str, Value]]]:
    """Yield each entry of the file, its name and its attributes."""
    if root is None or root.is_empty():
        return
    if root.is_mapping():
        for key, value in root.items("a mapping"):
            yield value, key.node.value, _members(value, "type")
        return
    if not isinstance(plain(root), list):
        root.wrong("is neither a mapping nor a list (like title: string)")
        return
    for index, node in enumerate(root.node.value):
        entry = Value(node, f"[{index}]", root.problems)
        members = _members(entry, "name")
        name = members.pop("name", None)
        yield entry, None if name is None else plain(name), members


def _members(value: Value, single: str) -> dict[str, Value]:
    if value.is_mapping():
        return {key.node.value: one for key, one in value.items("a mapping")}
    return {} if value.is_empty() else {single: value}
