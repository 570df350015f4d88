"""JSON as models write it, read from the middle of a text.

Models wrap JSON in prose and fences, put a comma behind the last member, write Python's quotes and
names, and stop in the middle. :func:`read_json` accepts that and nothing that needs a guess.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import Any

from wikicrawler.text.safe import without_surrogates

MAX_DEPTH = 50
"""Objects and arrays in each other."""
_MAX_NUMBER = 1000
"""Characters of a number: the time to read one grows with the square of its length."""

# Control characters between tokens are space.
_SPACE = re.compile("[\x00-\x20\x7f-\xa0\u2028\u2029\ufeff]*+")
_STRING = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SINGLE = re.compile(r"'[^'\\\n]*+(?:\\.[^'\\\n]*+)*+'")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?(?![0-9A-Za-z_.])")
_WORD = re.compile(r"-?[A-Za-z]++(?![0-9_])")
_WORDS = {"true": True, "false": False, "null": None}
_PYTHON = {"True": True, "False": False, "None": None}
_NOT_FINITE = frozenset({"NaN", "Infinity", "-Infinity", "-NaN", "inf", "nan"})
_LITERALS = [*_WORDS, *_PYTHON, *_NOT_FINITE]
_CUT_NUMBER = re.compile(r"-?[0-9.eE+-]*+\Z")
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|(.))", re.DOTALL)
_ESCAPED = {
    '"': '"',
    "\\": "\\",
    "/": "/",
    "'": "'",
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
}


class Repair(StrEnum):
    """What :func:`read_json` changed."""

    DUPLICATED_KEY = "duplicated_key"
    """An object had a key twice; the first value counts."""
    NOT_A_NUMBER = "not_a_number"
    """NaN, an infinity, or a number of more than 1,000 characters became null."""
    TRAILING_COMMA = "trailing_comma"
    PYTHON = "python"
    """Single quotes, ``True``, ``False`` or ``None``."""
    ESCAPES = "escapes"
    r"""An escape that JSON does not have, ``\*``, was read as it stands."""
    SURROGATES = "surrogates"
    """A lone surrogate became U+FFFD."""


class Ending(StrEnum):
    """How the reading of a value ended."""

    COMPLETE = "complete"
    CUT = "cut"
    """The text ended first."""
    INVALID = "invalid"
    TOO_DEEP = "too_deep"


@dataclass(slots=True)
class Reading:
    """What :func:`read_json` read."""

    ending: Ending
    value: Any
    """Of a cut text: what was complete in it, with the unfinished members left out."""
    end: int
    """Offset behind the value, or of what could not be read."""
    repairs: set[Repair] = field(default_factory=set)


def read_json(text: str, start: int = 0) -> Reading:
    """Return the value at *start* of *text*, in time linear in the characters that are read.

    Never raises. Text that was read before an invalid part has not to be read again: no string of
    it begins in a string of another reading that was not ended.
    """
    return _Reader(text, start).read()


@dataclass(slots=True)
class _Open:
    """An object or array that is not closed yet."""

    value: dict[str, Any] | list[Any]
    key: str | None = None
    closer: str = ""


class _StoppedError(Exception):
    def __init__(self, ending: Ending) -> None:
        self.ending = ending


class _Reader:
    def __init__(self, text: str, start: int) -> None:
        self._text, self._at = text, start
        self._repairs: set[Repair] = set()
        self._stack: list[_Open] = []

    def read(self) -> Reading:
        try:
            value, ending = self._read(), Ending.COMPLETE
        except _StoppedError as stopped:
            value, ending = self._unfinished(), stopped.ending
        return Reading(ending, value, self._at, self._repairs)

    def _read(self) -> Any:
        """Read values until the outermost one is complete. No recursion: the depth is a page's."""
        while True:
            value: Any
            opened = self._peek()
            if opened in {"{", "["}:
                self._at += 1
                if len(self._stack) >= MAX_DEPTH:
                    raise _StoppedError(Ending.TOO_DEEP)
                new = _Open({}, closer="}") if opened == "{" else _Open([], closer="]")
                self._stack.append(new)
                if self._peek() != new.closer:
                    self._read_key()
                    continue
                self._at += 1
                self._stack.pop()
                value = new.value
            else:
                value = self._scalar()
            while True:
                if not self._stack:
                    return value
                self._add(value)
                if not self._closes():
                    self._read_key()
                    break
                value = self._stack.pop().value

    def _add(self, value: Any) -> None:
        top = self._stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key in top.value:
            self._repairs.add(Repair.DUPLICATED_KEY)
        else:
            top.value[top.key or ""] = value
        top.key = None

    def _closes(self) -> bool:
        """Read what follows a value: a comma (False), or the end of its object or array."""
        closer, found = self._stack[-1].closer, self._peek()
        if found == ",":
            self._at += 1
            if self._peek() != closer:
                return False
            self._repairs.add(Repair.TRAILING_COMMA)
        elif found != closer:
            raise _StoppedError(Ending.INVALID)
        self._at += 1
        return True

    def _read_key(self) -> None:
        top = self._stack[-1]
        if isinstance(top.value, list):
            return
        if self._peek() not in {'"', "'"}:
            raise _StoppedError(Ending.INVALID)
        key = self._string()
        if self._peek() != ":":
            raise _StoppedError(Ending.INVALID)
        self._at += 1
        top.key = key

    def _peek(self) -> str:
        """Skip space and return the next character."""
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
        if self._at >= len(self._text):
            raise _StoppedError(Ending.CUT)
        return self._text[self._at]

    def _scalar(self) -> Any:
        first = self._text[self._at]
        if first in "\"'":
            return self._string()
        if found := _NUMBER.match(self._text, self._at):
            if found.end() == len(self._text) and self._stack:
                raise _StoppedError(Ending.CUT)  # more digits may have followed
            self._at = found.end()
            return self._number(found[0])
        return self._word()

    def _number(self, token: str) -> int | float | None:
        if len(token) <= _MAX_NUMBER:
            if token.lstrip("-").isdigit():
                return int(token)
            if isfinite(number := float(token)):
                return number
        self._repairs.add(Repair.NOT_A_NUMBER)
        return None

    def _word(self) -> Any:
        found = _WORD.match(self._text, self._at)
        word = found[0] if found else ""
        if word in _WORDS:
            value = _WORDS[word]
        elif word in _PYTHON:
            self._repairs.add(Repair.PYTHON)
            value = _PYTHON[word]
        elif word in _NOT_FINITE:
            self._repairs.add(Repair.NOT_A_NUMBER)
            value = None
        else:
            rest = self._text[self._at : self._at + 2 * _MAX_NUMBER]
            whole = self._at + len(rest) == len(self._text)
            cut = any(name.startswith(rest) for name in _LITERALS) or _CUT_NUMBER.fullmatch(rest)
            raise _StoppedError(Ending.CUT if whole and cut else Ending.INVALID)
        self._at += len(word)
        return value

    def _string(self) -> str:
        single = self._text[self._at] == "'"
        found = (_SINGLE if single else _STRING).match(self._text, self._at)
        if found is None:
            # A text in single quotes that is not ended may be one with an apostrophe.
            raise _StoppedError(Ending.INVALID if single else Ending.CUT)
        if single:
            self._repairs.add(Repair.PYTHON)
        self._at = found.end()
        return self._unescaped(found[0][1:-1])

    def _unescaped(self, text: str) -> str:
        if "\\" in text:
            text = _ESCAPE.sub(self._character, text)
        fit = without_surrogates(text)
        if fit is not text:
            self._repairs.add(Repair.SURROGATES)
        return fit

    def _character(self, found: re.Match[str]) -> str:
        first, second, letter = found.groups()
        if letter is not None:
            if letter not in _ESCAPED:
                self._repairs.add(Repair.ESCAPES)
                return found[0]
            return _ESCAPED[letter]
        code = int(first, 16)
        if second is None:
            return chr(code)
        low = int(second, 16)
        if 0xD800 <= code < 0xDC00:
            return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00))
        return chr(code) + chr(low)

    def _unfinished(self) -> Any:
        """Return the outermost object without its unfinished member, or the outermost array with
        the complete members of its last object."""
        if not self._stack:
            return None
        outer = self._stack[0].value
        if isinstance(outer, list) and len(self._stack) > 1:
            last = self._stack[1].value
            if isinstance(last, dict) and last:
                return [*outer, last]
        return outer
