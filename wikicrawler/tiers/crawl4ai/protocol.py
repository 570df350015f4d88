"""Requests and responses of crawl4ai's REST API, without I/O.

The API is that of its Docker server, versions 0.8 and 0.9
(https://docs.crawl4ai.com/core/self-hosting/). Error messages contain text of crawl4ai and the
browser only, never text of a page.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)

from wikicrawler.text.safe import one_line
from wikicrawler.tiers.crawl4ai.errors import (
    BrowserAddressError,
    BrowserConfigError,
    BrowserError,
    BrowserFileError,
    BrowserUnavailableError,
    PageNavigatingError,
)
from wikicrawler.urls.addresses import normalise_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig

Version = tuple[int, ...]

PREFETCH_VERSION: Version = (0, 9)
"""First version that accepts ``prefetch`` and ``body_visibility_timeout``; earlier ones answer
500."""

BLOCKED = "Blocked by anti-bot protection"
"""Prefix of crawl4ai's own verdict on a page."""
_GUESS = re.compile(rf"(?:{BLOCKED}:\s*)?(?:Near-empty|Structural)")
"""Verdicts that crawl4ai infers from the size and structure of a page; short pages get them too."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A rendered page."""

    url: str
    """URL after redirects."""
    status: int
    """Status of the last response, not of the first redirect."""
    html: str
    headers: Mapping[str, str]
    error: str = ""
    """The error that crawl4ai reports for the page; empty if none."""


def is_guess(error: str) -> bool:
    """Return True if crawl4ai's *error* is a guess that the page's HTML may refute."""
    return bool(_GUESS.match(error))


def request_body(
    config: Crawl4AIConfig,
    url: str,
    version: Version | None,
    parameters: Mapping[str, Any] | None = None,
    *,
    stealth: bool = False,
) -> bytes:
    """Return the JSON body of a request for *url*.

    :param parameters: override parameters of ``CrawlerRunConfig``
    :param stealth: use a browser that hides that it is automated
    """
    crawler: dict[str, Any] = {
        "cache_mode": "bypass",
        "wait_until": "domcontentloaded",
        "page_timeout": round(config.page_timeout * 1000),
        "delay_before_return_html": 0.5,
        "max_retries": 0,
        "verbose": False,
    }
    if version is not None and version >= PREFETCH_VERSION:
        # Return only HTML and links: a quarter of the bytes.
        crawler |= {"prefetch": True, "body_visibility_timeout": 3000}
    # Constant apart from stealth: the server starts a browser for each distinct configuration.
    browser: dict[str, Any] = {
        "headless": True,
        "text_mode": True,
        "user_agent": config.user_agent,
        "viewport_width": 1280,
        "viewport_height": 800,
        "verbose": False,
    }
    if stealth:
        browser["enable_stealth"] = True
    data = {
        "urls": [url],
        "browser_config": {"type": "BrowserConfig", "params": browser},
        "crawler_config": {"type": "CrawlerRunConfig", "params": crawler | dict(parameters or {})},
    }
    return json.dumps(data).encode()


def read_version(body: bytes) -> Version | None:
    """Return the server's version from its response to ``/health``; None if it has none."""
    try:
        version = json.loads(body)["version"]
        found = re.match(r"v?(\d{1,4})\.(\d{1,4})", version)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return (int(found[1]), int(found[2])) if found else None


class TransientError(BrowserUnavailableError):
    """A failure worth a retry: the server is busy or restarting, or the connection was lost."""


def refusal(status: int, body: bytes) -> BrowserError:
    """Return the error for a response with another *status* than 200."""
    detail = _error_message(body)
    message = f"crawl4ai answers HTTP {status}" + (f": {detail}" if detail else "")
    if status == 400 and "url blocked" in detail.lower():
        return BrowserAddressError(message)
    if status in {408, 429, 502, 503, 504}:
        return TransientError(message)
    if status >= 500 or status in {404, 405}:  # 404, 405: not a crawl4ai server
        return BrowserUnavailableError(message)
    return BrowserConfigError(message)


def is_permanent(message: str) -> bool:
    """Return True if a refusal with *message* concerns all pages: the token or the configuration.

    Other refusals (of a URL) concern one request.
    """
    return bool(_PERMANENT.match(message))


def is_request_error(message: str) -> bool:
    """Return True if a refusal with *message* concerns the request's content (a parameter, a URL),
    not the client."""
    return bool(_REQUEST_ERROR.match(message))


_REQUEST_ERROR = re.compile(r"crawl4ai answers HTTP (?:400|422)\b")
_PERMANENT = re.compile(r"crawl4ai answers HTTP (?:401|403|400: .*rejected config)", re.IGNORECASE)


def _error_message(body: bytes) -> str:
    """Return the error message in a refusal; empty if the body is not crawl4ai's."""
    try:
        data = json.loads(body[:65536])
    except (ValueError, RecursionError):
        return ""
    message = data.get("detail") or data.get("error") if isinstance(data, dict) else None
    if isinstance(message, dict):
        message = message.get("error") or message.get("message")
    return one_line(message, 200) if isinstance(message, str) else ""


