"""Requests and responses of Firecrawl's REST API, version 2, without I/O.

Of an error, messages contain Firecrawl's own text only, cut. A response may state success for a
page whose site answered with an error, and status 200 for a failure.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from binascii import Error as Base64Error
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadFailedError,
    DownloadTimeoutError,
)

from wikicrawler.errors import Reason, TierError
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.service.client import ServiceDownError, ServiceRefusedError
from wikicrawler.tiers.service.pages import PageOptions, ServicePage, final_url, read_status

if TYPE_CHECKING:
    from wikicrawler.tiers.firecrawl.config import FirecrawlConfig

MAX_MAPPED = 100_000
"""Maximum number of URLs of a map; the API's."""
_MAX_TEXT = 200
_MAX_CODE = 60
_DELAY = re.compile(r"retry after (\d{1,5})\s?s")
_PDF_BASE64 = "JVBERi0"  # %PDF-
_PDF = "application/pdf"
_ANY = PageOptions()
_OF_PAGE = frozenset({"url", "actions", "headers"})
"""Keys of a request whose values depend on the page."""


class NoDocumentError(TierError):
    """Firecrawl got no document from the page's site."""

    reason = Reason.EMPTY


class FileError(TierError):
    """The page is a file that Firecrawl does not return."""

    reason = Reason.NOT_HTML
    is_final = True


class UnverifiedSiteError(TierError):
    """The certificate of the page's site cannot be verified. No other tier may accept it."""

    reason = Reason.NETWORK
    is_final = True


# Requests


def scrape_body(config: FirecrawlConfig, url: str, options: PageOptions = _ANY) -> bytes:
    """Return the body of ``POST /v2/scrape``. The server rejects keys that it does not know."""
    wishes: dict[str, Any] = {}
    if options.wait_for:
        wishes["actions"] = [{"type": "wait", "selector": options.wait_for}]
    if options.headers:
        wishes["headers"] = dict(options.headers)
    return _to_json(
        wishes
        | {
            "url": url,
            "formats": ["rawHtml"],
            "maxAge": 0,  # the default is a copy of up to two days
            "storeInCache": False,
            "timeout": round(config.timeout * 1000),
            "proxy": config.proxy,
            "parsers": [],  # a PDF is refused by the verdict; parsed it would cost by the page
            "skipTlsVerification": not options.verify_tls,
        }
    )


def map_body(config: FirecrawlConfig, url: str, limit: int) -> bytes:
    """Return the body of ``POST /v2/map``."""
    return _to_json(
        {
            "url": url,
            "limit": min(limit, MAX_MAPPED),
            "ignoreQueryParameters": False,  # the default would lose pages such as ?id=1
            "timeout": round(config.timeout * 1000),
        }
    )


