"""Detection of furniture around and in the content of a page, by tag, class and id."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from wikicrawler.content.article.density import HEADING_TAGS
from wikicrawler.content.article.furniture import MIN_ARTICLE, MIN_PARAGRAPH, outermost
from wikicrawler.content.article.names import CAPTION, COMMENTS, NOTICES, furniture_word
from wikicrawler.content.article.shape import Shape
from wikicrawler.content.clean import find_if
from wikicrawler.content.images.marking import IMAGE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts
    from wikicrawler.content.article.evidence import Evidence

# Tags whose class and id are checked. In other elements, which are parts of texts, tables and code
# blocks, the same words mean other things: `comment` in code, `player` in sport.
_CLASSIFIED_TAGS = frozenset(
    {"aside", "details", "div", "dl", "figcaption", "figure", "form", "header"}
) | {*("ol", "section", "span", "table", "ul")}
_DATA_TAGS = ("table", "pre", "blockquote", "ul", "ol", "dl", "code", "math")


def asides(
    root: HtmlElement,
    amounts: Mapping[HtmlElement, TextAmounts],
    evidence: Evidence,
) -> dict[HtmlElement, str]:
    """Return the outermost elements in *root* that are furniture by tag, class or id, and the
    captions of images, with the word that names each as such.

    Elements with much of the page's text are left out, and those of a word that names half of it:
    on such a page it means something else. Comments are left out if they are the content. The
    result is empty if the elements together have nearly all running text of the page and the page
    does not mark an article.
    """
    whole = amounts[root]

    def is_small(el: HtmlElement, word: str) -> bool:
        amount = amounts[el]
        most, of_text = (0.7, 0.8) if word in NOTICES else (0.3, 0.5)
        limit = max(MIN_PARAGRAPH, most * whole.running)
        return amount.running <= limit and amount.text <= of_text * whole.text

    words: dict[HtmlElement, str] = {}
    ignored: set[str] = set(_BYLINES if evidence.shape is Shape.THREAD else ())

    def is_named(el: HtmlElement) -> bool:
        word = _aside_word(el)
        if not word or word in ignored or not (word in COMMENTS or is_small(el, word)):
            return False
        words[el] = word
        return True

    def running(chosen: Iterable[HtmlElement]) -> int:
        return sum(amounts[el].running for el in chosen)

    found = outermost(root, _CLASSIFIED_TAGS, is_named)
    of_words: Counter[str] = Counter()
    for el in found:
        of_words[words[el]] += amounts[el].running
    too_many = {
        word
        for word, amount in of_words.items()
        if word not in COMMENTS | NOTICES and amount > max(MIN_ARTICLE, 0.5 * whole.running)
    }
    if not COMMENTS.isdisjoint(of_words) and not _are_comments(
        [el for el in found if words[el] in COMMENTS], found, root, amounts, evidence
    ):
        too_many |= COMMENTS
    if too_many:
        ignored |= too_many
        found = outermost(root, _CLASSIFIED_TAGS, is_named)
    outside = whole.running - running(found)
    rest = whole.running - running(el for el in found if words[el] in COMMENTS)
    if outside >= 0.2 * rest or has_article(root, amounts, set(found)):
        return {el: words[el] for el in found}
    return {}


def _are_comments(
    comments: list[HtmlElement],
    found: list[HtmlElement],
    root: HtmlElement,
    amounts: Mapping[HtmlElement, TextAmounts],
    evidence: Evidence,
) -> bool:
    """Return True if *comments* are those of an article, not the posts of a discussion."""
    if evidence.shape is Shape.THREAD:
        return False
    inside = sum(amounts[el].running for el in comments)
    outside = amounts[root].running - sum(amounts[el].running for el in found)
    if inside <= 0.3 * amounts[root].running:
        return True
    if evidence.says_article or has_article(root, amounts, set(found), MIN_PARAGRAPH):
        return outside >= MIN_PARAGRAPH
    return outside >= max(MIN_ARTICLE, 0.5 * inside)


def without_figures(elements: Iterable[HtmlElement]) -> list[HtmlElement]:
    """Return *elements* without the figures that have images, which keep nothing else."""
    others = []
    for el in elements:
        images = list(el.iter(IMAGE)) if el.tag == "figure" else []
        if not images:
            others.append(el)
            continue
        for image in images:
            image.tail = None
        el.clear(keep_tail=True)
        el.extend(images)
    return others


def has_article(
    root: HtmlElement,
    amounts: Mapping[HtmlElement, TextAmounts],
    dropped: set[HtmlElement],
    enough: int = MIN_ARTICLE,
) -> bool:
    """Return True if an element marked as an article has enough text without the *dropped* ones."""
    for article in find_if(root, lambda el: el in dropped or _is_article(el)):
        if article not in dropped:
            inside = dropped.intersection(article.iter())
            if amounts[article].running - sum(amounts[el].running for el in inside) >= enough:
                return True
    return False


def _is_article(el: HtmlElement) -> bool:
    return bool(el.tag == "article" or el.get("itemprop") == "articleBody")


def _aside_word(el: HtmlElement) -> str:
    """Return the word that names *el* as furniture: its tag, or a word of its classes or id."""
    tag = el.tag
    if tag == "aside":
        return "" if _is_note(el) else "aside"
    if tag == "figure":
        return "" if _holds_data(el) else "figure"
    if tag == "figcaption":
        return "" if _is_data_caption(el) else CAPTION
    if tag not in _CLASSIFIED_TAGS:
        return ""
    word = furniture_word(el)
    if word == CAPTION and _is_data_caption(el):
        return ""
    return "" if word and _id_repeats_heading(el, el.get("id")) else word


_BYLINES = frozenset({"byline", "post-meta", "postmeta"})
_NOTE_ROLES = frozenset({"note", "doc-endnote", "doc-endnotes", "doc-example", "doc-footnote"}) | {
    *("doc-notice", "doc-tip")
}
_NOTE_WORDS = re.compile(
    r"(?:^|[\s_-])(?:admonition|callout|caution|danger|footnotes?|hint|important|info|note|notice|"
    r"tip|topic|warning)(?:$|[\s_-])"
)


def _is_note(aside: HtmlElement) -> bool:
    """Return True if *aside* is part of the text: a footnote, an admonition or a quotation."""
    if next(aside.iter("blockquote"), None) is not None:
        return True
    return aside.get("role") in _NOTE_ROLES or bool(
        _NOTE_WORDS.search((aside.get("class") or "")[:200])
    )


def _holds_data(el: HtmlElement) -> bool:
    return next(el.iter(*_DATA_TAGS), None) is not None


def _is_data_caption(caption: HtmlElement) -> bool:
    """Return True if *caption* belongs to a table, code block or list next to it."""
    around = caption.getparent()
    if around is not None and around.tag == "figure":
        return _holds_data(around)
    siblings = (caption.getprevious(), caption.getnext())
    return any(el is not None and _holds_data(el) for el in (caption, *siblings))


def _id_repeats_heading(el: HtmlElement, own_id: str | None) -> bool:
    """Return True if the id of *el* repeats its heading, as for sections in documentation."""
    heading = next(el.iter(*HEADING_TAGS), None) if own_id else None
    if own_id is None or heading is None:
        return False
    title = heading.text_content()[: 2 * len(own_id) + 20]
    return _letters(title) == _letters(own_id)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
