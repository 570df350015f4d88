"""Title and language of a page, and the metadata in a MediaWiki skin."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from wikicrawler.content.find import by_class, by_id
from wikicrawler.content.linked_data import clean_line
from wikicrawler.content.rewrite import has_class

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_SITE_SUFFIX = re.compile(r"\s+[-–—|]\s+[^-–—|]+$")
_REVISION = re.compile(r'"wgRevisionId"\s*:\s*([0-9]{1,12})\b')
_NAMESPACE = re.compile(r'"wgNamespaceNumber"\s*:\s*(-?[0-9]{1,6})\b')
_REDIRECTED_FROM = re.compile(r'"wgRedirectedFrom"\s*:\s*("(?:[^"\\]|\\.)*")')


def is_wiki(root: HtmlElement) -> bool:
    """Return True if MediaWiki generated the page, in a skin or as a parse response of its API."""
    body = root.find("body")
    if body is not None and "mediawiki" in (body.get("class") or "").split():
        return True
    if root.xpath(f"boolean(.//*[{has_class('mw-parser-output')}])"):
        return True
    generators = root.xpath("//meta[translate(@name, 'GENRATO', 'genrato')='generator']/@content")
    return any(str(generator).startswith("MediaWiki") for generator in generators)


def wiki_title(root: HtmlElement) -> str:
    """Return the text of ``#firstHeading``, else ``<title>`` without the site's name.

    In a wrapped API response, recognised by the absence of ``<meta>``, ``<title>`` contains no
    site name and is returned as it is.
    """
    heading = by_id(root, "firstHeading", "h1", "h2")
    if heading is not None and (text := _text(heading)):
        return text
    title = _head_title(root)
    return _SITE_SUFFIX.sub("", title) if root.find(".//meta") is not None else title


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


def categories(root: HtmlElement) -> tuple[str, ...]:
    """Return the category names at the foot of a wiki page, without hidden categories."""
    links = by_id(root, "mw-normal-catlinks", "div")
    names = (_text(a) for a in links.iterfind(".//li//a")) if links is not None else ()
    return tuple(dict.fromkeys(name for name in names if name))


def language(el: HtmlElement) -> str | None:
    """Return the ``lang`` of *el* or its nearest ancestor that has one; None if it is invalid."""
    for place in (el, *el.iterancestors()):
        stated = (place.get("lang") or place.get("xml:lang") or "").strip()
        if stated:
            return stated if _LANGUAGE.fullmatch(stated) else None
    return None


def wiki_metadata(root: HtmlElement) -> dict[str, Any]:
    """Return ``revid``, ``namespace`` and ``redirected_from``, as far as the skin states them."""
    found: dict[str, Any] = {}
    script = next((s.text for s in root.iter("script") if "wgRevisionId" in (s.text or "")), "")
    if (revision := _REVISION.search(script)) and int(revision[1]):
        found["revid"] = int(revision[1])
    if namespace := _NAMESPACE.search(script):
        found["namespace"] = int(namespace[1])
    if origin := _redirected_from(root, script):
        found["redirected_from"] = origin
    return found


def _redirected_from(root: HtmlElement, script: str) -> str:
    anchors = (a for el in by_class(root, "mw-redirectedfrom", "span") for a in el.iter("a"))
    for anchor in anchors:
        if title := " ".join((anchor.get("title") or "").split()) or _text(anchor):
            return title
    match = _REDIRECTED_FROM.search(script)
    if match:
        try:
            return clean_line(str(json.loads(match[1])).replace("_", " "))
        except ValueError:
            return ""
    return ""
