"""YAML with the place of each value.

Only what JSON has is accepted: one document without tags, anchors, aliases and merge keys. YAML
would read ``2026-02-13`` as a date, ``1.0`` as a number and ``no`` as a Boolean. Here a plain
scalar is a :class:`Plain` text until :func:`typed` gives it the type that the schema has there.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml

from wikicrawler.sources.manifest.lines import Lines
from wikicrawler.sources.manifest.tree import MAX_DEPTH
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.faults import Place
    from wikicrawler.sources.manifest.tree import Tree

# libyaml, where it is installed, is some ten times faster than the same parser in Python.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_HINTS = {
    "tab character": "indent with spaces",
    "cannot start any token": "indent with spaces, and quote a value that starts with @ or `",
    "mapping values are not allowed": "quote a value that contains ': ', check the indentation",
    "expected a single document": "one document a file: remove the --- between them",
    "block end": "check the indentation and the quotes",
    "block mapping": "check the indentation and the quotes",
    "could not find expected ':'": "write 'key: value'",
}
_TOO_DEEP = f"is nested more than {MAX_DEPTH} deep (a manifest needs five levels)"


class Plain(str):
    """A scalar without quotes, whose type depends on its place."""

    __slots__ = ()


def read_yaml(text: str, start: int, end: int, tree: Tree) -> None:
    """Read the YAML document in *text* from *start* to *end* into *tree*.

    :raises Unreadable: it is not YAML; the fault is in the tree
    """
    lines = Lines(text)
    try:
        reader = _YamlReader(tree, lines, start)
        for event in yaml.parse(text[start:end], Loader=_LOADER):
            reader.read(event)
    except yaml.reader.ReaderError as error:
        at = start + (error.position if isinstance(error.position, int) else 0)
        code = error.character if isinstance(error.character, int) else ord(error.character or " ")
        tree.stop(lines.place(at), f"the character U+{code:04X} is not allowed in YAML (remove it)")
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        tree.stop(lines.place(start + (mark.index if mark else 0)), _explain(error))
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        tree.stop(lines.place(start), f"is not YAML: {one_line(error, 200)}")


class _YamlReader:
    """Feeds a tree with the events of a document."""

    def __init__(self, tree: Tree, lines: Lines, start: int) -> None:
        self._tree = tree
        self._lines = lines
        self._start = start
        self._has_key: list[bool] = []  # of each open container: the next event is no key
        self._ignored = 0  # open containers of a key that is a mapping or a list
        self._documents = 0

    def read(self, event: yaml.Event) -> None:
        # By the index: YAML counts lines after characters that editors do not (U+0085, U+2028).
        mark: Any = event.start_mark
        place = self._lines.place(self._start + mark.index)
        if isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._tree.stop(place, "a second document (one document a file)")
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()
        elif isinstance(event, yaml.NodeEvent):
            self._node(event, place)

    def _end(self) -> None:
        if self._ignored:
            self._ignored -= 1
        else:
            self._has_key.pop()
            self._tree.end()
            self._value_ends()

    def _value_ends(self) -> None:
        if self._tree.in_object:
            self._has_key[-1] = False

    def _ignore(self, opens: bool, place: Place) -> None:
        """Leave out an event within a key. libyaml takes quadratic time for deep nesting."""
        self._ignored += opens
        if self._ignored > MAX_DEPTH:
            self._tree.stop(place, _TOO_DEEP)

    def _node(self, event: yaml.NodeEvent, place: Place) -> None:
        opens = isinstance(event, yaml.CollectionStartEvent)
        if self._ignored:
            self._ignore(opens, place)
        elif self._tree.in_object and not self._has_key[-1]:
            self._has_key[-1] = True
            self._key(event, place)
            self._ignore(opens, place)
        else:
            self._value(event, place)

    def _key(self, event: yaml.NodeEvent, place: Place) -> None:
        if isinstance(event, yaml.ScalarEvent) and event.value == "<<" and event.implicit[0]:
            self._tree.fault(place, "merge keys are not supported (write the keys out)")
        elif not isinstance(event, yaml.ScalarEvent):
            self._tree.fault(place, "a key is not a text (write 'key: value')")
        elif unsupported := _unsupported(event):
            self._tree.fault(place, unsupported)
        else:
            self._tree.key(event.value, place)
            return
        self._tree.no_key()

    def _value(self, event: yaml.NodeEvent, place: Place) -> None:
        unsupported = _unsupported(event)
        if isinstance(event, yaml.CollectionStartEvent):
            is_mapping = isinstance(event, yaml.MappingStartEvent)
            self._tree.begin({} if is_mapping else [], place)
            self._has_key.append(False)
            if unsupported:
                self._tree.fault(place, unsupported)
            return
        if not isinstance(event, yaml.ScalarEvent) or unsupported:
            self._tree.scalar(None, place)
            self._tree.refuse(place, unsupported)
        elif event.style:  # quoted or a block
            self._tree.scalar(event.value, place)
        else:
            self._tree.scalar(None if event.value in _NULLS else Plain(event.value), place)
        self._value_ends()


def typed(value: Any, schema: dict[str, Any], root: dict[str, Any]) -> Any:
    """Return *value* with each :class:`Plain` text as *schema* has its type.

    Where the schema has a text, or no type at all, ``2026-02-13``, ``1.0`` and ``no`` are texts.
    The containers are changed in place.

    :param root: the document in which references of *schema* are looked up
    """
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    if isinstance(value, Plain):
        types = schema.get("type", ())
        is_whole = types == "integer" or "integer" in types
        return int(value) if is_whole and _WHOLE.fullmatch(value) else str(value)
    if isinstance(value, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties")
        for key, part in value.items():
            value[key] = typed(part, known.get(key) or _schema(rest), root)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            value[index] = typed(part, _schema(schema.get("items")), root)
    return value


def _schema(found: Any) -> dict[str, Any]:
    return found if isinstance(found, dict) else {}


def _unsupported(event: yaml.NodeEvent) -> str:
    """Return the message about a feature of YAML that is not accepted; empty if there is none."""
    if isinstance(event, yaml.AliasEvent):
        return f"*{one_line(event.anchor, 40)}: an alias (write it out)"
    if event.anchor is not None:
        return f"&{one_line(event.anchor, 40)}: an anchor (remove it)"
    tag = getattr(event, "tag", None)
    return f"{quoted(tag, 60)}: a tag (remove it)" if tag is not None else ""


def _explain(error: yaml.MarkedYAMLError) -> str:
    text = ": ".join(part for part in (error.context, error.problem) if part)
    if "nesting depth" in text:  # libyaml 0.2.6 reads ahead, and stops at a depth of 1,000 itself
        return _TOO_DEEP
    hint = next((hint for part, hint in _HINTS.items() if part in text), "")
    return f"is not YAML: {one_line(text, 200)}" + (f" ({hint})" if hint else "")
