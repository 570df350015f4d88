"""Where the paragraphs of a page end, in Markdown, in HTML and in plain text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from wikicrawler.fields.injection.unrendered import is_html

if TYPE_CHECKING:
    from wikicrawler.fields.evidence.alignment import Content

_END = re.compile(
    r"\n[ \t]*\n\s*|</(?:p|div|h[1-6]|li|td|th|tr|table|pre|section|article|header|footer)>\s*",
    re.IGNORECASE,
)
_LINE_END = re.compile(r"\n\s*")
"""The end of a paragraph in plain text."""

_ends: WeakKeyDictionary[Content, re.Pattern[str]] = WeakKeyDictionary()


def paragraph_ends(content: Content) -> re.Pattern[str]:
    """Return the pattern for the ends of the paragraphs of *content*. It is kept."""
    if content not in _ends:
        lines = "\n\n" not in content.text and not is_html(content.text)
        _ends[content] = _LINE_END if lines else _END
    return _ends[content]