def _to_json(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode()


# Responses


def parse(body: bytes) -> Any:
    """Return the JSON in *body*; None if it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def read_page(answer: Any, url: str, max_size: int = 0) -> ServicePage:
    """Return the page at *url* from the JSON *answer* of a response without an error.

    :param max_size: maximum size of the page in bytes; 0: no limit
    :raises ServiceDownError: the response is not a page
    :raises DownloadCancelledError: the page is larger than *max_size*
    """
    data = _dict(_dict(answer).get("data"))
    metadata = _dict(data.get("metadata"))
    html = data.get("rawHtml")
    stated = metadata.get("statusCode")
    status = 200 if stated is None else read_status(stated)
    if status is None or not (isinstance(html, str) or (html is None and status >= 400)):
        raise ServiceDownError("firecrawl: the response is not a page")
    html = html or ""
    kind = metadata.get("contentType")
    kind = kind if isinstance(kind, str) else ""
    if html.startswith(_PDF_BASE64):
        content, kind = _pdf(html), kind or _PDF
    else:
        content = html.encode("utf-8", "replace")
    if max_size and len(content) > max_size:
        raise DownloadCancelledError(f"a page of more than {max_size} bytes (DOWNLOAD_MAXSIZE)")
    # The status of a redirect that was followed says nothing of the page that was reached.
    status = 200 if 300 <= status < 400 and html else status
    return ServicePage(final_url(metadata.get("url"), url), status, content, kind)


def is_cached(answer: Any) -> bool:
    """Return True if the page comes from Firecrawl's cache, though a fresh one was asked for."""
    metadata = _dict(_dict(_dict(answer).get("data")).get("metadata"))
    return metadata.get("cacheState") == "hit"


def _pdf(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (Base64Error, ValueError):
        return text.encode("utf-8", "replace")


def credits_of(status: int, answer: Any, price: float) -> float:
    """Return the credits of a response: those that it states, else what Firecrawl's billing rules
    say; *price* for a response that cannot be read."""
    if not isinstance(answer, dict):
        return price if status == 200 else 0.0
    data = _dict(answer.get("data"))
    for holder in (_dict(data.get("metadata")), data, answer):
        stated = holder.get("creditsUsed")
        if isinstance(stated, (int, float)) and not isinstance(stated, bool) and 0 <= stated < 1e9:
            return float(stated)
    if answer.get("success") is not True:  # only an unknown host is charged for
        return 1.0 if answer.get("code") == "SCRAPE_DNS_RESOLUTION_ERROR" else 0.0
    return price


def read_links(answer: Any, limit: int) -> list[str]:
    """Return the URLs in the response to ``POST /v2/map``, at most *limit*, as they are stated.

    :raises ServiceDownError: the response is not a map
    """
    links = _dict(answer).get("links")
    if not isinstance(links, list):
        raise ServiceDownError("firecrawl: the response is not a map")
    found = (_dict(link).get("url") if isinstance(link, dict) else link for link in links)
    return [url for url in found if isinstance(url, str)][:limit]


def read_balance(answer: Any) -> float | None:
    """Return the remaining credits in the response to ``GET /v2/team/credit-usage``."""
    left = _dict(_dict(answer).get("data")).get("remainingCredits")
    is_number = isinstance(left, (int, float)) and not isinstance(left, bool)
    return float(left) if is_number and abs(left) < 1e15 else None  # type: ignore[arg-type]


# Errors


def error_of(
    status: int, answer: Any, retry_after: float | None = None, key: str = ""
) -> Exception | None:
    """Return the error that a response stands for; None if it has what was asked for.

    :param retry_after: seconds of the response's Retry-After
    :param key: the API key, which a message could repeat
    """
    if status == 200:
        if not isinstance(answer, dict):
            return ServiceDownError("firecrawl: the response is truncated or not JSON")
        if answer.get("success") is True:
            return None
    said = _dict(answer)
    code = said.get("code")
    code = one_line(code, _MAX_CODE) if isinstance(code, str) else ""
    error = said.get("error")
    text = error if isinstance(error, str) else ""
    text = one_line(text.replace(key, "***") if key else text, _MAX_TEXT)
    if (of_account := _error_of_account(status, said, code, text)) is not None:
        return of_account
    if status in {408, 429}:
        return _error_of_load(status, code, text, retry_after)
    if (of_page := _error_of_page(code, said)) is not None:
        return of_page
    down = ServiceDownError(f"firecrawl: HTTP {status} {code or text}".strip())
    down.retry_after = retry_after
    return down


def _error_of_account(
    status: int, said: dict[str, Any], code: str, text: str
) -> ServiceRefusedError | None:
    """Return the error of a response that refuses the key, the configuration or the page."""
    if status == 401:  # without the text, which may repeat the key
        why = "firecrawl refuses the API key (HTTP 401): check FIRECRAWL_API_KEY"
        return ServiceRefusedError(why, is_permanent=True)
    if status == 402:
        return ServiceRefusedError(
            "firecrawl has no credits left for this account (HTTP 402)", is_permanent=True
        )
    if status == 400:
        paths = [_first(detail) for detail in _list(said.get("details"))]
        keys = {
            str(key)
            for detail in _list(said.get("details"))
            for key in _list(_dict(detail).get("keys"))
        }
        hint = f" (it does not know {one_line(', '.join(sorted(keys)), 100)})" if keys else ""
        return ServiceRefusedError(
            f"firecrawl rejects the request (HTTP 400): {text}{hint}",
            is_permanent=_OF_PAGE.isdisjoint(paths),
        )
    if status == 403:
        return ServiceRefusedError(f"firecrawl does not fetch this page: {code or text}")
    if 300 <= status < 400 or status in {404, 405}:
        return ServiceRefusedError(
            f"no Firecrawl of version 2 at this address (HTTP {status}): check FIRECRAWL_API_URL",
            is_permanent=True,
        )
    return None


def _error_of_load(status: int, code: str, text: str, retry_after: float | None) -> Exception:
    """Return the error of a response for which the service, or the page, took too long."""
    if code == "SCRAPE_TIMEOUT":
        return DownloadTimeoutError("firecrawl gave up waiting for the page")
    if code.startswith("SCRAPE_PDF"):
        return FileError(f"firecrawl: {code}")
    busy = ServiceDownError(f"firecrawl is busy (HTTP {status})")
    # Servers state the delay in the text, not in a header.
    delay = _DELAY.search(text)
    busy.retry_after = retry_after or (float(delay[1]) if delay else None)
    return busy


def _error_of_page(code: str, said: dict[str, Any]) -> Exception | None:
    """Return the error of a response by which the page's site is at fault."""
    if code == "SCRAPE_SITE_ERROR":
        return _site_error(_dict(said.get("details")).get("browserErrorCode"))
    if code in _BY_CODE:
        error, text = _BY_CODE[code]
        return error(text)
    if code == "SCRAPE_UNSUPPORTED_FILE_ERROR" or code.startswith("SCRAPE_PDF"):
        return FileError(f"firecrawl: {code}")
    return None


_BY_CODE: dict[str, tuple[type[Exception], str]] = {
    "SCRAPE_DNS_RESOLUTION_ERROR": (CannotResolveHostError, "by firecrawl"),
    # The only action is to wait for an element.
    "SCRAPE_ACTION_ERROR": (NoDocumentError, "firecrawl waited in vain for an element of the page"),
    "SCRAPE_ACTIONS_NOT_SUPPORTED": (
        ServiceRefusedError,
        "this Firecrawl cannot wait for an element of the page",
    ),
    "SCRAPE_SSL_ERROR": (
        UnverifiedSiteError,
        "firecrawl cannot verify the certificate of the site",
    ),
    # Also what it says of an empty page.
    "SCRAPE_ALL_ENGINES_FAILED": (NoDocumentError, "firecrawl got no document from the site"),
}


def _site_error(stated: object) -> Exception:
    what = one_line(stated, 60) if isinstance(stated, str) else "no reason"
    if "TIMED_OUT" in what:
        return DownloadTimeoutError(f"by firecrawl: {what}")
    return DownloadFailedError(f"by firecrawl: {what}")


def _first(detail: object) -> str:
    path = _list(_dict(detail).get("path"))
    return str(path[0]) if path else ""


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
