"""The HTML of a page as its server sent it, without anything that acts or asks for something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from wikicrawler.content.parse import parse, utf8
from wikicrawler.dashboard.preview.documents import document
from wikicrawler.dashboard.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.html import HtmlElement

MAX_CHARACTERS = 1_000_000
_MAX_DEPTH = 100
"""Levels of elements that are written. Deeper ones leave their text."""
_VOID = frozenset({"br", "hr", "wbr"})
_KEPT = _VOID | frozenset(
    {
        *("a", "abbr", "address", "article", "aside", "b", "bdi", "blockquote", "caption", "cite"),
        *("code", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure"),
        *("footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "i", "ins", "kbd", "li", "main"),
        *("mark", "nav", "ol", "p", "pre", "q", "s", "samp", "section", "small", "span", "strong"),
        *("sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr"),
        *("u", "ul", "var"),
    }
)
"""Elements without an effect. They are written without their attributes."""
_LEFT_OUT = frozenset(
    {
        *("applet", "audio", "canvas", "embed", "frame", "frameset", "head", "iframe", "link"),
        *("math", "meta", "noembed", "noframes", "object", "param", "script", "source", "style"),
        *("svg", "template", "textarea", "title", "track", "video", "xmp"),
    }
)
"""Elements that are left out with their contents. Of others only the contents are written."""


def original_document(html: str | bytes, title: str) -> str:
    """Return the text and the structure of *html* as a whole document for a response with
    :data:`~wikicrawler.dashboard.preview.documents.PREVIEW_HEADERS`.

    The document is written anew from the tree of the page: elements without an effect and without
    attributes, and escaped text. So it has no script, style, form, image, frame, link or id, and no
    ``<meta http-equiv=refresh>`` or ``<link rel=preconnect>``, which a policy alone may not stop.
    More than 1,000,000 characters (bytes, if *html* is bytes) are cut.
    """
    notice = "Shown without links, images, styles, forms and scripts."
    if len(html) > MAX_CHARACTERS:
        notice += f" Cut at {MAX_CHARACTERS} of {len(html)}."
    root = parse(utf8(html[:MAX_CHARACTERS]))
    # Each part is a tag without attributes, or escaped.
    body = Markup("".join(_written(root))) if root is not None else Markup("")  # noqa: S704
    return document(body, title=title, notice=notice)


def _written(root: HtmlElement) -> Iterator[str]:
    """Yield *root* and what is below it as tags and escaped text."""
    # An element, or what stands behind one: its end tag, its tail, and the depth before it.
    waiting: list[tuple[HtmlElement | None, str, str | None]] = [(root, "", None)]
    depth = 0
    while waiting:
        element, end, tail = waiting.pop()
        if element is None:
            if end:
                depth -= 1
                yield end
            yield _text(tail)
            continue
        name = element.tag if isinstance(element.tag, str) else ""
        if not name or name in _LEFT_OUT:
            yield _text(element.tail)
            continue
        if name == "img":
            yield _image(element)
        if name in _VOID:
            yield f"<{name}>"
        close = ""
        if name in _KEPT - _VOID and depth < _MAX_DEPTH:
            depth += 1
            close = f"</{name}>"
            yield f"<{name}>"
        yield _text(element.text)
        waiting.append((None, close, element.tail))
        waiting.extend((child, "", None) for child in reversed(element))


def _image(element: HtmlElement) -> str:
    text = (element.get("alt") or "").strip()
    return str(Markup('<span class="preview-image">Image: {}</span>').format(visible(text[:500])))


def _text(text: str | None) -> str:
    return str(visible(text) if text and not text.isprintable() else escape(text or ""))
