"""Second opinions on the main content of a page: readability, and trafilatura if installed.

They are consulted only if our own choice is in doubt: readability takes longer than the rest of a
page's conversion, and trafilatura as long again.
"""

from __future__ import annotations

import logging
import re
from collections import Counter
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts

MAX_ELEMENTS = 20_000
"""Maximum number of elements for which readability is consulted; its time grows faster than the
size of a page."""
MIN_AGREEMENT = 0.9
"""Minimum share of common words for two choices to count as the same."""

_ID_ATTRIBUTE = "data-wikicrawler"
_NUMBERS = re.compile(f'{_ID_ATTRIBUTE}="([0-9]+)"')
# Languages without spaces are compared by characters.
_WORD = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]"
    r"|[^\W\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]+"
)


def by_readability(
    body: HtmlElement, amounts: Mapping[HtmlElement, TextAmounts]
) -> HtmlElement | None:
    """Return the smallest element with nearly all text that readability keeps of *body*."""
    if len(amounts) > MAX_ELEMENTS:
        return None
    # Imported here because most pages need no second opinion.
    from wikicrawler.content.article.readability_summary import summary_of  # noqa: PLC0415

    elements = list(body.iter())
    for number, el in enumerate(elements):
        el.set(_ID_ATTRIBUTE, str(number))
    try:
        summary = summary_of(body)
    finally:
        for el in elements:
            del el.attrib[_ID_ATTRIBUTE]
    if summary is None:
        return None
    return _smallest_around({int(n) for n in _NUMBERS.findall(summary)}, elements, body)


def _smallest_around(
    kept: set[int], elements: list[HtmlElement], body: HtmlElement
) -> HtmlElement | None:
    sizes: Counter[HtmlElement] = Counter()
    for number in range(len(elements) - 1, -1, -1):  # descendants first
        el = elements[number]
        if number in kept:
            own = (el.text, *(child.tail for child in el))
            sizes[el] += sum(len(text.strip()) for text in own if text)
        if el is not body and sizes[el]:
            sizes[el.getparent()] += sizes[el]
    whole = sizes[body]
    chosen: HtmlElement | None = body if whole else None
    inner = chosen
    while inner is not None:
        chosen = inner
        inner = next((child for child in chosen if sizes[child] >= 0.9 * whole), None)
    return chosen


def has_trafilatura() -> bool:
    """Return True if trafilatura is installed."""
    return _trafilatura() is not None


@cache
def _trafilatura() -> Any:
    if find_spec("trafilatura") is None:
        return None
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it logs the faults of pages
    return import_module("trafilatura")


def by_trafilatura(body: HtmlElement) -> Counter[str]:
    """Return the words that trafilatura keeps of *body*; none if trafilatura fails."""
    html = etree.tostring(body, encoding="unicode", method="html", with_tail=False)
    try:
        found = _trafilatura().extract(html, include_comments=False, favor_precision=True)
    except MemoryError:
        raise
    except Exception:  # a failure only costs the second opinion
        return Counter()
    return count_words(found or "")


def count_words(text: str) -> Counter[str]:
    """Return the number of occurrences of each word in *text*, case-folded."""
    return Counter(_WORD.findall(text.casefold()))


def agreement(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that both have in common, from 0 to 1 (Dice coefficient)."""
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 1.0
