"""Where code is in Markdown: what its backticks enclose."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict

_BACKTICKS = re.compile("`+")


class CodeSpans:
    """The runs of backticks in ``text[start:end]``."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._starts: dict[int, list[int]] = defaultdict(list)  # by length
        for found in _BACKTICKS.finditer(text, start, end):
            self._starts[found.end() - found.start()].append(found.start())

    def end_of(self, start: int, end: int) -> int:
        """Return where the code ends that the backticks from *start* to *end* begin; *end* if they
        begin none."""
        same = self._starts.get(end - start, [])
        next_run = bisect_left(same, end)
        return same[next_run] + end - start if next_run < len(same) else end
