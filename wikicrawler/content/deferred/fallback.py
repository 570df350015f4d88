"""Text in ``<noscript>`` and ``<template>``: it is the page if the page shows no other.

Forums whose pages a script builds (Discourse, Flarum) have their threads in ``<noscript>``. Other
pages have notices there ("Please enable JavaScript"), counters and copies of images.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from wikicrawler.content.article.density import measure
from wikicrawler.content.article.furniture import MIN_ARTICLE, MIN_PARAGRAPH, furniture_in
from wikicrawler.content.clean import drop
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from lxml.html import HtmlElement

    from wikicrawler.content.article.density import TextAmounts
    from wikicrawler.content.links import LinkResolver

_NOSCRIPT, _TEMPLATE = "wikicrawler-noscript", "wikicrawler-template"
_HELD = {"noscript": _NOSCRIPT, "template": _TEMPLATE}
_MAX_NOTICE = 1000
"""Characters of the longest notice that asks for scripts."""
_MIN_LINKS = 5
"""Links to pages of one site that make a list of links content."""
_TIMES = 3
"""How many times the running text that the page shows is in hidden text that counts, at least."""
_NOTICE = re.compile("java ?script", re.IGNORECASE)
_BLANKS = re.compile(r"\{[{%]|\$\{|<%|\[\[")
"""What a script fills in."""
_HEADINGS = ("h1", "h2", "h3")
_CONTENT_TAGS = frozenset({"article", "main"})
_CONTENT_ROLES = frozenset({"article", "main"})
_CONTENT_PROPERTIES = frozenset({"articleBody", "text"})


def hold(furniture: list[HtmlElement], classes: str) -> tuple[list[HtmlElement], list[HtmlElement]]:
    """Return the elements of *furniture* whose text may be the page, and those to be dropped.

    *classes* is all ``class`` values of the page. The former get other tags; what is furniture in
    them is to be dropped, too. :func:`release` decides about the rest of them.
    """
    held: list[HtmlElement] = []
    dropped: list[HtmlElement] = []
    for el in furniture:
        # Most are an image, a frame or a style sheet.
        if el.tag in _HELD and len(el.text_content()) >= MIN_PARAGRAPH:
            el.tag = _HELD[el.tag]
            held.append(el)
            dropped += furniture_in(el, classes)
        else:
            dropped.append(el)
    return held, dropped


def release(root: HtmlElement, held: list[HtmlElement], resolver: LinkResolver, title: str) -> None:
    """Make content of those *held* elements that are the page, if it shows nearly no other text.
    Drop the others.

    If the page shows no running text at all, the rest of its body is dropped, too: it is labels,
    and notices that the page is loading.

    :param title: the page's title
    """
    body = root.find("body")
    if body is None:
        body = root
    amounts = measure(body)
    held = [el for el in held if el in amounts]  # others were dropped with furniture around them
    shown = amounts[body].running - sum(amounts[el].running for el in held)
    kept = []
    if shown < MIN_ARTICLE:
        kept = [el for el in held if _is_page(el, amounts[el], shown, resolver, title)]
    for el in kept:
        el.tag = "div"
    others = set(held).difference(kept)
    drop(el for el in held if el in others)
    if kept and not shown and _count_h1(body) == sum(map(_count_h1, kept)):
        for el in kept:
            el.tail = None
        body.text = None
        body[:] = kept


def _is_page(
    el: HtmlElement, amount: TextAmounts, shown: int, resolver: LinkResolver, title: str
) -> bool:
    """Return True if the held element *el* is the page's content where *shown* characters of
    running text are shown."""
    text = el.text_content()
    marked = any(map(_is_marked, el.iterdescendants()))
    if el.tag == _TEMPLATE:
        known = marked or any(
            (name := _text(heading)) and name in title for heading in el.iter(*_HEADINGS)
        )
        enough = amount.running >= MIN_ARTICLE and known and not _BLANKS.search(text)
    elif marked:
        enough = amount.text >= MIN_PARAGRAPH
    else:
        enough = amount.running >= MIN_ARTICLE or (
            amount.text >= MIN_PARAGRAPH and _is_index(el, resolver)
        )
        enough = enough and not (amount.text < _MAX_NOTICE and _NOTICE.search(text))
    return enough and max(amount.running, amount.linked) >= _TIMES * shown


def _is_marked(el: HtmlElement) -> bool:
    return (
        el.tag in _CONTENT_TAGS
        or el.get("role") in _CONTENT_ROLES
        or el.get("itemprop") in _CONTENT_PROPERTIES
    )


def _is_index(el: HtmlElement, resolver: LinkResolver) -> bool:
    """Return True if *el* has a heading and links to several pages of one site.

    Those of a notice lead to the makers of browsers.
    """
    if not any(map(_text, el.iter(*_HEADINGS))):
        return False
    urls = {resolver.page_url(a.get("href") or "") for a in el.iter("a")} - {""}
    hosts = Counter(map(host_of, urls))
    return max(hosts.values(), default=0) >= _MIN_LINKS


def _text(el: HtmlElement) -> str:
    return " ".join(el.text_content().split())


def _count_h1(el: HtmlElement) -> int:
    return sum(1 for _ in el.iter("h1"))
