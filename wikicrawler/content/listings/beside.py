"""What stands in and beside a code block and is no code: line numbers, buttons, labels."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from wikicrawler.content.languages import is_known, language_of
from wikicrawler.content.listings.numbers import (
    ascend,
    classes_of,
    is_unselectable,
    names_numbers,
    numbers_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

_MAX_LABEL = 40
"""Characters of a label or button."""
_PARTS = 60
"""Elements of a label or button."""
_LEVELS = 3
"""Elements around a code block whose neighbours may be its line numbers or label."""
_BESIDE_TAGS = frozenset({"a", "div", "label", "pre", "span"})

_COPY_CLASS = re.compile(
    r"(?:^|[\s_-])(?:copy|clipboard)(?!right)|copy-?(?:btn|button)", re.IGNORECASE
)
_NUMBERED = re.compile(r"\s*\d{1,8}[:.|]?\s*")


def inside(block: HtmlElement) -> list[HtmlElement]:
    """Return the line numbers, buttons and prompts in *block* that are not copied with the code."""
    found: list[HtmlElement] = []
    unselectable: list[HtmlElement] = []
    for el in block.iterdescendants("span", "a", "button", "div", "td"):
        classes = el.get("class")
        if el.tag == "button":
            found.append(el)
        elif is_unselectable(el):
            if _short_text(el) is not None:
                unselectable.append(el)
        elif classes and names_numbers(classes_of(el)):
            if _NUMBERED.fullmatch(_short_text(el) or ""):
                found.append(el)
        elif classes and _is_copy(classes_of(el)) and _short_text(el) is not None:
            found.append(el)
    if unselectable:
        # A page may forbid to copy the code itself.
        size = sum(len(_short_text(el) or "") for el in unselectable)
        if size < 0.5 * len(block.text_content()):
            found += unselectable
    return found


@lru_cache(maxsize=4096)
def _is_copy(classes: str) -> bool:
    return _COPY_CLASS.search(classes) is not None


def beside(block: HtmlElement, seen: set[HtmlElement]) -> Iterator[HtmlElement]:
    """Yield line numbers, copy buttons and the name of the language beside *block*."""
    place = block
    for _ in range(_LEVELS):
        for el in (place.getprevious(), place.getnext()):
            if el is not None and el.tag in _BESIDE_TAGS and el not in seen:
                seen.add(el)
                if _is_label(el, block):
                    yield el
        place = place.getparent()
        if place is None or place.tag not in {"div", "figure"}:
            return


def _is_label(el: HtmlElement, block: HtmlElement) -> bool:
    classes = classes_of(el)
    if names_numbers(classes) and ascend(numbers_in(el) or []):
        return True
    text = None if el.tag == "pre" else _short_text(el)
    if not text:
        return False
    if _is_copy(classes) or el.tag == "a":
        return _is_copy(classes)
    name = text.lower()
    return name == language_of(block).lower() or (
        is_known(name)
        and any("lang" in classes_of(part).lower() for part in islice(el.iter(), _PARTS))
    )


def _short_text(el: HtmlElement) -> str | None:
    """Return the text of *el* without buttons, or None if it is longer than a label."""
    parts: list[str] = []
    for count, part in enumerate(el.iter()):
        if count == _PARTS:
            return None
        if part.text and not _is_in_button(part, el):
            parts.append(part.text)
        if part is not el and part.tail and not _is_in_button(part.getparent(), el):
            parts.append(part.tail)
    text = " ".join("".join(parts).split())
    return text if len(text) <= _MAX_LABEL else None


def _is_in_button(part: HtmlElement, top: HtmlElement) -> bool:
    while part is not top:
        if part.tag == "button":
            return True
        part = part.getparent()
    return False
