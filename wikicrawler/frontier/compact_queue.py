"""Queues in memory that keep of a request its URL, and once what it has in common with others."""

from __future__ import annotations

from collections import deque
from types import MethodType, NoneType
from typing import TYPE_CHECKING, Any

from scrapy import Request

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

_RECENT = 8
"""Number of kinds that a new request is compared with: links of several pages come in turns."""
_VALUES = frozenset({bool, bytes, int, str, MethodType, NoneType})
"""Types whose equal values nobody can tell apart."""
_VERBATIM = "verbatim_url"
"""Scrapy's meta key: the URL of a request is taken as it is."""


class CompactFifoQueue:
    """First in, first out: a queue in memory, for the setting ``SCHEDULER_MEMORY_QUEUE``.

    A request in Scrapy's queues takes some 1,500 bytes: its headers, its meta, its fingerprint, its
    parsed URL. The links of a page differ by the URL alone, so here a request takes the bytes of
    its URL and some 70 more. It comes back as another object with the same attributes, as from a
    queue on disk, but the callback, the errback and the values of ``meta`` and ``cb_kwargs`` are
    the objects that they were. Requests of a class of their own, and those with a body, cookies or
    flags, are kept as they are.
    """

    _newest_first = False

    def __init__(self) -> None:
        self._entries: deque[Any] = deque()
        """Two for each request: its kind and its URL, or None and the request."""
        self._recent: tuple[_Kind, ...] = ()

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        return cls()

    def __len__(self) -> int:
        return len(self._entries) // 2

    def push(self, request: Request) -> None:
        """Add *request*."""
        kind = self._kind_of(request)
        self._entries.extend((kind, request if kind is None else request.url))

    def pop(self) -> Request | None:
        """Remove and return the next request; None if there is none."""
        if not self._entries:
            return None
        if self._newest_first:
            kept, kind = self._entries.pop(), self._entries.pop()
        else:
            kind, kept = self._entries.popleft(), self._entries.popleft()
        request: Request = kept if kind is None else kind.request(kept)
        return request

    def peek(self) -> Request | None:
        """Return the request that :meth:`pop` returns next; None if there is none."""
        request = self.pop()
        if request is not None and self._newest_first:
            self._entries.extend((None, request))
        elif request is not None:
            self._entries.extendleft((request, None))
        return request

    def close(self) -> None:
        """Do nothing: what is in memory is not kept."""

    def _kind_of(self, request: Request) -> _Kind | None:
        """Return the kind of *request*; None if it is to be kept as it is."""
        if type(request) is not Request or request.body or request.cookies or request.flags:
            return None
        for kind in self._recent:
            if kind.fits(request):
                return kind
        kind = _Kind(request)
        self._recent = (kind, *self._recent[: _RECENT - 1])
        return kind


class CompactLifoQueue(CompactFifoQueue):
    """Last in, first out; otherwise a :class:`CompactFifoQueue`."""

    _newest_first = True


class _Kind:
    """All of a request but its URL."""

    __slots__ = ("_arguments", "_headers", "_meta", "_scalars")

    def __init__(self, request: Request) -> None:
        self._scalars = _scalars_of(request)
        self._headers = {name: list(values) for name, values in request.headers.items()}
        self._meta = dict(request.meta)
        self._arguments = dict(request.cb_kwargs)

    def fits(self, request: Request) -> bool:
        """Return True if :meth:`request` makes a request like *request* from its URL."""
        return (
            self._headers == request.headers
            and _are_same(self._meta, request.meta)
            and _are_same(self._arguments, request.cb_kwargs)
            and all(map(_is_same, self._scalars, _scalars_of(request)))
        )

    def request(self, url: str) -> Request:
        """Return the request for *url*."""
        callback, errback, method, encoding, priority, dont_filter = self._scalars
        # The URL is safe already, and need not be looked through again.
        meta = self._meta if _VERBATIM in self._meta else {**self._meta, _VERBATIM: True}
        request = Request(
            url,
            callback=callback,
            errback=errback,
            method=method,
            headers=self._headers,
            encoding=encoding,
            priority=priority,
            dont_filter=dont_filter,
            meta=meta,
            cb_kwargs=self._arguments,
        )
        if meta is not self._meta:
            del request.meta[_VERBATIM]
        return request


def _scalars_of(request: Request) -> tuple[Any, ...]:
    return (
        request.callback,
        request.errback,
        request.method,
        request.encoding,
        request.priority,
        request.dont_filter,
    )


def _are_same(first: dict[str, Any], second: dict[str, Any]) -> bool:
    """Return True if the items are the same, in the same order."""
    return len(first) == len(second) and all(
        _is_same(one, other) and _is_same(first[one], second[other])
        for one, other in zip(first, second, strict=True)
    )


def _is_same(first: Any, second: Any) -> bool:
    """Return True if nobody can tell the two values apart. Other values than the plain ones are the
    same only if they are one object: what one callback changes in it, another is to see, or not."""
    return first is second or (
        type(first) is type(second) and type(first) in _VALUES and first == second
    )
