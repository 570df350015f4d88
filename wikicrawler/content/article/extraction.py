"""Extraction of the main content of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.article import opinions
from wikicrawler.content.article.density import densest, is_part, measure
from wikicrawler.content.article.furniture import (
    MIN_ARTICLE,
    MIN_PARAGRAPH,
    asides,
    link_lists,
    with_headings,
    without_figures,
)
from wikicrawler.content.article.opinions import agreement, count_words
from wikicrawler.content.clean import drop, find_if
from wikicrawler.content.find import by_class, by_id
from wikicrawler.content.markdown.tables import is_layout

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts

_CONTENT_MARKS: tuple[tuple[str, Callable[[HtmlElement], bool]], ...] = (
    ("@itemprop='articleBody'", lambda el: el.get("itemprop") == "articleBody"),
    ("self::article", lambda el: el.tag == "article"),
    ("self::main or @role='main'", lambda el: el.tag == "main" or el.get("role") == "main"),
)


def wiki_container(root: HtmlElement) -> HtmlElement:
    """Return the element with the parser output of a MediaWiki page.

    Prefer an output inside ``#mw-content-text``; of several, return the longest. Without any,
    return the content element of the skin, else the body.
    """
    text = by_id(root, "mw-content-text", "div")
    outputs = list(by_class(text, "mw-parser-output", "div")) if text is not None else []
    outputs = outputs or list(by_class(root, "mw-parser-output", "div"))
    if outputs:
        return max(outputs, key=lambda el: len(el.text_content())) if outputs[1:] else outputs[0]
    for name in ("mw-content-text", "bodyContent", "content"):
        found = root.xpath("//*[@id=$name]", name=name)
        if found:
            return found[0]
    return _body(root)


def choose(root: HtmlElement, stated: str = "", *, with_images: bool = False) -> HtmlElement:
    """Return the main content of a non-wiki page, without the furniture in it.

    *stated* is the page's title and description. *with_images*: keep the images of figures, whose
    captions are dropped.

    1. Drop elements whose tag or name marks them as furniture: ``aside``, sharing bars, bylines,
       captions of images.
    2. Start from the element that the page marks as its content (``articleBody``, ``<article>``,
       ``<main>`` or ``role=main``), else from the body. Narrow it to the smallest element around
       its densest text that leaves no similar text outside.
    3. If the page marks nothing, and the choice leaves out much of the page's text or contains few
       words of *stated*, consult readability. If trafilatura is installed, consult readability for
       every page without marks, and let trafilatura decide if the two choices differ.
    4. Drop lists of links to other pages.

    For a page with little text, only steps 1 and 4 apply.
    """
    body = _body(root)
    _unfold_layout(body)
    amounts = measure(body)
    found = asides(body, amounts)
    if with_images:
        found = without_figures(found)
    if dropped := with_headings(found):
        drop(dropped)
        amounts = measure(body)
    marked = _marked(body, amounts)
    chosen = _narrowed(body if marked is None else marked, amounts)
    if marked is None and amounts[body].running >= MIN_ARTICLE:
        chosen = _compare_with_others(chosen, body, amounts, stated)
    drop(with_headings(link_lists(chosen, amounts)))
    return chosen


def _body(root: HtmlElement) -> HtmlElement:
    body = root.find("body")
    return root if body is None else body


def _unfold_layout(body: HtmlElement) -> None:
    """Turn layout tables and their cells into ``div`` elements."""
    for table in list(body.iter("table")):
        if table.xpath(_MAY_BE_LAYOUT) and is_layout(table):
            for el in (table, *table.xpath("./*|./tr/*|./*/tr|./*/tr/*")):
                if el.tag in _TABLE_PARTS:
                    el.tag = "div"


_MAY_BE_LAYOUT = (
    "boolean(@role|.//table|.//h1|.//h2|.//h3|.//h4|.//h5|.//h6|.//article|.//section|.//form)"
)
_TABLE_PARTS = frozenset({"table", "thead", "tbody", "tfoot", "tr", "td", "th"})


def _marked(body: HtmlElement, amounts: dict[HtmlElement, TextAmounts]) -> HtmlElement | None:
    """Return the element that the page marks as its content, if it has enough text."""
    enough = max(MIN_ARTICLE, 0.3 * amounts[body].running)
    for condition, is_marked in _CONTENT_MARKS:
        if not body.xpath(f"boolean(.//*[{condition}])"):  # faster than a walk
            continue
        found = sorted(find_if(body, is_marked), key=lambda el: amounts[el].running)
        # If there are several, as in a list of teasers, one must be far larger than the others.
        others = amounts[found[-2]].running if found[1:] else 0
        if amounts[found[-1]].running >= max(enough, 3 * others):
            return found[-1]
    return None


def _narrowed(top: HtmlElement, amounts: dict[HtmlElement, TextAmounts]) -> HtmlElement:
    """Narrow *top* to the smallest element around its densest text, without losing similar text."""
    chosen = densest(top, amounts) if amounts[top].running >= MIN_ARTICLE else None
    if chosen is None:
        return top
    for el in chosen.iterancestors():
        if chosen is top or el not in amounts:
            break
        if amounts[el].text == amounts[chosen].text or _adds_content(el, chosen, amounts):
            chosen = el
        if el is top:
            break
    return chosen if amounts[chosen].running >= MIN_ARTICLE else top


def _adds_content(
    el: HtmlElement, chosen: HtmlElement, amounts: dict[HtmlElement, TextAmounts]
) -> bool:
    """Return True if *el* adds content to *chosen*, which it contains.

    It does if it has a quarter as much additional running text that is not mostly links, or if
    *chosen* is its child and has siblings that are paragraphs, data or elements of its class.
    """
    outer, inner = amounts[el], amounts[chosen]
    running = outer.running - inner.running
    linked = outer.linked - inner.linked
    if running >= 0.25 * inner.running and linked <= 0.3 * (outer.text - inner.text):
        return True
    if running < MIN_PARAGRAPH or chosen.getparent() is not el:
        return False
    kind = (chosen.tag, chosen.get("class"))
    siblings = (child for child in el if child is not chosen and child in amounts)
    return any(
        is_part(child)
        or (child.tag, child.get("class")) == kind
        or next(child.iter("table", "pre", "dl"), None) is not None
        for child in siblings
        if amounts[child].running >= MIN_PARAGRAPH
    )


def _compare_with_others(
    choice: HtmlElement, body: HtmlElement, amounts: dict[HtmlElement, TextAmounts], stated: str
) -> HtmlElement:
    """Return *choice*, or readability's choice from *body* if it is likely to be better."""
    can_arbitrate = opinions.has_trafilatura()
    expected = set(count_words(stated))
    choice_words = count_words(_text(choice))
    choice_share = _share(choice_words, expected)
    if (
        not can_arbitrate
        and choice_share >= 0.5
        and amounts[choice].running >= 0.7 * amounts[body].running
    ):
        return choice
    other = opinions.by_readability(body, amounts)
    if other is None or other is choice or amounts[other].running < MIN_ARTICLE:
        return choice
    other_words = count_words(_text(other))
    if agreement(choice_words, other_words) >= opinions.MIN_AGREEMENT:
        return choice
    if can_arbitrate and (third := opinions.by_trafilatura(body)):
        nearer = agreement(other_words, third) > agreement(choice_words, third)
        return other if nearer else choice
    gain = _share(other_words, expected) - choice_share
    inside = choice in other.iterancestors()
    return other if gain > (-0.1 if inside else 0.2) else choice


def _share(found: Iterable[str], expected: set[str]) -> float:
    return len(expected.intersection(found)) / len(expected) if expected else 1.0


def _text(el: HtmlElement) -> str:
    return " ".join(el.itertext())
