"""The least that a page can cost: lxml's parse of the same bytes, and a serialisation of it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree, html

if TYPE_CHECKING:
    from bench.crawls.corpus import Page


class Floor(NamedTuple):
    """CPU seconds a page."""

    parse: float
    parse_and_serialise: float


def measure(pages: list[Page]) -> Floor:
    """One pass over *pages*, in this process."""
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True)
    begin = time.process_time()
    for page in pages:
        html.document_fromstring(page.html, parser=parser)
    between = time.process_time()
    for page in pages:
        etree.tostring(html.document_fromstring(page.html, parser=parser), encoding="unicode")
    return Floor((between - begin) / len(pages), (time.process_time() - between) / len(pages))
