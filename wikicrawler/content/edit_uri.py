"""URL of the RSD document (Really Simple Discovery) that a page names.

The RSD document of a MediaWiki names its API.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from lxml import etree

from wikicrawler.content.links import LinkResolver, base_of
from wikicrawler.content.parse import parse, utf8
from wikicrawler.errors import ContentError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

HEAD = 64 * 1024
"""Bytes of a page that :func:`read_edit_uri` parses."""


def edit_uri(links: Iterable[HtmlElement], resolver: LinkResolver) -> str:
    """Return the absolute http(s) URL of the first ``<link rel=EditURI>`` of *links*; empty without
    one."""
    for link in links:
        if "edituri" in (link.get("rel") or "").lower().split():
            return resolver.absolute(link.get("href") or "")
    return ""


def read_edit_uri(document: bytes, url: str, encoding: str | None = None) -> str:
    """Return :func:`edit_uri` of a page at *url* that is not converted, from its first bytes.

    Takes milliseconds, and a tenth of a second at worst: do not call it on the event loop.
    """
    source = utf8(document[:HEAD], encoding)
    if b"edituri" not in source.lower():
        return ""
    with suppress(ContentError, etree.LxmlError):
        root = parse(source)
        if root is not None:
            return edit_uri(root.iter("link"), LinkResolver(url, base_of(root)))
    return ""
