"""The citation of a section of a page, by the headings above it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.sources.citations.display import display_key
from wikicrawler.sources.citations.finder import find_citations
from wikicrawler.sources.citations.paragraphs import PATH, elements, kinds
from wikicrawler.sources.citations.plain import Plain

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_HEADING = 500
"""Characters of a heading that are read."""
MAX_HEADINGS = 20

_PARAGRAPH = re.compile(rf"(?:[Pp]aragraph )?({PATH})(?![\w-])")
_ORDER = ("lower letter", "number", "lower roman", "upper letter", "number", "lower roman")
_SECTION = re.compile(r"cfr:[0-9]+/[0-9-]+\.[0-9A-Za-z-]+(?:\([0-9A-Za-z]+\))*")


def section_citation(
    headings: Sequence[str], *, part: str | None = None, title: str | None = None
) -> str | None:
    """Return the citation of the section under *headings*, the outermost first, or None.

    *part* and *title* are the page's own.
    """
    headings = [heading[:MAX_HEADING] for heading in headings[:MAX_HEADINGS]]
    key: str | None = None
    above: list[str] = []
    for heading in headings:
        above.append(heading)
        if cited := _cited(above, part, title):
            key = cited
        elif key and (designation := _PARAGRAPH.match(Plain(heading).text.lstrip())):
            key = _below(key, elements(designation[1]))
    return display_key(key) if key else None


def _cited(headings: list[str], part: str | None, title: str | None) -> str | None:
    """Return what the last heading starts with: a section, part or attachment; or the regulation
    that it names. The headings above it may tell its title."""
    text = "\n\n".join(headings)
    start = len(text) - len(headings[-1])
    found = [
        each
        for each in find_citations(text, part=part, title=title)
        if each.start >= start and each.key.startswith("cfr:") and not each.ambiguous
    ]
    if not found:
        return None
    first = found[0]
    is_at_start = not headings[-1][: first.start - start].strip(" \t#*_[")
    is_regulation = "." not in first.key and "(" not in first.key
    return first.key if is_at_start or is_regulation else None


def _below(key: str, designation: list[str]) -> str:
    """Return the key of a paragraph below the section or paragraph of *key*."""
    if not _SECTION.fullmatch(key):
        return key
    section, bracket, rest = key.partition("(")
    path = elements(bracket + rest)
    depth = len(path)
    if depth >= len(_ORDER) or _ORDER[depth] not in kinds(designation[0], depth):
        for index in range(depth - 1, -1, -1):
            if kinds(path[index], index) & kinds(designation[0], index):
                path = path[:index]  # a sibling, of a heading of a lower level
                break
        else:
            return key
    return section + "".join(f"({element})" for element in [*path, *designation])
