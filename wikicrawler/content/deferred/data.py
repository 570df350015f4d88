"""The text of a page in its data scripts, where the page shows nearly none without a browser."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from wikicrawler.content import rewrite
from wikicrawler.content.article.density import measure
from wikicrawler.content.article.furniture import MIN_ARTICLE, MIN_PARAGRAPH, furniture_in
from wikicrawler.content.clean import drop
from wikicrawler.content.deferred.elements import as_elements
from wikicrawler.content.deferred.flight import read_rows
from wikicrawler.content.deferred.linked_text import linked_text
from wikicrawler.content.deferred.prose import plain
from wikicrawler.content.deferred.state import state_text
from wikicrawler.content.find import all_classes
from wikicrawler.content.images.marking import mark_images
from wikicrawler.content.linked_data import all_nodes
from wikicrawler.content.parse import parse, utf8
from wikicrawler.errors import ContentError

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver

MAX_CHARS = 4 * 2**20
"""Characters of an application's scripts that are read."""
_READ_AGAIN = 4
"""How many times the characters of the data are read, at most. Data may refer to a text again and
again, without becoming longer."""
_COMPARED = 100
"""Characters at the end of a text by which it is found in another."""
_TIMES = 3
"""How many times the running text that the page shows is in data that counts, at least."""


def data_scripts(root: HtmlElement, furniture: list[HtmlElement]) -> list[HtmlElement]:
    """Return the scripts of a page: those in its head, and those in the *furniture* of its body."""
    head = root.find("head")
    found = [] if head is None else list(head.iter("script"))
    return found + [el for el in furniture if el.tag == "script"]


def fill(
    root: HtmlElement,
    scripts: list[HtmlElement],
    resolver: LinkResolver,
    stated: tuple[str, str],
    *,
    with_urls: bool,
) -> bool:
    """Put the text in the data of *scripts* in the place of the page's body, if it shows nearly no
    running text. Return True if that was done.

    :param scripts: may have been dropped from the page
    :param stated: the page's title and description
    :param with_urls: as for :func:`~wikicrawler.content.images.marking.mark_images`
    """
    body = root.find("body")
    if body is None or _shows_text(body):
        return False
    shown = measure(body)[body].running
    html = linked_text(all_nodes(scripts), stated[0]) if shown < MIN_ARTICLE else ""
    if not html and shown < MIN_PARAGRAPH:
        html = _application_text(scripts, resolver.own_url, stated)
    found = _parsed(html, resolver, with_urls=with_urls) if html else None
    if found is None or measure(found)[found].running < max(MIN_ARTICLE, _TIMES * shown):
        return False
    found.tag = "article"
    body.text = None
    body[:] = [found]
    return True


def _application_text(scripts: list[HtmlElement], url: str, stated: tuple[str, str]) -> str:
    """Return the text in the data of an application as HTML: what a component gets, and what is
    around it."""
    sizes = accumulate(len(script.text or "") for script in scripts)
    read = [
        (script, size) for script, size in zip(scripts, sizes, strict=True) if size <= MAX_CHARS
    ]
    scripts = [script for script, _ in read]
    limit = _READ_AGAIN * max((size for _, size in read), default=0)
    rows = read_rows(script.text or "" for script in scripts)
    text = state_text(scripts, rows, url, stated, limit)
    elements = as_elements(rows, limit)
    if text and elements and plain(text)[-_COMPARED:] in plain(elements):
        return elements
    return text + elements


def _shows_text(body: HtmlElement) -> bool:
    """Return True if a quick look shows that *body* has paragraphs."""
    found = 0
    for text in body.itertext():
        if len(text) >= MIN_PARAGRAPH and len(text := text.strip()) >= MIN_PARAGRAPH:
            found += len(text)
            if found >= MIN_ARTICLE:
                return True
    return False


def _parsed(html: str, resolver: LinkResolver, *, with_urls: bool) -> HtmlElement | None:
    """Return the body of *html*, without furniture; None if it has none or cannot be parsed."""
    try:
        root = parse(utf8(f"<body>{html}</body>"))
    except ContentError:
        return None
    body = root.find("body") if root is not None else None
    if root is not None and body is not None:
        classes = all_classes(body)
        rewrite.math(body, classes)
        mark_images(body, resolver, with_urls=with_urls)
        drop(furniture_in(root, classes))
    return body