def read_stream(body: bytes) -> dict[str, Any]:
    """Return the one result in the lines of ``/crawl/stream``.

    :raises BrowserUnavailableError: the stream is truncated or invalid
    """
    lines = [line for line in body.split(b"\n") if line.strip()]
    try:
        records = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        raise TransientError("crawl4ai's answer is cut short or no JSON") from None
    if not records or not _is_trailer(records[-1]):
        raise TransientError("crawl4ai's answer has no end: it is cut short")
    results = [r for r in records[:-1] if isinstance(r, dict) and "success" in r]
    if not results:
        errors = [r["error"] for r in records if isinstance(r, dict) and "error" in r]
        raise BrowserUnavailableError(
            "crawl4ai's answer holds no page" + (f": {one_line(errors[0], 200)}" if errors else "")
        )
    return results[0]


def _is_trailer(record: object) -> bool:
    return isinstance(record, dict) and record.get("status") == "completed"


def read_result(result: Mapping[str, Any], url: str, max_size: int = 0) -> Rendered:
    """Return the page in the *result* of a crawl of *url*.

    :param max_size: maximum length of the HTML; 0: no limit
    :raises DownloadCancelledError: the page is larger than *max_size*
    :raises BrowserError: the browser failed, and the page is not at fault
    :raises DownloadFailedError, DownloadTimeoutError, DownloadConnectionRefusedError,
        CannotResolveHostError: the browser could not load the page
    """
    html = result.get("html")
    html = html if isinstance(html, str) else ""
    if max_size and len(html) > max_size:
        raise DownloadCancelledError(f"a page of more than {max_size} bytes (DOWNLOAD_MAXSIZE)")
    error = result.get("error_message")
    error = error if isinstance(error, str) else ""
    success = result.get("success") is True
    status = _status(result, html)
    if not success and status == 403 and "<pre>URL blocked</pre>" in html[:2000]:
        raise BrowserAddressError("crawl4ai does not fetch this address")
    if not success and (status is None or not html or _is_incomplete(error)):
        _raise_failure(error)
    return Rendered(
        url=_final_url(result.get("redirected_url"), url),
        status=status or 200,
        html=html,
        headers=_headers(result.get("response_headers")),
        error="" if success else one_line(error, 200) or "failed",
    )


_NETWORK = re.compile(r"net::(ERR_[A-Z0-9_]{1,60})")
_TIMEOUT = re.compile(r"Timeout \d+ms exceeded|Wait condition failed")
_NAVIGATES = re.compile(r"page is navigating")
_CRASH = re.compile(r"has been closed|[Cc]rashed|Connection closed")
_SERVER_NETWORK_ERRORS = {
    "ERR_INTERNET_DISCONNECTED",
    "ERR_NETWORK_CHANGED",
    "ERR_PROXY_CONNECTION_FAILED",
}


def _is_incomplete(error: str) -> bool:
    """Return True if *error* means that the page was not loaded completely."""
    return any(p.search(error) for p in (_NETWORK, _TIMEOUT, _NAVIGATES, _CRASH))


def _raise_failure(error: str) -> None:
    """Raise the exception for the *error* of a page that did not load."""
    if "Download is starting" in error:
        raise BrowserFileError("the browser would save it as a file")
    network = _NETWORK.search(error)
    code = network[1] if network else ""
    if _TIMEOUT.search(error) or code.endswith("TIMED_OUT"):
        raise DownloadTimeoutError("the browser gave up waiting for the page")
    if code in _SERVER_NETWORK_ERRORS:
        raise BrowserUnavailableError(f"crawl4ai has no network: {code}")
    if code.startswith("ERR_NAME_"):
        raise CannotResolveHostError(f"in the browser: {code}")
    if code == "ERR_CONNECTION_REFUSED":
        raise DownloadConnectionRefusedError(f"in the browser: {code}")
    if code:
        raise DownloadFailedError(f"in the browser: {code}")
    if _NAVIGATES.search(error):
        raise PageNavigatingError("the page was loading its next document")
    if _CRASH.search(error):
        raise BrowserUnavailableError("crawl4ai's browser crashed")
    if not error.startswith(BLOCKED) and not is_guess(error):
        raise BrowserUnavailableError(f"crawl4ai failed: {one_line(error, 200) or 'no reason'}")


def _status(result: Mapping[str, Any], html: str) -> int | None:
    """Return the HTTP status of the page. Servers before 0.9 report only that of the first
    redirect."""
    for name in ("redirected_status_code", "status_code"):
        status = result.get(name)
        if type(status) is int and 100 <= status <= 599:
            return 200 if 300 <= status < 400 and html else status
    return None


def _final_url(value: object, url: str) -> str:
    if not isinstance(value, str) or not value.startswith(("http://", "https://")):
        return url
    try:
        return normalise_url(value)
    except ValueError:
        return url


_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_DROPPED_HEADERS = {  # of the browser's connection and cookie jar, or no longer true
    *("connection", "content-encoding", "content-length", "keep-alive", "set-cookie"),
    *("transfer-encoding", "upgrade"),
}


def _headers(value: object) -> dict[str, str]:
    """Return the page's response headers that still apply to its HTML, by lower-case name."""
    if not isinstance(value, dict):
        return {}
    headers = {}
    for raw_name, text in value.items():
        name = str(raw_name).lower()
        if (
            _NAME.fullmatch(name)
            and name not in _DROPPED_HEADERS
            and not name.startswith("x-crawl4ai-")
            and isinstance(text, str)
            and len(text) <= 8192
        ):
            headers[name] = text.split("\n")[0].encode("utf-8", "replace").decode()
    return headers
