"""Scrapy's cookies, by domain.

Private names: ``CookiesMiddleware._process_cookies()``, where Scrapy applies its public suffix
list; ``CookieJar._cookies``, as iteration over the jar visits every cookie of the crawl.
Undocumented: ``CookiesMiddleware.jars``. A setting for the class of the jar and another for the
public suffix list, and a method of the jar for the cookies of a domain, would replace this module.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, ClassVar

from scrapy.downloadermiddlewares.cookies import CookiesMiddleware
from scrapy.http.cookies import CookieJar

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from http.cookiejar import Cookie

    from scrapy import Request

_PURPOSE = "The bound on cookies"

require(CookieJar, "_cookies", library="scrapy", purpose=_PURPOSE)
require(
    CookiesMiddleware,
    "_process_cookies",
    *("cookies", "jar", "request"),
    library="scrapy",
    purpose=_PURPOSE,
)


class CookieJarByDomain(CookieJar):
    """Scrapy's jar with access to the cookies of one domain."""

    def domains(self) -> Collection[str]:
        """Return the domains that have cookies, the oldest first."""
        return self._cookies.keys()

    def cookies_of(self, domain: str) -> list[Cookie]:
        """Return the cookies of *domain*, without those of its parent domains."""
        paths = self._cookies.get(domain, {}).values()
        return [cookie for names in paths for cookie in names.values()]


class CookieRulesMiddleware(CookiesMiddleware):
    """Scrapy's CookiesMiddleware with a jar class and rules that a subclass defines."""

    jar_class: ClassVar[type[CookieJar]]

    def __init__(self, debug: bool = False) -> None:
        super().__init__(debug)
        require(self, "jars", library="scrapy", purpose=_PURPOSE)
        self.jars = defaultdict(self.jar_class)

    def store_cookies(self, cookies: Iterable[Cookie], *, jar: CookieJar, request: Request) -> None:
        """Put those *cookies* of *request* or its response that are allowed into *jar*."""
        raise NotImplementedError

    def _process_cookies(
        self, cookies: Iterable[Cookie], *, jar: CookieJar, request: Request
    ) -> None:
        self.store_cookies(cookies, jar=jar, request=request)
