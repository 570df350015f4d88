"""How many cookies sites may leave behind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.process.internals.cookie_domains import CookieJarByDomain, CookieRulesMiddleware
from wikicrawler.urls.sites import host_of, is_public_suffix

if TYPE_CHECKING:
    from collections.abc import Iterable
    from http.cookiejar import Cookie

    from scrapy import Request
    from scrapy.http.cookies import CookieJar

MAX_COOKIE = 4_096
"""Bytes of a cookie's name and value: what browsers keep (RFC 6265, section 6.1)."""
MAX_OF_A_DOMAIN = 50
"""Cookies, likewise; the oldest go first."""
MAX_SENT = 8_190
"""Bytes of the header ``Cookie``, and of what is kept of a domain: what common servers read."""
MAX_DOMAINS = 10_000
"""Domains whose cookies are kept; the oldest go first."""


class _BoundedJar(CookieJarByDomain):
    def set_cookie_if_ok(self, cookie: Cookie, request: Request) -> None:
        if _size(cookie) > MAX_COOKIE:
            return
        super().set_cookie_if_ok(cookie, request)
        kept = self.cookies_of(cookie.domain)
        size = sum(map(_size, kept))
        for number, oldest in enumerate(kept):
            if size <= MAX_SENT and len(kept) - number <= MAX_OF_A_DOMAIN:
                break
            self.clear(oldest.domain, oldest.path, oldest.name)
            size -= _size(oldest)
        domains = self.domains()
        if len(domains) > MAX_DOMAINS:
            self.clear(next(iter(domains)))

    def add_cookie_header(self, request: Request) -> None:
        super().add_cookie_header(request)
        cookies = request.headers.get("Cookie") or b""
        if len(cookies) > MAX_SENT:  # of the host's domain and of those above it
            request.headers["Cookie"] = cookies[: MAX_SENT + 1].rpartition(b"; ")[0]


class BoundedCookiesMiddleware(CookieRulesMiddleware):
    """Scrapy's CookiesMiddleware that keeps and sends no more than browsers and servers agree on.

    Settings: ``COOKIES_ENABLED``, ``COOKIES_DEBUG``; meta keys ``cookiejar``,
    ``dont_merge_cookies``; all as in Scrapy.
    """

    jar_class = _BoundedJar

    def store_cookies(self, cookies: Iterable[Cookie], *, jar: CookieJar, request: Request) -> None:
        """Apply Scrapy's rules with the public suffixes of :mod:`wikicrawler.urls.sites`.

        Scrapy fetches a list of its own in the event loop's thread, and logs a traceback where it
        cannot.
        """
        host = host_of(request.url)
        if not host:
            return
        for cookie in cookies:
            domain = cookie.domain.removeprefix(".")
            if domain and is_public_suffix(domain):
                if domain != host:
                    continue
                cookie.domain = host
            jar.set_cookie_if_ok(cookie, request)


def _size(cookie: Cookie) -> int:
    return len(cookie.name) + len(cookie.value or "") + len("=; ")
