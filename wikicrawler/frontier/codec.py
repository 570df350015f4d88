"""Requests as bytes: a versioned JSON form of Scrapy's ``Request.to_dict``."""

from __future__ import annotations

import inspect
import json
from base64 import b64decode
from typing import TYPE_CHECKING, Any

from scrapy import Request
from w3lib.http import basic_auth_header

from wikicrawler.frontier.instances import NotStorableError, class_of, name_of
from wikicrawler.frontier.values import PLAIN, from_json, to_json
from wikicrawler.pages import WIKI_KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy import Spider

_VERSION = 1
_PROXY = frozenset({"_auth_proxy", "_scheme_proxy", "proxy"})
_LIVE = frozenset({WIKI_KEY})
"""Meta keys whose values belong to the process, and are found anew by the next."""
_DEFAULTS: dict[str, Any] = {
    "url": None,
    "callback": None,
    "method": "GET",
    "headers": {},
    "body": b"",
    "cookies": {},
    "meta": {},
    "encoding": "utf-8",
    "priority": 0,
    "dont_filter": False,
    "errback": None,
    "flags": [],
    "cb_kwargs": {},
}
"""Values that a plain request has if they are not written."""
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


class RequestCodec:
    """Writes the requests of *spider* as bytes and reads them back.

    The bytes are JSON: ``{"v": 1, "url": …}`` with the names of ``Request.attributes``, and
    ``class`` for a subclass of Request. :mod:`~wikicrawler.frontier.values` says how values of
    ``meta`` and ``cb_kwargs`` are written. Reading runs no code of the file's choice: a class is
    one that is imported already, and callbacks are methods of the spider.

    The logins that the crawl's settings and environment have (``HTTPAUTH_PASS``, a proxy's
    password) are left out: a request that is sent again gets them again, and they are in no file.
    """

    def __init__(self, spider: Spider) -> None:
        self._spider = spider
        self._names: dict[Callable[..., Any], str] = {}
        self._authorization = _authorization_of(spider)

    def encode(self, request: Request) -> bytes:
        """
        :raises ValueError: it holds what JSON cannot hold, or a callback that is no method of the
            spider; the message names the key
        """
        try:
            found = self._without_logins(self._as_dict(request))
            written: dict[str, Any] = {"v": _VERSION}
            if type(request) is not Request:
                written["class"] = name_of(type(request))
            for name, value in found.items():
                written[name] = value if type(value) in PLAIN else _written(name, value)
            return _encode(written).encode("ascii")
        except (AttributeError, TypeError, RecursionError) as error:
            raise ValueError(str(error)) from error

    def decode(self, data: bytes) -> Request:
        """
        :raises Exception: it is no such form, the spider has no such callback any more, or a class
            is gone
        """
        found = json.loads(data)
        if type(found) is not dict or found.pop("v", None) != _VERSION:
            raise ValueError(f"it is not in the form of version {_VERSION}")
        cls = class_of(name) if (name := found.pop("class", None)) is not None else Request
        if not issubclass(cls, Request):
            raise ValueError(f"{name} is no class of requests")
        if unknown := found.keys() - set(cls.attributes):
            raise ValueError(f"{cls.__name__} has no attribute {min(unknown)!r}")
        values = {
            name: value if type(value) in PLAIN else from_json(value)
            for name, value in found.items()
        }
        if type(body := values.get("body")) is str:
            values["body"] = b64decode(body, validate=True)
        if "headers" in values:
            values["headers"] = _read_headers(values["headers"])
        for name in ("callback", "errback"):
            if values.get(name) is not None:
                values[name] = self._method(values[name])
        return cls(**values)

    def _as_dict(self, request: Request) -> dict[str, Any]:
        """Return the attributes of *request*, with the names of its callbacks.

        Scrapy looks through all members of the spider for each of them, which takes longer than
        everything else that is done to a request.
        """
        if type(request).to_dict is not Request.to_dict:
            return self._as_own_dict(request)
        names = []
        for method in (request.callback, request.errback):
            name = self._name(method) if callable(method) else method
            if callable(method) and name is None:
                return self._as_own_dict(request)
            names.append(name)
        found = {name: getattr(request, name) for name in request.attributes}
        found |= {"callback": names[0], "errback": names[1], "headers": dict(request.headers)}
        if type(request) is Request:
            return {name: value for name, value in found.items() if value != _DEFAULTS[name]}
        return found

    def _as_own_dict(self, request: Request) -> dict[str, Any]:
        found = request.to_dict(spider=self._spider)
        return {name: found[name] for name in request.attributes if name in found}

    def _without_logins(self, found: dict[str, Any]) -> dict[str, Any]:
        headers, meta = found.get("headers"), found.get("meta")
        if (
            headers
            and self._authorization
            and headers.get(b"Authorization") == [self._authorization]
        ):
            headers = {name: value for name, value in headers.items() if name != b"Authorization"}
            found["headers"] = headers
        if not meta:
            return found
        dropped = _LIVE
        if meta.get("_scheme_proxy"):  # as Scrapy took it from the environment
            dropped = _LIVE | _PROXY
            if headers:
                found["headers"] = {
                    name: values
                    for name, values in headers.items()
                    if name != b"Proxy-Authorization"
                }
        if not dropped.isdisjoint(meta):
            found["meta"] = {name: value for name, value in meta.items() if name not in dropped}
        return found

    def _name(self, method: Callable[..., Any]) -> str | None:
        """The name by which *method* is the spider's; None where it has to be looked for."""
        function = getattr(method, "__func__", None)
        if function is None or getattr(method, "__self__", None) is not self._spider:
            return None
        name = self._names.get(function)
        if name is None and getattr(self._spider, function.__name__, None) == method:
            self._names[function] = name = function.__name__
        return name

    def _method(self, name: Any) -> Callable[..., Any]:
        found = getattr(self._spider, name, None)
        if not inspect.ismethod(found) or name.startswith("__"):
            raise ValueError(f"the spider {self._spider.name!r} has no method {name!r}")
        return found


def url_in(data: bytes) -> str:
    """Return the URL of a request that cannot be decoded; empty if there is none in it."""
    try:
        url = json.loads(data)["url"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""
    return url if isinstance(url, str) else ""


def _written(name: str, value: Any) -> Any:
    """Return the attribute *name* of a request as JSON holds it."""
    if name == "body" and type(value) is bytes:
        written: str = to_json(value)["$bytes"]
        return written
    if name == "headers":
        # Latin-1 has a character for each byte.
        return {
            key.decode("latin-1"): [value.decode("latin-1") for value in values]
            for key, values in value.items()
        }
    try:
        return to_json(value)
    except NotStorableError as error:
        error.add_name(name)
        raise


def _read_headers(headers: dict[str, list[str]]) -> dict[bytes, list[bytes]]:
    return {
        key.encode("latin-1"): [value.encode("latin-1") for value in values]
        for key, values in headers.items()
    }


def _authorization_of(spider: Spider) -> bytes | None:
    """The header that Scrapy's HttpAuthMiddleware sets, by the settings or the spider."""
    settings = spider.crawler.settings
    user = getattr(spider, "http_user", "") or settings.get("HTTPAUTH_USER") or ""
    password = getattr(spider, "http_pass", "") or settings.get("HTTPAUTH_PASS") or ""
    return basic_auth_header(user, password) if user or password else None
