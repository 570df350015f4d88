"""Conversion between titles and URLs of a wiki's pages, by MediaWiki's rules.

The rules are those of ``MediaWikiTitleCodec::splitTitleString``, ``PathRouter`` and
``wfUrlencode``, measured against MediaWiki 1.39. See also
https://www.mediawiki.org/wiki/Manual:Page_title.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import normalize
from urllib.parse import parse_qsl, quote, unquote_to_bytes, urlsplit

from wikicrawler.urls.addresses import MAX_URL
from wikicrawler.urls.splitting import PLAIN_ORIGIN, split_url

if TYPE_CHECKING:
    from wikicrawler.tiers.mediawiki.site import WikiSite


class PageRef(NamedTuple):
    """Reference to a page of a wiki, by title or by number."""

    title: str | None = None
    """Title with the wiki's own namespace name, and spaces: ``Category:Orcs of Durotar``."""
    pageid: int | None = None
    namespace: int | None = None
    """Number of the title's namespace; None if only ``pageid`` is known."""


@lru_cache(maxsize=1024)  # called several times for the same page
def page_of(url: str, site: WikiSite) -> PageRef | None:
    """Return the page that *url* names; None if it is on another host or not a readable page.

    Not readable are special pages, ``Media:``, every action but ``view``, old revisions (``oldid``,
    ``diff``), printable versions, searches, feeds, the wiki's other entry points (``api.php``,
    ``load.php``), and titles that MediaWiki rejects. ``redirect=no`` names the page itself; other
    parameters are ignored.
    """
    if plain_page(site).fullmatch(url):
        name = url[site.article_url.index("$1") :]
        return PageRef(name.replace("_", " "), namespace=0)
    title, query = _named_by(url, site)
    if title is None:
        return None
    number = query.get("curid", "" if title else query.get("pageid", ""))
    if re.fullmatch(r"[0-9]{1,18}", number) and int(number):
        return PageRef(pageid=int(number))
    if not title:
        if number or "search" in query or site.main_page is None:
            return None
        title = site.main_page
    found = normalise(title, site)
    return found if found and found.namespace is not None and found.namespace >= 0 else None


def is_main_page(url: str, site: WikiSite) -> bool:
    """Return True if *url* leads to the main page of the wiki without naming it."""
    if plain_page(site).fullmatch(url):
        return False
    title, query = _named_by(url, site)
    return title == "" and query.keys().isdisjoint({"curid", "pageid", "search"})


def _named_by(url: str, site: WikiSite) -> tuple[str | None, dict[str, str]]:
    """Return the title as written in *url*, and the query.

    The title is empty for the main page, or if only a number is given; None if *url* is on another
    host or another view.
    """
    wiki = _addresses(site.server, site.api, site.article_url, site.script_path, site.script)
    try:
        if len(url) > MAX_URL or _host_of(url) not in wiki.hosts:
            return None, {}
        parts = split_url(url)
        path = unquote_to_bytes(parts.path).decode()
        query = dict(parse_qsl(parts.query, True, max_num_fields=100))
    except ValueError:  # not a URL, not UTF-8, too long
        return None, {}
    if _is_other_view(query):
        return None, {}
    return _title_in(path, query, wiki), query


@lru_cache(maxsize=1024)
def plain_page(site: WikiSite) -> re.Pattern[str]:
    """Return a pattern for URLs of the main namespace that need no normalisation.

    The title begins with a capital or a digit, and contains nothing that is normalised, decoded or
    special (colons, dots, repeated spaces).
    """
    before, _, after = site.article_url.partition("$1")
    is_usual = not site.names.get(0) and (not site.script or "." in site.script)
    if (
        after
        or site.main_page_at_root
        or "?" in before
        or "$1" not in site.article_url
        or not is_usual
    ):
        return _NOTHING
    return re.compile(
        re.escape(before) + r"(?=.{1,250}\Z)[A-Z0-9][A-Za-z0-9,()/-]*(?:_[A-Za-z0-9,()/-]+)*"
    )


_NOTHING = re.compile(r"(?!)")


def url_of(title: str, site: WikiSite) -> str:
    """Return the URL of the page *title*, as the wiki itself writes it.

    *title* must be normalised and legal (:func:`is_legal`).
    """
    if site.main_page_at_root and title == site.main_page:
        return site.server + "/"
    return site.article_url.replace("$1", quote(title.replace(" ", "_"), safe=";@$!*(),/~:"))


def normalise(title: str, site: WikiSite) -> PageRef | None:
    """Return *title* as the wiki writes it; None if the wiki cannot have such a page.

    A first letter is not changed if its capital is several letters or depends on the version of PHP
    (``ß``, Georgian): the wiki capitalises it itself.
    """
    if len(title) > _MAX_TITLE:
        return None
    title = re.sub("[\u200e\u200f\u202a-\u202e]+", "", normalize("NFC", title))
    title = re.sub(_SPACES, " ", title).strip(" ")
    namespace, rest = site.namespace_of(title)
    if not rest or rest.startswith(":") or not is_legal(rest):
        return None
    if namespace == 1 and site.namespace_of(rest)[0]:  # Talk:File:X
        return None
    first = rest if namespace in site.case_sensitive else _capitalised(rest, site.lang)
    if max(len(rest.encode()), len(first.encode())) > 255:
        return None
    name = site.names.get(namespace, "")
    return PageRef(f"{name}:{first}" if name else first, namespace=namespace)


