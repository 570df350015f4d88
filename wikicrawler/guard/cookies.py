"""Limits on the cookies of sites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wikicrawler.process.internals.cookie_domains import CookieJarByDomain, CookieRulesMiddleware
from wikicrawler.urls.sites import host_of, is_public_suffix

if TYPE_CHECKING:
    from collections.abc import Iterable
    from http.cookiejar import Cookie

    from scrapy import Request
    from scrapy.http import Response
    from scrapy.http.cookies import CookieJar

MAX_COOKIE_BYTES = 4_096
"""Maximum size of a cookie's name and value, as in browsers (RFC 6265, section 6.1)."""
MAX_PER_DOMAIN = 50
"""Maximum number of cookies of a domain, as in browsers; the oldest are dropped first."""
MAX_HEADER_BYTES = 8_190
"""Maximum size of the ``Cookie`` header, of a ``Set-Cookie`` header and of all cookies of a
domain: the limit of common servers."""
MAX_SET_COOKIES = 180
"""Maximum number of cookies that a response sets, as browsers have for a domain; the last ones
count."""
MAX_DOMAINS = 10_000
"""Maximum number of domains with cookies; the oldest are dropped first."""


class BoundedJar(CookieJarByDomain):
    """A jar with the limits above."""

    def set_cookie_if_ok(self, cookie: Cookie, request: Request) -> None:
        if _size(cookie) > MAX_COOKIE_BYTES:
            return
        super().set_cookie_if_ok(cookie, request)
        cookies = self.cookies_of(cookie.domain)
        size = sum(map(_size, cookies))
        for dropped, oldest in enumerate(cookies):
            if size <= MAX_HEADER_BYTES and len(cookies) - dropped <= MAX_PER_DOMAIN:
                break
            self.clear(oldest.domain, oldest.path, oldest.name)
            size -= _size(oldest)
        domains = self.domains()
        if len(domains) > MAX_DOMAINS:
            self.clear(next(iter(domains)))

    def add_cookie_header(self, request: Request) -> None:
        super().add_cookie_header(request)
        cookies = request.headers.get("Cookie") or b""
        if len(cookies) > MAX_HEADER_BYTES:  # cookies of parent domains are sent too
            request.headers["Cookie"] = cookies[: MAX_HEADER_BYTES + 1].rpartition(b"; ")[0]


class BoundedCookiesMiddleware(CookieRulesMiddleware):
    """Scrapy's CookiesMiddleware with the limits that browsers and servers apply.

    Settings: ``COOKIES_ENABLED``, ``COOKIES_DEBUG``; meta keys ``cookiejar``,
    ``dont_merge_cookies``; all as in Scrapy.
    """

    jar_class = BoundedJar

    def process_response(self, request: Request, response: Response) -> Response:  # type: ignore[override]
        """Store the cookies of *response*, without overlong ones: they are not parsed."""
        super().process_response(request, with_bounded_cookies(response))
        return response

    def store_cookies(self, cookies: Iterable[Cookie], *, jar: CookieJar, request: Request) -> None:
        """Apply Scrapy's rules with the public suffixes of :mod:`wikicrawler.urls.sites`.

        Scrapy would fetch its own list of suffixes in the event loop's thread, and log a traceback
        if that fails.
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


def with_bounded_cookies(response: Response) -> Response:
    """Return *response* without overlong cookies, and without those beyond the limit."""
    cookies = response.headers.getlist("Set-Cookie")
    kept = [c for c in cookies if len(c) <= MAX_HEADER_BYTES][-MAX_SET_COOKIES:]
    if len(kept) == len(cookies):
        return response
    headers = response.headers.copy()
    headers.setlist("Set-Cookie", kept)
    return response.replace(headers=headers)


def _size(cookie: Cookie) -> int:
    return len(cookie.name) + len(cookie.value or "") + len("=; ")
