"""YAML files read strictly, every problem with its line.

:func:`compose` reads the file into nodes, :class:`Value` is one place in it. What is wrong is
gathered in :class:`Problems`, so that an operator sees all of it in one error.

The YAML taken is plain: no tags, anchors, aliases or merge keys, one document, no duplicate keys,
and no value that YAML 1.1 silently turns into another (``no``, ``010``, ``12:30``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import yaml

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 10
_MAX_LISTED = 50

_STR = "tag:yaml.org,2002:str"
_BOOL = "tag:yaml.org,2002:bool"
_NULL = "tag:yaml.org,2002:null"
_MERGE = "tag:yaml.org,2002:merge"
_REFUSED = "refused"  # tag of a node that stands for what has been reported already
_DECIMAL = re.compile(r"(0|[1-9]\d{0,8})(\.\d{1,9})?")
_HINTS = {
    "'\\t'": "indent with spaces",
    "mapping values are not allowed": "quote a value that holds ': ', check the indentation",
    "expected a single document": "one document a file: remove the --- between them",
    "block end": "check the indentation and the quotes",
    "could not find expected ':'": "write 'key: value'",
}


@dataclass(slots=True)
class Problems:
    """What is wrong with one file, as ``(line, text)``."""

    name: str
    found: list[tuple[int, str]] = field(default_factory=list)

    def add(self, line: int, text: str) -> None:
        if (line, text) not in self.found[-2:]:
            self.found.append((line, text))

    def report(self) -> None:
        """Raise one :class:`ConfigError` with a line ``name:line: what`` each, if there are any."""
        if not self.found:
            return
        lines = [f"{self.name}:{line}: {text}" for line, text in sorted(self.found)]
        if len(lines) > _MAX_LISTED:
            lines[_MAX_LISTED:] = [f"{self.name}: and {len(lines) - _MAX_LISTED:,} problems more"]
        raise ConfigError("\n".join(lines))


@dataclass(frozen=True, slots=True)
class Value:
    """A value in the file and the path of keys that leads to it.

    The readers return None for what is not as it should be, and note the problem.
    """

    node: yaml.Node
    key: str
    problems: Problems

    @property
    def line(self) -> int:
        return int(self.node.start_mark.line) + 1

    def wrong(self, what: str) -> None:
        if self.node.tag != _REFUSED:
            self.problems.add(self.line, f"{self.key}: {what}" if self.key else what)

    def is_empty(self) -> bool:
        """Whether nothing is written there."""
        return self.node.tag == _NULL and not self.node.value

    def is_mapping(self) -> bool:
        return isinstance(self.node, yaml.MappingNode)

    def items(self, wanted: str) -> Iterator[tuple[Value, Value]]:
        """Keys and values of a mapping; duplicates and keys that are no text are left out."""
        if not isinstance(self.node, yaml.MappingNode):
            self.wrong(f"{self._shown()} is not {wanted}")
            return
        lines: dict[str, int] = {}
        for key_node, value_node in self.node.value:
            scalar = isinstance(key_node, yaml.ScalarNode)
            key = Value(key_node, self._below(key_node.value if scalar else "?"), self.problems)
            if key_node.tag == _MERGE:
                key.wrong("merge keys are not read (write the keys out)")
                continue
            if (name := key.text("a key (put it in quotes)")) is None:
                continue
            if name in lines:
                key.wrong(f"is there twice (first in line {lines[name]}; keep one)")
                continue
            lines[name] = key.line
            yield key, Value(value_node, key.key, self.problems)

    def fields(self, allowed: Sequence[str], wanted: str) -> dict[str, Value]:
        """The values of a mapping by key, where the keys are some of *allowed*."""
        fields = {}
        for key, value in self.items(wanted):
            if key.node.value in allowed:
                fields[key.node.value] = value
            else:
                key.wrong(f"unknown key ({suggest(key.node.value, allowed)})")
        return fields

    def text(self, wanted: str) -> str | None:
        if self.node.tag == _STR:
            return str(self.node.value)
        self.wrong(f"{self._shown()} is not {wanted}")
        return None

    def word(self, allowed: Sequence[str]) -> str | None:
        text = self.text(f"one of {', '.join(allowed)}")
        if text is None or text in allowed:
            return text
        self.wrong(f"{quoted(text, 40)} is unknown ({suggest(text, allowed)})")
        return None

    def words(self, allowed: Sequence[str]) -> tuple[str, ...] | None:
        """A list of some of *allowed*, at least one and each once."""
        wanted = f"a list (like [{', '.join(allowed)}])"
        if not isinstance(self.node, yaml.SequenceNode) or not self.node.value:
            self.wrong(f"{self._shown()} is not {wanted}")
            return None
        words: list[str] = []
        for index, node in enumerate(self.node.value):
            value = Value(node, f"{self.key}[{index}]", self.problems)
            word = value.word(allowed)
            if word in words:
                value.wrong(f"{word} is there twice (name each once)")
            elif word is not None:
                words.append(word)
        return tuple(words) if len(words) == len(self.node.value) else None

    def flag(self) -> bool | None:
        if self.node.tag == _BOOL:
            return str(self.node.value).lower() in ("true", "yes", "on")
        self.wrong(f"{self._shown()} is not true or false (without quotes)")
        return None

    def number(self, low: float, high: float, unit: str) -> float | None:
        """A decimal number from *low* to *high*."""
        if (number := self._decimal()) is not None and low <= number <= high:
            return number
        self.wrong(f"{self._shown()} is not {unit} (a plain number from {low:g} to {high:g})")
        return None

    def whole(self, low: int, high: int, unit: str) -> int | None:
        """A whole number from *low* to *high*."""
        number = self._decimal()
        if number is not None and "." not in self.node.value and low <= number <= high:
            return int(number)
        self.wrong(f"{self._shown()} is not {unit} (a plain whole number from {low} to {high:,})")
        return None

    def _decimal(self) -> float | None:
        # Quoted numbers are text; 010, 1_000, 0x10 and 12:30 are numbers, but not the ones seen.
        plain = isinstance(self.node, yaml.ScalarNode) and not self.node.style
        return float(self.node.value) if plain and _DECIMAL.fullmatch(self.node.value) else None

    def _below(self, name: str) -> str:
        name = one_line(name, 80)
        return f"{self.key}.{name}" if self.key else name

    def _shown(self) -> str:
        """What is written there, for a message that says what it is not."""
        if isinstance(self.node, yaml.MappingNode):
            return "a mapping"
        if not isinstance(self.node, yaml.ScalarNode):
            return "a list" if self.node.value else "an empty list"
        if not self.node.value and not self.node.style:
            return "nothing"
        text = str(self.node.value)
        if self.node.tag == _STR:
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
    """``did you mean …?`` where one of *allowed* is close, else all of them."""
    close = get_close_matches(text[:40].lower(), allowed, n=1)
    return f"did you mean {close[0]}?" if close else f"known: {', '.join(allowed)}"


def compose(data: bytes, problems: Problems) -> Value | None:
    """The top of the file; None where it is empty or cannot be read any further."""
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
    """Composes nodes only, and notes what plain YAML does not need."""

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
