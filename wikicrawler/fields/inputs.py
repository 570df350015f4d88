"""The other forms of a page that a model may read: plain text and HTML."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree, html

from wikicrawler.content.parse import parse
from wikicrawler.text.safe import without_surrogates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

_DROPPED = ("script", "style", "template", "svg", "iframe", "object", "canvas", "noscript", "title")
_BLOCKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "body", "br", "caption", "dd", "details"),
        *("div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2"),
        *("h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "option", "p", "pre"),
        *("section", "summary", "table", "tr", "ul"),
    }
)
_CELLS = frozenset({"td", "th"})
_KEPT = frozenset({"href", "src", "alt", "title", "datetime", "content", "itemprop", "property"})
_SPACE = re.compile(r"[ \t\r\f\v\xa0]+")
_LINES = re.compile(r" ?\n[ \n]*")


def plain_text(page: str) -> str:
    """Return the text of the HTML document *page*: a line for each block, cells with ``|``.

    :raises ContentError: the document is too large, or nested too deeply
    """
    root = _cleaned(page)
    if root is None:
        return ""
    text = _SPACE.sub(" ", "".join(_pieces(root)))
    return _LINES.sub("\n", text).strip()


def plain_html(page: str) -> str:
    """Return the HTML document *page* without scripts, styles and most attributes.

    :raises ContentError: as :func:`plain_text`
    """
    root = _cleaned(page)
    if root is None:
        return ""
    for element in root.iter(etree.Element):
        for name in [name for name in element.attrib if name not in _KEPT]:
            del element.attrib[name]
    markup: str = html.tostring(root, encoding="unicode")
    return _LINES.sub("\n", _SPACE.sub(" ", markup)).strip()


def _cleaned(page: str) -> HtmlElement | None:
    root = parse(without_surrogates(page).encode())
    if root is not None:
        etree.strip_elements(root, *_DROPPED, with_tail=False)
    return root


def _pieces(root: HtmlElement) -> Iterator[str]:
    """Yield the texts of *root*, with line ends around blocks."""
    for event, element in etree.iterwalk(root, events=("start", "end")):
        is_block = element.tag in _BLOCKS
        if event == "start":
            if is_block:
                yield "\n"
            if element.text:
                yield element.text.replace("\n", " ")
        else:
            if is_block:
                yield "\n"
            elif element.tag in _CELLS:
                yield " | "
            if element.tail:
                yield element.tail.replace("\n", " ")
