"""Scrapy components that keep pages from leading the crawl to private addresses (SSRF)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import CannotResolveHostError, NotConfigured

from wikicrawler import options
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.reactor import require_reactor
from wikicrawler.guard.resolver import GuardedResolver, refuse_for_proxy
from wikicrawler.process.command import is_shell
from wikicrawler.process.internals.engine_slot import unfinished_requests

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable
    from typing import Self

    from scrapy.crawler import Crawler

    from wikicrawler.guard.private_hosts import AddressPolicy


class AddressGuard:
    """Scrapy extension that limits connections to public addresses.

    Links, redirects, ``<link>`` elements, robots.txt and DNS records may point to loopback,
    private, link-local and other special addresses. The operator allows such an address with a
    start request of the spider or in ``WIKICRAWLER_PRIVATE_HOSTS``. The start URLs that a spider of
    scrapy-redis reads from its ``redis_key`` count as such. Any other request to one fails
    like a name that does not resolve, with a warning; with the tiers its page is skipped as
    ``private_address``. Requests to a service that the crawl itself uses
    (:mod:`wikicrawler.guard.operator_services`) are refused too, even at a public address.

    A process has one resolver (the reactor's), so crawls in one process share the hosts that they
    allow. A proxy resolves names itself and needs a guard of its own: of what it is asked for, only
    private addresses in the URL and services are refused. ``scrapy shell`` has no guard, because
    the operator enters every URL there.

    Setting: ``WIKICRAWLER_ADDRESS_GUARD_ENABLED`` (default ``True``). Stat:
    ``address_guard/refused_count``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not options.ADDRESS_GUARD_ENABLED.read(settings) or is_shell(crawler):
            raise NotConfigured
        require_reactor(settings)
        self._policy = policy_of(crawler)
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        guard = cls(crawler)
        crawler.signals.connect(guard._opened, signals.spider_opened)
        crawler.signals.connect(guard._closed, signals.spider_closed)
        return guard

    def _opened(self) -> None:
        from twisted.internet import reactor  # noqa: PLC0415 - installs one

        # The process installs its own resolver when the reactor starts.
        reactor.callWhenRunning(_install, self._policy)
        if getattr(self._crawler.spider, "redis_key", None):
            self._crawler.signals.connect(self._scheduled, signals.request_scheduled)

    def _scheduled(self, request: Request) -> None:
        """Allow the host of a start URL that a spider has read from Redis.

        It reads them while the engine is idle. A request that a page leads to, by a link or a
        redirect, is scheduled while that page's own request is unfinished.
        """
        engine = self._crawler.engine
        if engine is not None and not unfinished_requests(engine):
            self._policy.allow_url(request.url)

    def _closed(self) -> None:
        _remove(self._policy)


class ProxiedRequestMiddleware:
    """Downloader middleware that refuses proxied requests to private addresses and to the
    operator's own services, and registers the proxies as such services.

    A proxy resolves names itself, so the guarded resolver does not see them. Place it after
    Scrapy's HttpProxyMiddleware (750).
    """

    def __init__(self, crawler: Crawler) -> None:
        if not options.ADDRESS_GUARD_ENABLED.read(crawler.settings) or is_shell(crawler):
            raise NotConfigured
        self._policy = policy_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def process_request(self, request: Request) -> Awaitable[None] | None:
        proxy = request.meta.get("proxy")
        return self._check(request, proxy) if proxy else None  # a coroutine takes time

    async def _check(self, request: Request, proxy: str) -> None:
        self._policy.services.register_proxy(proxy)
        if await refuse_for_proxy(self._policy, request.url):
            raise CannotResolveHostError("its address is not for pages")


class StartHostMiddleware:
    """Spider middleware that allows the hosts of start requests: the operator named them."""

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(policy_of(crawler))

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for item_or_request in start:
            if isinstance(item_or_request, Request):
                self._policy.allow_url(item_or_request.url)
            yield item_or_request


def _install(policy: AddressPolicy) -> None:
    from twisted.internet import reactor  # noqa: PLC0415 - installs one

    resolver: Any = reactor.nameResolver
    if not isinstance(resolver, GuardedResolver):
        resolver = GuardedResolver(resolver)
        reactor.installNameResolver(resolver)
    resolver.policies.append(policy)


def _remove(policy: AddressPolicy) -> None:
    from twisted.internet import reactor  # noqa: PLC0415 - installs one

    resolver: Any = reactor.nameResolver
    if isinstance(resolver, GuardedResolver) and policy in resolver.policies:
        resolver.policies.remove(policy)
        if not resolver.policies:
            reactor.installNameResolver(resolver.inner)
