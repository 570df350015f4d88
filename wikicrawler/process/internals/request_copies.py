"""Copies of requests for the same URL.

``Request.replace()`` checks and encodes again what the request has checked: its URL, body and
headers. Private names: the slots of ``Request``, among them ``_meta``, ``_headers``, ``_cb_kwargs``
and ``_flags``. A ``Request.copy()`` that copies would replace this module.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from scrapy import Request
from scrapy.http.headers import Headers

from wikicrawler.process.internals.presence import require

if TYPE_CHECKING:
    from collections.abc import Mapping

for _name in ("_cb_kwargs", "_flags", "_headers", "_meta"):
    require(Request, _name, library="scrapy", purpose="The copy of a request")
_SLOTS = tuple(name for name in Request.__slots__ if name != "__weakref__")


def copy_with_meta(request: Request, meta: Mapping[str, Any]) -> Request:
    """Return ``request.replace(meta=meta)``."""
    if type(request) is not Request:  # the constructor of a subclass may do anything
        return request.replace(meta=dict(meta))
    made: Any = Request.__new__(Request)
    for name in _SLOTS:
        setattr(made, name, getattr(request, name))
    made._meta = dict(meta)
    made._headers = _copied(made._headers) if made._headers else None
    made._cb_kwargs = dict(made._cb_kwargs) if made._cb_kwargs else None
    made._flags = list(made._flags) if made._flags else None
    copied: Request = made
    return copied


def _copied(headers: Headers) -> Headers:
    made = Headers(encoding=headers.encoding)
    dict.update(made, {name: [*values] for name, values in dict.items(headers)})
    return made
