"""Character references (``&amp;``, ``&#228;``) in text from outside."""

from __future__ import annotations

import html
import re

_LONG_REFERENCE = re.compile(r"&#([0-9]{20,}+);?")
_MAX_DIGITS = 8
"""Digits that make a number larger than any character's."""


def unescape(text: str) -> str:
    """Return :func:`html.unescape` of *text*, which raises a ValueError for references of more than
    4,300 digits."""
    if "&" not in text:
        return text
    return html.unescape(_LONG_REFERENCE.sub(_shortened, text))


def _shortened(found: re.Match[str]) -> str:
    return f"&#{found[1].lstrip('0')[:_MAX_DIGITS] or '0'};"
