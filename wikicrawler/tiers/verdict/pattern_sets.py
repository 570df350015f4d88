"""Patterns of many rules that are searched for in one pass."""

from __future__ import annotations

from typing import Any

import re2

MAX_BYTES = 64 * 1024
"""Bytes of the longest text that is searched in one pass. The patterns together have many more
states than one alone, and a text that meets most of them takes long."""


class PatternSet:
    """Patterns for the same part of a page.

    :param options: those of the patterns, which are bytes
    """

    def __init__(self, options: Any) -> None:
        self._set = re2.Set.SearchSet(options)
        self._size = 0
        self._is_compiled = False

    def add(self, pattern: bytes) -> int:
        """Return the number that :meth:`found_in` returns for *pattern*.

        :raises RuntimeError: the set was used
        """
        if self._is_compiled:
            raise RuntimeError("the set was used")
        self._set.Add(pattern)
        self._size += 1
        return self._size - 1

    def found_in(self, text: bytes) -> frozenset[int]:
        """Return the numbers of the patterns that *text* has; of all patterns if it is long."""
        if len(text) > MAX_BYTES:
            return frozenset(range(self._size))
        if not self._size:
            return frozenset()
        if not self._is_compiled:  # takes up to 20 ms, and many crawls do without
            self._set.Compile()
            self._is_compiled = True
        return frozenset(self._set.Match(text) or ())
