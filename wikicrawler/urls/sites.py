"""Hosts and sites of URLs.

A *site* is what politeness counts by: the registered domain of the public suffix list
(``en.wikipedia.org`` and ``de.wikipedia.org`` are one), or the host itself where it has none (an
IP address, ``localhost``). Ports do not make a site: it is one machine that is spared.
"""

from __future__ import annotations

import re
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlsplit

import tldextract

# The list that ships with tldextract: a crawl never fetches one, and two runs agree.
# Private domains count (alice.github.io and bob.github.io are two sites), but a wiki farm's do not
# appear there: all wikis of fandom.com share one budget, as its operator would want.
_extract = tldextract.TLDExtract(
    suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True
)


_END_OF_HOST = re.compile(r"[/?#]")


@lru_cache(maxsize=65536)
def site_of_host(host: str) -> str:
    """The site of a lower-case *host* name or IP address, without port."""
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return _extract.extract_str(host).top_domain_under_public_suffix or host
    return host


def is_public_suffix(host: str) -> bool:
    """Whether lower-case *host* is one under which anybody may have a site (``co.uk``)."""
    return not _extract.extract_str(host).domain


# Nothing to decode, to fold or to doubt, as nearly all are; a tenth of the time of urlsplit().
_PLAIN = re.compile(r"https?://([a-z0-9.-]+)(?::[0-9]+)?(?:[/?#]|\Z)")


def host_of(url: str) -> str:
    """Lower-case host of *url* without port; empty where it has none or is no URL."""
    if plain := _PLAIN.match(url):
        return plain[1]
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def site_of(url: str) -> str:
    """The site of *url*, as :func:`site_of_host`."""
    return site_of_host(host_of(url))


def without_login(url: str) -> str:
    """The absolute *url* without the user and password that it may hold before its host."""
    if "@" not in url:
        return url
    scheme, mark, rest = url.partition("://")
    end = _END_OF_HOST.search(rest)
    place = rest[: end.start()] if end else rest
    return f"{scheme}{mark}{rest[place.rfind('@') + 1 :]}" if mark else url


def is_public_host(host: str) -> bool:
    """Whether *host* looks like one on the public internet: no loopback, private or local name."""
    try:
        return ip_address(host.strip("[]")).is_global
    except ValueError:
        local = (".local", ".localhost", ".internal", ".test", ".example", ".invalid", ".lan")
        return "." in host and not host.endswith(local)
