"""Which part of a page is its content."""

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
    """The parser's output of a MediaWiki page: inside ``#mw-content-text`` where there is one, the
    longest where there are several; else the nearest thing that a skin has."""
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


def choose(root: HtmlElement, stated: str = "") -> HtmlElement:
    """The main content of any other page, cleaned of what is around and between it.

    1. What names itself as no part of the text goes: ``aside``, sharing bars, bylines, the captions
       of pictures.
    2. The element that the page marks as its content (``articleBody``, ``<article>``, ``<main>``
       or ``role=main``), else the whole body, is narrowed to the smallest element around its
       densest text that leaves no text of the same kind outside.
    3. Where nothing is marked and the choice leaves much of the page's text outside, or has little
       of the words of *stated*, which are the page's title and description, readability is asked
       too. Where trafilatura is installed, every page without marks is shown to readability, and
       where that disagrees, trafilatura decides.
    4. Lists that only lead elsewhere go.

    A page with little text is kept whole but for 1 and 4.
    """
    body = _body(root)
    _unfold_layout(body)
    amounts = measure(body)
    if dropped := with_headings(asides(body, amounts)):
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
    """Makes blocks of the cells of tables that only place things on the screen."""
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
    """The one element that the page marks as its content, if it holds enough text."""
    enough = max(MIN_ARTICLE, 0.3 * amounts[body].running)
    for condition, is_marked in _CONTENT_MARKS:
        if not body.xpath(f"boolean(.//*[{condition}])"):  # quicker than a walk
            continue
        found = sorted(find_if(body, is_marked), key=lambda el: amounts[el].running)
        # Of several, as in a list of teasers, one must be far larger than the others.
        others = amounts[found[-2]].running if found[1:] else 0
        if amounts[found[-1]].running >= max(enough, 3 * others):
            return found[-1]
    return None


def _narrowed(top: HtmlElement, amounts: dict[HtmlElement, TextAmounts]) -> HtmlElement:
    """The smallest element in *top* around its densest text that leaves no text outside."""
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
    """Whether what *el* holds beside *chosen* is text of the same: a quarter as much that is not
    mostly links; or beside it paragraphs, data, or elements of its own class."""
    outer, inner = amounts[el], amounts[chosen]
    running = outer.running - inner.running
    linked = outer.linked - inner.linked
    if running >= 0.25 * inner.running and linked <= 0.3 * (outer.text - inner.text):
        return True
    if running < MIN_PARAGRAPH or chosen.getparent() is not el:
        return False
    kind = (chosen.tag, chosen.get("class"))
    beside = (child for child in el if child is not chosen and child in amounts)
    return any(
        is_part(child)
        or (child.tag, child.get("class")) == kind
        or next(child.iter("table", "pre", "dl"), None) is not None
        for child in beside
        if amounts[child].running >= MIN_PARAGRAPH
    )


def _compare_with_others(
    choice: HtmlElement, body: HtmlElement, amounts: dict[HtmlElement, TextAmounts], stated: str
) -> HtmlElement:
    """*choice*, or what readability chooses of *body*, if there is reason to prefer it."""
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
