"""Designations of paragraphs, like ``(b)(2)(i)``, and lists and ranges of them."""

from __future__ import annotations

import re
from typing import NamedTuple

_DOUBLES = "|".join(letter * 2 for letter in "abcdefghjklmnopqrstuvwxyz")
_LOWER = rf"[a-z]|{_DOUBLES}|[ivx]{{2,6}}+"
_ELEMENT = rf"(?:{_LOWER}|[0-9]{{1,2}}+|{_LOWER.replace('a-z', 'A-Z').upper()})"
PATH = rf"(?:\({_ELEMENT}\)){{1,8}}+"
"""Pattern of a designation."""

_PATH = re.compile(PATH)
_ELEMENTS = re.compile(r"[^()]+")
_AFTER_SPACE = re.compile(rf" \([a-z]\)(?:{PATH}|(?! ?[a-z]))")
"""After a space: a single letter that a word follows is more often the first item of a list."""
_RANGE = re.compile(rf"(?: ?- ?| through | to )({PATH})")
_NEXT = re.compile(
    r"(?:, ?(?:and |or |& )?+| (?:and|or|&|and/or) )(?:paragraphs? )?+" rf"({PATH})(?!-?[0-9])"
)
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_VALUES = {"i": 1, "v": 5, "x": 10}
MAX_PATHS = 200


class Paragraph(NamedTuple):
    """A designation in a text."""

    key: str
    """``(b)(2)`` or, of a range, ``(b)(2)..(4)``."""
    start: int
    end: int


def read_paragraphs(text: str, position: int) -> list[Paragraph]:
    """Return the designations at *position*: one, and those that are listed after it."""
    first = _PATH.match(text, position) or _AFTER_SPACE.match(text, position)
    if first is None:
        return []
    designation = first[0].lstrip()
    found = [_with_range(text, designation, first.start(), first.end())]
    path = elements(designation)
    while len(found) < MAX_PATHS and (following := _NEXT.match(text, found[-1].end)):
        sibling = _sibling(path, elements(following[1]))
        if sibling is None:
            break
        path = sibling
        key = "".join(f"({element})" for element in path)
        found.append(_with_range(text, key, following.start(1), following.end()))
    return found


def elements(designation: str) -> list[str]:
    """Return the elements of a designation: ``["b", "2"]`` for ``(b)(2)``."""
    return _ELEMENTS.findall(designation)


def kinds(element: str, depth: int) -> set[str]:
    """Return what *element* may count with; a first letter is never a Roman numeral."""
    if element.isdigit():
        return {"number"}
    case = "lower" if element.islower() else "upper"
    found = {f"{case} letter"} if len(element) == 1 or element[0] * 2 == element else set()
    if depth and _ROMAN.fullmatch(element.lower()):
        found.add(f"{case} roman")
    return found


def value(element: str, kind: str) -> int:
    """Return the rank of *element* among its siblings."""
    if kind == "number":
        return int(element)
    if kind.endswith("letter"):
        return (len(element) - 1) * 26 + ord(element[0].lower())
    digits = [_VALUES[letter] for letter in element.lower()]
    return sum(
        -digit if digit < max(digits[index:]) else digit for index, digit in enumerate(digits)
    )


def _with_range(text: str, key: str, start: int, end: int) -> Paragraph:
    if last := _RANGE.match(text, end):
        return Paragraph(f"{key}..{last[1]}", start, last.end())
    return Paragraph(key, start, end)


def _sibling(path: list[str], following: list[str]) -> list[str] | None:
    """Return the path of *following*, which is listed after *path*: ``(e)(1)(i) and (ii)``."""
    for depth in range(len(path) - 1, -1, -1):
        for kind in sorted(kinds(path[depth], depth) & kinds(following[0], depth)):
            before, after = value(path[depth], kind), value(following[0], kind)
            sibling = [*path[:depth], *following]
            if before < after or (before == after and len(following) > 1 and sibling != path):
                return sibling
    return None
