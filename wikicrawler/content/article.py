"""Which part of a page is its content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.clean import drop
from wikicrawler.content.density import densest, holder, is_part, measure, without
from wikicrawler.content.furniture import asides, link_lists, with_headings
from wikicrawler.content.rewrite import has_class
from wikicrawler.content.tables import is_layout

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.density import Amount

ENOUGH = 250
"""Characters of running text that make a container worth trusting."""
_MARKS = ("@itemprop='articleBody'", "self::article", "self::main or @role='main'")


def wiki_container(root: HtmlElement) -> HtmlElement:
    """The parser's output of a MediaWiki page: inside ``#mw-content-text`` where there is one, the
    longest where there are several; else the nearest thing that a skin has."""
    outputs = root.xpath(f"//*[@id='mw-content-text']//*[{has_class('mw-parser-output')}]")
    outputs = outputs or root.xpath(f"//*[{has_class('mw-parser-output')}]")
    if outputs:
        return max(outputs, key=lambda el: len(el.text_content())) if outputs[1:] else outputs[0]
    for name in ("mw-content-text", "bodyContent", "content"):
        found = root.xpath("//*[@id=$name]", name=name)
        if found:
            return found[0]
    return _body(root)


def choose(root: HtmlElement) -> HtmlElement:
    """The main content of any other page, cleaned of what is around and between it."""
    body = _body(root)
    _unfold_layout(body)
    amounts = measure(body)
    going = with_headings(asides(body, amounts))
    without(amounts, going)
    drop(going)
    marked = _marked(body, amounts)
    container = _narrowed(body if marked is None else marked, amounts)
    drop(with_headings(link_lists(container, amounts)))
    return container


def _body(root: HtmlElement) -> HtmlElement:
    body = root.find("body")
    return root if body is None else body


def _unfold_layout(body: HtmlElement) -> None:
    """Makes blocks of the cells of tables that only place things on the screen."""
    for table in list(body.iter("table")):
        if is_layout(table):
            for el in (table, *table.xpath("./*|./tr/*|./*/tr|./*/tr/*")):
                if el.tag in _TABLE_PARTS:
                    el.tag = "div"


_TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th"})


def _marked(body: HtmlElement, amounts: dict[HtmlElement, Amount]) -> HtmlElement | None:
    """The one element that the page marks as its content, if it holds enough text."""
    enough = max(ENOUGH, 0.3 * amounts[body].running)
    for mark in _MARKS:
        outermost = body.xpath(f".//*[{mark}][not(ancestor::*[{mark}])]")
        found = sorted((el for el in outermost if el in amounts), key=lambda el: amounts[el].running)
        # Of several, as in a list of teasers, one must be far larger than the others.
        if found and amounts[found[-1]].running >= max(
            enough, 3 * amounts[found[-2]].running if found[1:] else 0
        ):
            return found[-1]
    return None


def _narrowed(top: HtmlElement, amounts: dict[HtmlElement, Amount]) -> HtmlElement:
    """The smallest element in *top* around its densest text that leaves no text outside."""
    if amounts[top].running < ENOUGH:
        return top
    densest_el = densest(amounts, top)
    if densest_el is None:
        return top
    chosen = densest_el
    for el in densest_el.iterancestors():
        if chosen is top:
            break
        if el not in amounts:
            break
        if _adds(el, chosen, amounts):
            chosen = el
        if el is top:
            break
    return chosen


CL = 0.25
SIB = True


def _adds(el: HtmlElement, chosen: HtmlElement, amounts: dict[HtmlElement, Amount]) -> bool:
    """Whether what *el* holds beside *chosen* is text of the same."""
    outer, inner = amounts[el], amounts[chosen]
    running = outer.running - inner.running
    text = outer.text - inner.text
    if not running or outer.linked - inner.linked > 0.3 * text:
        return False
    if running >= CL * inner.running:
        return True
    if not SIB: return False
    if chosen.getparent() is not el:
        return False
    names = chosen.get("class")
    return any(
        amounts[child].running >= 80
        and (is_part(child) or (child.tag == chosen.tag and child.get("class") == names))
        for child in el
        if child is not chosen and child in amounts
    )

