"""Pages as a service returns them, on their way to the tier."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy.http import HtmlResponse

from wikicrawler.urls.addresses import normalise_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request

SERVICE_HEADER = "X-Page-Service"
"""Response header of each page that a service returned: the name of the tier."""

_MIME = re.compile(r"[a-z0-9.+-]{1,60}/[a-z0-9.+-]{1,60}")
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_MAX_VALUE = 8192
_DROPPED_HEADERS = {  # of the service's own connection and cookie jar, or no longer true
    *("connection", "content-encoding", "content-length", "keep-alive", "set-cookie"),
    *("transfer-encoding", "upgrade", SERVICE_HEADER.lower()),
}


class PageOptions(NamedTuple):
    """How a service is to fetch a page."""

    wait_for: str = ""
    """CSS selector of an element that the complete page has; empty for none."""
    headers: Mapping[str, str] = {}
    """Headers that are sent to the page's site."""
    verify_tls: bool = True


class ServicePage(NamedTuple):
    """A page that a service returned."""

    url: str
    """After redirects, as far as the service says."""
    status: int
    """That of the page's own site."""
    body: bytes
    kind: str = ""
    """Media type that the site stated; empty if it is not known."""
    headers: Mapping[str, str] = {}
    """Other headers of the site, by lower-case name."""
    credits_consumed: float | None = None
    """What the service charged; None if it is not known."""


def page_response(page: ServicePage, request: Request, service: str) -> HtmlResponse:
    """Return *page* as the response to *request*. Its body is HTML in UTF-8."""
    kind = page.kind.partition(";")[0].strip().lower()
    is_text = not kind or kind.startswith("text/") or kind.endswith("+xml")
    charset = "; charset=utf-8" if is_text else ""
    headers: dict[str, Any] = {
        **page.headers,
        "content-type": f"{kind if _MIME.fullmatch(kind) else 'text/html'}{charset}",
        SERVICE_HEADER: service,
    }
    return HtmlResponse(
        page.url,
        status=page.status,
        headers=headers,
        body=page.body,
        encoding="utf-8",
        request=request,
    )


def final_url(stated: object, url: str) -> str:
    """Return the URL after redirects that a service *stated* for *url*; *url* if it is none."""
    if not isinstance(stated, str) or not stated.startswith(("http://", "https://")):
        return url
    try:
        return normalise_url(stated)
    except ValueError:
        return url


def read_status(stated: object) -> int | None:
    """Return the HTTP status that a service *stated*; None if it is none."""
    if isinstance(stated, str) and stated.isascii() and stated.isdigit() and len(stated) == 3:
        stated = int(stated)
    return stated if type(stated) is int and 100 <= stated <= 599 else None


def site_headers(stated: object) -> dict[str, str]:
    """Return the headers of the page's site that still apply to its HTML, by lower-case name.

    :param stated: a dict, or a list of dicts with ``name`` and ``value``
    """
    if isinstance(stated, list):
        pairs = [(one.get("name"), one.get("value")) for one in stated if isinstance(one, dict)]
    else:
        pairs = list(stated.items()) if isinstance(stated, dict) else []
    return {
        name.lower(): value.split("\n")[0].encode("utf-8", "replace").decode()
        for name, value in pairs
        if isinstance(name, str)
        and isinstance(value, str)
        and _NAME.fullmatch(name)
        and name.lower() not in _DROPPED_HEADERS
        and len(value) <= _MAX_VALUE
    }
