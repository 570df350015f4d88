"""Lists of goods, stories or results, and what is around them: ways to sort and to filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.article.repeats import is_cards, is_teasers, items_of
from wikicrawler.content.article.threads import around_items

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts

_MOST = 0.35
"""Share of the text of a page that is a listing from which its items are the page."""
_MIN_ITEMS = 3


def item_list_chrome(
    root: HtmlElement, amounts: Mapping[HtmlElement, TextAmounts]
) -> dict[HtmlElement, str]:
    """Return the blocks beside the items of the listing that *root* is; empty if it is none."""
    enough = _MOST * amounts[root].text
    for el in root.iter("div", "main", "ol", "section", "ul"):
        if el not in amounts or amounts[el].text < enough:
            continue
        items = items_of(el, amounts, _MIN_ITEMS, nested=False)
        if items and (is_cards(el, amounts) or is_teasers(el, amounts)):
            found = around_items(el, items, root, amounts)
            return {el: found[el] for el in amounts if el in found} if found else found
    return {}
