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
    from lxml.html import HtmlElement


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


# libxml2 reports no more errors of a page, and no more end tags among them.
_MOST_ERRORS = 100
_END_TAG_ERROR = re.compile(
    r"Unexpected end tag : (?P<unexpected>\S+)"
    r"|Opening and ending tag mismatch: (?P<end>\S+) and (?P<open>\S+)"
)

_HEADINGS = _names("h1 h2 h3 h4 h5 h6")
# What libxml2 closes by the end tag of another element around it, or before a start tag, where
# browsers keep it open. It then meets the element's own end tag, too late.
_CLOSED_EARLY = _HEADINGS | _names("""
    address article aside blockquote details dialog dl fieldset figcaption figure footer header
    hgroup main menu nav ol pre search section summary ul
""")
# Their end tag closes what is open inside in browsers; libxml2 ignores it while a <div> is open.
_BLOCKS = _CLOSED_EARLY | _names("center dd dir dt li listing")
# libxml2 closes these by the end tag of a block around them, as browsers do, and reports it.
_CLOSED_WITH_BLOCK = _names("b big em font i s small strike strong sub sup tt u")
# Browsers ignore the end tag of a block around a table as long as the table is open, too.
_TABLE_PARTS = _names("table caption colgroup thead tbody tfoot tr td th")
_OFTEN_AROUND_TEXT = _HEADINGS | _names("center dd dt li")


def is_misnested(root: HtmlElement, log: etree._ListErrorLog) -> bool:
    """Return True if a browser places text of the page in other blocks than the tree of *root*.

    *log* is what libxml2 said when it built the tree.
    """
    return _is_in_log(log) or _is_in_tree(root)


def _is_in_log(log: etree._ListErrorLog) -> bool:
    if not len(log):
        return False
    if len(log) >= _MOST_ERRORS:
        return True
    return any(
        entry.type == etree.ErrorTypes.ERR_TAG_NAME_MISMATCH and _moves_text(entry.message)
        for entry in log
    )


def _moves_text(message: str) -> bool:
    error = _END_TAG_ERROR.match(message)
    if error is None:
        return True
    unexpected, end, still_open = error.groups()
    if unexpected is not None:
        # Browsers take </br> for <br>.
        return unexpected == "br" or unexpected in _CLOSED_EARLY
    if still_open in _TABLE_PARTS:
        return False
    if still_open in _CLOSED_WITH_BLOCK:
        return end in _BLOCKS and end not in _OFTEN_AROUND_TEXT
    return end == "a" or end in _BLOCKS or end in _CLOSED_WITH_BLOCK


# What a browser never leaves in these places of its tree. An empty form in a table is allowed.
_IMPOSSIBLE_IN_TABLES = etree.XPath(
    "boolean("
    "//table/*[not(self::tbody or self::tr or self::thead or self::tfoot or self::caption"
    " or self::colgroup or self::col or self::script or self::style or self::template"
    " or self::input or self::form[not(*)])]"
    "|//tbody/*[not(self::tr or self::script or self::style or self::template or self::input"
    " or self::form[not(*)])]"
    "|//tr/*[not(self::td or self::th or self::script or self::style or self::template"
    " or self::input or self::form[not(*)])]"
    "|//td[not(parent::tr)]|//tr[not(parent::table or parent::tbody or parent::thead"
    " or parent::tfoot)]"
    "|//table/text()[normalize-space()]|//tbody/text()[normalize-space()]"
    "|//tr/text()[normalize-space()])"
)
_LISTS = {
    "li": _names("ul ol menu dir"),
    "dd": _names("dl"),
    "dt": _names("dl"),
}
_ENCLOSING = _names("select svg math")
_TELLING = ("a", "table", *sorted(_HEADINGS), *_LISTS, *sorted(_ENCLOSING))
# Elements of HTML stay in a drawing or a formula only below these.
_INTEGRATING = _names("foreignobject desc title mi mo mn ms mtext annotation-xml")
_MAX_CLIMBS = 1000
_MAX_DEPTH = 50


def _is_in_tree(root: HtmlElement) -> bool:
    """Return True for a link in a link, a heading in a heading, an item in an item of its list, an
    element in a drawing or field that browsers close before it, or something else than a row, a
    cell or a caption in a table."""
    link = enclosing = table = items = None
    climbs = 0
    # One walk: each look at the tree costs as much as a tenth of the parse.
    for el in root.iter(*_TELLING):
        tag = el.tag
        if tag == "a":
            # The first link in a link follows it in the order of the page.
            if link is not None and len(link) and _is_in_link(el, link):
                return True
            link = el
            continue
        if tag in _ENCLOSING:
            enclosing = el if enclosing is None else enclosing
            continue
        if enclosing is not None:
            if _is_enclosed(el, enclosing):
                return True
            enclosing = None
        if tag == "table":
            table = el
            continue
        parent = el.getparent()
        if parent is items:
            continue
        around = "" if parent is None else parent.tag
        if tag in _HEADINGS:
            if around in _HEADINGS:
                return True
        elif around in _LISTS[tag]:
            items = parent
        elif climbs < _MAX_CLIMBS:
            climbs += 1
            if _is_item_in_item(el):
                return True
    return table is not None and bool(_IMPOSSIBLE_IN_TABLES(root))


def _is_in_link(el: HtmlElement, link: HtmlElement) -> bool:
    """Return True if *el* stands in *link*, not more than three elements below it."""
    up = el.getparent()
    for _ in range(3):
        if up is link or up is None:
            return up is not None
        up = up.getparent()
    return up is link


def _is_enclosed(el: HtmlElement, enclosing: HtmlElement) -> bool:
    for up in islice(el.iterancestors(), _MAX_DEPTH):
        if up is enclosing:
            return True
        if up.tag in _INTEGRATING:
            return False
    return False


def _is_item_in_item(item: HtmlElement) -> bool:
    """Return True if an item stands in another one without a list between them."""
    for up in islice(item.iterancestors(), _MAX_DEPTH):
        if up.tag in _LISTS:
            return (up.tag == "li") == (item.tag == "li")
        if up.tag in _LISTS[item.tag]:
            return False
    return False
