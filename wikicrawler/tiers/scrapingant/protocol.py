"""Requests and responses of ScrapingAnt's REST API, version 2, without I/O.

A status other than 200 is ScrapingAnt's own. That of the page's site is in the header
``Ant-page-status-code``, or in the field ``status_code``. The URL after redirects is not stated.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from scrapy.exceptions import DownloadCancelledError, DownloadFailedError

from wikicrawler.errors import Reason, TierError
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.service.client import ServiceDownError, ServiceRefusedError
from wikicrawler.tiers.service.pages import ServicePage, read_status, site_headers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wikicrawler.tiers.scrapingant.config import ScrapingAntConfig

STATUS_HEADER = "ant-page-status-code"
CREDITS_HEADER = "ant-credits-cost"
HEADERS_PREFIX = "Ant-"
"""What the name of a header begins with that ScrapingAnt sends to the page's site, without it."""
_MAX_TEXT = 200
_MAX_CREDITS = 1e6


class DetectedError(TierError):
    """The page's site has blocked ScrapingAnt."""

    reason = Reason.BLOCKED


_OF_PAGE: Mapping[int, Callable[[], Exception]] = {
    404: lambda: DownloadFailedError("scrapingant cannot reach the site"),
    423: lambda: DetectedError("the site has detected scrapingant"),
}
"""Errors by which the page's site is at fault, by status."""


def page_path(config: ScrapingAntConfig, url: str, wait_for: str = "") -> str:
    """Return path and query of the request for the page at *url*.

    :param wait_for: CSS selector; without a browser it has no effect
    """
    query = {
        "url": url,
        "proxy_type": config.proxy,
        "timeout": str(round(config.timeout)),  # seconds
    }
    if wait_for and config.browser:
        query["wait_for_selector"] = wait_for
    renders = "true" if config.browser else "false"
    return f"/v2/{config.endpoint}?{urlencode(query)}&browser={renders}"


def read_page(
    config: ScrapingAntConfig,
    headers: Mapping[str, str],
    body: bytes,
    url: str,
    max_size: int = 0,
) -> ServicePage:
    """Return the page at *url* from a response without an error.

    :param headers: headers of the response, with lower-case names
    :param max_size: maximum size of the page in bytes; 0: no limit
    :raises ServiceDownError: the response is not a page
    :raises DownloadCancelledError: the page is larger than *max_size*
    """
    read = _read_extended if config.endpoint == "extended" else _read_general
    page = read(headers, body, url)
    if max_size and len(page.body) > max_size:
        raise DownloadCancelledError(f"a page of more than {max_size} bytes (DOWNLOAD_MAXSIZE)")
    return page


def _read_general(headers: Mapping[str, str], body: bytes, url: str) -> ServicePage:
    stated = headers.get(STATUS_HEADER)
    status = 200 if stated is None else read_status(stated.strip())
    if status is None:
        raise ServiceDownError("scrapingant: the response has no valid status of the page")
    return ServicePage(url, status, body, headers.get("content-type", ""))


def _read_extended(headers: Mapping[str, str], body: bytes, url: str) -> ServicePage:
    data = _parse(body)
    html = data.get("html")
    stated = data.get("status_code", headers.get(STATUS_HEADER))
    status = 200 if stated is None else read_status(stated)
    if status is None or not (isinstance(html, str) or (html is None and status >= 400)):
        raise ServiceDownError("scrapingant: the response is not a page")
    own = site_headers(data.get("headers"))
    kind = own.pop("content-type", "")
    return ServicePage(url, status, (html or "").encode("utf-8", "replace"), kind, own)


def credits_of(status: int, headers: Mapping[str, str], price: float) -> float:
    """Return the credits of a response: those that it states, else *price* for a page."""
    try:
        stated = float(headers.get(CREDITS_HEADER, ""))
    except ValueError:
        return price if status == 200 else 0.0
    return stated if 0 <= stated < _MAX_CREDITS else price


def read_balance(body: bytes) -> float | None:
    """Return the remaining credits in the response to ``GET /v2/usage``."""
    data = _parse(body)
    for name in ("remained_credits", "remaining_credits"):
        left = data.get(name)
        if isinstance(left, (int, float)) and not isinstance(left, bool) and abs(left) < 1e15:
            return float(left)
    return None


def error_of(status: int, body: bytes, retry_after: float | None = None) -> Exception | None:
    """Return the error that a response stands for; None if it has a page."""
    if status == 200:
        return None
    detail = _parse(body).get("detail")
    text = one_line(detail if isinstance(detail, str) else "", _MAX_TEXT)
    if status in {401, 402, 403}:  # without the text, which may repeat the key
        why = "refuses the API key, or has no credits left: check SCRAPINGANT_API_KEY"
        return ServiceRefusedError(f"scrapingant {why} (HTTP {status})", is_permanent=True)
    if status in {400, 422}:
        return ServiceRefusedError(f"scrapingant rejects the request (HTTP {status}): {text}")
    if status in _OF_PAGE:
        return _OF_PAGE[status]()
    if 300 <= status < 400 or status == 405:
        return ServiceRefusedError(
            f"no ScrapingAnt at this address (HTTP {status}): check SCRAPINGANT_API_URL",
            is_permanent=True,
        )
    down = ServiceDownError(f"scrapingant: HTTP {status} {text}".strip())
    down.retry_after = retry_after
    return down


def _parse(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
