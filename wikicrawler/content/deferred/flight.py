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


def read_rows(scripts: Iterable[str]) -> dict[str, Any]:
    """Return the values of the rows in *scripts* by their ids: JSON, and texts.

    In objects, which are what components get, the texts stand in the place of their references.
    """
    stream = "".join(_pushed(scripts)).encode("utf-8", "replace")
    texts: dict[str, str] = {}
    found: dict[str, Any] = {}
    position = 0
    while len(found) < MAX_ROWS and (row := _ROW.match(stream, position)):
        position = row.end()
        name = row[1].decode()
        if row[2]:
            end = position + int(row[2], 16)
            text = stream[position:end].decode("utf-8", "replace")
            found[name] = texts[f"${name}"] = text
            position = end
            continue
        end = stream.find(b"\n", position)
        end = len(stream) if end < 0 else end
        if stream[position : position + 1] in {b"[", b"{"}:
            with suppress(ValueError, RecursionError):
                found[name] = json.loads(stream[position:end])
        position = end + 1
    _put(list(found.values()), texts)
    return found


def _pushed(scripts: Iterable[str]) -> Iterator[str]:
    for script in scripts:
        if "__next_f.push([1," not in script:
            continue
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
