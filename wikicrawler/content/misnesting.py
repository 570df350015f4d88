"""Detection of pages whose tree cannot be the one that a browser builds.

libxml2 builds the tree of a well-nested page as browsers do. Of a misnested one it builds another
tree, whose text may stand in other blocks: it ignores ``</nav>`` while a ``<div>`` inside is open,
so that ``<nav><div></nav>`` swallows the page. What it says of its own parse, and parents in its
tree that a browser never gives an element, tell such pages. Mistakes that do not move text between
blocks, such as an end tag too many, do not count: most pages have some.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lxml.html import HtmlElement


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# libxml2 reports no more errors of a page, and no more end tags among them.
_MOST_ERRORS = 100
_END_TAG = etree.ErrorTypes.ERR_TAG_NAME_MISMATCH
_END_TAG_ERROR = re.compile(
    r"Unexpected end tag : (?P<unexpected>\S+)"
    r"|Opening and ending tag mismatch: (?P<end>\S+) and (?P<open>\S+)"
)

_FROM_MEDIAWIKI = b"mw-parser-output"

_HEADINGS = _names("h1 h2 h3 h4 h5 h6")
# What libxml2 closes by the end tag of another element around it, or before a start tag, where
# browsers keep it open. It then meets the element's own end tag, too late.
_CLOSED_EARLY = _HEADINGS | _names("""
    address article aside blockquote button details dialog dl fieldset figcaption figure footer
    form header hgroup main menu nav ol pre search section summary template ul
