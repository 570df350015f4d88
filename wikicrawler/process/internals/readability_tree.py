"""readability with a parsed tree as input.

Private name: ``Document._parse()``. A ``Document`` takes text and parses it; one that takes a tree
would replace this module.
"""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

from readability import Document

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from lxml.html import HtmlElement

require(
    Document,
    "_parse",
    "input",
    library="readability-lxml",
    purpose="The opinion of readability on the content of a page",
)


class TreeDocument(Document):  # type: ignore[misc]
    """A :class:`readability.Document` whose input is a parsed tree, which is copied."""

    def _parse(self, input: HtmlElement) -> HtmlElement:  # noqa: A002 - readability's name
        self.encoding = "utf-8"
        return deepcopy(input)
