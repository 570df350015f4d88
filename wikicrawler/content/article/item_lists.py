"""Lists of goods, stories or results, and what is around them: ways to sort and to filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.article.density import is_heading
from wikicrawler.content.article.repeats import is_cards, is_teasers, items_of
from wikicrawler.content.article.threads import around_items

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts

    Amounts = Mapping[HtmlElement, TextAmounts]

_MOST = 0.35
"""Share of the text of a page that is a listing from which its items are the page."""
_MIN_ITEMS = 3
_MAX_LINKED = 0.9


def item_list_chrome(root: HtmlElement, amounts: Amounts) -> dict[HtmlElement, str]:
    """Return the blocks beside the items of the listing that *root* is; empty if it is none."""
    enough = _MOST * amounts[root].text
    for el in root.iter("div", "main", "ol", "section", "ul"):
        if el not in amounts or amounts[el].text < enough:
            continue
        items = items_of(el, amounts, _MIN_ITEMS, nested=False)
        if items and _is_item_list(el, amounts):
            beside = around_items(el, items, root, amounts)
            found = {el: why for el, why in beside.items() if not _is_part(el, amounts)}
            return {el: found[el] for el in amounts if el in found} if found else found
    return {}


def _is_item_list(el: HtmlElement, amounts: Amounts) -> bool:
    # Items that are nothing but a link make a collection of links, which has no tools.
    if amounts[el].linked > _MAX_LINKED * amounts[el].text:
        return False
    return is_cards(el, amounts) or is_teasers(el, amounts)


def _is_part(el: HtmlElement, amounts: Amounts) -> bool:
    """Return True if *el* is a heading or another list of items."""
    return is_heading(el) or is_cards(el, amounts) or is_teasers(el, amounts)