""")
# Their end tag closes what is open inside in browsers; libxml2 ignores it while a <div> is open.
_BLOCKS = _CLOSED_EARLY | _names("center dd dir dt li listing")
# libxml2 closes these by the end tag of a block around them, as browsers do, and reports it.
_CLOSED_WITH_BLOCK = _names("b big em font i s small strike strong sub sup tt u")
# Browsers ignore the end tag of a block around a table as long as the table is open, too.
_TABLE_PARTS = _names("table caption colgroup thead tbody tfoot tr td th")
_OFTEN_AROUND_TEXT = _HEADINGS | _names("center dd dt li")


def is_misnested(root: HtmlElement, source: bytes, errors: Sequence[tuple[int, str]]) -> bool:
    """Return True if a browser places text of the page in other blocks than the tree of *root*.

    :param source: the page
    :param errors: type and message of each error that libxml2 reported when it built the tree
    """
    if not errors and _FROM_MEDIAWIKI in source:
        return False  # MediaWiki closes what its pages open
    return _is_reported(errors, source) or _Walk().finds(root)


def _is_reported(errors: Sequence[tuple[int, str]], source: bytes) -> bool:
    if len(errors) >= _MOST_ERRORS:
        return True
    messages = {message for kind, message in errors if kind == _END_TAG}
    return any(_moves_text(message, source) for message in messages)


def _moves_text(message: str, source: bytes) -> bool:
    error = _END_TAG_ERROR.match(message)
    if error is None:
        return True
    unexpected, end, still_open = error.groups()
    if unexpected is not None:
        # Browsers take </br> for <br>.
        return unexpected == "br" or (
            unexpected in _CLOSED_EARLY and not _is_one_too_many(unexpected, source)
        )
    if still_open in _TABLE_PARTS:
        return False
    if still_open in _CLOSED_WITH_BLOCK:
        return end in _BLOCKS and end not in _OFTEN_AROUND_TEXT
    return end == "a" or end in _BLOCKS or end in _CLOSED_WITH_BLOCK


def _is_one_too_many(name: str, source: bytes) -> bool:
    """Return True if the page has more end tags than start tags of *name*."""
    lowered = source.lower()
    return lowered.count(f"</{name}".encode()) > lowered.count(f"<{name}".encode())


def _misplaced(parent: str, children: str) -> str:
    """Return a condition of XPath for text and elements that browsers move out of a table."""
    allowed = [*children.split(), "script", "style", "template", "input", "form[not(*)]"]
    names = " or ".join(f"self::{name}" for name in allowed)
    return f"boolean({parent}*[not({names})]) or boolean({parent}text()[normalize-space()])"


# Of one table, since a path from the root is a walk over the page for each condition.
_IS_IMPOSSIBLE_TABLE = etree.XPath(
    " or ".join(
        (
            _misplaced("", "tbody tr thead tfoot caption colgroup col"),
            _misplaced("*[self::tbody or self::thead or self::tfoot]/", "tr"),
            _misplaced("tr/", "td th"),
            _misplaced("*/tr/", "td th"),
            "boolean(caption/descendant::tr)",
        )
    )
)
_LISTS = {"li": _names("ul ol menu dir"), "dd": _names("dl"), "dt": _names("dl")}
_ENCLOSING = _names("select svg math")
# Elements of HTML, such as these, stay in a drawing or a formula only below the others.
_BREAKING_OUT = _names("blockquote center div dl hr ol p pre span table ul") | _HEADINGS
_INTEGRATING = _names("foreignobject desc title mi mo mn ms mtext annotation-xml")
_MAX_CLIMBS = 1000
_MAX_DEPTH = 50


class _Walk:
    """A search of a tree for elements in parents that a browser never gives them.

    It looks for a link in a link, a heading in a heading, an item in an item without a list
    between them, elements that browsers close a form field or a drawing before, and misplaced
    parts of tables. It is one walk, since each costs a tenth of the parse.
    """

    def __init__(self) -> None:
        self._link: HtmlElement | None = None
        self._enclosing: HtmlElement | None = None
        self._list: HtmlElement | None = None
        self._climbs = 0

    def finds(self, root: HtmlElement) -> bool:
        looks: dict[str, Callable[[HtmlElement], bool]] = {
            "a": self._is_in_link,
            "input": lambda _: False,
            "table": lambda table: bool(_IS_IMPOSSIBLE_TABLE(table)),
            **dict.fromkeys(_HEADINGS, self._is_in_heading),
            **dict.fromkeys(_LISTS, self._is_in_item),
            **dict.fromkeys(_ENCLOSING, self._is_broken_out),
        }
        for el in root.iter(*looks):
            if self._enclosing is not None and self._is_enclosed(el):
                return True
            if looks[el.tag](el):
                return True
        return False

    def _is_in_link(self, el: HtmlElement) -> bool:
        # The first link in a link is the next one in the order of the page.
        link, self._link = self._link, el
        if link is None or not len(link):
            return False
        up = el.getparent()
        for _ in range(3):
            if up is link or up is None:
                break
            up = up.getparent()
        return up is link

    def _is_in_heading(self, el: HtmlElement) -> bool:
        parent = el.getparent()
        return parent is not None and parent.tag in _HEADINGS

    def _is_in_item(self, item: HtmlElement) -> bool:
        parent = item.getparent()
        if parent is self._list or parent is None:
            return False
        lists = _LISTS[item.tag]
        if parent.tag in lists:
            self._list = parent
            return False
        self._climbs += 1
        if self._climbs > _MAX_CLIMBS:
            return False
        for up in islice(item.iterancestors(), _MAX_DEPTH):
            if up.tag in _LISTS:
                return bool((up.tag == "li") == (item.tag == "li"))
            if up.tag in lists:
                return False
        return False

    def _is_broken_out(self, outer: HtmlElement) -> bool:
        """Note *outer*; return True if a child of it, or of its last child, is an element of HTML.

        They are in an unclosed drawing.
        """
        self._enclosing = outer
        if outer.tag == "select":
            return False
        last = None
        for child in outer:
            if child.tag in _BREAKING_OUT:
                return True
            last = child
        if last is None or last.tag in _INTEGRATING:
            return False
        return any(child.tag in _BREAKING_OUT for child in last)

    def _is_enclosed(self, el: HtmlElement) -> bool:
        """Return True if *el* is in the drawing or field that precedes it."""
        outer, self._enclosing = self._enclosing, None
        for up in islice(el.iterancestors(), _MAX_DEPTH):
            if up is outer:
                return True
            if up.tag in _INTEGRATING:
                return False
        return False
