"""Definitions of links at the end of Markdown, which the parts of it need."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_LINE = re.compile(r"\[([0-9]{1,9})\]: \S+")
_USE = re.compile(r"\]\[([0-9]{1,9})\]")


class Definitions:
    """Lines like ``[1]: URL``, by number."""

    def __init__(self, lines: dict[str, str]) -> None:
        self._lines = lines

    def of(self, text: str) -> str:
        """Return the definitions that *text* needs, to stand before it; empty if it needs none."""
        lines = [self._lines[label] for label in sorted(self._used(text), key=int)]
        return "\n".join((*lines, "\n")) if lines else ""

    def counted(self, count: Callable[[str], int]) -> Callable[[str], int]:
        """Return *count* for texts with the definitions that they need."""
        if not self._lines:
            return count
        costs = {label: count(f"{line}\n") for label, line in self._lines.items()}
        gap = count("\n")

        def counted(text: str) -> int:
            used = self._used(text)
            return count(text) + sum(costs[label] for label in used) + gap * bool(used)

        return counted

    def _used(self, text: str) -> set[str]:
        return self._lines.keys() & set(_USE.findall(text)) if self._lines else set()


def definitions_at_end(text: str) -> tuple[str, Definitions]:
    """Return *text* without the definitions at its end, and these.

    They are text like any other unless a blank line is before them and each is used.
    """
    found: dict[str, str] = {}
    at = len(text.rstrip("\n"))
    while at > 0:
        begin = text.rfind("\n", 0, at) + 1
        line = _LINE.fullmatch(text, begin, at)
        if line is None:
            break
        found[line[1]] = line[0]
        at = begin - 1
    body = text[: at + 1]
    if not found or (body and not body.endswith("\n\n")):
        return text, Definitions({})
    if not found.keys() <= set(_USE.findall(body)):
        return text, Definitions({})
    return body, Definitions(found)


def definitions_at_start(text: str) -> tuple[str, Definitions]:
    """Return *text* without the definitions that :meth:`Definitions.of` put before it, and
    these."""
    found: dict[str, str] = {}
    at = 0
    while line := _LINE.match(text, at):
        found[line[1]] = line[0]
        at = line.end() + 1
    return (text[at + 1 :], Definitions(found)) if found else (text, Definitions({}))
