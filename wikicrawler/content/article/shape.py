"""What kind of page a page says it is, by its structured data."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_SCRIPT = 2**18
"""Characters of a JSON-LD script that are searched for types."""
_TYPE = re.compile(
    r'"@type"\s{0,20}:\s{0,20}(?:\[\s{0,20})?"(?:https?://schema\.org/)?([A-Za-z]{3,40})"'
)
_THREADS = frozenset({"QAPage", "DiscussionForumPosting", "Question", "SocialMediaPosting"})
_PRODUCTS = frozenset({"Product", "ProductGroup", "IndividualProduct"})
_LISTINGS = frozenset({"ItemList", "CollectionPage", "SearchResultsPage", "ProductCollection"})
_ARTICLES = frozenset({"BlogPosting", "Recipe", "Report"})


class Shape(StrEnum):
    """The kinds of pages whose content is chosen in different ways."""

    ARTICLE = "article"
    """One text; replies to it are comments."""
    THREAD = "thread"
    """A discussion, or a question with its answers."""
    PRODUCT = "product"
    LISTING = "listing"
    UNKNOWN = "unknown"
    """The page states none of them, or several."""


def stated_shape(root: HtmlElement, og_types: set[str | None]) -> Shape:
    """Return the shape that the types in JSON-LD and microdata of a page state, and *og_types*, the
    values of ``og:type``.

    Of ``og:type`` only a product counts: many engines state ``article`` for every page. The
    questions of a ``FAQPage`` do not make it a thread. Call this before scripts are dropped.
    """
    types = set(_types(root))
    if "FAQPage" in types:
        types.discard("Question")
    if types & _THREADS:
        return Shape.THREAD
    if types & _LISTINGS:
        return Shape.LISTING
    if types & _PRODUCTS or any((kind or "").startswith("product") for kind in og_types):
        return Shape.PRODUCT
    if types & _ARTICLES or any(name.endswith("Article") for name in types):
        return Shape.ARTICLE
    return Shape.UNKNOWN


def _types(root: HtmlElement) -> Iterator[str]:
    for script in root.iter("script"):
        if "ld+json" in (script.get("type") or "").lower() and script.text:
            yield from _TYPE.findall(script.text[:MAX_SCRIPT])
    for value in _ITEM_TYPES(root):  # type: ignore[union-attr]
        yield from (kind.rstrip("/").rpartition("/")[2] for kind in str(value)[:500].split())


_ITEM_TYPES = etree.XPath("//@itemtype", smart_strings=False)
