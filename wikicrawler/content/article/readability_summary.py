"""What readability keeps of a page."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from readability.readability import Unparseable

from wikicrawler.process.internals.readability_tree import TreeDocument

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# readability logs a traceback if it finds no article, which is a normal result here.
logging.getLogger("readability.readability").disabled = True


def summary_of(body: HtmlElement) -> str | None:
    """Return the HTML that readability keeps of *body*, or None if it finds no article.

    :raises MemoryError: it ran out of memory
    """
    try:
        return str(_Document(body).summary(html_partial=True))
    except Unparseable as error:  # readability wraps every exception
        if isinstance(error.__context__, MemoryError):
            raise MemoryError from error
        return None


class _Document(TreeDocument):
    """readability for a cleaned tree, without its slowest XPath expressions."""

    def get_link_density(self, elem: HtmlElement) -> float:
        linked = sum(_length(a) for a in elem.iterfind(".//a"))
        return linked / max(_length(elem), 1)


def _length(el: HtmlElement) -> int:
    return len(" ".join(el.text_content().split()))
