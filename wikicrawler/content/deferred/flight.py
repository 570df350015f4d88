"""The rows that React streams to a page of server components: ``self.__next_f.push([1,"…"])``.

A row is ``ID:JSON`` up to the end of the line, or ``ID:TLENGTH,TEXT`` with the length in bytes. The
texts of other rows stand in JSON as ``"$ID"``.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_ROWS = 20_000
"""Rows that are read."""

_PUSH = re.compile(r'__next_f\.push\(\[1,("(?:[^"\\]++|\\.)*+")\]\)', re.DOTALL)
_ROW = re.compile(rb"([0-9a-f]{0,12}):(?:T([0-9a-f]{1,8}),)?")
_DECODER = json.JSONDecoder(strict=False)


def is_flight(script: str) -> bool:
    """Return True if a script has rows."""
    return "__next_f.push([1," in script


def rows(scripts: Iterable[str]) -> Iterator[Any]:
    """Yield the values of the rows in *scripts*, in which references to texts are replaced by them.

    Only references in objects are, which are what components get.
    """
    stream = "".join(_pushed(scripts)).encode("utf-8", "replace")
    texts: dict[str, str] = {}
    values: list[Any] = []
    position = 0
    while len(values) + len(texts) < MAX_ROWS and (row := _ROW.match(stream, position)):
        position = row.end()
        if row[2]:
            end = position + int(row[2], 16)
            texts[f"${row[1].decode()}"] = stream[position:end].decode("utf-8", "replace")
            position = end
            continue
        end = stream.find(b"\n", position)
        end = len(stream) if end < 0 else end
        if stream[position : position + 1] in {b"[", b"{"}:
            with suppress(ValueError, RecursionError):
                values.append(json.loads(stream[position:end]))
        position = end + 1
    for value in values:
        _put(value, texts)
        yield value


def _pushed(scripts: Iterable[str]) -> Iterator[str]:
    for script in scripts:
        for push in _PUSH.finditer(script):
            with suppress(ValueError):
                yield _DECODER.decode(push[1])


def _put(value: Any, texts: dict[str, str]) -> None:
    """Replace references to *texts* in the objects of *value*."""
    waiting = [value] if texts else []
    while waiting:
        node = waiting.pop()
        if isinstance(node, list):
            waiting += (item for item in node if isinstance(item, (list, dict)))
        elif isinstance(node, dict):
            for name, item in node.items():
                if isinstance(item, str):
                    if item in texts:
                        node[name] = texts[item]
                elif isinstance(item, (list, dict)):
                    waiting.append(item)
