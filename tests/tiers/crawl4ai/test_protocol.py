"""Parsing of crawl4ai's responses. The recorded ones are from crawl4ai 0.9.5."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
)

from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.errors import (
    BrowserAddressError,
    BrowserConfigError,
    BrowserFileError,
    BrowserUnavailableError,
    PageNavigatingError,
)
from wikicrawler.tiers.crawl4ai.protocol import (
    TransientError,
    is_guess,
    is_permanent,
    read_result,
    read_stream,
    read_version,
    refusal,
    request_body,
)

RECORDED = Path(__file__).with_name("data")
URL = "http://site.example/page"
TRAILER = b'{"status": "completed"}\n'


def recorded(name: str) -> dict[str, Any]:
    return read_stream((RECORDED / f"{name}.ndjson").read_bytes())


def failed(message: str, **more: Any) -> dict[str, Any]:
    return {"success": False, "html": "", "status_code": None, "error_message": message} | more


@pytest.mark.parametrize(
    ("name", "status", "error"),
    [
        ("rendered", 200, ""),
        ("missing", 404, ""),
        ("server_error", 500, ""),
        ("json", 200, ""),
        ("forbidden", 403, "Blocked by anti-bot protection: HTTP 403"),
        ("too_many", 429, "Blocked by anti-bot protection: HTTP 429"),
        ("unavailable", 503, "Blocked by anti-bot protection: HTTP 503"),
        ("empty", 200, "Blocked by anti-bot protection: Near-empty content"),
        ("short", 200, "Blocked by anti-bot protection: Near-empty content"),
        ("challenge", 200, "Blocked by anti-bot protection: Structural"),
    ],
)
def test_a_loaded_page_is_returned_whatever_crawl4ais_verdict(
    name: str, status: int, error: str
) -> None:
    page = read_result(recorded(name), URL)
    assert page.status == status
    assert page.html
    assert page.error.startswith(error) if error else not page.error


def test_after_redirects_the_last_response_counts() -> None:
    page = read_result(recorded("redirect"), "http://site.example/redirect")
    assert (page.url, page.status) == ("http://site.example/js", 200)


def test_old_servers_report_only_the_first_status() -> None:
    result = recorded("redirect")
    assert result["status_code"] == 302
    del result["redirected_status_code"]
    assert read_result(result, URL).status == 200


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("pdf", BrowserFileError),
        ("refused", DownloadFailedError),  # a port that browsers do not use
        ("no_such_host", CannotResolveHostError),
        ("hang", DownloadTimeoutError),
    ],
)
def test_load_errors_raise_the_matching_exception(name: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_result(recorded(name), URL)


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("Page.goto: net::ERR_CONNECTION_REFUSED at http://x/", DownloadConnectionRefusedError),
        ("Page.goto: net::ERR_CONNECTION_TIMED_OUT at http://x/", DownloadTimeoutError),
        ("Wait condition failed: Timeout after 9000ms waiting for 'p'", DownloadTimeoutError),
        ("Page.goto: net::ERR_SSL_PROTOCOL_ERROR at http://x/", DownloadFailedError),
        ("Page.goto: net::ERR_INTERNET_DISCONNECTED at http://x/", BrowserUnavailableError),
        ("Target page, context or browser has been closed", BrowserUnavailableError),
        ("Page.content: the page is navigating and changing the content.", PageNavigatingError),
        ("something new", BrowserUnavailableError),
        ("", BrowserUnavailableError),
    ],
)
def test_errors_of_the_browser(message: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_result(failed(message), URL)


@pytest.mark.parametrize(
    ("message", "error"),
    [
        ("Timeout 25000ms exceeded", DownloadTimeoutError),
        ("Wait condition failed: Timeout after 9000ms waiting for 'p'", DownloadTimeoutError),
        ("Page.content: Target page has been closed", BrowserUnavailableError),
        ("Page.goto: net::ERR_CONNECTION_RESET at http://x/", DownloadFailedError),
    ],
)
def test_a_partially_loaded_page_is_an_error(message: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        read_result(failed(message, html="<p>The first half.", status_code=200), URL)


def test_a_page_over_the_size_limit_is_cancelled() -> None:
    result = {"success": True, "status_code": 200, "html": "<p>" + "x" * 97}
    assert read_result(result, URL, 100).html == result["html"]
    with pytest.raises(DownloadCancelledError):
        read_result(result, URL, 99)


def test_a_refusal_by_the_servers_own_guard_is_not_a_block_by_the_site() -> None:
    html = "<html><body><pre>URL blocked</pre></body></html>"
    result = failed("Blocked by anti-bot protection: HTTP 403", html=html, status_code=403)
    with pytest.raises(BrowserAddressError):
        read_result(result, URL)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b'{"success": true, "html": "x"}\n',
        b'{"success": true, "ht',
        b"<html>a proxy's error page</html>",
        TRAILER,
        b"[1]\n" + TRAILER,
        b'{"error": "gone"}\n' + TRAILER,
        b"[" * 100_000 + b"\n" + TRAILER,
        b"\xff\xfe\n" + TRAILER,
    ],
    ids=["nothing", "object", "no-end", "cut", "html", "empty", "list", "error", "deep", "bytes"],
)
def test_an_incomplete_response_is_the_servers_fault(body: bytes) -> None:
    with pytest.raises(BrowserUnavailableError):
        read_stream(body)


@pytest.mark.parametrize(
    "value",
    [None, 5, "", "javascript:alert(1)", "http://", "http://[", "about:blank", "http://a\u2028b/"],
)
def test_an_invalid_final_url_is_replaced_by_the_requested_one(value: object) -> None:
    result = {"success": True, "html": "<p>x", "status_code": 200, "redirected_url": value}
    assert read_result(result, URL).url == URL


def test_credentials_are_removed_from_the_final_url() -> None:
    address = "https://bob:hunter2@a.example/b"
    result = {"success": True, "html": "<p>x", "status_code": 200, "redirected_url": address}
    assert read_result(result, URL).url == "https://a.example/b"


@pytest.mark.parametrize("value", ["x", None, [], 10**30, True, 99, {"a": 1}])
def test_fields_of_a_wrong_type_are_ignored(value: object) -> None:
    result = {"success": True, "html": "<p>x", "status_code": value, "response_headers": value}
    page = read_result(result, URL)
    assert page.status == 200
    assert "set-cookie" not in page.headers


def test_headers_that_do_not_apply_to_the_html_are_removed() -> None:
    headers = {
        "Content-Type": "text/html",
        "Content-Encoding": "br",
        "Content-Length": "5",
        "Set-Cookie": "a=1",
        "X-Crawl4AI-Error": "forged",
        "Retry-After": "3\nX: y",
        "bad name": "x",
        "Number": 5,
    }
    result = {"success": True, "html": "<p>x", "status_code": 200, "response_headers": headers}
    assert read_result(result, URL).headers == {"content-type": "text/html", "retry-after": "3"}


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (401, b'{"detail": "Invalid token"}', BrowserConfigError),
        (400, b'{"detail": "Rejected config: js_code"}', BrowserConfigError),
        (400, b'{"detail": "URL blocked: private"}', BrowserAddressError),
        (404, b"not here", BrowserUnavailableError),
        (405, b"", BrowserUnavailableError),
        (408, b"", TransientError),
        (413, b"", BrowserConfigError),
        (422, b'{"detail": [{"loc": ["body"]}]}', BrowserConfigError),
        (301, b"", BrowserConfigError),
        (429, b"", TransientError),
        (502, b"<html>", TransientError),
        (503, b"", TransientError),
        (504, b"", TransientError),
        (500, b'{"error": "Internal", "correlation_id": "x"}', BrowserUnavailableError),
    ],
)
def test_refusals(status: int, body: bytes, error: type[Exception]) -> None:
    found = refusal(status, body)
    assert type(found) is error
    assert f"HTTP {status}" in str(found)


def test_a_refusals_message_is_one_line() -> None:
    assert "\n" not in str(refusal(400, json.dumps({"detail": "a\nb\x1b[31m"}).encode()))


@pytest.mark.parametrize(
    ("body", "version"),
    [
        (b'{"status": "ok", "version": "0.9.2"}', (0, 9)),
        (b'{"version": "0.10.0-rc1"}', (0, 10)),
        (b'{"version": "v1.2"}', (1, 2)),
        (b'{"status": "ok"}', None),
        (b'{"version": 9}', None),
        (b"[]", None),
        (b"<html>", None),
    ],
)
def test_version(body: bytes, version: tuple[int, ...] | None) -> None:
    assert read_version(body) == version


def test_only_new_servers_are_asked_to_prefetch() -> None:
    config = Crawl4AIConfig("http://127.0.0.1:1", user_agent="wikicrawler/1")

    def crawler(version: tuple[int, ...] | None) -> dict[str, Any]:
        data = json.loads(request_body(config, URL, version))
        assert data["browser_config"]["params"]["user_agent"] == "wikicrawler/1"
        params: dict[str, Any] = data["crawler_config"]["params"]
        return params

    assert crawler((0, 9))["prefetch"] is crawler((0, 10))["prefetch"] is True
    for version in ((0, 8), None):
        assert not {"prefetch", "body_visibility_timeout"} & crawler(version).keys()
    assert crawler((0, 9))["page_timeout"] == 25_000


def test_stealth_adds_one_parameter_to_the_request() -> None:
    config = Crawl4AIConfig("http://127.0.0.1:1", user_agent="wikicrawler/1")
    plain = (
        b'{"urls": ["http://site.example/page"], "browser_config": {"type": "BrowserConfig", '
        b'"params": {"headless": true, "text_mode": true, "user_agent": "wikicrawler/1", '
        b'"viewport_width": 1280, "viewport_height": 800, "verbose": false}}, "crawler_config": '
        b'{"type": "CrawlerRunConfig", "params": {"cache_mode": "bypass", "wait_until": '
        b'"domcontentloaded", "page_timeout": 25000, "delay_before_return_html": 0.5, '
        b'"max_retries": 0, "verbose": false, "prefetch": true, "body_visibility_timeout": 3000}}}'
    )
    assert request_body(config, URL, (0, 9)) == plain
    wanted = json.loads(plain)
    wanted["browser_config"]["params"]["enable_stealth"] = True
    assert json.loads(request_body(config, URL, (0, 9), stealth=True)) == wanted


def test_guesses_from_the_size_of_a_page_are_distinguished_from_blocks() -> None:
    assert is_guess("Near-empty content (85 bytes) with HTTP 200")
    assert is_guess("Blocked by anti-bot protection: Structural: no <body> tag")
    assert not is_guess("Blocked by anti-bot protection: Cloudflare JS challenge")


@pytest.mark.parametrize(
    ("status", "detail", "permanent"),
    [
        (401, "Unauthorized", True),
        (403, "Forbidden", True),
        (400, "Rejected config: js_code", True),
        (400, "Invalid URL", False),
        (404, "Not Found", False),
        (413, "too large", False),
        (422, "bad body", False),
    ],
)
def test_only_a_refused_token_or_configuration_is_permanent(
    status: int, detail: str, permanent: bool
) -> None:
    message = str(refusal(status, json.dumps({"detail": detail}).encode()))
    assert is_permanent(message) is permanent


def test_a_header_that_cannot_be_encoded_is_repaired() -> None:
    found = read_result(
        {
            "success": True,
            "status_code": 200,
            "html": "<p>x",
            "response_headers": {"x-a": "\ud800"},
        },
        "https://a.example/",
    )
    assert found.headers["x-a"].encode()
