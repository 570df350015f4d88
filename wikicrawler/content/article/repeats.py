"""Repeated parts of a page: posts, replies, teasers, and the bars of links below each of them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import islice
from typing import TYPE_CHECKING

from wikicrawler.content.article.density import HEADING_TAGS, is_inline
from wikicrawler.content.article.furniture import MIN_PARAGRAPH
from wikicrawler.content.article.names import names_person
from wikicrawler.content.images.marking import IMAGE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts

    Amounts = Mapping[HtmlElement, TextAmounts]

MAX_TEASER = 600
"""Characters of a teaser."""
_MIN_TITLE = 12
"""Characters of links in a teaser; the name of an author is shorter."""
_MAX_BAR, _MIN_BARS = 60, 3
_MOST = 0.7
"""Share of the text of an element that its items have if they are all there is."""
_NO_BARS = frozenset({"td", "th", "dt", "dd"}) | HEADING_TAGS
CONTAINERS = frozenset({"aside", "div", "main", "ol", "section", "ul"})
_DIGITS = re.compile(r"[0-9]+")
_MAX_LOOKED_AT = 50
"""Elements of an item that are searched for its author, date or title."""
_MAX_LEVELS = 10
"""Inline elements around a link, and blocks around items, that are looked at."""


def kind_of(el: HtmlElement) -> tuple[str, str]:
    """Return the tag and the first class name of *el* without its digits."""
    names = (el.get("class") or "").split(None, 1)
    return str(el.tag), _DIGITS.sub("", names[0]) if names else ""


def items_of(
    el: HtmlElement, amounts: Amounts, at_least: int = 3, *, nested: bool = True
) -> list[HtmlElement]:
    """Return the repeated children in *el* that have most of its text; empty if there are none.

    *nested*: they may also be in a block in *el* that has most of its text.
    """
    text = amounts[el].text
    inner: HtmlElement | None = el
    for _ in range(_MAX_LEVELS if nested else 1):
        if inner is None or not text:
            break
        kinds = Counter(kind_of(child) for child in inner if child in amounts)
        for kind, count in kinds.most_common(2):
            if count < at_least:
                break
            items = [c for c in inner if c in amounts and kind_of(c) == kind and amounts[c].text]
            if len(items) >= at_least and sum(amounts[i].text for i in items) >= _MOST * text:
                return items
        inner = next((c for c in inner if c in amounts and amounts[c].text >= _MOST * text), None)
    return []


def is_teasers(el: HtmlElement, amounts: Amounts) -> bool:
    """Return True if *el* is a list of at least three teasers: short items, each with a title that
    is a link."""
    amount = amounts[el]
    if amount.linked < 0.15 * amount.text:
        return False
    items = items_of(el, amounts)
    if not items or not all(
        amounts[item].text <= MAX_TEASER and amounts[item].linked >= _MIN_TITLE for item in items
    ):
        return False
    # Replies have links too: to their authors.
    return amount.running <= 3 * amount.linked or not all(map(has_author, items))


def is_cards(el: HtmlElement, amounts: Amounts) -> bool:
    """Return True if *el* is a list of at least two teasers whose headings or images are links."""
    amount = amounts[el]
    if not amount.linked or (el.tag in {"ul", "ol"} and amount.linked < 0.3 * amount.text):
        return False
    items = items_of(el, amounts, 2)
    return bool(items) and all(
        amounts[item].text <= MAX_TEASER and _has_linked_heading(item) for item in items
    )


def _has_linked_heading(item: HtmlElement) -> bool:
    for link in islice(item.iter("a"), _MAX_LOOKED_AT):
        if link.get("href") and next(link.iter(*HEADING_TAGS, IMAGE, "div", "p"), None) is not None:
            return True
        around = link.getparent()
        if around is not None and around.tag in HEADING_TAGS:
            return True
    return False


def is_replies(el: HtmlElement, amounts: Amounts) -> bool:
    """Return True if *el* is a list of at least three texts without headings, each with its author
    or date."""
    if len(el) < 3 or amounts[el].running < 2 * MIN_PARAGRAPH or el.tag not in CONTAINERS:
        return False
    items = items_of(el, amounts, nested=False)
    if sum(amounts[item].running >= MIN_PARAGRAPH for item in items) < 2:
        return False
    return bool(items) and all(
        next(item.iter("h1", "h2", "h3"), None) is None and has_author(item) for item in items
    )


def has_author(item: HtmlElement, *, own: bool = False) -> bool:
    """Return True if the first elements in *item* name an author or a date by tag or class.

    :param own: look at *item* itself, too
    """
    elements = islice(item.iter(), 0 if own else 1, _MAX_LOOKED_AT)
    return any(el.tag == "time" or names_person(el.get("class") or "") for el in elements)


def is_apart(block: HtmlElement) -> bool:
    """Return True if no text precedes or follows *block* directly."""
    before, around = block.getprevious(), block.getparent()
    text = before.tail if before is not None else around.text if around is not None else ""
    return not (text or "").strip() and not (block.tail or "").strip()


def repeated_bars(root: HtmlElement, amounts: Amounts) -> Iterator[HtmlElement]:
    """Yield the blocks in *root* that are only links and say the same as two others at least.

    They are what one can do with each part: share, answer, report, read on.
    """
    links = [a for a in root.iter("a") if a in amounts and 0 < amounts[a].text <= _MAX_BAR]
    texts = [" ".join((a.text_content() if len(a) else a.text or "").split()) for a in links]
    counts = Counter(texts)
    bars: defaultdict[str, list[HtmlElement]] = defaultdict(list)
    for link, text in zip(links, texts, strict=True):
        if counts[text] < _MIN_BARS:
            continue
        block = _block_of(link, root, amounts)
        if block.tag in _NO_BARS:
            continue
        if is_apart(link):
            block = link  # it may be a line of its own
        if _is_bar(block, amounts) and is_apart(block):
            same = bars[" ".join(block.text_content().split())]
            if not same or same[-1] is not block:
                same.append(block)
    for blocks in bars.values():
        if len(blocks) >= _MIN_BARS:
            yield from blocks


def _block_of(link: HtmlElement, root: HtmlElement, amounts: Amounts) -> HtmlElement:
    block = link
    for _ in range(_MAX_LEVELS):
        if not is_inline(block) or block is root or block.getparent() not in amounts:
            break
        block = block.getparent()
    return block


def _is_bar(block: HtmlElement, amounts: Amounts) -> bool:
    amount = amounts.get(block)
    return (
        amount is not None
        and 0 < amount.text <= _MAX_BAR
        and amount.linked >= 0.8 * amount.text
        and block.tag not in _NO_BARS
    )
