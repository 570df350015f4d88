"""Rendering of Markdown with a GFM renderer."""

from __future__ import annotations

from lxml import html as lxml_html
from markdown_it import MarkdownIt

_GFM = MarkdownIt("gfm-like", {"linkify": False, "html": True})


def render(markdown: str) -> lxml_html.HtmlElement:
    """Return the HTML that *markdown* renders to, as one element."""
    parser = lxml_html.HTMLParser(huge_tree=True, remove_comments=True)
    return lxml_html.document_fromstring(
        f"<html><body>{_GFM.render(markdown)}</body></html>", parser=parser
    ).find("body")
