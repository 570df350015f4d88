"""The place through which each request of a crawl is sent exactly once: its download handler.

Whatever reaches a handler is a request to the network: pages, robots.txt, each hop of a redirect
and each retry. What the scheduler, the cache or a middleware answers or drops does not reach it. A
handler that passes requests on, as those of services do, has the attribute
``delegates_requests = True``: then the handler behind it sends the request. The response is the
server's, before any middleware changes it.
"""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary

from scrapy import signals

from wikicrawler.audit.record import Label
from wikicrawler.operations import CREDITS_KEY, MANIFEST_KEY, OPERATION_KEY, PAGE
from wikicrawler.process.internals.download_handlers import wrap_downloads

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    Send = Callable[[Request], Awaitable[Response]]

DEFAULT_ENGINE = "http"
"""Engine of requests that no tier sends."""

_page_request: ContextVar[Request | None] = ContextVar("page_request", default=None)


class WireObserver(Protocol):
    """What learns of each request that is sent."""

    async def send(self, request: Request, page_request: Request, send: Send) -> Response:
        """Send *request* by *send*, for *page_request*: the request that Scrapy's downloader got.
        Both are the same unless a service is asked for the page."""


class Wire:
    """The wire of one crawl."""

    def __init__(self) -> None:
        self.observer: WireObserver | None = None
        self.label_of: Callable[[Request], Label] = plain_label
        """Returns what a request of the downloader is for. The tiers replace it."""

    def attach(self, crawler: Crawler, observer: WireObserver) -> None:
        """Have *observer* send all requests of *crawler*, whose engine exists, from now on."""
        self.observer = observer
        wrap_downloads(crawler.engine, self._download)

    def end(self) -> None:
        """Forget what refers to the crawler, which has stopped."""
        self.observer, self.label_of = None, plain_label

    async def _download(self, request: Request, send: Send, delegates: bool) -> Response:
        _page_request.set(request)
        try:
            if delegates or self.observer is None:
                return await send(request)
            return await self.observer.send(request, request, send)
        finally:
            _page_request.set(None)


def wire_of(crawler: Crawler) -> Wire:
    """Return the wire of *crawler*."""
    if crawler not in _wires:
        _wires[crawler] = wire = Wire()
        crawler.signals.connect(wire.end, signals.engine_stopped)
    return _wires[crawler]


def observed(crawler: Crawler, send: Send) -> Send:
    """Return *send*, the method of a handler behind another one, for use by that other one."""

    async def send_observed(request: Request) -> Response:
        observer = wire_of(crawler).observer
        if observer is None:
            return await send(request)
        return await observer.send(request, _page_request.get() or request, send)

    return send_observed


def note_credits(request: Request, credits_consumed: float) -> None:
    """Note what a service charged for *request*, which is being sent, before its response is
    recorded."""
    (_page_request.get() or request).meta[CREDITS_KEY] = credits_consumed


@contextmanager
def on_behalf_of(request: Request) -> Iterator[None]:
    """Have the requests to services that are sent in this context recorded as those for *request*,
    which itself is not sent."""
    token = _page_request.set(request)
    try:
        yield
    finally:
        _page_request.reset(token)


def plain_label(request: Request) -> Label:
    """Return what *request* is for, by its meta keys alone."""
    meta = request.meta
    source = meta.get(MANIFEST_KEY)
    return Label(
        operation=str(meta.get(OPERATION_KEY) or PAGE),
        engine=DEFAULT_ENGINE,
        manifest_id=str(source) if source is not None else None,
        retry_count=int(meta.get("retry_times") or 0),
    )


_wires: WeakKeyDictionary[Crawler, Wire] = WeakKeyDictionary()