def is_legal(title: str) -> bool:
    """Return True if MediaWiki allows *title*, or the part of it after the namespace."""
    return len(title) <= _MAX_TITLE and not _ILLEGAL.search(title) and "~~~" not in title


_MAX_TITLE = 2_000
"""Characters of a title before it is normalised. MediaWiki allows 255 bytes in composed form, and
the time to compose grows with the square of the number of combining characters in a row."""

# The characters that MediaWiki treats as a space in a title.
_SPACES = "[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+"

_ILLEGAL = re.compile(
    "[\\x00-\\x1f\\x7f#<>\\[\\]{|}\ufffd\ufffe\uffff\ud800-\udfff]"
    "|%[0-9A-Fa-f]{2}"  # would be decoded twice
    "|&[A-Za-z0-9\u0080-\U0010ffff]+;"
    r"|(?:^|/)\.\.?(?:/|$)"  # browsers resolve these
)


def _capitalised(title: str, lang: str) -> str:
    first = title[0]
    if first == "i" and lang in {"tr", "az", "kaa"}:
        return "İ" + title[1:]
    capital = first.upper()
    if len(capital) != 1 or "\u10d0" <= first <= "\u10ff":
        return title
    return normalize("NFC", capital + title[1:])


class _Addresses(NamedTuple):
    """The addresses of a wiki's pages, parsed."""

    hosts: frozenset[str]
    prefix: str
    suffix: str
    parameter: str
    """Query parameter that contains the title, if the article path has one; else empty."""
    roots: frozenset[str]
    """Paths of the main page, unless a parameter names another page."""
    script: str
    entry_points: tuple[str, ...]


@lru_cache(maxsize=1024)
def _addresses(
    server: str, api: str, article_url: str, script_path: str, script: str
) -> _Addresses:
    hosts = {wiki_host(url) for url in (server, api, article_url)}
    parts = urlsplit(article_url.replace("$1", "\0"))
    path = unquote_to_bytes(parts.path).decode("utf-8", "replace")
    prefix, _, suffix = path.partition("\0")
    roots = {script_path, script_path + "/"}
    if not parts.query:
        roots |= {prefix, prefix.removesuffix("/")}
    # A wiki whose paths all begin with /de does not own /.
    first = script_path.split("/")[1:2]
    if not first or first != prefix.split("/")[1:2]:
        roots |= {"", "/"}
    return _Addresses(
        hosts=frozenset(host for host in hosts if host),
        prefix=prefix,
        suffix=suffix,
        parameter=next((k for k, v in parse_qsl(parts.query) if v == "\0"), ""),
        roots=frozenset(roots),
        script=script or script_path + "/index.php",
        entry_points=tuple(f"{script_path}/{name}.php/" for name in _ENTRY_POINTS),
    )


# https://www.mediawiki.org/wiki/Manual:Code#Entry_points, besides index.php
_ENTRY_POINTS = ("api", "load", "rest", "thumb", "thumb_handler", "img_auth", "opensearch_desc")


def _title_in(path: str, query: dict[str, str], wiki: _Addresses) -> str | None:
    """Return the title as written in the URL; empty for the main page, or if only a number is
    given."""
    if path == wiki.script:
        return query.get("title", "")
    if path.startswith(wiki.script + "/"):
        return path[len(wiki.script) + 1 :]
    if (path + "/").startswith(wiki.entry_points):
        return None
    if wiki.parameter:
        if path == wiki.prefix and wiki.parameter in query:
            return query[wiki.parameter]
    elif (
        len(path) > len(wiki.prefix) + len(wiki.suffix)
        and path.startswith(wiki.prefix)
        and path.endswith(wiki.suffix)
    ):
        return path[len(wiki.prefix) : len(path) - len(wiki.suffix)]
    return query.get("title", "") if path in wiki.roots else None


def _is_other_view(query: dict[str, str]) -> bool:
    """Return True if the parameters select another view than the current page."""
    return (
        query.get("action", "view") != "view"
        or any(query.get(name, "0") not in {"", "0"} for name in ("oldid", "diff"))
        or any(name in query for name in ("printable", "veaction", "feed"))
    )


def wiki_host(url: str) -> str | None:
    """Return host and port of *url*, the same for all hosts of a wiki's pages (``m.``, ``www.``);
    None if it is no URL."""
    try:
        return _host_of(url)
    except ValueError:
        return None


def _host_of(url: str) -> str | None:
    """Return what :func:`wiki_host` does.

    :raises ValueError: *url* is no URL
    """
    if plain := PLAIN_ORIGIN.match(url):
        return _host_of_origin(plain[0])
    parts = split_url(url)
    return _host(parts.scheme, parts.hostname, parts.port)


@lru_cache(maxsize=4096)
def _host_of_origin(origin: str) -> str | None:
    parts = split_url(origin)
    return _host(parts.scheme, parts.hostname, parts.port)


def _host(scheme: str, name: str | None, port: int | None) -> str | None:
    """Return host and port without mobile and ``www`` labels, which lead to the same pages."""
    default = {"http": 80, "https": 443}.get(scheme)
    if name is None or default is None:
        return None
    labels = name.rstrip(".").split(".")
    kept = [label for label in labels[:-2] if label not in {"m", "mobile", "www"}] + labels[-2:]
    return ".".join(kept) + ("" if port in {None, default} else f":{port}")
