"""Machine-readable page metadata: canonical URL, description, dates, licence, author, site name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.dates import iso_date
from wikicrawler.content.edit_uri import edit_uri
from wikicrawler.content.linked_data import first_value, names_in, page_nodes, url_in
from wikicrawler.content.robots_statements import read_meta

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lxml.html import HtmlElement

    from wikicrawler.content.find import Stating
    from wikicrawler.content.links import LinkResolver

_DESCRIPTION = ("description", "og:description", "twitter:description", "dcterms.description")
_SITE = ("og:site_name", "application-name")
_PUBLISHED = (
    *("article:published_time", "og:published_time", "datepublished", "citation_publication_date"),
    *("dcterms.issued", "dc.date.issued", "dcterms.created", "dc.date", "dcterms.date"),
    *("publish-date", "publication_date", "pubdate", "date"),
)
_MODIFIED = (
    *("article:modified_time", "og:updated_time", "datemodified", "dcterms.modified"),
    *("dc.date.modified", "last-modified", "revised"),
)
_AUTHOR = ("author", "dcterms.creator", "dc.creator", "citation_author")
_AS_STATED = {
    "keywords": "keywords",
    "og:title": "og_title",
    "og:description": "og_description",
    "og:image": "og_image",
    "robots": "robots",
}
_MAX_STATED = 2_000  # characters
_LICENSE = ("dcterms.license", "dcterms.rights", "license")
# Ids in MediaWiki's skins.
_FOOTERS = ("footer-info-copyright", "copyright")


def statements(
    root: HtmlElement, stating: Stating, resolver: LinkResolver, source: bytes
) -> dict[str, Any]:
    """Return the metadata that the page states, without the keys that it does not state.

    The keys are ``canonical``, ``description``, ``published``, ``modified``, ``license``,
    ``author``, ``site_name``, ``edit_uri``, ``robots`` and ``meta``. ``<meta>`` takes precedence
    over JSON-LD, JSON-LD over microdata and ``<time>``. *source* is the document in UTF-8:
    searching it for a keyword first avoids searching the tree.
    """
    meta = _meta(stating.metas)
    nodes = page_nodes(stating.scripts)
    page = _Page(root, stating, source, meta, nodes, has_microdata=b"itemprop" in source)
    found = {
        "canonical": _first_valid(resolver.absolute, _link_hrefs(stating.links, "canonical")),
        "description": _first_valid(_collapse_space, _meta_values(meta, _DESCRIPTION)),
        "published": _date(page, _PUBLISHED, "datePublished"),
        "modified": _date(page, _MODIFIED, "dateModified"),
        "license": _first_valid(resolver.absolute, _licenses(page)),
        "author": _author(meta, nodes),
        "site_name": _first_valid(_collapse_space, _meta_values(meta, _SITE)),
        "edit_uri": edit_uri(stating.links, resolver),
        "robots": read_meta(stating.metas),
        "meta": {
            key: _collapse_space(meta[name][:_MAX_STATED])
            for name, key in _AS_STATED.items()
            if name in meta
        },
    }
    return {name: value for name, value in found.items() if value}


class _Page(NamedTuple):
    root: HtmlElement
    stating: Stating
    source: bytes
    meta: dict[str, str]
    nodes: list[dict[str, Any]]
    has_microdata: bool


def _meta(metas: Iterable[HtmlElement]) -> dict[str, str]:
    """Return the content of each ``<meta>`` by lower-case name; of duplicates, the first."""
    found: dict[str, str] = {}
    for el in metas:
        name = el.get("property") or el.get("name") or el.get("itemprop") or ""
        content = el.get("content")
        if name and content:
            found.setdefault(name.strip().lower(), content)
    return found


def _meta_values(meta: dict[str, str], names: Iterable[str]) -> Iterator[str]:
    return (meta[name] for name in names if name in meta)


def _first_valid(read: Callable[[str], str | None], values: Iterable[str]) -> str | None:
    return next(filter(None, map(read, values)), None)


def _collapse_space(text: str) -> str:
    return " ".join(text.split())


def _link_hrefs(links: Iterable[HtmlElement], rel: str) -> Iterator[str]:
    for el in links:
        stated = el.get("rel")
        if stated and rel in stated.lower().split() and (href := el.get("href")):
            yield href


def _date(page: _Page, names: Iterable[str], name: str) -> str | None:
    root, stating, source, meta, nodes, _ = page
    stated = _meta_values(meta, names)
    found = _first_valid(iso_date, stated) or iso_date(first_value(nodes, name))
    if found is None and page.has_microdata and name.encode() in source:
        places = root.xpath("//*[@itemprop=$name]", name=name)
        found = _first_valid(
            iso_date, (el.get("datetime") or el.get("content") or "" for el in places)
        )
    if found is None and stating.times:
        found = _first_valid(iso_date, _times(root, modified=name == "dateModified"))
    return found


def _times(root: HtmlElement, *, modified: bool) -> Iterator[str]:
    """Yield the ``datetime`` of each ``<time>`` in the header of the page's only article."""
    article = next(root.iter("article"), None)
    # Any other article must be inside the first one.
    if article is None or _count_articles(root) != _count_articles(article):
        return
    for el in article.xpath(".//header//time[@datetime]"):
        classes = (el.get("class") or "").lower()
        if ("updated" in classes or "modified" in classes) is modified:
            yield el.get("datetime") or ""


def _count_articles(el: HtmlElement) -> int:
    return sum(1 for _ in el.iter("article"))


def _licenses(page: _Page) -> Iterator[str]:
    """Yield what may be the address of the licence, the best first."""
    root, stating, source, meta, nodes, _ = page
    yield from _link_hrefs(stating.links, "license")
    yield from _link_hrefs(stating.links, "copyright")
    yield from _link_hrefs(stating.anchors, "license")
    if b"copyright" in source:
        footers: dict[str, HtmlElement] = {}
        for el in root.iter("li", "div", "p", "span"):
            if (name := el.get("id")) in _FOOTERS:
                footers.setdefault(name, el)
        found = (footers[name] for name in _FOOTERS if name in footers)
        yield from (a.get("href") or "" for el in found for a in el.iter("a"))
    stated = (*_meta_values(meta, _LICENSE), url_in(first_value(nodes, "license")))
    yield from (text for text in stated if "://" in text)


def _author(meta: dict[str, str], nodes: list[dict[str, Any]]) -> str | None:
    # Skip URLs of profiles.
    stated = (text for text in _meta_values(meta, _AUTHOR) if "://" not in text)
    return (
        _first_valid(_collapse_space, stated)
        or ", ".join(names_in(first_value(nodes, "author")))
        or None
    )
