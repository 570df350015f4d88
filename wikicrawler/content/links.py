"""Resolution of a page's links: absolute, safe in Markdown, without links that lead nowhere."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urljoin, urlsplit

from wikicrawler.content.robots_statements import is_nofollow
from wikicrawler.urls.addresses import DEFAULT_PORTS, normalise_url
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lxml.html import HtmlElement

# Most links need neither joining nor encoding: plain paths from the site's root and plain URLs.
_PLAIN_PATH_PATTERN = r"(?!.*/%2[eE])/(?!/)[{0}]*(?:(?<!/)\.[{0}]*)*".format(
    "A-Za-z0-9_%~,:@/()'!*+=&$-"
)
_PLAIN_REST_PATTERN = r"(?:\?[A-Za-z0-9_%~,:@/.=&+-]+)?(?:#[A-Za-z0-9_%~,:@/.-]+)?"
_PLAIN_PATH = re.compile(_PLAIN_PATH_PATTERN + _PLAIN_REST_PATTERN)
# The last label must not be a number: some clients read 127.1 and 0x7f as IP addresses.
_PLAIN_URL = re.compile(
    rf"https?://(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]+(?:-[a-z0-9]+)*{_PLAIN_PATH_PATTERN}{_PLAIN_REST_PATTERN}"
)
_UNKNOWN = ""  # no URL of a link
_MAX_PLAIN = 250
"""Characters of a URL up to which the patterns above look at it as a whole."""
# Browsers remove these from a URL, or strip them from its ends, before parsing.
_REMOVED_CHARACTERS = re.compile("[\t\n\r]")
_STRIPPED_CHARACTERS = "".join(map(chr, range(0x21)))
_UP_TO_QUERY = re.compile(r"[^?#]*")
_AUTHORITY = re.compile(r"((?:https?:)?//)/*([^/?#]*)", re.IGNORECASE)
_URL_ESCAPES = {"(": "%28", ")": "%29", "|": "%7C", "\\": "%5C", "`": "%60", "<": "%3C", ">": "%3E"}
_BALANCED = re.compile(r"[^()]*+(?:\([^()]*+\)[^()]*+)*+")
_UNSAFE = re.compile(r"[()|\\`<>]|&(?=#?\w+;)")
_EDIT_QUERY = re.compile(r"[?&](?:action=(?:edit|submit)|veaction=|redlink=1)")


class LinkResolver:
    """Resolves the links of the page at *url*; *base* is the ``href`` of its ``<base>``.

    :param wiki: whether it is a MediaWiki page, whose links have MediaWiki's classes
    """

    def __init__(self, url: str, base: str | None = None, *, wiki: bool = False) -> None:
        self.wiki = wiki
        self.own_url = _without_fragment(url)
        """URL of the page itself, without fragment."""
        self._own_page = unquote(self.own_url)
        self._base = url
        if base:
            with suppress(ValueError):
                self._base = urljoin(url, base.strip())
        try:
            parts = urlsplit(self._base)
            self._origin = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
        except ValueError:
            self._origin = ""
        if not re.fullmatch(r"https?://[A-Za-z0-9.:-]+", self._origin):
            self._origin = ""
        self._is_normal_origin = bool(self._origin) and _is_normal(self._origin)
        self._page_urls: dict[str, str] = {}
        self._link_urls: dict[str, str | None] = {}

    def set_own_page(self, url: str) -> None:
        """Take *url* for the page's own: a wiki shows it at the address of a redirect.

        Relative links are still resolved against that address. A *url* of another host is ignored.
        """
        if host_of(url) != host_of(self._base):
            return
        self._own_page = unquote(_without_fragment(url))
        self._page_urls.clear()
        self._link_urls.clear()

    def resolve(self, href: str) -> str | None:
        """Return *href* as an absolute, percent-encoded ``http``, ``https`` or ``mailto`` URL.

        Return None for any other scheme, an invalid URL, or a bare ``#fragment``.
        """
        is_short = len(href) < _MAX_PLAIN
        if href[:1] == "/" and self._origin and is_short and _is_plain_path(href):
            return self._origin + href
        if href[:1] == "#":
            return None
        if is_short and _PLAIN_URL.fullmatch(href):
            return href
        return self._join(href) or None

    def _join(self, href: str) -> str:
        href = _REMOVED_CHARACTERS.sub("", href).strip(_STRIPPED_CHARACTERS)
        if not href or href.startswith(("#", "javascript:")):
            return ""
        try:
            url = _parse_like_browsers(href)
            # To join takes as long as all else, and drops an empty parameter behind a semicolon.
            if ";" in url or not self._origin or not url.startswith(("http://", "https://")):
                url = urljoin(self._base, url)
            scheme = urlsplit(url).scheme
            if scheme in DEFAULT_PORTS:
                return (_normalised if len(url) < _MAX_PLAIN else normalise_url)(url)
            if scheme == "mailto":
                return quote(url, safe="%:/?@!$&'*+,;=~")
        except ValueError:  # invalid port, IPv6 address or host name, or a lone surrogate
            return ""
        return ""

    def absolute(self, href: str) -> str:
        """Return *href* as an absolute ``http`` or ``https`` URL, or an empty string."""
        is_short = len(href) < _MAX_PLAIN
        if href[:1] == "/" and self._is_normal_origin and is_short and _is_plain_path(href):
            return self._origin + href
        if is_short and self._origin and ";" not in href and _PLAIN_URL.fullmatch(href):
            origin = href[: href.index("/", len("https://"))]
            if _is_normal(origin):
                return href
        url = self._join(href)
        return "" if url.startswith("mailto:") else url

    def is_own_page(self, url: str) -> bool:
        """Return True if *url* is the page itself, with or without a fragment."""
        place = _without_fragment(url) if "#" in url else url
        if "%" not in place or not self._own_page.startswith(place.partition("%")[0]):
            return place == self._own_page
        return unquote(place) == self._own_page

    def page_url(self, href: str) -> str:
        """Return the URL, without fragment, of the other page that *href* leads to.

        Return an empty string if it leads to the page itself, to an editor, or to no page.
        """
        found = self._page_urls.get(href)
        if found is None:
            self._page_urls[href] = found = self._find_page_url(href)
        return found

    def link_url(self, href: str) -> str | None:
        """Return the URL for a link in the Markdown, or None.

        None if *href* does not resolve or leads to the page itself.
        """
        found = self._link_urls.get(href, _UNKNOWN)
        if found is _UNKNOWN:
            url = self.resolve(href)
            self._link_urls[href] = found = None if not url or self.is_own_page(url) else url
        return found

    def among(self, urls: Iterable[str], hrefs: Iterable[str]) -> set[str]:
        """Return those of *urls* that :meth:`page_url` returns for one of *hrefs*."""
        wanted = set(urls)
        # A path that needs no encoding is resolved only if it is one of these.
        origin = self._origin
        paths = {url[len(origin) :] for url in wanted if url.startswith(origin)}
        found = set()
        for href in hrefs:
            is_short = href[:1] == "/" and len(href) < _MAX_PLAIN
            if (
                not (is_short and origin and _is_plain_path(href))
                or href.partition("#")[0] in paths
            ):
                found.add(self.page_url(href))
        return found & wanted

    def _find_page_url(self, href: str) -> str:
        if "=" in href and is_edit_link(href):
            return ""
        url = self.link_url(href)
        if not url or url.startswith("mailto:"):
            return ""
        return _without_fragment(url) if "#" in url else url


def _parse_like_browsers(href: str) -> str:
    """Return *href* normalised so that ``urljoin`` finds the same host as browsers.

    Backslashes become slashes, and extra slashes before the host are removed
    (https://url.spec.whatwg.org/#url-parsing).

    :raises ValueError: there is no host between the slashes and the path.
    """
    head = _UP_TO_QUERY.match(href)
    if head is not None and "\\" in head[0] and href[:7].lower() != "mailto:":
        href = head[0].replace("\\", "/") + href[head.end() :]
    authority = _AUTHORITY.match(href)
    if authority is None:
        return href
    if not authority[2]:
        raise ValueError(href)
    return authority[1] + href[authority.start(2) :]


# A page repeats its links, and the pages of a site those of its menus.
@lru_cache(maxsize=4096)
def _is_plain_path(href: str) -> bool:
    return _PLAIN_PATH.fullmatch(href) is not None


# A page resolves a link more than once, and the pages of a site repeat links to others.
_normalised = lru_cache(maxsize=2048)(normalise_url)


@lru_cache(maxsize=256)
def _is_normal(origin: str) -> bool:
    """Return True if normalisation leaves the URLs at *origin* as they are."""
    try:
        return normalise_url(f"{origin}/") == f"{origin}/"
    except ValueError:
        return False


def _without_fragment(url: str) -> str:
    return url.partition("#")[0]


def base_of(root: HtmlElement) -> str | None:
    """The address in the page's ``<base>``; None if it has none."""
    found = (base.get("href") for base in root.iter("base"))
    return next((href for href in found if href is not None), None)


def markdown_url(url: str) -> str:
    """Return *url* as a Markdown link destination; escape characters that could end it.

    Parentheses in pairs that are not nested stay: ``Foo_(bar)``.
    """
    # Eight searches for a character are cheaper than one for a class of characters.
    if not (
        "(" in url
        or ")" in url
        or "&" in url
        or "|" in url
        or "`" in url
        or "<" in url
        or ">" in url
        or "\\" in url
    ):
        return url
    kept = "()" if _BALANCED.fullmatch(url) else ""
    return _UNSAFE.sub(
        lambda found: found[0] if found[0] in kept else _URL_ESCAPES.get(found[0], "&amp;"), url
    )


def is_edit_link(href: str) -> bool:
    """Return True if a wiki's link leads to the editor (red links included)."""
    return "=" in href and _EDIT_QUERY.search(href) is not None


def collect(anchors: Iterable[HtmlElement], resolver: LinkResolver) -> tuple[str, ...]:
    """Return the URLs of the pages that *anchors* link to, in the form of ``Content.links``."""
    found: dict[str, None] = {}
    page_url, wiki = resolver.page_url, resolver.wiki
    for anchor in anchors:
        if (
            (href := anchor.get("href"))
            and (url := page_url(href))
            and url not in found
            and not ((classes := anchor.get("class")) and _leads_to_no_page(anchor, classes, wiki))
        ):
            found[url] = None
    return tuple(found)


def collect_nofollow(anchors: Sequence[HtmlElement], resolver: LinkResolver) -> tuple[str, ...]:
    """Return the URLs of the pages to which all links of *anchors* have ``rel=nofollow``."""
    marked: dict[str, None] = {}
    plain: set[str] = set()
    for anchor in anchors:
        if href := anchor.get("href"):
            rel = anchor.get("rel")
            if rel and is_nofollow(rel):
                marked[href] = None
            else:
                plain.add(href)
    if not marked:
        return ()
    found = dict.fromkeys(filter(None, map(resolver.page_url, marked)))
    if not found:
        return ()
    others = resolver.among(found, plain)
    return tuple(url for url in found if url not in others)


def is_red(anchor: HtmlElement, *, wiki: bool) -> bool:
    """Return True if *anchor* leads to a page that its wiki says does not exist.

    :param wiki: whether it is on a MediaWiki page
    """
    names = anchor.get("class")
    if not names:
        return False
    classes = names.split()
    if "new" in classes and (wiki or is_edit_link(anchor.get("href", ""))):
        return True
    return not _MISSING_CLASSES.isdisjoint(classes)


def is_file_link(anchor: HtmlElement, *, wiki: bool) -> bool:
    """Return True if *anchor* leads from an image to its description page in MediaWiki."""
    classes = anchor.get("class")
    return bool(wiki and classes) and not _FILE_CLASSES.isdisjoint((classes or "").split())


def _leads_to_no_page(anchor: HtmlElement, classes: str, wiki: bool) -> bool:
    if wiki and not _NON_PAGE_CLASSES.isdisjoint(classes.split()):
        return True
    return is_red(anchor, wiki=wiki)


# MediaWiki's classes of self links, and of links from images to their description pages. Elsewhere
# they say nothing of the kind, as little as "new": Trac's links to open tickets have that class.
_FILE_CLASSES = frozenset({"image", "mw-file-description"})
_NON_PAGE_CLASSES = _FILE_CLASSES | {"mw-selflink", "selflink"}
_MISSING_CLASSES = frozenset({"nonexistent", "moin-nonexistent"})
"""Moin's, up to 1.9 and from 2.0 on."""
