"""The comments below an article, for those who want them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.article.density import HEADING_TAGS
from wikicrawler.content.article.names import COMMENTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

REPLIES = "replies"
COMMENT_REASONS = COMMENTS | {REPLIES}
"""Reasons to drop an element which say that it has comments."""


def taken_out(comments: Iterable[HtmlElement]) -> list[HtmlElement]:
    """Return copies of *comments*, each behind the heading before it.

    The copies are new elements outside the tree, so that they do not count in the choice of the
    article. The old ones are left empty.
    """
    found = []
    for el in comments:
        before = el.getprevious()
        if before is not None and before.tag in HEADING_TAGS and not (before.tail or "").strip():
            found.append(_moved(before))
        found.append(_moved(el))
    return found


def _moved(el: HtmlElement) -> HtmlElement:
    new: HtmlElement = el.makeelement(el.tag, dict(el.attrib))
    new.text, el.text = el.text, None
    new.extend(list(el))
    return new
