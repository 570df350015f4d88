"""Boxes of links and forms around and in the content of a page, found by their shape."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING

from wikicrawler.content.article.comments import REPLIES
from wikicrawler.content.article.density import HEADING_TAGS
from wikicrawler.content.article.furniture import MIN_ARTICLE, MIN_PARAGRAPH, outermost
from wikicrawler.content.article.repeats import (
    CONTAINERS,
    is_apart,
    is_cards,
    is_replies,
    repeated_bars,
)
from wikicrawler.content.article.shape import Shape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts
    from wikicrawler.content.article.evidence import Evidence

    Amounts = Mapping[HtmlElement, TextAmounts]

_LINK_LIST_TAGS = frozenset({"dl", "div", "header", "ol", "section", "ul"})
_MAX_FORM, _MAX_FORMS, _MAX_LEVELS = 1000, 100, 10
_MAX_HEADING = 400
_MAX_CONTENTS = 1000
"""Links of a list that are looked at."""
_MAX_AROUND_FORM = 400
"""Characters of text around a form, such as what a newsletter promises."""
_MIN_LINKED, _MAX_LINKED, _MIN_SPACES = 20, 300, 3
_FILES = (".pdf", ".doc", ".docx", ".xls", ".xlsx", ".csv", ".zip", ".epub", ".mp3", ".mp4")
MAX_TEASERS = 0.3
"""Share of a text up to which teasers in it are dropped."""
_MAX_JUMP = 60
_SEPARATORS = frozenset("|·•›»¦") | {"||", "::"}
_NOT_ALONE = frozenset({"li", "td", "th", "dd", "dt", "caption", "summary"}) | HEADING_TAGS


def boxes(root: HtmlElement, amounts: Amounts, evidence: Evidence) -> dict[HtmlElement, str]:
    """Return the boxes in *root* that are no content in any kind of page, with what each is.

    The order is that of the document. They are forms with the text around them, bars of links that
    are repeated, links to places of the page that stand alone ("Back to top"), lists of these (a
    table of contents), and separators.
    """
    found: dict[HtmlElement, str] = {}
    whole = amounts[root]
    for form in islice(evidence.forms, _MAX_FORMS):
        if form in amounts and form is not root and _is_small_form(amounts[form], whole):
            found[_around_form(form, root, amounts)] = "form"
    found |= {
        el: "separator"
        for el, amount in amounts.items()
        if 0 < amount.text <= 2
        and el is not root
        and not len(el)
        and (el.text or "").strip() in _SEPARATORS
        and el.tag not in _NOT_ALONE
        and is_apart(el)
    }
    found |= dict.fromkeys(_menu_tables(root, amounts), "table of links")
    found |= dict.fromkeys(_repeated_headings(root, amounts), "repeated heading")
    bars = dict.fromkeys(repeated_bars(root, amounts), "repeated links")
    others = whole.running - sum(amounts[el].running for el in bars)
    if others >= MIN_PARAGRAPH or sum(amounts[el].text for el in bars) < 0.5 * whole.text:
        found |= bars  # else they are all that the page has
    if evidence.shape is Shape.ARTICLE:
        found |= dict.fromkeys(_replies(root, amounts), REPLIES)
    jumps = [a for a in root.iter("a") if (a.get("href") or "").startswith("#")]
    if jumps:
        for link in jumps:
            if (alone := _alone(link, root, amounts)) is not None:
                found[alone] = "link within the page"
        contents = outermost(
            root, _LINK_LIST_TAGS, lambda el: el in amounts and _is_contents(amounts[el])
        )
        if sum(amounts[el].text for el in contents) < 0.5 * whole.text:
            found |= dict.fromkeys(contents, "links within the page")
    return {el: found[el] for el in amounts if el in found} if found else found


def _menu_tables(root: HtmlElement, amounts: Amounts) -> Iterator[HtmlElement]:
    """Yield the tables of a single row or column without headers that are links."""
    for table in root.iter("table"):
        amount = amounts.get(table)
        if amount is None or not amount.text or amount.linked < 0.75 * amount.text:
            continue
        rows = [row for part in table for row in ([part] if part.tag == "tr" else part)]
        is_line = len(rows) == 1 or all(len(row) == 1 for row in rows)
        has_links = sum(1 for _ in islice(table.iter("a"), 3)) == 3
        if is_line and has_links and next(table.iter("th", "caption"), None) is None:
            yield table


def _repeated_headings(root: HtmlElement, amounts: Amounts) -> Iterator[HtmlElement]:
    """Yield the headings that repeat the one before, as cards have them for narrow screens."""
    before = ""
    for el in root.iter(*HEADING_TAGS):
        if el not in amounts or amounts[el].text > _MAX_HEADING:
            continue
        text = " ".join(el.text_content().split())
        if text and text == before:
            yield el
        before = text


def _replies(root: HtmlElement, amounts: Amounts) -> list[HtmlElement]:
    """Return the replies to an article, if enough text is left."""
    found = outermost(root, CONTAINERS, lambda el: el in amounts and is_replies(el, amounts))
    left = amounts[root].running - sum(amounts[el].running for el in found)
    return found if left >= MIN_ARTICLE else []


def _is_small_form(form: TextAmounts, whole: TextAmounts) -> bool:
    return form.text <= _MAX_FORM and form.running <= 0.2 * whole.running + 100


def _around_form(form: HtmlElement, root: HtmlElement, amounts: Amounts) -> HtmlElement:
    """Return the largest element around *form* with little other text."""
    limit = min(amounts[form].text + _MAX_AROUND_FORM, 0.15 * amounts[root].text)
    box = form
    for el in islice(form.iterancestors(), _MAX_LEVELS):
        if el is root or el not in amounts or amounts[el].text > limit or _has_title(el):
            break
        box = el
    return box


def _has_title(el: HtmlElement) -> bool:
    return el.tag in {"main", "article"} or next(el.iter("h1"), None) is not None


def _alone(link: HtmlElement, root: HtmlElement, amounts: Amounts) -> HtmlElement | None:
    """Return the element whose only text is *link*, a link within the page, if it is a block."""
    if link not in amounts or not 0 < amounts[link].text <= _MAX_JUMP:
        return None
    box = link
    for el in link.iterancestors():
        if el is root or el not in amounts:
            break
        if el.tag in _NOT_ALONE:
            return None
        if amounts[el].text != amounts[link].text:
            break
        box = el
    return box if is_apart(box) else None


def _is_contents(amount: TextAmounts) -> bool:
    if not amount.text or amount.linked < 0.8 * amount.text:
        return False
    anchors = islice(amount.el.iter("a"), _MAX_CONTENTS)
    links = [a.get("href") for a in anchors if a.get("href")]
    return len(links) > 1 and all(href.startswith("#") and href != "#" for href in links)


def teasers(root: HtmlElement, amounts: Amounts, evidence: Evidence) -> dict[HtmlElement, str]:
    """Return the teasers of other pages in *root*, which is a text: cards, and in an article also
    paragraphs that are a link. The result is empty if they are much of *root*."""
    cards = outermost(root, CONTAINERS, lambda el: el in amounts and is_cards(el, amounts))
    found = dict.fromkeys(cards, "teasers")
    if evidence.says_article:
        inside = set(chain.from_iterable(el.iter() for el in cards))
        found |= {
            el: "link to read on"
            for el in root.iter("p", "div")
            if el not in inside and el in amounts and _is_linked_line(el, amounts[el])
        }
    found = {el: found[el] for el in amounts if el in found}
    text = sum(amounts[el].text for el in found)
    return found if text <= MAX_TEASERS * amounts[root].text else {}


def _is_linked_line(el: HtmlElement, amount: TextAmounts) -> bool:
    """Return True if *el* is a sentence in a link, alone or behind a label with a colon."""
    if not _MIN_LINKED <= amount.text <= _MAX_LINKED or amount.linked < 0.5 * amount.text:
        return False
    links = list(el.iter("a"))
    if len(links) != 1 or not _is_page(links[0].get("href") or ""):
        return False
    shown = " ".join(links[0].text_content().split())
    if shown.count(" ") < _MIN_SPACES and shown.isascii():
        return False
    whole = " ".join(el.text_content().split())
    label = whole.removesuffix(shown).rstrip()
    return whole.endswith(shown) and (not label or label.endswith((":", "：")))


def _is_page(href: str) -> bool:
    """Return True unless *href* is a place in the page or a file to download."""
    path = href.partition("?")[0].partition("#")[0]
    return bool(path) and not path.lower().endswith(_FILES)


def last_headings(root: HtmlElement, amounts: Amounts) -> dict[HtmlElement, str]:
    """Return the headings at the end of *root* that nothing follows."""
    found = []
    el: HtmlElement | None = root
    while el is not None:
        inner = next((c for c in el.iterchildren(reversed=True) if _has_text(c, amounts)), None)
        while inner is not None and inner.tag in HEADING_TAGS and not (inner.tail or "").strip():
            found.append(inner)
            rest = inner.itersiblings(preceding=True)
            inner = next((c for c in rest if _has_text(c, amounts)), None)
        if found or inner is None or (inner.tail or "").strip():
            break
        el = inner
    # A page of nothing but headings keeps them.
    is_all = sum(amounts[el].text for el in found) >= amounts[root].text
    return {} if is_all else dict.fromkeys(found, "heading without content")


def _has_text(el: HtmlElement, amounts: Amounts) -> bool:
    return bool((el in amounts and amounts[el].text) or (el.tail or "").strip())


def link_lists(root: HtmlElement, amounts: Amounts) -> dict[HtmlElement, str]:
    """Return the outermost elements in *root* that are lists of links to other pages.

    The result is empty if *root* consists mostly of them, or contains tables, definitions or code
    blocks: in a reference work, lists of links are content.
    """
    if next(root.iter("table", "dl", "pre"), None) is not None:
        return {}
    found = outermost(
        root, _LINK_LIST_TAGS, lambda el: el in amounts and _is_link_list(amounts[el])
    )
    linked = sum(amounts[el].text for el in found)
    return dict.fromkeys(found, "list of links") if linked < 0.5 * amounts[root].text else {}


def _is_link_list(amount: TextAmounts) -> bool:
    if amount.text >= 1000 or amount.linked <= 0.8 * amount.text:
        return False
    links = amount.el.iter("a")
    return all(next(links, None) is not None for _ in range(3))
