"""Extraction of the main content of a page."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from wikicrawler.content.article import opinions
from wikicrawler.content.article.asides import asides, without_figures
from wikicrawler.content.article.boxes import boxes, last_headings, link_lists, teasers
from wikicrawler.content.article.density import measure
from wikicrawler.content.article.evidence import NOTHING_STATED, Evidence
from wikicrawler.content.article.furniture import MIN_ARTICLE, with_headings
from wikicrawler.content.article.notes import NO_NOTES, Notes
from wikicrawler.content.article.opinions import agreement, count_words
from wikicrawler.content.article.selection import Selection, select
from wikicrawler.content.article.shape import Shape
from wikicrawler.content.article.threads import thread_chrome
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
_MIN_TITLE, _MAX_TITLE, _MAX_HEADINGS = 8, 400, 100


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


def choose(
    root: HtmlElement,
    stated: str = "",
    *,
    evidence: Evidence = NOTHING_STATED,
    with_images: bool = False,
    notes: Notes = NO_NOTES,
) -> HtmlElement:
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
    named = asides(body, amounts, evidence)
    notes.dropped(named)
    found = list(named)
    if with_images:
        found = without_figures(found)
    if dropped := with_headings(found):
        drop(dropped)
        amounts = measure(body)
    shaped = boxes(body, amounts, evidence)
    notes.dropped(shaped)
    if dropped := with_headings(list(shaped)):
        drop(dropped)
        amounts = measure(body)
    marked = _marked(body, amounts)
    top = body if marked is None else marked
    selection = select(
        top, amounts, evidence.shape, _title_heading(top, stated), marked=marked is not None
    )
    if marked is None and amounts[body].running >= MIN_ARTICLE:
        selection = _compare_with_others(selection, body, amounts, stated)
    if selection.dropped:
        drop(with_headings(selection.dropped))
        amounts = measure(body)
    if evidence.shape is not Shape.ARTICLE:
        chrome = thread_chrome(selection.el, amounts, evidence, stated)
        notes.dropped(chrome)
        if chrome:
            drop(chrome)
            amounts = measure(body)
    if selection.is_text:
        linked = teasers(selection.el, amounts, evidence)
        notes.dropped(linked)
        if dropped := with_headings([el for el in amounts if el in linked]):
            drop(dropped)
            amounts = measure(body)
    drop(with_headings(link_lists(selection.el, amounts)))
    drop(last_headings(selection.el, measure(selection.el)))
    return selection.el


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
    return _main(body, amounts)


def _main(body: HtmlElement, amounts: dict[HtmlElement, TextAmounts]) -> HtmlElement | None:
    """Return the only ``<main>`` of a page with little running text, or of a list of links."""
    found = body.xpath(".//*[self::main or @role='main']")
    if len(found) != 1 or not amounts[found[0]].text:
        return None
    main, whole = amounts[found[0]], amounts[body]
    # Without much running text the tag is the best evidence. With it, the text may be elsewhere.
    is_little = whole.running < MIN_ARTICLE
    return found[0] if is_little or main.running >= 0.5 * whole.running else None


def _title_heading(top: HtmlElement, stated: str) -> HtmlElement | None:
    """Return the heading with the longest text that is part of *stated*, or None."""
    said = " ".join(stated.split()).casefold()
    found, longest = None, _MIN_TITLE
    for el in islice(top.iter("h1", "h2", "h3"), _MAX_HEADINGS):
        text = " ".join(el.text_content()[:_MAX_TITLE].split()).casefold()
        if len(text) > longest and text in said:
            found, longest = el, len(text)
    return found


def _compare_with_others(
    selection: Selection, body: HtmlElement, amounts: dict[HtmlElement, TextAmounts], stated: str
) -> Selection:
    """Return *selection*, or readability's choice from *body* if it is likely to be better."""
    choice = selection.el
    can_arbitrate = opinions.has_trafilatura()
    expected = set(count_words(stated))
    choice_words = count_words(selection.text())
    choice_share = _share(choice_words, expected)
    if (
        not can_arbitrate
        and choice_share >= 0.5
        and amounts[choice].running >= 0.7 * amounts[body].running
    ):
        return selection
    other = opinions.by_readability(body, amounts)
    if other is None or other is choice or amounts[other].running < MIN_ARTICLE:
        return selection
    other_words = count_words(" ".join(other.itertext()))
    if agreement(choice_words, other_words) >= opinions.MIN_AGREEMENT:
        return selection
    if can_arbitrate and (third := opinions.by_trafilatura(body)):
        nearer = agreement(other_words, third) > agreement(choice_words, third)
        return Selection(other) if nearer else selection
    gain = _share(other_words, expected) - choice_share
    inside = choice in other.iterancestors()
    return Selection(other) if gain > (-0.1 if inside else 0.2) else selection


def _share(found: Iterable[str], expected: set[str]) -> float:
    return len(expected.intersection(found)) / len(expected) if expected else 1.0
