"""Completion of a page with facts from its own markup."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from wikicrawler.pages import Link, Page
from wikicrawler.tiers.mediawiki.titles import normalise, page_of, plain_page, url_of
from wikicrawler.urls.sites import host_of
from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wikicrawler.items import Content
    from wikicrawler.tiers.mediawiki.site import WikiSite
    from wikicrawler.tiers.mediawiki.titles import PageRef

_PAGE_NAME = re.compile(rb'"wgPageName":("(?:[^"\\]|\\.){1,2000}")')
_REDIRECT = b'<div class="redirectMsg">'
_STUB = re.compile(rb'class="[^">]{0,200}\bmw-parser-output\b[^>]{0,200}>\s{0,9}' + _REDIRECT)
_HEAD = 64 * 1024
_MAX_REDIRECTS = 10
"""Places with the mark of a redirect that are looked at; a page about redirects may quote it."""


def complete(page: Page, content: Content, site: WikiSite | None) -> Page:
    """Return *page* with facts from *content* in the fields that its tier left empty.

    A wiki page that was fetched as HTML gets the URL and namespaces that the API would have
    returned. The links of a wiki page are those of its text, whichever tier fetched it: the API's
    own list also has links of templates that no reader sees ("view this template").

    :param site: the wiki of the page, if any
    """
    facts = content.metadata
    license_ = _license(facts, site)
    ref = page_of(page.url, site) if site is not None else None
    if page.links is not None:
        return replace(
            page,
            license=license_,
            title=page.title or content.title,
            lang=page.lang or facts.get("lang"),
            links=page.links if site is None else _wiki_links(content.links, page.url, site),
            namespace=_namespace(ref, site),
        )
    is_wiki = bool(facts.get("wiki"))
    url, redirected_from = page.url, page.redirected_from
    if is_wiki and site is not None and ref is not None:
        url = _own_url(page.url, facts, site)
        links = _wiki_links(content.links, url, site)
        redirected_from = page.url if "redirected_from" in facts else redirected_from
    else:  # its links' URLs cannot be interpreted
        own_host = host_of(page.url)
        links = tuple(Link(link) for link in content.links if host_of(link) == own_host)
    return replace(
        page,
        license=license_,
        title=content.title,
        lang=facts.get("lang"),
        revid=facts.get("revid"),
        categories=content.categories,
        namespace=facts.get("namespace", _namespace(ref, site)) if is_wiki else page.namespace,
        url=url,
        redirected_from=redirected_from,
        links=links,
    )


def _license(facts: Mapping[str, Any], site: WikiSite | None) -> str | None:
    """Return the license that the page states, else the wiki's: its URL, or its name."""
    own: str | None = facts.get("license")
    if own or site is None or not facts.get("wiki"):
        return own
    return site.license_url or site.license_text or None


def _namespace(ref: PageRef | None, site: WikiSite | None) -> int | None:
    if ref is None or ref.title is None or site is None:
        return None
    return site.namespace_of(ref.title)[0]


def _own_url(url: str, facts: Mapping[str, Any], site: WikiSite) -> str:
    """Return the URL of the page that *url* shows: for a redirect page, that of its target."""
    name = facts.get("page_name", "")
    if url == site.article_url.replace("$1", name) and plain_page(site).fullmatch(url):
        return url
    stated = normalise(name, site)
    if stated is not None and stated.title and (stated.namespace or 0) >= 0:
        return url_of(stated.title, site)
    canonical = facts.get("canonical")
    if "redirected_from" in facts and canonical and host_of(canonical) == host_of(url):
        url = canonical
    ref = page_of(url, site)
    if ref is None or ref.title is None:
        return url
    return url_of(ref.title, site)


def _wiki_links(urls: Iterable[str], page_url: str, site: WikiSite) -> tuple[Link, ...]:
    """Return the links to other pages of the wiki than *page_url*."""
    links: dict[str, Link] = {}
    for url in urls:
        known = _known_links.get(url)
        if known is None or known[0] is not site:
            known = site, _wiki_link(url, site)
            if len(_known_links) >= _MAX_KNOWN_LINKS:
                _known_links.clear()
            _known_links[url] = known
        link = known[1]
        if link is not None:
            links[link.url] = link
    links.pop(page_url, None)
    return tuple(links.values())


_MAX_KNOWN_LINKS = 2**15
_known_links: dict[str, tuple[WikiSite, Link | None]] = {}
"""Latest results of :func:`_wiki_link` by URL: many pages of a wiki contain the same links, and an
:func:`~functools.lru_cache` would hash the site for each."""


def _wiki_link(url: str, site: WikiSite) -> Link | None:
    """Return a link to the page that *url* names, with the URL that the wiki itself uses.

    None if *url* is not a readable page: ``Special:``, an old revision, an edit form.
    """
    if plain_page(site).fullmatch(url):
        return Link(url, 0)
    ref = page_of(url, site)
    if ref is None or ref.title is None:
        return None
    return Link(url_of(ref.title, site), site.namespace_of(ref.title)[0])


def article_path_of(body: bytes, url: str) -> str | None:
    """Return the wiki's article path (``/wiki/$1``), derived from the page name in its markup.

    None if the markup does not contain it, or *url* does not end with it.
    """
    found = _PAGE_NAME.search(body, 0, _HEAD)
    if found is None:
        return None
    try:
        name, parts = json.loads(found[1]), split_url(url)
    except ValueError:
        return None
    path = unquote(parts.path).replace(" ", "_")
    if not path.endswith("/" + name):
        return None
    return path.removesuffix(name) + "$1"


def is_redirect_stub(body: bytes) -> bool:
    """Return True if an HTML page of a wiki shows a redirect that the wiki does not follow."""
    found = -1
    for _ in range(_MAX_REDIRECTS):
        found = body.find(_REDIRECT, found + 1)  # fast; limits the part that the pattern searches
        if found < 0:
            return False
        if _STUB.search(body, max(0, found - 1000), found + len(_REDIRECT)):
            return True
    return False
