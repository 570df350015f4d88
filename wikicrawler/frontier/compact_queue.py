"""Queues in memory that keep of a request its URL, and once what it has in common with others."""

from __future__ import annotations

from collections import deque
from types import MethodType, NoneType
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from scrapy import Request

from wikicrawler.process.command import is_crawl

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

_RECENT = 256
"""Number of kinds that a new request may be of. Links of all pages that are read at the same time
come in turns."""
_VALUES = frozenset({bool, bytes, int, str, MethodType, NoneType})
"""Types whose equal values nobody can tell apart."""
_VERBATIM = "verbatim_url"
"""Scrapy's meta key: the URL of a request is taken as it is."""


class CompactFifoQueue:
    """First in, first out: a queue in memory, for the setting ``SCHEDULER_MEMORY_QUEUE``.

    A request in Scrapy's queues takes some 1,500 bytes: its headers, its meta, its fingerprint, its
    parsed URL. The links of a page differ by the URL alone, so here a request takes the bytes of
    its URL and less than 150 more. It comes back as another object with the same attributes, as
    from a queue on disk, but the callback, the errback and the values of ``meta`` and ``cb_kwargs``
    are the objects that they were. Requests of a class of their own, and those with a body, cookies
    or flags, are kept as they are. So are all of commands like ``scrapy shell``, which sets the
    callback of a request that waits.
    """

    _newest_first = False

    def __init__(self, kinds: Kinds | None = None) -> None:
        self._entries: deque[Any] = deque()
        """Two for each request: its kind and its URL, or None and the request."""
        self._kinds = Kinds() if kinds is None else kinds

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        return cls(_kinds.setdefault(id(crawler), Kinds(is_used=is_crawl(crawler))))

    def __len__(self) -> int:
        return len(self._entries) // 2

    def push(self, request: Request) -> None:
        """Add *request*."""
        kind = self._kinds.of(request)
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


class CompactLifoQueue(CompactFifoQueue):
    """Last in, first out; otherwise a :class:`CompactFifoQueue`."""

    _newest_first = True


class Kinds:
    """The kinds of the latest requests, for all queues of a crawl.

    :param is_used: False: each request is kept as it is
    """

    def __init__(self, *, is_used: bool = True) -> None:
        self._is_used = is_used
        self._recent: dict[tuple[Any, ...], _Kind] = {}

    def of(self, request: Request) -> _Kind | None:
        """Return the kind of *request*; None if it is to be kept as it is."""
        if not self._is_used or type(request) is not Request:
            return None
        if request.body or request.cookies or request.flags:
            return None
        key = _key(request)
        kind = self._recent.get(key)
        if kind is None:
            kind = self._recent[key] = _Kind(request)
            if len(self._recent) > _RECENT:
                del self._recent[next(iter(self._recent))]
        return kind


class _Kind:
    """All of a request but its URL."""

    __slots__ = ("_arguments", "_headers", "_meta", "_scalars")

    def __init__(self, request: Request) -> None:
        self._scalars = _scalars_of(request)
        self._headers = {name: list(values) for name, values in request.headers.items()}
        self._meta = dict(request.meta)
        self._arguments = dict(request.cb_kwargs)

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


_kinds: WeakValueDictionary[int, Kinds] = WeakValueDictionary()
"""By the id of a crawler, while it has queues. A crawler as a weak key would stay for ever, because
kinds hold methods of its spider."""


def _key(request: Request) -> tuple[Any, ...]:
    """Return what requests of one kind have in common.

    It is valid while a kind keeps the values: other than plain ones stand for themselves alone,
    because what one callback changes in them, another is to see, or not.
    """
    meta, arguments = request.meta, request.cb_kwargs
    values: tuple[Any, ...] = (
        *_scalars_of(request),
        *meta,
        *meta.values(),
        *arguments,
        *arguments.values(),
    )
    types = tuple(map(type, values))  # 1 == True
    if not _VALUES.issuperset(types):
        values = tuple(value if type(value) in _VALUES else id(value) for value in values)
    headers = tuple((name, *found) for name, found in dict.items(request.headers))
    return len(meta), types, values, headers


def _scalars_of(request: Request) -> tuple[Any, ...]:
    return (
        request.callback,
        request.errback,
        request.method,
        request.encoding,
        request.priority,
        request.dont_filter,
    )
