"""What others take for a page's content: readability, and trafilatura where it is installed.

Each is asked only where our own choice is in doubt: readability costs more than all the rest of a
page's conversion, trafilatura as much again.
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
from readability.readability import Unparseable

from wikicrawler.process.internals.readability_tree import TreeDocument

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts

# It logs a traceback where it finds no article, which for us is an answer.
logging.getLogger("readability.readability").disabled = True

MAX_ELEMENTS = 20_000
"""Elements of a page about which nobody else is asked, as their time grows faster than a page."""
MIN_AGREEMENT = 0.9
"""Share of their words that two choices have in common where they count as the same."""

_ID_ATTRIBUTE = "data-wikicrawler"
_NUMBERS = re.compile(f'{_ID_ATTRIBUTE}="([0-9]+)"')
_WORD = re.compile(r"\w+")


def by_readability(
    body: HtmlElement, amounts: Mapping[HtmlElement, TextAmounts]
) -> HtmlElement | None:
    """The smallest element around nearly all text that readability keeps of *body*."""
    if len(amounts) > MAX_ELEMENTS:
        return None
    elements = list(body.iter())
    for number, el in enumerate(elements):
        el.set(_ID_ATTRIBUTE, str(number))
    try:
        summary = _ReadabilityDocument(body).summary(html_partial=True)
    except Unparseable as error:  # whatever went wrong in it
        if isinstance(error.__context__, MemoryError):
            raise MemoryError from error
        return None
    finally:
        for el in elements:
            del el.attrib[_ID_ATTRIBUTE]
    return _smallest_around({int(n) for n in _NUMBERS.findall(summary)}, elements, body)


def _smallest_around(
    kept: set[int], elements: list[HtmlElement], body: HtmlElement
) -> HtmlElement | None:
    sizes: Counter[HtmlElement] = Counter()
    for number in range(len(elements) - 1, -1, -1):  # what is inside comes first
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


class _ReadabilityDocument(TreeDocument):
    """readability on a tree that is clean already, without its slowest expressions."""

    def get_link_density(self, elem: HtmlElement) -> float:
        linked = sum(_length(a) for a in elem.iterfind(".//a"))
        return linked / max(_length(elem), 1)


def _length(el: HtmlElement) -> int:
    return len(" ".join(el.text_content().split()))


def has_trafilatura() -> bool:
    """Whether trafilatura is installed."""
    return _trafilatura() is not None


@cache
def _trafilatura() -> Any:
    if find_spec("trafilatura") is None:
        return None
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # what it finds wrong in a page
    return import_module("trafilatura")


def by_trafilatura(body: HtmlElement) -> Counter[str]:
    """The words that trafilatura keeps of *body*."""
    html = etree.tostring(body, encoding="unicode", method="html", with_tail=False)
    try:
        found = _trafilatura().extract(html, include_comments=False, favor_precision=True)
    except MemoryError:
        raise
    except Exception:  # whatever goes wrong in it: an opinion less
        return Counter()
    return count_words(found or "")


def count_words(text: str) -> Counter[str]:
    """How often each word of *text* is in it."""
    return Counter(_WORD.findall(text.casefold()))


def agreement(one: Counter[str], other: Counter[str]) -> float:
    """From 0, where no word is in both, to 1."""
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 1.0
