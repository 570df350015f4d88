"""YAML and JSON files as plain values, with the line of each problem."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from wikicrawler.fields.errors import ConfigError
from wikicrawler.text.safe import one_line
from wikicrawler.text.yaml import MAX_BYTES, Problems, Value, compose

if TYPE_CHECKING:
    from os import PathLike

_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?(?:[eE][+-]?\d{1,3})?", re.ASCII)
_WHOLE = re.compile(r"-?\d+", re.ASCII)
_TAG = "tag:yaml.org,2002:"


def read_document(path: str | PathLike[str], what: str) -> tuple[Value | None, Problems]:
    """Return the root of the YAML or JSON file at *path* (None if it is empty or unreadable), and
    its problems so far.

    :param what: what the file is, for messages: ``the fields``
    :raises ConfigError: the file cannot be opened
    """
    try:
        path = Path(path)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError, TypeError) as error:
        why = getattr(error, "strerror", None) or "not a file name"
        raise ConfigError(f"{one_line(path)}: {what} cannot be read: {one_line(why)}") from None
    problems = Problems(one_line(path))
    if path.suffix.lower() == ".json":
        _check_json(data, problems)
        if problems.found:
            return None, problems
        data = data.replace(b"\t", b" ")  # between tokens only; YAML has no tabs there
    return compose(data, problems), problems


def raise_problems(problems: Problems) -> None:
    """Raise a :class:`~wikicrawler.fields.errors.ConfigError` with a line for each problem, if
    any."""
    try:
        problems.raise_if_any()
    except ValueError as error:
        raise ConfigError(str(error)) from None


def plain(value: Value) -> Any:
    """Return *value* as text, number, boolean, None, list or dict.

    A value that YAML reads as something else than it seems to be is a problem, and None. No problem
    shows a value: one of them may be a key.
    """
    node = value.node
    if isinstance(node, yaml.MappingNode):
        return {key.node.value: plain(one) for key, one in value.items("a mapping")}
    if isinstance(node, yaml.SequenceNode):
        return [
            plain(Value(one, f"{value.key}[{index}]", value.problems))
            for index, one in enumerate(node.value)
        ]
    return _scalar(value)


def _scalar(value: Value) -> Any:
    text, tag = str(value.node.value), value.node.tag.removeprefix(_TAG)
    is_plain = not getattr(value.node, "style", None)
    if is_plain and len(text) <= 80 and _NUMBER.fullmatch(text):
        return int(text) if _WHOLE.fullmatch(text) else float(text)
    if tag == "str":
        return _joined(text)
    if tag == "bool" and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if tag == "null":
        return None
    if tag == "bool":
        value.wrong(
            "YAML reads it as true or false: put a text in quotes, else write true or false"
        )
    else:
        value.wrong("YAML reads it as a number or a date: put a text in quotes, else write digits")
    return None


def _joined(text: str) -> str:
    """Return *text* with one character for each pair of surrogates, which JSON escapes."""
    with suppress(UnicodeError):
        text.encode()
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _check_json(data: bytes, problems: Problems) -> None:
    try:
        json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        problems.add(error.lineno, f"is not JSON: {one_line(error.msg)}")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problems.add(line, f"byte 0x{data[error.start]:02x} is not UTF-8 (save it as UTF-8)")
    except (ValueError, RecursionError):
        problems.add(1, "is not JSON: a number or the nesting is too large")
