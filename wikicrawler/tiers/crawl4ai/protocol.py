"""What crawl4ai's server asks for and answers: its requests and answers without I/O.

The contract is that of its Docker server, versions 0.8 and 0.9
(https://docs.crawl4ai.com/core/self-hosting/). Nothing that a page says is repeated in a message:
of its errors only what crawl4ai or the browser wrote.
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
)
from wikicrawler.urls.addresses import normalise_url

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig

Version = tuple[int, ...]

PREFETCHES: Version = (0, 9)
"""Since then a server takes ``prefetch`` and ``body_visibility_timeout``; before, 500."""

BLOCKED = "Blocked by anti-bot protection"
"""How crawl4ai's own judgement of a page begins."""
_DOUBTFUL = re.compile(rf"(?:{BLOCKED}:\s*)?(?:Near-empty|Structural)")
"""Its guesses from the size and shape of a page, which short pages have too."""


@dataclass(frozen=True, slots=True)
class Rendered:
    """A page as the browser had it."""

    url: str
    """After redirects."""
    status: int
    """Of the last answer, not of the first redirect."""
    html: str
    headers: Mapping[str, str]
    error: str = ""
    """What crawl4ai holds against it, in its words; empty where nothing."""


def is_doubtful(error: str) -> bool:
    """Whether crawl4ai's *error* is a guess that the page's HTML may belie."""
    return bool(_DOUBTFUL.match(error))


def request_body(
    config: Crawl4AIConfig,
    url: str,
    version: Version | None,
    parameters: Mapping[str, Any] | None = None,
    *,
    stealth: bool = False,
) -> bytes:
    """The JSON that asks for *url*; *parameters* replace those of ``CrawlerRunConfig``. With
    *stealth* the browser hides that it is automated."""
    crawler: dict[str, Any] = {
        "cache_mode": "bypass",
        "wait_until": "domcontentloaded",
        "page_timeout": round(config.page_timeout * 1000),
        "delay_before_return_html": 0.5,
        "max_retries": 0,
        "verbose": False,
    }
    if version is not None and version >= PREFETCHES:
        # html and links alone: a quarter of the bytes
        crawler |= {"prefetch": True, "body_visibility_timeout": 3000}
    # Always the same one, and one with stealth: the server starts a browser for each that differs.
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
    """The server's version by its answer to ``/health``; None where it does not tell."""
    try:
        version = json.loads(body)["version"]
        found = re.match(r"v?(\d{1,4})\.(\d{1,4})", version)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return (int(found[1]), int(found[2])) if found else None


class PassingError(BrowserUnavailableError):
    """It is worth a retry: the server is busy, restarts, or the way to it was cut."""


def refusal(status: int, body: bytes) -> BrowserError:
    """What an answer of the server with another *status* than 200 means."""
    said = _detail(body)
    told = f"crawl4ai answers HTTP {status}" + (f": {said}" if said else "")
    if status == 400 and "url blocked" in said.lower():
        return BrowserAddressError(told)
    if status in {408, 429, 502, 503, 504}:
        return PassingError(told)
    if status >= 500 or status in {404, 405}:  # what is there is no crawl4ai
        return BrowserUnavailableError(told)
    return BrowserConfigError(told)


def is_lasting(told: str) -> bool:
    """Whether a refusal that was *told* so is of what is the same for all pages: the token or the
    configuration. Any other (a URL that it does not like) is of one request."""
    return bool(_LASTING.match(told))


def is_of_content(told: str) -> bool:
    """Whether a refusal that was *told* so is of something that was asked for (a parameter, a URL),
    not of who asks."""
    return bool(_OF_CONTENT.match(told))


_OF_CONTENT = re.compile(r"crawl4ai answers HTTP (?:400|422)\b")
_LASTING = re.compile(r"crawl4ai answers HTTP (?:401|403|400: .*rejected config)", re.IGNORECASE)


def _detail(body: bytes) -> str:
    """What a refusal says, where it is crawl4ai's own."""
    try:
        data = json.loads(body[:65536])
    except (ValueError, RecursionError):
        return ""
    said = data.get("detail") or data.get("error") if isinstance(data, dict) else None
    if isinstance(said, dict):
        said = said.get("error") or said.get("message")
    return one_line(said, 200) if isinstance(said, str) else ""


def read_stream(body: bytes) -> dict[str, Any]:
    """The one result in the lines of ``/crawl/stream``.

    :raises BrowserUnavailableError: it is cut short, or no such stream
    """
    lines = [line for line in body.split(b"\n") if line.strip()]
    try:
        records = [json.loads(line) for line in lines]
    except (ValueError, RecursionError):
        raise PassingError("crawl4ai's answer is cut short or no JSON") from None
    if not records or not _is_trailer(records[-1]):
        raise PassingError("crawl4ai's answer has no end: it is cut short")
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
    """The page in the *result* of a crawl of *url*.

    :raises DownloadCancelledError: it has more than *max_size* bytes; 0 is no limit
    :raises BrowserError: what the browser said is not the page's doing
    :raises DownloadFailedError, DownloadTimeoutError, DownloadConnectionRefusedError,
        CannotResolveHostError: the browser could not load it
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
    if not success and (status is None or not html or _is_cut(error)):
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
_CRASH = re.compile(r"has been closed|[Cc]rashed|Connection closed")
_OWN_NETWORK = {"ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED", "ERR_PROXY_CONNECTION_FAILED"}


def _is_cut(error: str) -> bool:
    """Whether *error* says that the page was not there in full: its HTML is a part of it."""
    return bool(_NETWORK.search(error) or _TIMEOUT.search(error) or _CRASH.search(error))


def _raise_failure(error: str) -> None:
    """Raise what *error*, of a page that did not load, means."""
    if "Download is starting" in error:
        raise BrowserFileError("the browser would save it as a file")
    network = _NETWORK.search(error)
    code = network[1] if network else ""
    if _TIMEOUT.search(error) or code.endswith("TIMED_OUT"):
        raise DownloadTimeoutError("the browser gave up waiting for the page")
    if code in _OWN_NETWORK:
        raise BrowserUnavailableError(f"crawl4ai has no network: {code}")
    if code.startswith("ERR_NAME_"):
        raise CannotResolveHostError(f"in the browser: {code}")
    if code == "ERR_CONNECTION_REFUSED":
        raise DownloadConnectionRefusedError(f"in the browser: {code}")
    if code:
        raise DownloadFailedError(f"in the browser: {code}")
    if _CRASH.search(error):
        raise BrowserUnavailableError("crawl4ai's browser crashed")
    if not error.startswith(BLOCKED) and not is_doubtful(error):
        raise BrowserUnavailableError(f"crawl4ai failed: {one_line(error, 200) or 'no reason'}")


def _status(result: Mapping[str, Any], html: str) -> int | None:
    """HTTP status of the page; servers before 0.9 know that of the first redirect alone."""
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
_NOT_OURS = {  # true of the browser's connection and cookie jar alone, or not any more
    *("connection", "content-encoding", "content-length", "keep-alive", "set-cookie"),
    *("transfer-encoding", "upgrade"),
}


def _headers(value: object) -> dict[str, str]:
    """The page's response headers, lower case, that still say something of its HTML."""
    if not isinstance(value, dict):
        return {}
    headers = {}
    for raw_name, text in value.items():
        name = str(raw_name).lower()
        if (
            _NAME.fullmatch(name)
            and name not in _NOT_OURS
            and not name.startswith("x-crawl4ai-")
            and isinstance(text, str)
            and len(text) <= 8192
        ):
            headers[name] = text.split("\n")[0].encode("utf-8", "replace").decode()
    return headers
