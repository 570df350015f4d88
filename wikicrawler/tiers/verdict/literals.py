"""Strings of which a text must contain one if a pattern is to match it.

RE2 keeps such strings of each pattern, too (its ``Prefilter``), and its Python interface does not
tell them.
"""

from __future__ import annotations

import re
from re import _constants as ops  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 3
"""Length of the shortest string that is of use: shorter ones are in most texts."""
_MOST = 32
"""Most strings that a part of a pattern is multiplied to."""
_MOST_OF_CLASS = 6

_Strings = set[str]
_Found = tuple[_Strings | None, _Strings | None]


def required_literals(pattern: str, *, words: bool = False) -> frozenset[str] | None:
    """Return strings of which one is in every text that *pattern* matches; None if none are known.

    A pattern that ignores case requires them in any case.

    :param pattern: an RE2 pattern, in the syntax that it has in common with :mod:`re`. Another
        syntax leads to None
    :param words: return strings without spaces, quotes and the like
    """
    if "[[:" in pattern:  # a class of RE2, and no error for re
        return None
    try:
        parsed = _parser.parse(pattern)
    except (re.error, OverflowError, RecursionError):
        return None
    best = _best(*_Reader(words).of_sequence(parsed))
    return None if best is None else frozenset(best)


class _Reader:
    """Reads parts of a pattern. Each method returns all strings that a part matches, None if they
    are many; and those of which it requires one, None if none are known."""

    def __init__(self, words: bool) -> None:
        self._words = words

    def of_sequence(self, parts: Iterable[tuple[Any, Any]]) -> _Found:
        run, is_whole = {""}, True
        required: _Strings | None = None
        for kind, argument in parts:
            exact, inside = self._of_part(kind, argument)
            if exact is not None and len(run) * len(exact) <= _MOST:
                run = {before + after for before in run for after in exact}
                continue
            is_whole = False
            required = _best(required, run, inside)
            run = {""} if exact is None else exact
        return (run, None) if is_whole else (None, _best(required, run))

    def _of_part(self, kind: Any, argument: Any) -> _Found:
        found: _Found = None, None
        match kind:
            case ops.LITERAL:
                found = self._of_characters([argument])
            case ops.IN if all(one is ops.LITERAL for one, _ in argument):
                found = self._of_characters([code for _, code in argument])
            case ops.AT:
                found = {""}, None
            case ops.SUBPATTERN:
                found = self.of_sequence(argument[3])
            case ops.BRANCH:
                found = _of_branches([self.of_sequence(branch) for branch in argument[1]])
            case ops.MAX_REPEAT | ops.MIN_REPEAT:
                found = self._of_repetition(*argument)
        return found

    def _of_repetition(self, least: int, most: int, repeated: Any) -> _Found:
        exact, required = self.of_sequence(repeated)
        if least == 0:
            return (exact | {""}, None) if most == 1 and exact is not None else (None, None)
        return (exact, required) if most == 1 else (None, _best(exact, required))

    def _of_characters(self, codes: list[int]) -> _Found:
        found = {chr(code) for code in codes[: _MOST_OF_CLASS + 1]}
        if len(found) > _MOST_OF_CLASS or (self._words and not all(map(_is_of_word, found))):
            return None, None
        return found, None


def _is_of_word(character: str) -> bool:
    return character.isalnum() or character in "_.-"


def _of_branches(branches: list[_Found]) -> _Found:
    exact = [whole for whole, _ in branches if whole is not None]
    if len(exact) == len(branches):
        strings = set[str]().union(*exact)
        if len(strings) <= _MOST:
            return strings, None
    required = [_best(*branch) for branch in branches]
    if None in required:
        return None, None
    return None, set[str]().union(*(one for one in required if one is not None))


def _best(*choices: _Strings | None) -> _Strings | None:
    """Return that of *choices* whose shortest string is longest, None if each has a short one."""
    found = [one for one in choices if one and min(map(len, one)) >= SHORTEST]
    return max(found, key=lambda one: (min(map(len, one)), -len(one)), default=None)
