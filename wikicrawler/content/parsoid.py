"""What MediaWiki's parser Parsoid writes in another way than its older one.

Its pages come from the REST API, from dumps and from skins. The format is specified at
https://www.mediawiki.org/wiki/Specs/HTML.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from wikicrawler.content.clean import drop
from wikicrawler.content.find import by_class

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.html import HtmlElement

    from wikicrawler.content.links import LinkResolver

_REVISION = re.compile(r"/revision/(\d{1,11})$")
_NAMESPACE = re.compile(r"-?\d{1,5}")
_MAX_CATEGORIES, _MAX_TITLE = 1000, 255
# Thumbnails and frames show their caption; these have it as the title of the image.
_WITHOUT_CAPTION = frozenset({"mw:File", "mw:File/Frameless", "mw:Image", "mw:Image/Frameless"})


def is_document(root: HtmlElement) -> bool:
    """Return True if *root* is a whole document of Parsoid."""
    return "mediawiki.org/rdf" in (root.get("prefix") or "")


def is_fragment(root: HtmlElement) -> bool:
    """Return True if *root* has sections of Parsoid."""
    return any(el.get("data-mw-section-id") is not None for el in root.iter("section"))


def own_page(links: Iterable[HtmlElement], resolver: LinkResolver) -> str:
    """Return the address of the page that a document of Parsoid, with *links*, is a version of."""
    for link in links:
        if link.get("rel") == "dc:isVersionOf":
            return resolver.absolute(link.get("href") or "")
    return ""


def categories(root: HtmlElement) -> tuple[str, ...]:
    """Return the names of the categories; hidden ones are not told apart."""
    names: dict[str, None] = {}
    for link in root.iter("link"):
        if link.get("rel") == "mw:PageProp/Category" and len(names) < _MAX_CATEGORIES:
            path = (link.get("href") or "").partition("#")[0].removeprefix("./")
            name = " ".join(unquote(path).partition(":")[2].replace("_", " ").split())
            if name and len(name) <= _MAX_TITLE:
                names[name] = None
    return tuple(names)


def metadata(root: HtmlElement) -> dict[str, Any]:
    """Return ``revid`` and ``namespace``, as far as a document of Parsoid states them."""
    found: dict[str, Any] = {}
    if revision := _REVISION.search(root.get("about") or ""):
        found["revid"] = int(revision[1])
    for meta in root.iter("meta"):
        if meta.get("property") == "mw:pageNamespace":
            stated = meta.get("content") or ""
            if _NAMESPACE.fullmatch(stated):
                found["namespace"] = int(stated)
            break
    return found


def plain_markup(container: HtmlElement, classes: str) -> None:
    """Number the links that style sheets number, and drop captions that they hide.

    *classes* is all ``class`` values.
    """
    if "autonumber" in classes:
        for number, link in enumerate(by_class(container, "autonumber", "a"), 1):
            if not len(link) and not (link.text or "").strip():
                link.text = f"[{number}]"
    drop([caption for caption in container.iter("figcaption") if _is_hidden(caption)])


def _is_hidden(caption: HtmlElement) -> bool:
    figure = caption.getparent()
    kinds = (figure.get("typeof") or "").split() if figure is not None else ()
    return not _WITHOUT_CAPTION.isdisjoint(kinds)
