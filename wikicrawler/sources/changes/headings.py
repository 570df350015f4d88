"""Headings of text that has no marks for them: of a PDF, or plain text."""

from __future__ import annotations

import re

from wikicrawler.sources.changes.characters import one_space
from wikicrawler.sources.changes.languages import ANNEX, PART

_MAX = 120
_LONG = 60
"""Characters of a line that is full, so the next one may go on with its sentence."""
_SECTION = "§"
"""The kind of "§ 12" and "Sec. 12.", which without other parts are numbers of paragraphs."""
_MARKED = re.compile(r"^(?: {0,3}#{1,6}\s\S|={3})", re.MULTILINE)
"""A heading of Markdown."""
_UPPER = "A-ZÀ-ÖØ-Þ"
_UNIT = r"(?!(?:EUR|USD|GBP|CHF|[KMG]B|[KMG]?Hz|Euros?)\b)"
_NUMBERED = re.compile(
    rf"(?P<number>\d{{1,4}}(?:\.\d{{1,3}}){{1,4}}\.?) {_UNIT}[{_UPPER}(][^.;]{{1,98}}[^.;,:\s]"
)
_CAPITALS = re.compile(rf"\d{{1,2}}\.? [{_UPPER}]{{2}}[{_UPPER} ,&'/()-]{{1,78}}")
"""A number and a title in capitals, which no item of a list has."""
_NAMED = re.compile(
    rf"(?P<kind>(?i:{PART}|{ANNEX}))\.? (?:n[.º°] ?)?"
    r"(?:\d{1,4}(?:[.-]\d{1,4}){0,3}(?:er|[a-zA-Zº°]{1,2})?(?: bis| ter)?|[IVXLC]{1,8}(?:er)?"
    r"|[A-Z](?:[.-]?\d{1,3})?)"
    r"(?P<mark> ?[:.—–-])?(?: (?P<title>.{2,100}))?"
)
_PARAGRAPH = re.compile(rf"§ ?\d{{1,5}}[a-z]?\.? [{_UPPER}(][^.;]{{1,78}}[^.;,:\s]")
_LEADERS = re.compile(r"\.{3}|(?:\. ){2}|[a-z)] \d{1,4}$")
"""What a line of a table of contents has."""
_ENDED = re.compile(r"[.:;!?)\]]$")


class PlainHeadings:
    """Finds the headings among the lines of one document."""

    def __init__(self, text: str, *, is_pdf: bool) -> None:
        self._is_pdf = is_pdf
        self._active = is_pdf or not _MARKED.search(text)
        self._seen: set[str] = set()
        self._kinds: list[str] = []
        """Named parts in the order in which they first come: the first is above the others."""
        self._has_parts = self._active and any(
            _named(one_space(line)) not in ("", _SECTION)
            for line in text.split("\n")
            if len(line) <= 2 * _MAX
        )

    def level(self, line: str, before: str | None) -> int:
        """Return the level of the heading *line*, 0 if it is none.

        A heading that comes again is in the head of each page: it is none.

        :param before: the line before it in the paragraph, None if it begins one
        """
        if not self._active or not 3 <= len(line) <= 2 * _MAX:
            return 0
        if before is not None and (not self._is_pdf or _goes_on(before)):
            return 0
        line = one_space(line)
        if len(line) > _MAX or line in self._seen:
            return 0
        level = self._level(line, before)
        if level:
            self._seen.add(line)
        return level

    def _level(self, line: str, before: str | None) -> int:
        # In a PDF a paragraph may end without an empty line, and wrap before "Part 3 …".
        begins = before is None or bool(_ENDED.search(before))
        kind = _named(line)
        if kind and (kind != _SECTION or self._has_parts):
            return self._part(kind) if begins or line.split(maxsplit=1)[0].isupper() else 0
        if found := _NUMBERED.fullmatch(line):
            if _LEADERS.search(line):
                return 0
            return len(self._kinds) + 1 + found["number"].rstrip(".").count(".")
        if begins and self._has_parts and _PARAGRAPH.fullmatch(line):
            return 0 if _LEADERS.search(line) else self._part(_SECTION)
        return len(self._kinds) + 1 if begins and _CAPITALS.fullmatch(line) else 0

    def _part(self, kind: str) -> int:
        if re.fullmatch(ANNEX, kind):
            return 1
        if kind not in self._kinds:
            self._kinds.append(kind)
        return self._kinds.index(kind) + 1


def _goes_on(line: str) -> bool:
    """Return True if the sentence of *line* goes on in the next one."""
    return line[-1:] in tuple(",—-") or (len(line) > _LONG and line[-1] not in ".:;!?")


def _named(line: str) -> str:
    """Return what kind of part the heading *line* names, such as ``chapter``; "" if it is none."""
    if len(line) > _MAX or not line[:1].isupper():
        return ""
    found = _NAMED.fullmatch(line)
    if not found:
        return ""
    kind, title = found["kind"].casefold(), found["title"]
    if kind in ("section", "sec") and not found["kind"].isupper() and ":" not in str(found["mark"]):
        kind = _SECTION
    if title is None:
        return kind
    if _LEADERS.search(line) or (not title.isupper() and (title[-1] in ".;," or ". " in title)):
        return ""
    return kind if title[0].isupper() or title[0] == "(" else ""
