"""Which part of a page is its content."""

from __future__ import annotations

import logging
import re
from copy import deepcopy
from operator import itemgetter
from typing import TYPE_CHECKING

from lxml import etree
from readability import Document
from readability.readability import Unparseable

from wikicrawler.content.clean import NOT_TEXT, drop, drop_if, find_if, is_hidden
from wikicrawler.content.find import by_class, by_id
from wikicrawler.content.tables import is_layout

if TYPE_CHECKING:
    from lxml.html import HtmlElement

# It logs a traceback where it finds no article, which for us is an answer.
logging.getLogger("readability.readability").disabled = True

ENOUGH = 250
"""Characters of running text that make a container worth trusting."""
TRUST = 0.6
"""Share of a marked container's text that readability must keep to be believed."""

_FURNITURE_TAGS = NOT_TEXT | {"nav", "footer", "dialog"}
_FURNITURE_ROLES = frozenset(
    {"alert", "alertdialog", "banner", "contentinfo", "dialog", "menu", "menubar", "navigation"}
    | {"search", "toolbar"}
)
_FURNITURE = re.compile(
    r"(?:^|[\s_-])(?:ad|ads|advert\w*|author-?bio|breadcrumbs?|byline|comments?|cookies?|consent|"
    r"disqus|gdpr|share|sharing|social|newsletter|outbrain|taboola|paywall|promo\w*|related\w*|"
    r"recirc\w*|recommend\w*|sidebar|skip-link|sponsor\w*|subscribe|subscription|tags?|"
    r"toolbar|trending|widget|most-?(?:read|popular)|read-?(?:more|next)|print-?only)(?:$|[\s_-])",
    re.IGNORECASE,
)
_KEEP = re.compile(r"article|body|content|main|entry|post(?!-(?:tags|meta))|story", re.IGNORECASE)
_ID = "data-wikicrawler"
_NUMBERS = re.compile(f'{_ID}="([0-9]+)"')


def wiki_container(root: HtmlElement) -> HtmlElement:
    """The parser's output of a MediaWiki page: inside ``#mw-content-text`` where there is one, the
    longest where there are several; else the nearest thing that a skin has."""
    text = by_id(root, "mw-content-text", "div")
    outputs = list(by_class(text, "mw-parser-output", "div")) if text is not None else []
    outputs = outputs or list(by_class(root, "mw-parser-output", "div"))
    if outputs:
        return max(outputs, key=lambda el: len(el.text_content())) if outputs[1:] else outputs[0]
    for name in ("mw-content-text", "bodyContent", "content"):
        found = root.xpath("//*[@id=$name]", name=name)
        if found:
            return found[0]
    return _body(root)


def drop_furniture(root: HtmlElement) -> None:
    """Takes out of a page what no reader reads: scripts, media, hidden elements, ``nav``."""
    drop_if(_body(root), _is_furniture)


def choose(root: HtmlElement) -> HtmlElement:
    """The main content of any other page, cleaned of what is around and between it.

    1. readability chooses on a copy, and its choice is made again on our tree, with the data
       tables, listings and lists inside it that it would drop.
    2. Where the page marks its content (``articleBody``, ``<article>``, ``<main>`` or
       ``role=main``) and readability left most of that out, as it does with reference pages, the
       marked element is the choice, less its sharing bars, related links and the like.
    3. Where neither finds anything, the whole body.
    """
    body = _body(root)
    marked = _marked(body)
    kept = _readability(body)
    if marked is not None and _share(marked, kept) < TRUST:
        _drop_asides(marked)
        return marked
    if any(_own_text(el) for el in body.iter() if el.get(_ID) in kept):
        _prune(body, kept)
        _drop_asides(body)
    return body


def _body(root: HtmlElement) -> HtmlElement:
    body = root.find("body")
    return root if body is None else body


def _is_furniture(el: HtmlElement) -> bool:
    if el.tag == "button":
        return el.getparent() is None or el.getparent().tag not in _HEADINGS
    if el.tag == "a" and (el.text_content() or "x").strip() in _PERMALINKS:
        return True
    return (
        el.tag in _FURNITURE_TAGS
        or (el.get("role") or "").lower() in _FURNITURE_ROLES
        or el.get("aria-modal") == "true"
        or is_hidden(el)
    )


_PERMALINKS = frozenset("¶#§🔗")
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "summary"})


