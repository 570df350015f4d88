"""Whether a regular expression of :mod:`re` takes linear time, as its syntax shows."""

from __future__ import annotations

import re
from re import _constants as c  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

BOUNDED = 1_000
"""Repetitions up to this number are of constant cost."""
_SAMPLE = {chr(code) for code in range(0x250)} | set("\u0301\u202e\u3000\ud800\uffff\U0001f600")
_REPEATS = (c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT)
_CATEGORIES = {
    c.CATEGORY_DIGIT: str.isdigit,
    c.CATEGORY_SPACE: str.isspace,
    c.CATEGORY_WORD: lambda char: char.isalnum() or char == "_",
}
_NOT = {
    c.CATEGORY_NOT_DIGIT: c.CATEGORY_DIGIT,
    c.CATEGORY_NOT_SPACE: c.CATEGORY_SPACE,
    c.CATEGORY_NOT_WORD: c.CATEGORY_WORD,
}


def why_not_linear(pattern: str | bytes, flags: int = 0, *, anchored: bool = False) -> str:
    """Return why *pattern* may take more than linear time; an empty string if it does not.

    A repetition is harmless if what follows it cannot begin with what it repeats, so that to give
    back a part of it never helps. A search is harmless if a match cannot begin within an attempt
    at another one. The check is sound, not complete: some linear patterns fail it.

    :param anchored: the pattern is only tried at one place, by ``match`` and ``fullmatch``
    """
    text = pattern.decode("latin-1") if isinstance(pattern, bytes) else pattern
    tree = parser.parse(text, flags & ~re.UNICODE if isinstance(pattern, bytes) else flags)
    check = _Check(tree.state.flags)
    items = list(tree)
    if not check.unbounded(items):
        return ""
    if why := check.ambiguity(items, set(), end=True):
        return why
    at_start = (
        items and items[0][0] is c.AT and items[0][1] in (c.AT_BEGINNING, c.AT_BEGINNING_STRING)
    )
    if anchored or at_start or check.cannot_fail(items):
        return ""
    first, _ = check.first(items)
    if first & check.later(items):
        return "a match may begin within an attempt at another one"
    return ""


class _Check:
    def __init__(self, flags: int) -> None:
        self.flags = flags

    def chars(self, op: Any, av: Any) -> set[str]:  # noqa: C901 - one line a kind of node
        """Return the characters of the sample that a node of one character matches."""
        if op is c.LITERAL:
            found = {chr(av)}
        elif op is c.NOT_LITERAL:
            found = _SAMPLE - {chr(av)}
        elif op is c.ANY:
            found = _SAMPLE if self.flags & re.DOTALL else _SAMPLE - {"\n"}
        elif op is c.IN:
            found = set()
            for kind, value in av:
                if kind is c.LITERAL:
                    found |= {chr(value)}
                elif kind is c.RANGE:
                    found |= {x for x in _SAMPLE if value[0] <= ord(x) <= value[1]}
                    found |= {chr(value[0]), chr(value[1])}
                elif kind is c.CATEGORY:
                    plain = _CATEGORIES[_NOT.get(value, value)]
                    found |= {x for x in _SAMPLE if plain(x) is (value not in _NOT)}
            if av[0][0] is c.NEGATE:
                found = _SAMPLE - found
        else:
            raise NotImplementedError(op)
        if self.flags & re.IGNORECASE:
            found = found | {x.lower() for x in found} | {x.upper() for x in found}
        return found

    def parts(self, op: Any, av: Any) -> list[list[Any]]:
        """Return the alternatives that a node of several characters consists of."""
        if op is c.SUBPATTERN:
            return [list(av[3])]
        if op is c.ATOMIC_GROUP:
            return [list(av)]
        if op is c.BRANCH:
            return [list(branch) for branch in av[1]]
        return [list(av[2])] if op in _REPEATS else []

    def first(self, items: list[Any]) -> tuple[set[str], bool]:
        """Return what a match of *items* may begin with, and whether it may be empty."""
        found: set[str] = set()
        for op, av in items:
            if op in (c.AT, c.ASSERT, c.ASSERT_NOT):
                continue
            if op is c.GROUPREF:
                return _SAMPLE, True
            if alternatives := self.parts(op, av):
                firsts = [self.first(part) for part in alternatives]
                found |= set().union(*(begin for begin, _ in firsts))
                if not any(empty for _, empty in firsts) and not (op in _REPEATS and av[0] == 0):
                    return found, False
            else:
                return found | self.chars(op, av), False
        return found, True

    def all_chars(self, items: list[Any]) -> set[str]:
        found: set[str] = set()
        for op, av in items:
            if op in (c.AT, c.ASSERT, c.ASSERT_NOT):
                continue
            if op is c.GROUPREF:
                return _SAMPLE
            parts = self.parts(op, av)
            found |= set().union(*map(self.all_chars, parts)) if parts else self.chars(op, av)
        return found

    def later(self, items: list[Any]) -> set[str]:
        """Return what a match may contain behind its first character."""
        for number, (op, av) in enumerate(items):
            if op in (c.AT, c.ASSERT, c.ASSERT_NOT):
                continue
            rest = self.all_chars(items[number + 1 :])
            if op is c.SUBPATTERN or op is c.BRANCH or op is c.ATOMIC_GROUP:
                return rest.union(*map(self.later, self.parts(op, av)))
            return rest | (self.all_chars([(op, av)]) if self.parts(op, av) else set())
        return set()

    def unbounded(self, items: list[Any]) -> bool:
        """Return True if *items*, or a look-around in them, contain an unbounded repetition."""
        return any(
            (op in _REPEATS and av[1] > BOUNDED)
            or (op in (c.ASSERT, c.ASSERT_NOT) and self.unbounded(list(av[1])))
            or any(map(self.unbounded, self.parts(op, av)))
            for op, av in items
        )

    def ambiguity(self, items: list[Any], follow: set[str], *, end: bool) -> str:  # noqa: C901
        """Return what in *items* may be matched in several ways, with *follow* (if *end*, or with
        nothing) behind them."""
        for number, (op, av) in enumerate(items):
            if op in (c.ASSERT, c.ASSERT_NOT):
                if self.unbounded(list(av[1])):
                    return "a repetition in a look-around"
                continue
            after, empty = self.first(items[number + 1 :])
            behind = after | follow if empty else after
            parts = self.parts(op, av)
            if op in _REPEATS and av[1] > 1:
                begin, may_be_empty = self.first(parts[0])
                if self.unbounded(parts[0]) and may_be_empty:
                    return "a repetition of what may be empty"
                if av[1] > BOUNDED and op is not c.POSSESSIVE_REPEAT and begin & behind:
                    return f"a repetition that may end at {min(begin & behind)!r} or go on"
                behind = behind | begin
            if len(parts) > 1 and self.unbounded([(op, av)]):
                seen: set[str] = set()
                for part in parts:
                    if seen & self.first(part)[0]:
                        return "alternatives with the same beginning"
                    seen |= self.first(part)[0]
            for part in parts:
                if self.unbounded(part) and (
                    why := self.ambiguity(part, behind, end=end and empty)
                ):
                    return why
        return ""

    def cannot_fail(self, items: list[Any]) -> bool:
        """Return True if a repetition in *items* is their end, so that each attempt that reads far
        succeeds."""
        *before, (op, av) = items
        if self.unbounded(before):
            return False
        return op in _REPEATS and not self.unbounded(list(av[2]))
