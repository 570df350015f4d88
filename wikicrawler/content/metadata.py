"""Title and language of a page, and the metadata in a MediaWiki skin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wikicrawler.content import parsoid
from wikicrawler.content.find import by_class, by_id
from wikicrawler.content.linked_data import clean_line
from wikicrawler.content.links import is_edit_link
from wikicrawler.content.rewrite import has_class
from wikicrawler.content.wiki_config import text_of
from wikicrawler.content.wiki_container import wiki_container
from wikicrawler.content.wiki_paths import wiki_paths

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_MAX_STUB = 400
_MAX_CATEGORIES, _MAX_TITLE = 1000, 255
_SITE_SUFFIX = re.compile(r"\s+[-–—|]\s+[^-–—|]+$")


def is_wiki(root: HtmlElement) -> bool:
    """Return True if MediaWiki generated the page, in a skin or as a parse response of its API."""
    body = root.find("body")
    if body is not None and "mediawiki" in (body.get("class") or "").split():
        return True
    if root.xpath(f"boolean(.//*[{has_class('mw-parser-output')}])") or parsoid.is_fragment(root):
        return True
    generators = root.xpath("//meta[translate(@name, 'GENRATO', 'genrato')='generator']/@content")
    return any(str(generator).startswith("MediaWiki") for generator in generators)


def wiki_title(root: HtmlElement) -> str:
    """Return the text of ``#firstHeading``, else ``<title>`` without the site's name.

    In a document of Parsoid, and in a wrapped API response, recognised by the absence of
    ``<meta>``, ``<title>`` contains no site name and is returned as it is.
    """
    heading = by_id(root, "firstHeading", "h1", "h2")
    if heading is not None and (text := _text(heading)):
        return text
    title = _head_title(root)
    if parsoid.is_document(root) or root.find(".//meta") is None:
        return title
    return _SITE_SUFFIX.sub("", title)


def page_title(root: HtmlElement) -> str:
    """Return the first of: ``og:title`` (without the site's name), the only ``<h1>``, ``<title>``,
    the first ``<h1>``; an empty string if the page has none."""
    for text in root.xpath("//meta[@property='og:title' or @name='og:title']/@content"):
        if title := " ".join(str(text).split()):
            return title
    headings = [text for h1 in root.iter("h1") if (text := _text(h1))]
    if len(headings) == 1:
        return headings[0]
    return _head_title(root) or (headings[0] if headings else "")


def _head_title(root: HtmlElement) -> str:
    for title in root.iter("title"):
        parent = title.getparent()
        if parent is None or parent.tag != "svg":
            return _text(title)
    return ""


def _text(el: HtmlElement) -> str:
    return " ".join(el.text_content().split())


def categories(root: HtmlElement, config: dict[str, Any]) -> tuple[str, ...]:
    """Return the category names at the foot of a wiki page, without hidden categories.

    A mobile skin shows none. Then those in *config* are returned, with the hidden ones, which it
    does not distinguish, as little as a document of Parsoid.
    """
    links = by_id(root, "mw-normal-catlinks", "div")
    if links is not None:
        names = [_text(a) for a in links.iterfind(".//li//a")]
    elif parsoid.is_document(root):
        return parsoid.categories(root)
    elif by_id(root, "catlinks", "div") is None:
        stated = config.get("wgCategories")
        names = [
            clean_line(name.replace("_", " "))
            for name in (stated if isinstance(stated, list) else [])[:_MAX_CATEGORIES]
            if isinstance(name, str) and len(name) <= _MAX_TITLE
        ]
    else:  # only hidden ones
        names = []
    return tuple(dict.fromkeys(name for name in names if name))


def language(el: HtmlElement) -> str | None:
    """Return the ``lang`` of *el* or its nearest ancestor that has one; None if it is invalid."""
    for place in (el, *el.iterancestors()):
        stated = (place.get("lang") or place.get("xml:lang") or "").strip()
        if stated:
            return stated if _LANGUAGE.fullmatch(stated) else None
    return None


def wiki_metadata(
    root: HtmlElement,
    anchors: Sequence[HtmlElement],
    resolver: LinkResolver,
    canonical: str,
    config: dict[str, Any],
    *,
    source: bytes,
) -> dict[str, Any]:
    """Return ``revid``, ``namespace``, ``redirected_from``, ``redirect_to`` and the keys of
    :func:`~wikicrawler.content.wiki_paths.wiki_paths`, as far as the skin states them.

    :param anchors: the links of the page
    :param canonical: the canonical URL that the page states, or an empty string
    :param config: :func:`~wikicrawler.content.wiki_config.wiki_config` of the page
    :param source: the page; an element is searched only if its class name is in it
    """
    is_redirected = b"mw-redirectedfrom" in source or "wgRedirectedFrom" in config
    origin = _redirected_from(root, config) if is_redirected else ""
    found = wiki_paths(root, anchors, resolver, canonical, config, redirected=bool(origin))
    if parsoid.is_document(root):
        found |= parsoid.metadata(root)
    revision, namespace = config.get("wgRevisionId"), config.get("wgNamespaceNumber")
    if type(revision) is int and 0 < revision < 10**12:
        found["revid"] = revision
    if type(namespace) is int and abs(namespace) < 10**6:
        found["namespace"] = namespace
    if origin:
        found["redirected_from"] = origin
    if b"redirectText" in source and (target := _redirect_target(root, resolver)):
        found["redirect_to"] = target
    return found


def _redirected_from(root: HtmlElement, config: dict[str, Any]) -> str:
    anchors = (a for el in by_class(root, "mw-redirectedfrom", "span") for a in el.iter("a"))
    for anchor in anchors:
        if title := " ".join((anchor.get("title") or "").split()) or _text(anchor):
            return title
    return clean_line(text_of(config, "wgRedirectedFrom").replace("_", " "))


def _redirect_target(root: HtmlElement, resolver: LinkResolver) -> str:
    """Return where a redirect leads that the wiki shows instead of following it.

    MediaWiki follows one redirect; of a second one it shows the page, which begins with the link.
    """
    link = next(by_class(root, "redirectText", "ul", "span"), None)
    if link is None:
        return ""
    container = wiki_container(root)
    first = next(container.iterchildren("*"), None)
    is_first = first is not None and first in (link, link.getparent())
    # Before MediaWiki 1.23 an image precedes the link, and the skin's own elements both.
    is_alone = link.tag == "span" and len(_text(container)) < _MAX_STUB
    if (is_first and not (container.text or "").strip()) or is_alone:
        anchor = next(link.iter("a"), None)
        href = anchor.get("href") or "" if anchor is not None else ""
        return "" if is_edit_link(href) else resolver.absolute(href)
    return ""
