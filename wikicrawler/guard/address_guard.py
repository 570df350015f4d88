"""The guard of a crawl against pages that lead to private addresses (SSRF)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request, signals
from scrapy.exceptions import CannotResolveHostError, NotConfigured

from wikicrawler import options
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.resolver import GuardedResolver, refuse_service

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from typing import Self

    from scrapy.crawler import Crawler

    from wikicrawler.guard.private_hosts import AddressPolicy


class AddressGuard:
    """Extension: the crawl connects to public addresses only.

    Links, redirects, ``<link>`` elements, robots.txt and names whose DNS says so may lead to
    loopback, private, link-local and other special addresses; what is to be reached there the
    operator names: by the spider's start requests, or in ``WIKICRAWLER_PRIVATE_HOSTS``. A request
    that is refused fails as a name without an address does, with a warning; with the tiers its
    page is skipped as ``private_address``. So is one that leads to a service that the crawl itself
    uses (:mod:`wikicrawler.guard.services`), be its address public.

    The reactor's resolver is one for a process: crawls that share it share what they name. A proxy
    resolves names itself: it must have a guard of its own. The project's ``scrapy shell`` is
    without: every URL there is the operator's.

    Setting ``WIKICRAWLER_ADDRESS_GUARD_ENABLED`` (default ``True``) switches it. Stat:
    ``address_guard/refused_count``.
    """

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        if not options.ADDRESS_GUARD_ENABLED.read(settings):
            raise NotConfigured
        self._policy = policy_of(crawler)

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

    def _closed(self) -> None:
        _remove(self._policy)


class ProxiedServices:
    """Downloader middleware: no proxy is asked for a page of the operator's own services.

    A proxy resolves names itself, so that the guard sees nothing of where it leads. It belongs
    behind Scrapy's HttpProxyMiddleware (750).
    """

    def __init__(self, crawler: Crawler) -> None:
        if not options.ADDRESS_GUARD_ENABLED.read(crawler.settings):
            raise NotConfigured
        self._policy = policy_of(crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if request.meta.get("proxy") and await refuse_service(self._policy, request.url):
            raise CannotResolveHostError("its address is not for pages")


class NamedHosts:
    """Spider middleware: the hosts of start requests are named by the operator."""

    def __init__(self, policy: AddressPolicy) -> None:
        self._policy = policy

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(policy_of(crawler))

    async def process_start(self, start: AsyncIterator[Any]) -> AsyncIterator[Any]:
        async for one in start:
            if isinstance(one, Request):
                self._policy.name(one.url)
            yield one


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
