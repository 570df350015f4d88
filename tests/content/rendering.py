"""Markdown as a GFM renderer shows it."""

from __future__ import annotations

from lxml import html as lxml_html
from markdown_it import MarkdownIt

_GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def render(markdown: str) -> lxml_html.HtmlElement:
    """The HTML that a reader of *markdown* gets, as one element."""
    return lxml_html.fragment_fromstring(_GFM.render(markdown), create_parent="div")


def shown(markdown: str) -> str:
    """The text that a reader of *markdown* sees, white space collapsed."""
    return " ".join(render(markdown).text_content().split())


def page(inner: str) -> str:
    """A parse answer of MediaWiki's API, wrapped as the tier wraps it."""
    return (
        '<!DOCTYPE html><html lang="en"><head><title>T</title></head>'
        f'<body><div class="mw-parser-output">{inner}</div></body></html>'
    )
