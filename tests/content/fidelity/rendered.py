"""Markdown as a GFM renderer shows it."""

from __future__ import annotations

from lxml import html as lxml_html
from markdown_it import MarkdownIt

_GFM = MarkdownIt("gfm-like", {"linkify": False, "html": True})


def render(markdown: str) -> lxml_html.HtmlElement:
    """The HTML that a reader of *markdown* gets, as one element."""
    parser = lxml_html.HTMLParser(huge_tree=True, remove_comments=True)
    return lxml_html.document_fromstring(
        f"<html><body>{_GFM.render(markdown)}</body></html>", parser=parser
    ).find("body")
