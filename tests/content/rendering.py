"""Rendering of Markdown with a GFM renderer, and wrapping of test pages."""

from __future__ import annotations

from lxml import html as lxml_html
from markdown_it import MarkdownIt

_GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def render(markdown: str) -> lxml_html.HtmlElement:
    """Return the HTML that *markdown* renders to, as one element."""
    return lxml_html.fragment_fromstring(_GFM.render(markdown), create_parent="div")


def rendered_text(markdown: str) -> str:
    """Return the text of the rendered *markdown*, with white space collapsed."""
    return " ".join(render(markdown).text_content().split())


def page(inner: str) -> str:
    """Return *inner* as a parse response of MediaWiki's API, wrapped as the tier wraps it."""
    return (
        '<!DOCTYPE html><html lang="en"><head><title>T</title></head>'
        f'<body><div class="mw-parser-output">{inner}</div></body></html>'
    )
