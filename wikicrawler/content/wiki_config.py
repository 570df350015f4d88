"""Configuration values that a MediaWiki page states in its inline scripts (``mw.config``).

Their form depends on the version: ``RLCONF={"wgPageName":"Honey",…}`` since 1.33,
``mw.config.set({"wgPageName":"Honey",…})`` since 1.17, ``var wgPageName = "Honey";`` before that.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

MAX_SCRIPT = 256 * 1024
"""Characters of the inline scripts that are searched."""

_NAMES = (
    "wgArticlePath",
    "wgCategories",
    "wgNamespaceNumber",
    "wgPageName",
    "wgRedirectedFrom",
    "wgRevisionId",
    "wgScript",
)
# Beginning with a letter instead of \b, these are tried at each "w" only.
_MARK = re.compile(r"w(?<!\ww)g(?:PageName|ArticlePath|NamespaceNumber|RevisionId|Categories)\b")
_ASSIGNMENT = re.compile(
    r"w(?<!\ww)(" + "|".join(name[1:] for name in _NAMES) + ")"
    r"[\"']?\s{0,20}[:=]\s{0,20}(?=[\"\[\d-])"
)
_MAX_VALUE = 64 * 1024
_MAX_TRIES = 3
_HEX_ESCAPE = re.compile(r"\\x([0-9A-Fa-f]{2})")  # written by old versions, not JSON
_DECODER = json.JSONDecoder()


def wiki_config(scripts: Iterable[HtmlElement]) -> dict[str, Any]:
    """Return the values of the inline *scripts* by name, the first of each.

    A value is a string, a whole number or a list. A name without a readable value is left out.
    """
    found: dict[str, Any] = {}
    tried: Counter[str] = Counter()
    left = MAX_SCRIPT
    for script in scripts:
        text = (script.text or "")[:left]
        if not _MARK.search(text):
            continue
        left -= len(text)
        for assignment in _ASSIGNMENT.finditer(text):
            name = f"w{assignment[1]}"
            tried[name] += 1
            if name in found or tried[name] > _MAX_TRIES:
                continue
            value = _value(text[assignment.end() : assignment.end() + _MAX_VALUE])
            if value is not None:
                found[name] = value
        if left <= 0:
            break
    return found


def _value(text: str) -> str | int | list[Any] | None:
    """Return the JSON value at the start of *text*; None if it is broken or of another type."""
    for source in (text, _HEX_ESCAPE.sub(r"\\u00\1", text)):
        try:
            value, _ = _DECODER.raw_decode(source)
        except (ValueError, RecursionError):  # ValueError: also a number of too many digits
            continue
        return value if type(value) in {str, int, list} else None
    return None


def text_of(config: dict[str, Any], name: str, longest: int = 1000) -> str:
    """Return the string *name* of *config* on one line; empty if it is missing or too long."""
    value = config.get(name)
    sane = isinstance(value, str) and len(value) <= longest and value.isprintable()
    return value.strip() if isinstance(value, str) and sane else ""
