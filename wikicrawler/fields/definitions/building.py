"""A list of definitions, built from plain values; each fault is reported where it stands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.definitions.checks import faults_of
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.models import LISTS, MAX_NAME, SCALARS, FieldDefinition
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.text.yaml import suggest

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_FIELDS = 100
TYPES = (*SCALARS, *LISTS)
ATTRIBUTES = tuple(name for name in FieldDefinition.model_fields if name != "name")
_NAME = re.compile(rf"[A-Za-z_][A-Za-z0-9_-]{{0,{MAX_NAME - 1}}}")
_PYTHON_TYPES = {
    str: "string",
    float: "number",
    int: "integer",
    bool: "boolean",
    list[str]: "list[string]",
    list[float]: "list[number]",
    list[int]: "list[number]",
    list[bool]: "list[boolean]",
    list[dict]: "list[object]",  # type: ignore[type-arg]
    list[dict[str, Any]]: "list[object]",
}
_MEANT = {
    "str": "string",
    "text": "string",
    "url": "string with format: uri",
    "date": "string with format: date",
    "email": "string with format: email",
    "int": "integer",
    "float": "number",
    "decimal": "number",
    "bool": "boolean",
    "dict": "list[object]",
    "object": "list[object]",
    "list": "list[string]",
    "array": "list[string]",
    "list[integer]": "list[number]",
    "list[int]": "list[number]",
    "list[float]": "list[number]",
    "list[str]": "list[string]",
    "list[text]": "list[string]",
    "list[bool]": "list[boolean]",
    "list[dict]": "list[object]",
}
"""The right type for words that are none, and that people write."""
_KINDS: dict[str, tuple[tuple[type, ...], str]] = {
    "description": ((str,), "a text"),
    "enum": ((list, tuple), "a list of texts or numbers (like [new, used])"),
    "format": ((str,), "the name of a format (like date)"),
    "pattern": ((str,), "a regular expression (like ^[A-Z]+$)"),
    "minimum": ((int, float), "a number"),
    "maximum": ((int, float), "a number"),
    "min_items": ((int,), "a whole number"),
    "max_items": ((int,), "a whole number"),
    "derived": ((bool,), "true or false"),
    "properties": ((dict,), "a mapping (like {name: string, price: number})"),
}


class DefinitionBuilder:
    """Collects definitions. A fault is reported and its definition left out."""

    def __init__(self) -> None:
        self._fields: list[FieldDefinition] = []
        self._names: dict[str, str] = {}

    def add(self, name: Any, spec: Any, report: Callable[[str, str], None]) -> None:
        """Add a field.

        :param spec: a type, a mapping of attributes, or a definition
        :param report: is called with the attribute (or an empty string) and what is wrong
        """
        faults = self._name_faults(name)
        if spec == {} and type_name(name):
            faults.append(f"{name} is a type (write name: title and type: {name})")
        if isinstance(spec, FieldDefinition) and isinstance(name, str) and name != spec.name:
            faults.append(f"is the definition of {quoted(spec.name)} (use one name)")
        for what in faults:
            report("name" if name is None else "", what)
        field = spec if isinstance(spec, FieldDefinition) else _read(name, spec, report)
        if field is None or faults:
            return
        if found := faults_of(field):
            for key, what in found:
                report(key, what)
            return
        self._fields.append(field)

    def finish(self, faults: Sequence[str] = (), place: str = "") -> list[FieldDefinition]:
        """Return the definitions.

        :param faults: what was reported
        :param place: the file, for messages: ``fields.yml: ``
        :raises ConfigError: there are faults, no definition, or too many
        """
        faults = list(faults)
        if len(self._names) > MAX_FIELDS:
            faults.insert(0, f"{place}there are {len(self._names):,} fields (at most {MAX_FIELDS})")
        if not faults and not self._fields:
            faults = [f"{place}there are no fields (name at least one, like title: string)"]
        if faults:
            raise ConfigError("\n".join(faults))
        return self._fields

    def _name_faults(self, name: Any) -> list[str]:
        if name is None or name == "":
            return ["has no name (like name: title)"]
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            return [
                f"{quoted(str(name), 80)} is not a name (letters, digits, _ and -, at most "
                f"{MAX_NAME}, no digit first)"
            ]
        before = len(self._names)
        other = self._names.setdefault(name.casefold(), name)
        if len(self._names) > before:
            return []
        if other == name:
            return [f"{name} appears twice (keep one)"]
        return [f"{name} differs from {other} only in its capitals (keep one)"]


def _read(name: Any, spec: Any, report: Callable[[str, str], None]) -> FieldDefinition | None:
    """Return the definition that *spec* describes; None if it has faults, which are reported."""
    if not isinstance(spec, Mapping):
        spec = {"type": spec}
    values: dict[str, Any] = {}
    wrong = False
    for key, value in spec.items():
        if key not in ATTRIBUTES:
            report(str(key), f"unknown key ({suggest(str(key), ATTRIBUTES)})")
            wrong = True
        elif value is not None:
            what = _type_fault(value) if key == "type" else _kind_fault(key, value)
            if what:
                report(key, what)
                wrong = True
            values[key] = type_name(value) if key == "type" else value
    if wrong:
        return None
    try:
        return FieldDefinition(name=name if _is_name(name) else "unnamed", **values)
    except ConfigError as error:
        report("", one_line(error.message.removeprefix("FieldDefinition: ")))
        return None


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and _NAME.fullmatch(name) is not None


def type_name(value: Any) -> str | None:
    """Return the type of fields that *value* names (a word or a Python type), or None."""
    if isinstance(value, str):
        word = "".join(value.split()).lower()
        return word if word in (*TYPES, "object") else None
    try:
        return _PYTHON_TYPES.get(value)
    except TypeError:
        return None


def _type_fault(value: Any) -> str | None:
    if type_name(value):
        return None
    known = f"known: {', '.join(TYPES)}"
    if not isinstance(value, str):
        return f"is not the name of a type ({known})"
    word = "".join(value[:40].split()).lower()
    meant = _MEANT.get(word) or nearest(word, TYPES)
    return f"{quoted(value, 40)} is no type ({f'did you mean {meant}?' if meant else known})"


def _kind_fault(key: str, value: Any) -> str | None:
    kinds, expected = _KINDS[key]
    fits = isinstance(value, kinds) and (bool in kinds or not isinstance(value, bool))
    if fits and key == "enum":
        fits = all(isinstance(v, (str, int, float)) and not isinstance(v, bool) for v in value)
    return None if fits else f"is not {expected}"
