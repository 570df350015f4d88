"""The tree of a page with its deferred parts in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.deferred.segments import has_segments, keep_boundaries, place_segments
from wikicrawler.content.deferred.shadow_roots import has_shadow_roots, place_shadow_roots
from wikicrawler.content.parse import parse

if TYPE_CHECKING:
    from lxml.html import HtmlElement


def parse_in_place(source: bytes) -> HtmlElement | None:
    """Like :func:`~wikicrawler.content.parse.parse`, with streamed segments and declarative shadow
    roots where a browser shows them."""
    if b"</template>" not in source:
        return parse(source)
    streamed = has_segments(source)
    root = parse(keep_boundaries(source) if streamed else source)
    if root is not None:
        if streamed:
            place_segments(root)
        if has_shadow_roots(source):
            place_shadow_roots(root)
    return root
