"""Hosts and sites of URLs.

A *site* is the unit of politeness: the registered domain by the public suffix list
(``en.wikipedia.org`` and ``de.wikipedia.org`` are one site), or the host itself if it has none (an
IP address, ``localhost``). All ports of a host belong to one site, because they load one machine.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING

from wikicrawler.urls.splitting import split_url

if TYPE_CHECKING:
    from tldextract import TLDExtract

_END_OF_HOST = re.compile(r"[/?#]")
_MAX_HOST = 253
"""Maximum length of a host name in DNS; the public suffix list is not searched for longer ones."""


@lru_cache(maxsize=65536)
def site_of_host(host: str) -> str:
    """Return the site of *host*, a lower-case name or IP address without port."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        if len(host) > _MAX_HOST:
            return host
        return _extract().extract_str(host).top_domain_under_public_suffix or host
    return host


def is_public_suffix(host: str) -> bool:
    """Return whether *host*, in lower case, is a public suffix (``co.uk``): anyone can register a
    name below it."""
    return len(host) <= _MAX_HOST and not _extract().extract_str(host).domain


@cache
def _extract() -> TLDExtract:
    """Return what splits a host by the public suffix list."""
    # Imported here because conversion workers do without, and it imports requests.
    from tldextract import TLDExtract  # noqa: PLC0415

    # The list that ships with tldextract: a crawl does not fetch one, and its results are
    # reproducible. Private domains count (alice.github.io and bob.github.io are two sites), but
    # wiki farms are not in the list: all wikis of fandom.com share one budget, as its operator
    # would want.
    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


# Fast path for nearly all URLs; takes a tenth of the time of urlsplit().
_PLAIN = re.compile(r"https?://([a-z0-9.-]+)(?::[0-9]+)?(?:[/?#]|\Z)")


def host_of(url: str) -> str:
    """Return the lower-case host of *url* without port; empty if it has none or is not a URL."""
    if plain := _PLAIN.match(url):
        return plain[1]
    try:
        return split_url(url).hostname or ""
    except ValueError:
        return ""


def site_of(url: str) -> str:
    """Return the site of *url*, see :func:`site_of_host`."""
    return site_of_host(host_of(url))


def without_login(url: str) -> str:
    """Return the absolute *url* without user and password."""
    if "@" not in url:
        return url
    scheme, mark, rest = url.partition("://")
    end = _END_OF_HOST.search(rest)
    place = rest[: end.start()] if end else rest
    return f"{scheme}{mark}{rest[place.rfind('@') + 1 :]}" if mark else url


def is_public_host(host: str) -> bool:
    """Return whether *host* looks public: not a loopback, private or local name or address."""
    try:
        return ip_address(host.strip("[]")).is_global
    except ValueError:
        local = (".local", ".localhost", ".internal", ".test", ".example", ".invalid", ".lan")
        return "." in host and not host.endswith(local)
