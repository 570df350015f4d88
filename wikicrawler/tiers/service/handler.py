"""Download handlers that send some of the requests to a service."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from scrapy.exceptions import CannotResolveHostError, NotConfigured, NotSupported
from scrapy.utils.misc import build_from_crawler, load_object

from wikicrawler import options
from wikicrawler.audit.wire import observed
from wikicrawler.errors import ConfigError
from wikicrawler.guard.private_hosts import policy_of
from wikicrawler.guard.resolver import refusal_for_browser
from wikicrawler.guard.services import as_service
from wikicrawler.process.command import is_crawl
from wikicrawler.tiers.service.breaker import Breaker

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Self

    from scrapy import Request
    from scrapy.core.downloader.handlers import DownloadHandlerProtocol
    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from scrapy.settings import BaseSettings

    from wikicrawler.options.kinds import Table
    from wikicrawler.tiers.service.shared_breakers import SharedBreakers

ServiceT = TypeVar("ServiceT")
_SERVICE_HANDLER = "the service"


class Address(NamedTuple):
    """The address of a service."""

    url: str
    setting: str
    """Name of the setting that contains it."""


class ServiceHandler(ABC, Generic[ServiceT]):
    """Download handler that sends requests with a true :attr:`meta_key` to a service, and other
    requests to the project's own handler of their scheme.

    :func:`~wikicrawler.tiers.service.install.install_handler` adds it to ``DOWNLOAD_HANDLERS``
    under ``http`` and ``https``. A separate instance of the ordinary handler connects to the
    service, so that no page shares a connection with it. Pages that lead to the service
    (:mod:`wikicrawler.guard.operator_services`), to private addresses or to names without an
    address are refused: the service would resolve them itself.
    """

    lazy = False
    delegates_requests = True
    """The handlers behind this one send the requests (:mod:`wikicrawler.audit.wire`)."""
    meta_key: ClassVar[str]
    fallback: ClassVar[Table]
    """The setting that contains the project's own handlers, a dict like ``DOWNLOAD_HANDLERS``."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._shared = _shared_of(type(self), crawler)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    @classmethod
    @abstractmethod
    def address(cls, settings: BaseSettings) -> Address | None:
        """Return the service's address; None if it is not configured."""

    @classmethod
    @abstractmethod
    def connect(
        cls, crawler: Crawler, send: Callable[[Request], Awaitable[Response]] | None
    ) -> ServiceT:
        """Create the client of the service.

        :param send: sends a request to the service; None if the service has no address
        """

    @abstractmethod
    async def fetch(self, request: Request, service: ServiceT) -> Response:
        """Fetch the page of *request* through the service.

        :raises TierError: the service failed; the page's site is not at fault
        """

    def check(self, request: Request) -> None:
        """Raise a :class:`~wikicrawler.errors.TierError` if *request* itself is invalid."""

    async def download_request(self, request: Request) -> Response:
        if not request.meta.get(self.meta_key):
            scheme = urlsplit(request.url).scheme
            handler = self._shared.ordinary(scheme)
            return await sender(self._crawler, handler)(request)
        self.check(request)
        service = await self._shared.ready_service()
        if why := await refusal_for_browser(policy_of(self._crawler), request.url):
            raise CannotResolveHostError(why)
        return await self.fetch(request, service)

    async def close(self) -> None:
        _shared.get(self._crawler, {}).pop(type(self), None)  # the value refers to the crawler
        await self._shared.close()

    @classmethod
    def service_of(cls, crawler: Crawler) -> ServiceT:
        """Return the client that *crawler*'s handler uses."""
        return _shared_of(cls, crawler).service()


def sender(
    crawler: Crawler,
    handler: DownloadHandlerProtocol,
    received: Callable[[Request, Response], None] | None = None,
) -> Callable[[Request], Awaitable[Response]]:
    """Return the function of *handler* that sends a request, which the audit log records.

    :param received: gets each response before it is recorded
    """
    send: Callable[[Request], Awaitable[Response]] = handler.download_request
    if received is not None:
        send = _reporting(send, received)
    return send if getattr(handler, "delegates_requests", False) else observed(crawler, send)


def _reporting(
    send: Callable[[Request], Awaitable[Response]], received: Callable[[Request, Response], None]
) -> Callable[[Request], Awaitable[Response]]:
    async def send_and_report(request: Request) -> Response:
        response = await send(request)
        received(request, response)
        return response

    return send_and_report


