"""Downloader middleware that logs in to private wikis."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from scrapy.exceptions import NotConfigured
from scrapy.http.request import NO_CALLBACK, Request

from wikicrawler.config import Config
from wikicrawler.credentials.logins import origin_of
from wikicrawler.guard.site_credentials import (
    LOGIN_STEP,
    SESSION,
    credentials_of,
    is_robots_txt,
)
from wikicrawler.guard.site_proxies import PROXY_OF
from wikicrawler.operations import LOGIN, OPERATION_KEY
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.logins.errors import SiteLoginError, mark_denied
from wikicrawler.tiers.logins.site_login import Kind, SiteLogin
from wikicrawler.tiers.mediawiki.login import denial_of, shows_member
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.urls.sites import host_of, is_public_host

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.config import WikiConfig
    from wikicrawler.pages import Failure

logger = logging.getLogger(__name__)

_REPEATED = "site_login_repeated"
_OF_REDIRECTS = ("redirect_times", "redirect_ttl", "redirect_urls", "redirect_reasons")
_PRIORITY = 1_000


class SiteLoginMiddleware:
    """Downloader middleware that logs in to the wikis with ``login`` in ``config/sources.yml``.

    The first request to a wiki waits for the log-in, and so do all that come meanwhile. The
    download handler adds the session (:mod:`wikicrawler.guard.site_credentials`). A response that
    shows that nobody is logged in has the log-in renewed, once for all requests, and the request
    repeated. Where that does not help, the response is passed on with a flag, for which the tiers
    fail with the reason ``login``; a request that cannot be sent with a session fails with a
    :class:`~wikicrawler.tiers.logins.errors.SiteLoginError`.

    Place it after the tiers (545) and before redirects and compression (580 to 600), so that it
    gets the responses before the retries (550) and the tiers.

    Stats: ``site_login/success_count``, ``site_login/ended_count``,
    ``site_login/failed_count/{reason}``.
    """

    def __init__(
        self, crawler: Crawler, config: Config, wikis: dict[str, tuple[str, WikiConfig]]
    ) -> None:
        """
        :param wikis: the domain of each wiki's pages and its configuration, by the API's origin
        """
        self._crawler = crawler
        self._config = config
        self._registry = TierRegistry.from_settings(crawler.settings)
        sessions = credentials_of(crawler).sessions
        self._logins = {
            origin: SiteLogin(
                wiki, sessions[origin], partial(self._send, wiki, domain), crawler.stats
            )
            for origin, (domain, wiki) in wikis.items()
        }

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        config = Config.from_settings(crawler.settings)
        wikis: dict[str, tuple[str, WikiConfig]] = {}
        for domain, wiki in config.wikis.items():
            if wiki.login is not None:
                wikis.setdefault(origin_of(wiki.api), (domain, wiki))
        if not wikis:
            raise NotConfigured
        made = cls(crawler, config, wikis)
        for _, wiki in wikis.values():
            logger.info("Log-in to %s: %s", wiki.api, wiki.login)
            if wiki.api.startswith("http:") and is_public_host(host_of(wiki.api)):
                logger.warning(
                    "The log-in to %s is not encrypted: anyone on the network path can read it "
                    "(write https:// in sources.yml)",
                    wiki.api,
                )
        return made

    async def process_request(self, request: Request) -> None:
        """
        :raises SiteLoginError: nobody is logged in
        """
        if (login := self._login_of(request)) is not None:
            await login.ready()

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        login = self._login_of(request)
        if login is None or SESSION not in request.meta:  # from a cache
            return response
        is_api = urlsplit(request.url).path == urlsplit(login.session.api).path
        kind = Kind.API if is_api else Kind.HTML
        number = request.meta[SESSION]
        denial = denial_of(response)
        if not denial:
            if (is_api and response.status == 200) or shows_member(response):
                login.confirm(kind, number)
            request.meta.pop(_REPEATED, None)
            return response
        repeated = bool(request.meta.get(_REPEATED))
        why = f"{denial}: the session is not valid for {kind.value}"
        try:
            if login.has_ended(kind, number, denial, repeated=repeated):
                await login.ready()
                return self._repeat(request)
        except SiteLoginError as error:
            why = str(error)
        mark_denied(response, why)
        return response

    def _repeat(self, request: Request) -> Request:
        """Return *request* to send again: for the page that was asked for, where the wiki has
        redirected that to its log-in page."""
        first = request.meta.get("redirect_urls", [request.url])[0]
        url = first if origin_of(first) == origin_of(request.url) else request.url
        again = request.replace(url=url, dont_filter=True)
        for key in (SESSION, *_OF_REDIRECTS):
            again.meta.pop(key, None)
        again.meta[_REPEATED] = True
        return again

    def _login_of(self, request: Request) -> SiteLogin | None:
        """Return the log-in that *request* needs, if any."""
        if request.meta.get(LOGIN_STEP) or is_robots_txt(request.url):
            return None
        login = self._logins.get(origin_of(request.url))
        if login is None or self._registry.sends_elsewhere(request.meta):
            return None
        return login

    async def _send(
        self, wiki: WikiConfig, domain: str, url: str, is_post: bool
    ) -> Response | Failure:
        """Send a request of a log-in to *wiki*, charged to the site of its pages in *domain*."""
        pages = f"{urlsplit(wiki.api).scheme}://{domain}/"
        meta: dict[str, Any] = {
            LOGIN_STEP: True,
            OPERATION_KEY: LOGIN,
            "tiers": False,
            "dont_cache": True,
            "dont_redirect": True,
            "give_up_log_level": "DEBUG",
            "throttle_slot": self._config.budget_of(pages),
            PROXY_OF: pages,
        }
        if is_post:
            meta["dont_retry"] = True  # too many wrong passwords lock a user out
        if wiki.api_robots == "exempt":
            meta["robots_exempt"] = "api_robots: exempt"
        method = "POST" if is_post else "GET"
        request = Request(url, NO_CALLBACK, method, priority=_PRIORITY, meta=meta)
        engine = self._crawler.engine
        assert engine is not None  # noqa: S101 - the crawl runs
        try:
            return await engine.download_async(request)
        except Exception as error:
            failure = failure_of(error)
            if failure is None:
                raise
            return failure
