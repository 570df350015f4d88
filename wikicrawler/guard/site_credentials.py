"""Credentials on the wire: what a request carries that no :class:`~scrapy.Request` shows.

The download handler adds session cookies, access tokens and passwords to a copy of each request,
just before it is sent, and takes cookies out of the response. So they are in no request that a
scheduler stores, a redirect copies, a cache keeps or a log shows. What a request gets depends on
its own URL alone: on scheme, host and port.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit
from weakref import WeakKeyDictionary

from w3lib.http import basic_auth_header

from wikicrawler.config import Config, secret_reader
from wikicrawler.credentials.logins import origin_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from scrapy.signalmanager import SignalManager

SESSION = "site_session"
"""Meta key of a sent request (int): number of the session that it was sent with; 0 for none."""
LOGIN_STEP = "site_login_step"
"""Meta key of a request (bool): it is part of a log-in."""
PROXY = "proxy"
"""Scrapy's meta key for the proxy of a request."""
SITE_PROXY = "site_proxy"
"""Meta key of a request (str): the domain in ``sources.yml`` whose proxy it has."""


class SiteSession:
    """The session of one wiki in one crawl. It is in memory only.

    :param api: URL of the wiki's ``api.php``
    :param secret: the password or access token
    :param is_token: *secret* is an access token: then no log-in is needed
    """

    def __init__(self, api: str, secret: str, *, is_token: bool) -> None:
        self.api = api
        self.is_token = is_token
        self.number = 0
        """Number of the current session; each log-in begins another."""
        self.is_open = False
        self.is_wired = False
        """Whether a request was sent through :meth:`SiteCredentials.send` yet."""
        self._secret = secret
        self._form = b""
        self.begin()

    def begin(self) -> None:
        """Forget all cookies, before a log-in."""
        # Imported here because Scrapy's cookies import the public suffix list's library, which
        # most crawls do without.
        from wikicrawler.guard.cookies import BoundedJar  # noqa: PLC0415

        self.is_open = False
        self._jar = BoundedJar()

    def open(self) -> None:
        """Use the cookies that the log-in has brought."""
        self.number += 1
        self.is_open = True

    def fill_in(self, form: Mapping[str, str], secret_field: str) -> None:
        """Set the body of the next POST of a log-in: *form*, and the secret in *secret_field*."""
        self._form = urlencode({**form, secret_field: self._secret}).encode()

    def hide(self, text: str) -> str:
        """Return *text*, which a server may have written, without the secret."""
        return text.replace(self._secret, "***")

    def dress(self, request: Request) -> Request:
        """Return the copy of *request* to send."""
        is_step = bool(request.meta.get(LOGIN_STEP))
        wire = request.replace(url=self._asserting(request, is_step=is_step))
        wire.headers.pop("Cookie", None)
        if self.is_token:
            wire.headers["Authorization"] = f"Bearer {self._secret}"
        elif self.is_open or is_step:
            self._jar.add_cookie_header(wire)
        if is_step and request.method == "POST" and request.url == self.api:
            wire = wire.replace(body=self._form)
            wire.headers["Content-Type"] = "application/x-www-form-urlencoded"
            self._form = b""
        return wire

    def _asserting(self, request: Request, *, is_step: bool) -> str:
        """Return the URL of *request*; one of the API with ``assert=user``, so that MediaWiki
        reports a session that has ended."""
        parts = urlsplit(request.url)
        is_api = parts.path == urlsplit(self.api).path and parts.query
        if is_step or not is_api or "assert=" in parts.query:
            return request.url
        return f"{request.url}&assert=user"

    def keep_cookies(self, wire: Request, response: Response, number: int) -> None:
        """Keep the cookies of *response*, which belong to session *number*."""
        if wire.meta.get(LOGIN_STEP) or (self.is_open and number == self.number):
            from wikicrawler.guard.cookies import with_bounded_cookies  # noqa: PLC0415 - as above

            self._jar.extract_cookies(with_bounded_cookies(response), wire)


class SiteCredentials:
    """The credentials of one crawl.

    :raises ConfigError: a secret cannot be read
    """

    def __init__(self, settings: BaseSettings) -> None:
        config, secrets = Config.from_settings(settings), secret_reader(settings)
        self.sessions: dict[str, SiteSession] = {}
        """By scheme, host and port."""
        for wiki in config.wikis.values():
            if wiki.login is not None and (origin := origin_of(wiki.api)) not in self.sessions:
                secret = secrets.read(wiki.login.secret)
                is_token = wiki.login.user is None
                self.sessions[origin] = SiteSession(wiki.api, secret, is_token=is_token)
        self._of_proxies: dict[tuple[str, str], bytes] = {}
        for name, domain in config.domains.items():
            if domain.proxy is not None and domain.proxy.user and domain.proxy.password:
                password = secrets.read(domain.proxy.password)
                authorization = basic_auth_header(domain.proxy.user, password, "utf-8")
                self._of_proxies[name, domain.proxy.url] = authorization

    def session_of(self, url: str) -> SiteSession | None:
        """Return the session for requests to *url*, if it is that of a wiki with a log-in."""
        if not self.sessions or is_robots_txt(url):
            return None
        return self.sessions.get(origin_of(url))

    async def send(
        self, request: Request, send: Callable[[Request], Awaitable[Response]]
    ) -> Response:
        """Send *request* with its credentials by *send*, and return the response without cookies
        of a session."""
        session = self.session_of(request.url)
        meta = request.meta
        proxy = self._of_proxies.get((meta.get(SITE_PROXY, ""), meta.get(PROXY) or ""))
        if session is None and proxy is None:
            return await send(request)
        number = 0
        wire = request.copy()
        if session is not None:
            session.is_wired = True
            number = session.number if session.is_open or session.is_token else 0
            request.meta[SESSION] = number
            wire = session.dress(request)
        if proxy is not None:
            wire.headers["Proxy-Authorization"] = proxy
        try:
            response = await send(wire)
        finally:
            # The time that the server took, for one.
            request.meta.update({k: v for k, v in wire.meta.items() if k not in request.meta})
        if session is not None:
            session.keep_cookies(wire, response, number)
            response.headers.pop("Set-Cookie", None)
        return response.replace(url=request.url) if response.url == wire.url else response


def is_robots_txt(url: str) -> bool:
    """Return True if *url* is that of a host's robots.txt: it is requested without a session."""
    return url.endswith("/robots.txt") and url.count("/") == 3


_all: WeakKeyDictionary[SignalManager, SiteCredentials] = WeakKeyDictionary()


def credentials_of(crawler: Crawler) -> SiteCredentials:
    """Return the credentials of *crawler*, which all its components share.

    :raises ConfigError: a secret cannot be read
    """
    # By its signals: a handler may have a copy of the crawler.
    if crawler.signals not in _all:
        _all[crawler.signals] = SiteCredentials(crawler.settings)
    return _all[crawler.signals]
