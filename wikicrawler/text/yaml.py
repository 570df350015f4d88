"""Strict YAML reader that reports every problem with its line.

:func:`compose` parses a file into nodes, and a :class:`Value` reads one of them. Problems are
collected in :class:`Problems`, so that an operator sees all of them in one error.

Only plain YAML is accepted: one document without tags, anchors, aliases, merge keys, duplicate
keys and values that YAML 1.1 silently converts (``no``, ``010``, ``12:30``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from wikicrawler.errors import ConfigError
from wikicrawler.text.names import nearest
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 10
_MAX_LISTED = 50

STR = "tag:yaml.org,2002:str"
"""Tag of a node that is a string."""
_BOOL = "tag:yaml.org,2002:bool"
_NULL = "tag:yaml.org,2002:null"
_MERGE = "tag:yaml.org,2002:merge"
_REFUSED = "refused"  # tag of a node whose problem has been reported already
_DECIMAL = re.compile(r"(0|[1-9]\d{0,8})(\.\d{1,9})?")
_HINTS = {
    "'\\t'": "indent with spaces",
    "mapping values are not allowed": "quote a value that contains ': ', check the indentation",
    "expected a single document": "one document a file: remove the --- between them",
    "block end": "check the indentation and the quotes",
    "could not find expected ':'": "write 'key: value'",
}


@dataclass(slots=True)
class Problems:
    """The problems of one file, as ``(line, text)``.

    :param tested: whether it is a file of this package, in which tests look for problems: reading
        may trust it, and be quicker
    """

    name: str
    found: list[tuple[int, str]] = field(default_factory=list)
    tested: bool = False

    def add(self, line: int, text: str) -> None:
        if (line, text) not in self.found[-2:]:
            self.found.append((line, text))

    def forget(self, first: int, last: int) -> None:
        """Remove the problems in the lines from *first* to *last*."""
        self.found = [(line, text) for line, text in self.found if not first <= line <= last]

    def raise_if_any(self) -> None:
        """Raise a :class:`ConfigError` with a line ``name:line: text`` for each problem, if any."""
        if not self.found:
            return
        lines = [f"{self.name}:{line}: {text}" for line, text in sorted(self.found)]
        if len(lines) > _MAX_LISTED:
            lines[_MAX_LISTED:] = [f"{self.name}: and {len(lines) - _MAX_LISTED:,} more problems"]
        raise ConfigError("\n".join(lines))


@dataclass(frozen=True, slots=True)
class Value:
    """A value in the file with the path of its key.

    The methods that read the value return None if it is invalid, and add the problem.
    """

    node: yaml.Node
    key: str
    problems: Problems

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    def wrong(self, what: str) -> None:
        """Add the problem *what* of this value."""
        if self.node.tag != _REFUSED:
            self.problems.add(self.line, f"{self.key}: {what}" if self.key else what)

    def is_empty(self) -> bool:
        """Return whether the key has no value."""
        return self.node.tag == _NULL and not self.node.value

    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    def items(self, expected: str) -> Iterator[tuple[Value, Value]]:
        """Yield the keys and values of a mapping, without duplicate and non-string keys."""
        if not isinstance(self.node, yaml.MappingNode):
            self.wrong(f"{self._described()} is not {expected}")
            return
        lines: dict[str, int] = {}
        for key_node, value_node in self.node.value:
            scalar = isinstance(key_node, yaml.ScalarNode)
            key = Value(key_node, self._below(key_node.value if scalar else "?"), self.problems)
            if key_node.tag == _MERGE:
                key.wrong("merge keys are not supported (write the keys out)")
                continue
            if (name := key.text("a key (put it in quotes)")) is None:
                continue
            if name in lines:
                key.wrong(f"appears twice (first in line {lines[name]}; keep one)")
                continue
            lines[name] = key.line
            yield key, Value(value_node, key.key, self.problems)

    def fields(self, allowed: Sequence[str], expected: str) -> dict[str, Value]:
        """Return the values of a mapping by key; only the keys in *allowed* are valid."""
        fields = {}
        for key, value in self.items(expected):
            if key.node.value in allowed:
                fields[key.node.value] = value
            else:
                key.wrong(f"unknown key ({suggest(key.node.value, allowed)})")
        return fields

    def sections(
        self, allowed: Sequence[str], expected: str
    ) -> tuple[dict[str, Value], list[tuple[int, str]]]:
        """Return the values of a mapping by key, as :meth:`fields` does, and the lines and names of
        other keys, with whatever they contain. A key that is similar to one in *allowed* is
        invalid."""
        sections, others = {}, []
        for key, value in self.items(expected):
            name = key.node.value
            if name in allowed:
                sections[name] = value
            elif nearest(name[:40].lower(), allowed):
                key.wrong(f"unknown key ({suggest(name, allowed)})")
            else:
                others.append((key.line, key.key))
                if not getattr(self.node, "flow_style", True):  # else lines are no sections
                    end = value.node.end_mark
                    self.problems.forget(key.line, end.line + (1 if end.column else 0))
        return sections, others

    def text(self, expected: str) -> str | None:
        """Return a string."""
        if self.node.tag == STR:
            return str(self.node.value)
        self.wrong(f"{self._described()} is not {expected}")
        return None

    def choice(self, allowed: Sequence[str]) -> str | None:
        """Return one of the strings *allowed*."""
        text = self.text(f"one of {', '.join(allowed)}")
        if text is None or text in allowed:
            return text
        self.wrong(f"{quoted(text, 40)} is unknown ({suggest(text, allowed)})")
        return None

    def choices(self, allowed: Sequence[str]) -> tuple[str, ...] | None:
        """Return a list of strings in *allowed*, not empty and without duplicates."""
        if not isinstance(self.node, yaml.SequenceNode) or not self.node.value:
            self.wrong(f"{self._described()} is not a list (like [{', '.join(allowed)}])")
            return None
        choices: list[str] = []
        for index, node in enumerate(self.node.value):
            value = Value(node, f"{self.key}[{index}]", self.problems)
            choice = value.choice(allowed)
            if choice in choices:
                value.wrong(f"{choice} appears twice (name each once)")
            elif choice is not None:
                choices.append(choice)
        return tuple(choices) if len(choices) == len(self.node.value) else None

    def flag(self) -> bool | None:
        """Return a Boolean."""
        if self.node.tag == _BOOL:
            return str(self.node.value).lower() in ("true", "yes", "on")
        self.wrong(f"{self._described()} is not true or false (without quotes)")
        return None

    def number(self, low: float, high: float, unit: str) -> float | None:
        """Return a decimal number from *low* to *high*; *unit* describes it in an error."""
        if (number := self._decimal()) is not None and low <= number <= high:
            return number
        self.wrong(f"{self._described()} is not {unit} (a plain number from {low:g} to {high:g})")
        return None

    def integer(self, low: int, high: int, unit: str) -> int | None:
        """Return an integer from *low* to *high*; *unit* describes it in an error."""
        number = self._decimal()
        if number is not None and "." not in self.node.value and low <= number <= high:
            return int(number)
        self.wrong(
            f"{self._described()} is not {unit} (a plain whole number from {low} to {high:,})"
        )
        return None

    def plain(self) -> Any:
        """Return a text, number, Boolean, list or dict with string keys; None where it is empty.

        Invalid parts are None, too, and add their problems.
        """
        if isinstance(self.node, yaml.MappingNode):
            return {key.node.value: value.plain() for key, value in self.items("a mapping")}
        if isinstance(self.node, yaml.SequenceNode):
            parts = enumerate(self.node.value)
            return [Value(node, f"{self.key}[{at}]", self.problems).plain() for at, node in parts]
        if self.is_empty():
            return None
        if self.node.tag == _BOOL:
            return self.flag()
        if (number := self._decimal()) is not None:
            return number if "." in self.node.value else int(number)
        return self.text("a text (put it in quotes), a plain number, true or false")

    def _decimal(self) -> float | None:
        # Quoted numbers are text; YAML 1.1 reads 010, 1_000, 0x10 and 12:30 as other numbers.
        plain = isinstance(self.node, yaml.ScalarNode) and not self.node.style
        return float(self.node.value) if plain and _DECIMAL.fullmatch(self.node.value) else None

    def _below(self, name: str) -> str:
        name = one_line(name, 80)
        return f"{self.key}.{name}" if self.key else name

    def _described(self) -> str:
        """Return a description of the value for an error message."""
        if isinstance(self.node, yaml.MappingNode):
            return "a mapping"
        if not isinstance(self.node, yaml.ScalarNode):
            return "a list" if self.node.value else "an empty list"
        if not self.node.value and not self.node.style:
            return "nothing"
        text = str(self.node.value)
        if self.node.tag == STR:
            return f"the text {quoted(text, 40)}"
        if len(text) <= 40 and not self.node.style:
            try:
                read = repr(yaml.safe_load(text))
            except (yaml.YAMLError, ValueError, OverflowError):
                read = text
            if read not in (text, text.title()):
                return f"{one_line(text)}, which YAML reads as {one_line(read)},"
        return one_line(text, 40)


def suggest(text: str, allowed: Sequence[str]) -> str:
    """Return ``did you mean …?`` with a similar string in *allowed*, else a list of all."""
    close = nearest(text[:40].lower(), allowed)
    return f"did you mean {close}?" if close else f"known: {', '.join(allowed)}"


def compose(data: bytes, problems: Problems) -> Value | None:
    """Return the root value of the file; None if it is empty or cannot be parsed."""
    if problems.tested and yaml.__with_libyaml__:
        # In a fifteenth of the time, without the checks of _Loader.
        root = yaml.compose(data, yaml.CSafeLoader)
        return Value(root, "", problems) if root else None
    text = _decode(data, problems)
    if text is None:
        return None
    loader = None
    try:
        loader = _Loader(text, problems)
        node = loader.get_single_node()
    except yaml.reader.ReaderError as exc:
        line = text.count("\n", 0, exc.position) + 1
        problems.add(line, f"the character U+{exc.character:04X} is not allowed in YAML")
    except yaml.MarkedYAMLError as exc:
        mark = exc.problem_mark or exc.context_mark
        problems.add(mark.line + 1 if mark else 1, _explain(exc))
    except (yaml.YAMLError, ValueError, OverflowError) as exc:  # e.g. "\U00110000"
        problems.add(loader.line + 1 if loader else 1, f"is not YAML: {one_line(exc, 200)}")
    else:
        return Value(node, "", problems) if node else None
    return None


def _decode(data: bytes, problems: Problems) -> str | None:
    if len(data) > MAX_BYTES:
        problems.add(1, f"the file has more than {MAX_BYTES:,} bytes (is it the right one?)")
    elif data.startswith((b"\xff\xfe", b"\xfe\xff")):
        problems.add(1, "the file is UTF-16 (save it as UTF-8)")
    else:
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as exc:
            line = data.count(b"\n", 0, exc.start) + 1
            problems.add(line, f"byte 0x{data[exc.start]:02x} is not UTF-8 (save it as UTF-8)")
    return None


def _explain(exc: yaml.MarkedYAMLError) -> str:
    text = ": ".join(part for part in (exc.context, exc.problem) if part)
    hint = next((hint for part, hint in _HINTS.items() if part in text), "")
    return f"is not YAML: {one_line(text, 200)}" + (f" ({hint})" if hint else "")


class _Loader(yaml.SafeLoader):
    """Loader that composes nodes only and reports YAML features that are not accepted."""

    def __init__(self, text: str, problems: Problems) -> None:
        super().__init__(text)
        self._problems = problems
        self._depth = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        mark: Any = event.start_mark
        line = mark.line + 1
        if isinstance(event, yaml.AliasEvent):
            self._problems.add(line, f"*{one_line(event.anchor, 40)}: an alias (write it out)")
            self.get_event()  # type: ignore[no-untyped-call]
            return yaml.ScalarNode(_REFUSED, "", mark, mark)
        if event.anchor is not None:
            self._problems.add(line, f"&{one_line(event.anchor, 40)}: an anchor (remove it)")
            event.anchor = None
        tag, event.tag = event.tag, None
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise yaml.composer.ComposerError(
                None, None, f"nested more than {MAX_DEPTH} deep", mark
            )
        node = super().compose_node(parent, index)
        self._depth -= 1
        if tag is not None and node is not None:
            self._problems.add(line, f"{one_line(tag, 60)}: a tag (remove it)")
            node.tag = _REFUSED
        return node
