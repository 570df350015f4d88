"""The element of a MediaWiki page that holds its content."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.content.find import by_class, by_id

if TYPE_CHECKING:
    from lxml.html import HtmlElement


def wiki_container(root: HtmlElement) -> HtmlElement:
    """Return the element with the parser output of a MediaWiki page.

    Prefer an output inside ``#mw-content-text``; of several, return the longest. In a document of
    Parsoid it is the body, which may hold outputs of special pages. Without any,
    return the content element of the skin, else the body.
    """
    text = by_id(root, "mw-content-text", "div")
    outputs = list(by_class(text, "mw-parser-output", "div")) if text is not None else []
    outputs = outputs or list(by_class(root, "mw-parser-output", "div", "body"))
    if outputs:
        return max(outputs, key=lambda el: len(el.text_content())) if outputs[1:] else outputs[0]
    for name in ("mw-content-text", "bodyContent", "content"):
        found = root.xpath("//*[@id=$name]", name=name)
        if found:
            return found[0]
    body = root.find("body")
    return root if body is None else body