class _Shared(Generic[ServiceT]):
    """The ordinary handlers of one crawl, and the service's client, which uses one of them."""

    def __init__(self, handler: type[ServiceHandler[ServiceT]], crawler: Crawler) -> None:
        self._handler = handler
        self._crawler = crawler
        self._handlers: dict[str, DownloadHandlerProtocol] = {}
        self._address = handler.address(crawler.settings)
        self._service: ServiceT | None = None
        if self._address is not None:  # at the start, before a page can lead to it
            policy_of(crawler).services.register(*self._address)
        self._breakers = _shared_breakers(crawler) if self._address is not None else None

    def ordinary(self, scheme: str) -> DownloadHandlerProtocol:
        """Return the ordinary handler of *scheme*; load it on first use."""
        if scheme not in self._handlers:
            self._handlers[scheme] = self._make_handler(scheme)
        return self._handlers[scheme]

    def service(self) -> ServiceT:
        if self._service is None:
            send = None
            if self._address is not None:
                # A separate handler, so that pages do not share the service's connections.
                scheme = urlsplit(self._address.url).scheme
                own = self._handlers[_SERVICE_HANDLER] = self._make_handler(scheme, plain=True)
                send = as_service(sender(self._crawler, own, self._received))
            self._service = self._handler.connect(self._crawler, send)
            longest = options.LONGEST_WAIT.read(self._crawler.settings)
            breaker = getattr(self._service, "breaker", None)
            if longest and isinstance(breaker, Breaker):
                # A page that waits for the service sees at least two trials.
                breaker.longest = min(breaker.longest, longest / 2)
            if self._breakers is not None and isinstance(breaker, Breaker):
                assert self._address is not None  # noqa: S101 - it has breakers
                self._breakers.add(self._handler.meta_key, self._address.url, breaker)
        return self._service

    async def ready_service(self) -> ServiceT:
        """Return the client, when what other workers know of its service is known."""
        service = self.service()
        if self._breakers is not None and not self._breakers.is_ready:
            await self._breakers.ready()
        return service

    def _received(self, request: Request, response: Response) -> None:
        """Let the client read what *response* says it cost, before it is recorded."""
        received = getattr(self._service, "received", None)
        if received is not None:
            received(request, response)

    def _make_handler(self, scheme: str, *, plain: bool = False) -> DownloadHandlerProtocol:
        """Create the project's own handler of *scheme*.

        :param plain: pass over the handlers of other services behind this one: their pages would
            share its connections
        """
        settings = self._crawler.settings
        default = settings.getdict("DOWNLOAD_HANDLERS_BASE")[scheme]
        made_by: Any = load_object(self._handler.fallback.read(settings).get(scheme) or default)
        if plain:
            made_by = _behind_services(made_by, settings, scheme, {self._handler})
        return _build(made_by, self._crawler, scheme)

    async def close(self) -> None:
        close_client = getattr(self._service, "close", None)
        if close_client is not None:
            close_client()
        handlers, self._handlers = self._handlers, {}
        for handler in handlers.values():
            await handler.close()


def plain_handler(crawler: Crawler, scheme: str) -> DownloadHandlerProtocol:
    """Create a handler of *scheme* of the project's own kind, with connections of its own. The
    caller closes it.

    :raises NotSupported: the project has none
    """
    settings = crawler.settings
    made_by = load_object(settings.getwithbase("DOWNLOAD_HANDLERS")[scheme])
    return _build(_behind_services(made_by, settings, scheme, set()), crawler, scheme)


def _behind_services(made_by: Any, settings: BaseSettings, scheme: str, passed: set[object]) -> Any:
    """Return the class of the first handler behind *made_by* that is of no service."""
    default = settings.getdict("DOWNLOAD_HANDLERS_BASE")[scheme]
    while isinstance(made_by, type) and issubclass(made_by, ServiceHandler):
        if made_by in passed:
            raise ConfigError(
                f"{made_by.fallback.name}: the handlers of services lead back to each other; an "
                "ordinary download handler has to be the last one"
            )
        passed.add(made_by)
        made_by = load_object(made_by.fallback.read(settings).get(scheme) or default)
    return made_by


def _build(made_by: Any, crawler: Crawler, scheme: str) -> DownloadHandlerProtocol:
    try:
        handler: DownloadHandlerProtocol = build_from_crawler(made_by, crawler)
    except NotConfigured as error:
        raise NotSupported(f"Unsupported URL scheme {scheme!r}: {error}") from None
    return handler


def _shared_breakers(crawler: Crawler) -> SharedBreakers | None:
    """Return None for a crawl with one worker."""
    if not options.FRONTIER.read(crawler.settings) or not is_crawl(crawler):
        return None
    # Most crawls have one worker, and import less.
    from wikicrawler.tiers.service.shared_breakers import SharedBreakers  # noqa: PLC0415

    return SharedBreakers.of(crawler)


# Scrapy creates one handler for each scheme; the service's concurrency limit spans all of them.
_shared: WeakKeyDictionary[Crawler, dict[type[Any], _Shared[Any]]] = WeakKeyDictionary()


def _shared_of(handler: type[ServiceHandler[ServiceT]], crawler: Crawler) -> _Shared[ServiceT]:
    shared = _shared.setdefault(crawler, {})
    if handler not in shared:
        shared[handler] = _Shared(handler, crawler)
    return shared[handler]
