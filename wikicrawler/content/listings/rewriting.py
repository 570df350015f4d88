"""Rewriting of code listings as plain ``<pre>``.

Engines set code in tables, with a column of line numbers, or in an element for each line. The rules
find these by their shape: ascending numbers beside code, lines without newlines between them. Names
of classes are evidence only where the shape alone could be a table of data.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wikicrawler.content.clean import drop
from wikicrawler.content.find import by_class
from wikicrawler.content.listings.beside import beside, inside
from wikicrawler.content.listings.lines import break_lines
from wikicrawler.content.listings.tables import unfold

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_CODE_STYLE = re.compile(r"white-space\s*:\s*pre(?![-\w])")
_MONOSPACE = re.compile(r"monospace|consolas|courier|menlo|monaco", re.IGNORECASE)


def listings(root: HtmlElement, classes: str) -> None:
    """Rewrite the code listings below *root*.

    *classes* is all ``class`` values. The rules of engines run only if these have their names.

    Call this before elements are dropped by their names: what stands beside line numbers
    distinguishes them from code.
    """
    candidates = list(root.iter("pre", "table"))
    for el in candidates:
        if el.tag == "table":
            unfold(el)
    if "fragment" in classes:
        _doxygen(root)
    if "dp-" in classes:
        _ordered_lines(root)
    candidates += _styled(root)
    if not candidates and "fragment" not in classes and "dp-" not in classes:
        return
    blocks: list[HtmlElement] = []
    nested: set[HtmlElement] = set()
    for el in root.iter("pre"):
        if el not in nested:
            blocks.append(el)
            nested.update(el.iterdescendants("pre"))
    seen: set[HtmlElement] = set()
    drop([part for block in blocks for part in (*inside(block), *beside(block, seen))])
    for block in blocks:
        break_lines(block)


def _styled(root: HtmlElement) -> list[HtmlElement]:
    """Turn elements that a style shows as code, as editors copy it, into ``<pre>``; return them."""
    found = [
        el
        for el in root.iter("div", "code")
        if (style := el.get("style"))
        and "pre" in style
        and _CODE_STYLE.search(style)
        and _MONOSPACE.search(style)
    ]
    for el in found:
        el.tag = "pre"
    return found


def _doxygen(root: HtmlElement) -> None:
    """Turn Doxygen's fragments, a ``div`` for each line, into ``<pre>``, without their tooltips."""
    for fragment in list(by_class(root, "fragment", "div")):
        if next(by_class(fragment, "line", "div"), None) is not None:
            drop(list(by_class(fragment, "ttc", "div")))
            fragment.tag = "pre"


def _ordered_lines(root: HtmlElement) -> None:
    """Turn the lists of lines of SyntaxHighlighter 1 into ``<pre>``."""
    for el in list(root.iter("ol")):
        if (el.get("class") or "").startswith("dp-"):
            el.tag = "pre"
