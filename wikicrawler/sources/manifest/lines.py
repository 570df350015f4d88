"""Lines and columns of a text."""

from __future__ import annotations

import re
from bisect import bisect_right

from wikicrawler.sources.manifest.faults import Place

_LINE_END = re.compile(r"\r\n?|\n")


class Lines:
    """Places by index in a text."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in _LINE_END.finditer(text))]

    def place(self, index: int) -> Place:
        line = bisect_right(self._starts, index)
        return Place(line, index - self._starts[line - 1] + 1)
