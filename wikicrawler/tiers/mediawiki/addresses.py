"""Addresses that a wiki states: absolute, and on its own site."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit, urlunsplit

from wikicrawler.urls.addresses import MAX_URL
from wikicrawler.urls.sites import site_of
from wikicrawler.urls.splitting import split_url


def on_same_site(href: str, url: str) -> str | None:
    """Return *href* as an absolute URL if it is on the site of *url*, else None."""
    address = web_address(href, url)
    return address if address and site_of(address) == site_of(url) else None


def web_address(href: str, base: str) -> str | None:
    """Return *href* as an absolute http(s) URL without fragment and credentials, or None."""
    if len(href) > MAX_URL:
        return None
    try:
        split_url(href)  # before urljoin()
        parts = urlsplit(urljoin(base, href.strip()))
        _ = parts.port  # raises for a port out of range
    except ValueError:
        return None
    if not href.strip() or parts.scheme not in {"http", "https"} or not parts.hostname:
        return None
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2], fragment=""))
