"""Headings as the document writes them.

Text is compared with one spelling for dashes, quotation marks and white space. Who looks for a
section in the document needs its heading as it stands there.
"""

from __future__ import annotations

from wikicrawler.sources.changes.characters import fold, one_space
from wikicrawler.sources.changes.inline import heading, plain, unfolded_line

_MAX_LINE = 1_000


class Spellings:
    """Finds the lines of one document by their folded text."""

    def __init__(self, text: str) -> None:
        self._lines: dict[str, str] = {}
        for line in text.split("\n"):
            # ASCII is as it is written but for entities, which the line of the heading has.
            if len(line) <= _MAX_LINE and not line.isascii():
                self._lines.setdefault(one_space(fold(line)), line)

    def heading(self, line: str) -> str:
        """Return the heading of the folded *line* as it is written, in plain text."""
        written = self._lines.get(one_space(line), line)
        written = written.strip().lstrip("> ")
        if written.startswith("#"):
            written = written.strip("#")
        return plain(heading(unfolded_line(written.strip())))
