"""Proxies of single sites, as ``sources.yml`` names them."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from scrapy.exceptions import NotConfigured

from wikicrawler.config import Config
from wikicrawler.guard.site_credentials import PROXY, SITE_PROXY, credentials_of

if TYPE_CHECKING:
    from typing import Self

    from scrapy import Request
    from scrapy.crawler import Crawler

logger = logging.getLogger(__name__)

PROXY_OF = "proxy_of"
"""Meta key of a request (str): if there is a proxy for this URL, use it in place of the one for the
request's own."""


class SiteProxyMiddleware:
    """Downloader middleware that gives each request the proxy of its site.

    The proxy is that of ``domains`` in ``config/sources.yml``, for all requests to the domain:
    pages, API, robots.txt, sitemaps. It is chosen for each request anew, because redirects copy
    the meta of the original request. The meta key ``proxy`` of a spider takes precedence. Place it
    before Scrapy's HttpProxyMiddleware (750), which sends the request through the proxy.
    """

    def __init__(self, config: Config) -> None:
        self._config = config

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        config = Config.from_settings(crawler.settings)
        named = {name: entry.proxy for name, entry in config.domains.items() if entry.proxy}
        if not named:
            raise NotConfigured
        credentials_of(crawler)  # raises here what is wrong with the secrets
        for name, proxy in named.items():
            logger.info("Proxy of %s: %s", name, proxy)
        return cls(config)

    def process_request(self, request: Request) -> None:
        meta = request.meta
        if meta.pop(SITE_PROXY, None) is not None:
            meta.pop(PROXY, None)
        if PROXY in meta and not meta.get("_scheme_proxy"):
            return
        for url in filter(None, (meta.get(PROXY_OF), request.url)):
            found = self._config.domain_key(str(url))
            proxy = self._config.domains[found].proxy if found is not None else None
            if proxy is not None:
                meta.pop("_scheme_proxy", None)
                meta[PROXY], meta[SITE_PROXY] = proxy.url, found
                return
