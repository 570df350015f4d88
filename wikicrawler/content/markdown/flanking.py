"""How CommonMark reads delimiters of emphasis, as an algorithm over runs of them.

https://spec.commonmark.org/0.31.2/#an-algorithm-for-parsing-nested-emphasis-and-links, with GFM's
``~~``. :func:`reads_as_written` tells whether delimiters render as the emphasis that they stand
for, such as ``foo***bar***baz``.
"""

from __future__ import annotations

import unicodedata
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_MAX_RUNS = 200
"""Runs of delimiters in a paragraph that are read. The time grows with their square at worst."""

_Span = tuple[int, int, str]
"""The places of the delimiters around emphasis, and one of ``*``, ``**`` and ``~~``."""


class _Run:
    """Adjacent delimiters of one character, from the token at *first* to that at *last*."""

    def __init__(self, delimiter: str, place: int, before: str) -> None:
        self.char = delimiter[0]
        self.length = self.left = len(delimiter)
        self.first = self.last = place
        self.before, self.after = before, ""

    def add(self, delimiter: str, place: int) -> None:
        self.length = self.left = self.length + len(delimiter)
        self.last = place

    def flank(self) -> None:
        """Find out whether the run can open and close emphasis. Its neighbours are known."""
        before, after = self.before, self.after
        left = not is_space(after) and (not is_punctuation(after) or is_boundary(before))
        right = not is_space(before) and (not is_punctuation(before) or is_boundary(after))
        self.can_open, self.can_close = left, right
        if self.char == "_":
            self.can_open = left and (not right or is_punctuation(before))
            self.can_close = right and (not left or is_punctuation(after))

    def opens_for(self, closer: _Run) -> bool:
        if self.char != closer.char or not self.can_open:
            return False
        if self.char == "~":
            return self.length == closer.length == 2
        if (self.can_close or closer.can_open) and (self.length + closer.length) % 3 == 0:
            return self.length % 3 == closer.length % 3 == 0
        return True


def reads_as_written(tokens: Sequence[str], pairs: Sequence[tuple[int, int]]) -> bool:
    """Return True if a renderer reads *tokens* as the emphasis that *pairs* of them stand for.

    Tokens at even places are text, in which each delimiter is escaped, those at odd places
    delimiters or empty. False if there are too many to tell.
    """
    runs = _runs(tokens)
    if len(runs) > _MAX_RUNS:
        return False
    found = _read(runs)
    if found is None:
        return False
    wanted = [(start, end, tokens[start].replace("_", "*")) for start, end in pairs]
    return _formats(tokens, wanted) == _formats(tokens, found)


def _runs(tokens: Sequence[str]) -> list[_Run]:
    runs: list[_Run] = []
    before, adjacent = "", False
    for place, token in enumerate(tokens):
        if not token:
            continue
        if place % 2 and adjacent and runs[-1].char == token[0]:
            runs[-1].add(token, place)
        else:
            if adjacent:
                runs[-1].after = token[0]
            if place % 2:
                runs.append(_Run(token, place, before))
        before, adjacent = token[-1], bool(place % 2)
    for run in runs:
        run.flank()
    return runs


def _read(runs: Sequence[_Run]) -> list[_Span] | None:
    """Return what *runs* open and close, or None if a delimiter would be left as text."""
    found: list[_Span] = []
    openers: list[_Run] = []
    for run in runs:
        while run.can_close and run.left:
            if not any(opener.opens_for(run) for opener in openers):
                break
            opener = openers[-1]
            if not opener.opens_for(run):
                return None  # those between would be left
            count = 2 if min(opener.left, run.left) > 1 else 1
            found.append((opener.last, run.first, run.char.replace("_", "*") * count))
            opener.left -= count
            run.left -= count
            if not opener.left:
                openers.pop()
        if run.left:
            if not run.can_open:
                return None
            openers.append(run)
    return None if openers else found


def _formats(tokens: Sequence[str], spans: Sequence[_Span]) -> list[tuple[int, ...]]:
    """Return how often each text in *tokens* is emphasised, strong and struck through."""
    changes = {kind: [0] * (len(tokens) + 1) for kind in ("*", "**", "~~")}
    for start, end, kind in spans:
        changes[kind][start] += 1
        changes[kind][end] -= 1
    counts = zip(*map(accumulate, changes.values()), strict=True)
    return [
        count
        for place, (count, token) in enumerate(zip(counts, tokens, strict=False))
        if token and not place % 2
    ]


def is_boundary(char: str | None) -> bool:
    """Return True for white space, punctuation and the ends of a text."""
    return is_space(char) or is_punctuation(char)


def is_space(char: str | None) -> bool:
    """Return True for white space and the ends of a text."""
    return not char or char.isspace()


def is_punctuation(char: str | None) -> bool:
    """Return True for punctuation and symbols."""
    return char is not None and char != "" and unicodedata.category(char)[0] in "PS"
