"""Literal strings that a pattern requires: each text that it matches contains one of them.

RE2 finds such strings itself (its ``Prefilter``), but its Python interface does not return them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

SHORTEST = 3
"""Length of the shortest string that is of use: shorter ones are in most texts."""
_MOST = 32
"""Most strings that a part of a pattern is multiplied to."""
_MOST_OF_CLASS = 6

_CHARACTER = r"\\x\{[0-9a-fA-F]+\}|\\x[0-9a-fA-F]{2}|\\[\Wafnrtv]|[^\\()\[|*+?]"
_TOKEN = re.compile(
    r"(?P<text>[^\\()\[|*+?{.^$]+(?![*+?{]))|(?P<flags>\(\?[imsU-]+\))"
    r"|(?P<group>\(\?(?:P?<\w+>|[imsU-]*:)|\((?!\?))|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<set>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\])|(?P<nothing>\\[bBAz]|[\^$])"
    rf"|(?P<any>\\[dDsSwWC]|\\[pP](?:\{{\^?\w+\}}|\w)|\.)|(?P<character>{_CHARACTER})",
    re.DOTALL,
)
# Characters without a range, and perhaps a hyphen at the end.
_SIMPLE_SET = re.compile(rf"\[(?!\^)((?:(?!-)(?:{_CHARACTER}|[()|*+?]))+)-?\]", re.DOTALL)
_OF_SET = re.compile(rf"{_CHARACTER}|[()|*+?]", re.DOTALL)
_REPETITION = re.compile(r"(?:[*+?]|\{([0-9]+)(,?)([0-9]*)\})\??")
_WORD = re.compile(r"[\w.-]+")
_WORD_OR_NOT = re.compile(rf"({_WORD.pattern})|[^\w.-]+")
_CONTROLS = dict(zip("afnrtv", "\a\f\n\r\t\v", strict=True))

_Strings = frozenset[str]


class _Found(NamedTuple):
    """What is known of a part of a pattern."""

    exact: _Strings | None = None
    """All strings that it matches; None if they are many."""
    required: _Strings | None = None
    """Strings such that each match contains one; None if none are known but :attr:`exact`."""

    @property
    def best(self) -> _Strings | None:
        return _best(self.exact, self.required)


_NOTHING = _Found(frozenset({""}))
_ANYTHING = _Found()


class _UnknownSyntaxError(Exception):
    pass


def required_literals(pattern: str, *, words: bool = False) -> frozenset[str] | None:
    """Return strings such that each match of *pattern* contains one; None if none are known.

    A pattern that ignores case requires them in any case.

    :param pattern: an RE2 pattern
    :param words: return strings without spaces, quotes and the like
    """
    try:
        return _Reader(pattern, words).alternatives().best
    except _UnknownSyntaxError:
        return None


class _Reader:
    """Reads a pattern from its beginning to its end."""

    def __init__(self, pattern: str, words: bool) -> None:
        self._pattern = pattern
        self._words = words
        self._position = 0

    def alternatives(self) -> _Found:
        """Read as far as the parenthesis that closes the group, or the end of the pattern."""
        branches: list[list[_Found]] = [[]]
        while self._position < len(self._pattern):
            token = _TOKEN.match(self._pattern, self._position)
            if token is None:
                raise _UnknownSyntaxError
            self._position = token.end()
            match token.lastgroup:
                case "close":
                    break
                case "bar":
                    branches.append([])
                case "text":
                    branches[-1] += self._text(token[0])
                case "group":
                    branches[-1].append(self._repeated(self.alternatives()))
                case kind:
                    branches[-1].append(self._repeated(self._single(str(kind), token[0])))
        return _one_of([_sequence(branch) for branch in branches])

    def _text(self, text: str) -> list[_Found]:
        if not self._words:
            return [_Found(frozenset({text}))]
        return [
            _Found(frozenset({part[1]})) if part[1] else _ANYTHING
            for part in _WORD_OR_NOT.finditer(text)
        ]

    def _single(self, kind: str, text: str) -> _Found:
        if kind in ("nothing", "flags"):
            return _NOTHING
        if kind == "character":
            return self._characters([text])
        if kind == "set" and _SIMPLE_SET.fullmatch(text) is not None:
            return self._characters(_OF_SET.findall(text[1:-1]))
        return _ANYTHING

    def _characters(self, written: list[str]) -> _Found:
        found = frozenset(map(_character, written))
        if len(found) > _MOST_OF_CLASS or (self._words and not all(map(_is_of_word, found))):
            return _ANYTHING
        return _Found(found)

    def _repeated(self, part: _Found) -> _Found:
        repetition = _REPETITION.match(self._pattern, self._position)
        if repetition is None:
            return part
        self._position = repetition.end()
        least, comma, most = repetition.groups()
        sign = repetition[0][0]
        if sign == "?" or (least == "0" and most == "1"):
            return _ANYTHING if part.exact is None else _Found(part.exact | {""})
        if sign == "*" or (least is not None and not int(least)):
            return _ANYTHING
        if least == "1" and (not comma or most == "1"):
            return part
        return _Found(None, part.best)


def _sequence(parts: Iterable[_Found]) -> _Found:
    run = _NOTHING.exact or frozenset()
    is_whole, required = True, None
    for part in parts:
        if part.exact is not None and len(run) * len(part.exact) <= _MOST:
            run = frozenset(before + after for before in run for after in part.exact)
            continue
        is_whole = False
        required = _best(required, run, part.required)
        run = part.exact or frozenset({""})
    return _Found(run) if is_whole else _Found(None, _best(required, run))


def _one_of(branches: list[_Found]) -> _Found:
    exact = [branch.exact for branch in branches if branch.exact is not None]
    if len(exact) == len(branches):
        strings = frozenset[str]().union(*exact)
        if len(strings) <= _MOST:
            return _Found(strings)
    required = [best for branch in branches if (best := branch.best) is not None]
    if len(required) < len(branches):
        return _ANYTHING
    return _Found(None, frozenset[str]().union(*required))


def _best(*choices: _Strings | None) -> _Strings | None:
    """Return that of *choices* whose shortest string is longest, None if each has a short one."""
    found = [one for one in choices if one and min(map(len, one)) >= SHORTEST]
    return max(found, key=lambda one: (min(map(len, one)), -len(one)), default=None)


def _character(written: str) -> str:
    if written.startswith(r"\x"):
        return chr(int(written[2:].strip("{}"), 16))
    last = written[-1]
    return _CONTROLS.get(last, last) if len(written) > 1 else written


def _is_of_word(character: str) -> bool:
    return _WORD.fullmatch(character) is not None