def _drop_asides(container: HtmlElement) -> None:
    """Takes out what :func:`_is_aside` names, unless the page consists of it."""
    whole = _length(container)
    asides = [el for el in find_if(container, _is_aside) if _length(el) < 0.3 * whole]
    if sum(map(_length, asides)) < 0.5 * whole:
        drop(asides)


def _is_aside(el: HtmlElement) -> bool:
    """Furniture inside an article: by tag, by name, and lists that only lead elsewhere."""
    if el.tag == "aside":
        return True
    names = f"{el.get('class') or ''} {el.get('id') or ''}"
    if el.tag not in {"p", "h1", "a"} and _FURNITURE.search(names) and not _KEEP.search(names):
        return True
    return el.tag in {"ul", "ol", "div", "section"} and _is_link_list(el)


def _is_link_list(el: HtmlElement) -> bool:
    links = el.findall(".//a")
    if len(links) < 3:
        return False
    length = _length(el)
    return length < 1000 and sum(map(_length, links)) > 0.8 * length


def _length(el: HtmlElement) -> int:
    return len(" ".join(el.text_content().split()))


def _running_text(el: HtmlElement) -> int:
    """Characters of *el* outside links, in paragraphs and the like."""
    return sum(
        max(0, _length(p) - sum(map(_length, p.iter("a"))))
        for p in el.iter("p", "pre", "li", "td", "dd")
    )


def _marked(body: HtmlElement) -> HtmlElement | None:
    """The one element that the page marks as its content, if it holds enough text."""
    for condition in ("@itemprop='articleBody'", "self::article", "self::main or @role='main'"):
        found = body.xpath(f".//*[{condition}][not(ancestor::*[{condition}])]")
        sizes = sorted(((_running_text(el), el) for el in found), key=itemgetter(0), reverse=True)
        # Of several, as in a list of teasers, one must be far larger than the others.
        if sizes and sizes[0][0] >= max(ENOUGH, 3 * sizes[1][0] if sizes[1:] else 0):
            return sizes[0][1]
    return None


def _readability(body: HtmlElement) -> set[str]:
    """The numbers, put on each element below *body*, of those that readability keeps."""
    for number, el in enumerate(body.iter()):
        el.set(_ID, str(number))
    try:
        summary = Document(deepcopy(body)).summary(html_partial=True)
    except Unparseable as error:  # whatever went wrong in it
        if isinstance(error.__context__, MemoryError):
            raise MemoryError from error
        return set()
    return set(_NUMBERS.findall(summary))


def _prune(body: HtmlElement, kept: set[str]) -> None:
    """Leaves in *body* what is *kept*, what it stands in, and the data inside it."""
    around: set[HtmlElement] = set()
    for el in body.iter():
        if el.get(_ID) in kept:
            for ancestor in el.iterancestors():
                if ancestor in around:
                    break
                around.add(ancestor)

    def unwanted(el: HtmlElement) -> bool:
        if el.get(_ID) in kept or el in around:
            return False
        parent = el.getparent()
        inside = parent is not None and parent.get(_ID) in kept
        if inside and _is_data(el):
            kept.update(child.get(_ID, "") for child in el.iter())
            return False
        return True

    drop_if(body, unwanted)


def _is_data(el: HtmlElement) -> bool:
    """A table, listing or list of text, alone or in a wrapper, that is no list of links."""
    if el.tag not in {*_DATA, "div", "figure", "section"} or _is_aside(el):
        return False
    data = el if el.tag in _DATA else next(el.iter(*_DATA), None)
    if data is None or (data.tag == "table" and is_layout(data)):
        return False
    length = _length(el)
    if _length(data) < 0.8 * length:
        return False
    return sum(map(_length, el.iter("a"))) < 0.5 * length


_DATA = ("table", "pre", "dl", "ul", "ol")


def _share(container: HtmlElement, kept: set[str]) -> float:
    """The part of the container's text, without its furniture, that is *kept*."""
    whole = part = 0
    walker = etree.iterwalk(container, events=("start",))
    for _, el in walker:
        if el is not container and _is_aside(el):
            walker.skip_subtree()
            continue
        size = _own_text(el)
        whole += size
        part += size if el.get(_ID) in kept else 0
    return part / whole if whole else 0.0


def _own_text(el: HtmlElement) -> int:
    return sum(len(text.strip()) for text in (el.text, *(child.tail for child in el)) if text)
