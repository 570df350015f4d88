"""JSON with the place of each value.

The reader does not recurse, takes linear time, and goes on after mistakes that leave no doubt
(comments, a comma too many or too few), so that all of them are reported at once.
"""

from __future__ import annotations

import re
from json import JSONDecodeError, decoder
from math import isfinite
from typing import TYPE_CHECKING

from wikicrawler.sources.manifest.lines import Lines
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.faults import Place
    from wikicrawler.sources.manifest.tree import Tree

_SPACE = re.compile(r"[ \t\r\n]*+")
_COMMENT = re.compile(r"//[^\r\n]*+|#[^\r\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(\.[0-9]++)?([eE][+-]?[0-9]++)?(?![\w.+-])")
_WORD = re.compile(r"[\w.+-]++")
_WORDS = {"true": True, "false": False, "null": None}
_MAX_NUMBER = 30  # characters
_PYTHON = {"True": "true", "False": "false", "None": "null", "undefined": "null"}
_QUOTES = "'“”„‘’«»`"
_STRING_HINTS = {
    "Unterminated": 'a text has no closing " (add it; a " within a text is written \\")',
    "Invalid control": "a text contains a line end or a control character (write \\n or \\t)",
    "Invalid \\escape": "a text contains a backslash before a character that needs none "
    "(write \\\\ for a backslash)",
    "Invalid \\u": "\\u needs four hexadecimal digits (like \\u00a7)",
}


def read_json(text: str, start: int, tree: Tree) -> int:
    """Read the JSON value in *text* at *start* into *tree*; return the index of its end.

    :raises Unreadable: it is not JSON; the fault is in the tree
    """
    return _JsonReader(text, tree).read(start)


class _JsonReader:
    def __init__(self, text: str, tree: Tree) -> None:
        self._text = text
        self._tree = tree
        self._lines = Lines(text)

    def read(self, at: int) -> int:
        while True:
            at = self._ends(self._value(self._skip(at)))
            if not self._tree.depth:
                return at
            if self._tree.in_object:
                at = self._key(at)

    def _ends(self, at: int) -> int:
        """Read the ends of objects and lists after a value, and the comma before the next one."""
        while self._tree.depth:
            after_text = self._text[at - 1] == '"'
            at = self._skip(at)
            char = self._text[at : at + 1]
            closing = "}" if self._tree.in_object else "]"
            if char == closing:
                self._tree.end()
                at += 1
            elif char == ",":
                comma, at = at, self._skip(at + 1)
                if self._text[at : at + 1] != closing:
                    break
                self._fault(comma, "a comma after the last value (remove it)")
            elif char and (char in '"{[' or (_WORD.match(char) and not after_text)):
                self._fault(at, "a comma is missing before this (add it after the value before)")
                break
            else:
                hint = ', and \\" for a " within a text' if after_text else ""
                self._stop_at(at, f"a comma or {closing}{hint}")
        return at

    def _value(self, at: int) -> int:
        """Read a value, or the begin of an object or list and what is before its first value."""
        while True:
            place = self._lines.place(at)
            char = self._text[at : at + 1]
            if char == '"':
                value, at = self._string(at)
                self._tree.scalar(value, place)
                return at
            if char == "{":
                self._tree.begin({}, place)
                at = self._skip(at + 1)
                if self._text[at : at + 1] == "}":
                    return at
                at = self._skip(self._key(at))
            elif char == "[":
                self._tree.begin([], place)
                at = self._skip(at + 1)
                if self._text[at : at + 1] == "]":
                    return at
            else:
                return self._word(at, place)

    def _key(self, at: int) -> int:
        """Read a key and its colon; return the index after it."""
        if self._text[at : at + 1] != '"':
            self._stop_at(at, 'a key in "double quotes"')
        place = self._lines.place(at)
        key, at = self._string(at)
        self._tree.key(key, place)
        at = self._skip(at)
        if self._text[at : at + 1] != ":":
            self._stop_at(at, f"a colon after the key {quoted(key, 40)}")
        return self._skip(at + 1)

    def _string(self, at: int) -> tuple[str, int]:
        try:
            text, end = decoder.scanstring(self._text, at + 1, True)  # type: ignore[attr-defined]
        except JSONDecodeError as error:
            hint = next(
                (h for start, h in _STRING_HINTS.items() if error.msg.startswith(start)), ""
            )
            self._tree.stop(self._lines.place(error.pos), hint or "a text is not valid JSON")
        return text, end

    def _word(self, at: int, place: Place) -> int:
        """Read a number, true, false or null."""
        if number := _NUMBER.match(self._text, at):
            is_short = number.end() - at <= _MAX_NUMBER and isfinite(float(number[0]))
            is_whole = number[1] is None and number[2] is None
            convert = int if is_whole else float
            self._tree.scalar(convert(number[0]) if is_short else None, place)
            if not is_short:
                self._tree.refuse(place, "is too large or too long a number")
            return number.end()
        word = found[0] if (found := _WORD.match(self._text, at)) else ""
        if word in _WORDS:
            self._tree.scalar(_WORDS[word], place)
        elif word in _PYTHON:
            self._tree.scalar(None, place)
            self._tree.refuse(place, f"{word} is not JSON (write {_PYTHON[word]})")
        else:
            self._stop_at(at, "a value")
        return at + len(word)

    def _skip(self, at: int) -> int:
        """Return the index of the next character after *at* that is not white space."""
        at = _after_space(self._text, at)
        while comment := _COMMENT.match(self._text, at):
            self._fault(at, "a comment, which JSON does not have (remove it)")
            at = _after_space(self._text, comment.end())
        return at

    def _fault(self, at: int, message: str) -> None:
        self._tree.fault(self._lines.place(at), message)

    def _stop_at(self, at: int, expected: str) -> None:
        """Report that the character at *at* is not what JSON has there.

        :raises Unreadable: always
        """
        char = self._text[at : at + 1]
        if not char:
            found = f"the text ends here (it is not complete: expected {expected})"
        elif char in _QUOTES:
            found = f'{char} is not a quotation mark of JSON (write ")'
        elif word := _WORD.match(self._text, at):
            found = f"{quoted(word[0], 40)} is not valid here (expected {expected})"
        else:
            found = f"the character {_shown(char)} is not valid here (expected {expected})"
        self._tree.stop(self._lines.place(at), found)


def _after_space(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _shown(char: str) -> str:
    return char if char.isprintable() and char != " " else f"U+{ord(char):04X}"
