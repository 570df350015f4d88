"""The titles of parts: which title of the Code of Federal Regulations part 1024 is in."""

from __future__ import annotations

import re

REGULATIONS = {"B": "1002", "C": "1003", "E": "1005", "F": "1006", "X": "1024", "Z": "1026"}
"""Parts of title 12 by the letter of the regulation."""
BANKING = "12"

_CFR = re.compile(r"cfr:([0-9]+)/([0-9]+(?:-[0-9]+)?)")


class KnownParts:
    """The parts whose title a page or its text tells."""

    def __init__(self, title: str | None, part: str | None) -> None:
        self.title = title
        """The page's own title."""
        self.part = part
        """The page's own part."""
        self._titles: dict[str, str | None] = {}
        if title == BANKING:
            self._titles = dict.fromkeys(REGULATIONS.values(), BANKING)

    def learn(self, key: str) -> None:
        """Take over the title and the part of a citation. A part of two titles is unknown."""
        if cited := _CFR.match(key):
            title, part = cited.groups()
            if self._titles.setdefault(part, title) != title:
                self._titles[part] = None

    def title_of(self, part: str) -> str | None:
        """Return the title of *part*, or None if it is unknown."""
        if part == self.part and self.title:
            return self.title
        return self._titles.get(part)
