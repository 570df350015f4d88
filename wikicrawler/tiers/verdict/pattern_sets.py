"""Patterns of many rules of which few can match: one pass over a text tells which.

The pass looks for the strings that the patterns require. RE2 could look for the patterns
themselves; but those with counted repetitions have so many states together that it takes twenty
times as long.
"""

from __future__ import annotations

from typing import Any

import re2

from wikicrawler.tiers.verdict.literals import required_literals

MAX_BYTES = 64 * 1024
"""Bytes of the longest text that is searched. All patterns are tried on a longer one: one that
meets most of the strings takes long."""


class PatternSet:
    """Patterns for the same part of a page.

    :param options: those of the patterns, which ignore case
    :param words: the texts have the same words as those that the patterns are for, and may have
        other spaces, quotes and the like
    """

    def __init__(self, options: Any, *, words: bool = False) -> None:
        self._options = options
        self._words = words
        self._patterns: list[str] = []
        self._literals: Any = None
        self._users: list[list[int]] = []
        """Numbers of the patterns that require each string."""
        self._always: list[int] = []
        """Numbers of the patterns that require none."""

    def add(self, pattern: str) -> int:
        """Return the number that :meth:`possible_in` returns for *pattern*.

        :raises RuntimeError: the set was used
        """
        if self._literals is not None:
            raise RuntimeError("the set was used")
        self._patterns.append(pattern)
        return len(self._patterns) - 1

    def possible_in(self, text: bytes) -> frozenset[int]:
        """Return the numbers of the patterns that *text* may match; of all if it is long."""
        if len(text) > MAX_BYTES:
            return frozenset(range(len(self._patterns)))
        if self._literals is None:  # takes up to 40 ms, and many crawls do without
            self._compile()
        found = self._literals.Match(text) if self._users else None
        return frozenset(self._always).union(*(self._users[index] for index in found or ()))

    def _compile(self) -> None:
        users: dict[str, list[int]] = {}
        for number, pattern in enumerate(self._patterns):
            literals = required_literals(pattern, words=self._words)
            if literals is None:
                self._always.append(number)
                continue
            for literal in literals:
                users.setdefault(literal, []).append(number)
        self._users = list(users.values())
        self._literals = re2.Set.SearchSet(self._options)
        for literal in users:
            self._literals.Add(re2.escape(literal).encode())
        if users:
            self._literals.Compile()
