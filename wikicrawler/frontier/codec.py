"""Requests as bytes, in the form that Scrapy's disk queues give them."""

from __future__ import annotations

import pickle
from io import BytesIO
from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.utils.request import request_from_dict
from w3lib.http import basic_auth_header

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider

_MOVED = {"wikicrawler.tiers.wiki": "wikicrawler.tiers.mediawiki.site"}
"""Modules of classes that requests hold, by the name that they had in an older version."""
_PROXY = frozenset({"_auth_proxy", "_scheme_proxy", "proxy"})


class RequestCodec:
    """Writes the requests of *spider* as bytes and reads them back.

    As Scrapy does it, but for the names of callbacks: Scrapy looks through all members of the
    spider for each, which takes longer than everything else that is done to a request. And but for
    the logins that the crawl's settings and environment have (``HTTPAUTH_PASS``, a proxy's
    password): a request that is sent again gets them again, and they are in no file.
    """

    def __init__(self, spider: Spider) -> None:
        self._spider = spider
        self._names: dict[Callable[..., Any], str] = {}
        self._authorization = _authorization_of(spider)

    def encode(self, request: Request) -> bytes:
        """
        :raises ValueError: it holds what cannot be pickled, or a callback that is no method of the
            spider
        """
        try:
            found = self._without_logins(self._as_dict(request))
            return pickle.dumps(found, pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError, RecursionError) as error:
            raise ValueError(str(error)) from error

    def decode(self, data: bytes) -> Request:
        """
        :raises Exception: the spider has no such callback any more, or a class is gone
        """
        # From our own database, as Scrapy reads its queues.
        return request_from_dict(_Unpickler(BytesIO(data)).load(), spider=self._spider)

    def _as_dict(self, request: Request) -> dict[str, Any]:
        if type(request).to_dict is not Request.to_dict:
            return request.to_dict(spider=self._spider)
        names = []
        for method in (request.callback, request.errback):
            name = self._name(method) if callable(method) else method
            if callable(method) and name is None:
                return request.to_dict(spider=self._spider)
            names.append(name)
        found = {name: getattr(request, name) for name in request.attributes}
        found |= {"callback": names[0], "errback": names[1], "headers": dict(request.headers)}
        if type(request) is not Request:
            found["_class"] = f"{type(request).__module__}.{type(request).__name__}"
        return found

    def _without_logins(self, found: dict[str, Any]) -> dict[str, Any]:
        headers, meta = found["headers"], found["meta"]
        if self._authorization and headers.get(b"Authorization") == [self._authorization]:
            headers = {name: value for name, value in headers.items() if name != b"Authorization"}
        if meta and meta.get("_scheme_proxy"):  # as Scrapy took it from the environment
            headers = {n: value for n, value in headers.items() if n != b"Proxy-Authorization"}
            meta = {name: value for name, value in meta.items() if name not in _PROXY}
        return found | {"headers": headers, "meta": meta}

    def _name(self, method: Callable[..., Any]) -> str | None:
        """The name by which *method* is the spider's; None where it has to be looked for."""
        function = getattr(method, "__func__", None)
        if function is None or getattr(method, "__self__", None) is not self._spider:
            return None
        name = self._names.get(function)
        if name is None and getattr(self._spider, function.__name__, None) == method:
            self._names[function] = name = function.__name__
        return name


class _Unpickler(pickle.Unpickler):
    """Reads what an older version of the package has written, too."""

    def find_class(self, module: str, name: str) -> Any:
        return super().find_class(_MOVED.get(module, module), name)


def _authorization_of(spider: Spider) -> bytes | None:
    """The header that Scrapy's HttpAuthMiddleware sets, by the settings or the spider."""
    settings = spider.crawler.settings
    user = getattr(spider, "http_user", "") or settings.get("HTTPAUTH_USER") or ""
    password = getattr(spider, "http_pass", "") or settings.get("HTTPAUTH_PASS") or ""
    return basic_auth_header(user, password) if user or password else None
