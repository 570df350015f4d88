"""Download handlers that have a service fetch some of the requests."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from scrapy.exceptions import CannotResolveHostError, NotConfigured, NotSupported
from scrapy.utils.misc import build_from_crawler, load_object

from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.resolver import refused_address
from wikicrawler.guard.services import as_service

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Self

    from scrapy import Request
    from scrapy.core.downloader.handlers import DownloadHandlerProtocol
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from wikicrawler.options.kinds import Table

ServiceT = TypeVar("ServiceT")
_OF_SERVICE = "the service"


class Address(NamedTuple):
    """Where a service is."""

    url: str
    setting: str
    """Name of the setting that says so."""


class ServiceHandler(ABC, Generic[ServiceT]):
    """Sends requests whose meta has a true :attr:`meta_key` to a service, the others to the handler
    that the project has for their scheme.

    For ``DOWNLOAD_HANDLERS``, under ``http`` and ``https``, where
    :func:`~wikicrawler.tiers.service.install.install_handler` puts it. The service is reached by an
    instance of the ordinary handler of its own, so that no page shares a connection with it. Pages
    that lead to the service are refused (:mod:`wikicrawler.guard.services`), and so are pages at
    private addresses.
    """

    lazy = False
    meta_key: ClassVar[str]
    fallback: ClassVar[Table]
    """The setting with the project's own handlers, a dict like ``DOWNLOAD_HANDLERS``."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._shared = _shared_of(type(self), crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @classmethod
    @abstractmethod
    def address(cls, settings: BaseSettings) -> Address | None:
        """Return where the service is; None if it is not configured."""

    @classmethod
    @abstractmethod
    def connect(
        cls, crawler: Crawler, send: Callable[[Request], Awaitable[Response]] | None
    ) -> ServiceT:
        """Make the client of the service; *send* sends it a request, None if it has no address."""

    @abstractmethod
    async def fetch(self, request: Request, service: ServiceT) -> Response:
        """Have the service fetch the page of *request*.

        :raises TierError: it does not, for a reason that says nothing against the page's site
        """

    def check(self, request: Request) -> None:
        """Raise a :class:`~wikicrawler.errors.TierError` for a request that is wrong in itself."""

    async def download_request(self, request: Request) -> Response:
        if not request.meta.get(self.meta_key):
            scheme = urlsplit(request.url).scheme
            return await self._shared.ordinary(scheme).download_request(request)
        self.check(request)
        service = self._shared.service()
        if await refused_address(policy_of(self._crawler), request.url):
            raise CannotResolveHostError("its address is not for pages")
        return await self.fetch(request, service)

    async def close(self) -> None:
        _shared.get(self._crawler, {}).pop(type(self), None)  # which refers to the crawler
        await self._shared.close()

    @classmethod
    def service_of(cls, crawler: Crawler) -> ServiceT:
        """Return the client by which *crawler* asks the service: the one that the handler uses."""
        return _shared_of(cls, crawler).service()


class _Shared(Generic[ServiceT]):
    """The ordinary handlers of one crawl, and the client of the service, which stands on them."""

    def __init__(self, handler: type[ServiceHandler[ServiceT]], crawler: Crawler) -> None:
        self._handler = handler
        self._crawler = crawler
        self._handlers: dict[str, DownloadHandlerProtocol] = {}
        self._address = handler.address(crawler.settings)
        self._service: ServiceT | None = None
        if self._address is not None:  # from the start, before a page can lead there
            policy_of(crawler).register_service(*self._address)

    def ordinary(self, scheme: str) -> DownloadHandlerProtocol:
        """The ordinary handler of *scheme*, loaded when it is first needed."""
        if scheme not in self._handlers:
            self._handlers[scheme] = self._made(scheme)
        return self._handlers[scheme]

    def service(self) -> ServiceT:
        if self._service is None:
            send = None
            if self._address is not None:
                # One of its own, and with it connections of its own: no page is sent on them.
                own = self._handlers[_OF_SERVICE] = self._made(urlsplit(self._address.url).scheme)
                send = as_service(own.download_request)
            self._service = self._handler.connect(self._crawler, send)
        return self._service

    def _made(self, scheme: str) -> DownloadHandlerProtocol:
        settings = self._crawler.settings
        own = self._handler.fallback.read(settings).get(scheme)
        made_by: Any = load_object(own or settings.getdict("DOWNLOAD_HANDLERS_BASE")[scheme])
        try:
            handler: DownloadHandlerProtocol = build_from_crawler(made_by, self._crawler)
        except NotConfigured as error:
            raise NotSupported(f"Unsupported URL scheme {scheme!r}: {error}") from None
        return handler

    async def close(self) -> None:
        handlers, self._handlers = self._handlers, {}
        for handler in handlers.values():
            await handler.close()


# Scrapy makes one handler for each scheme; the service's places are counted over all.
_shared: WeakKeyDictionary[Crawler, dict[type[Any], _Shared[Any]]] = WeakKeyDictionary()


def _shared_of(handler: type[ServiceHandler[ServiceT]], crawler: Crawler) -> _Shared[ServiceT]:
    shared = _shared.setdefault(crawler, {})
    if handler not in shared:
        shared[handler] = _Shared(handler, crawler)
    return shared[handler]
