"""What is sent to Firecrawl, and what its responses mean."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import pytest
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadFailedError,
    DownloadTimeoutError,
)
from scrapy.settings import Settings

from wikicrawler.errors import ConfigError, Reason
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.firecrawl import protocol
from wikicrawler.tiers.firecrawl.config import FirecrawlConfig
from wikicrawler.tiers.service.client import ServiceDownError, ServiceRefusedError
from wikicrawler.tiers.service.pages import PageOptions

PAGE = "https://a.example/x"


def config(**values: Any) -> FirecrawlConfig:
    found = FirecrawlConfig.from_settings(Settings({"FIRECRAWL_API_KEY": "fc-1"} | values))
    assert found is not None
    return found


def page(**data: Any) -> dict[str, Any]:
    return {"success": True, "data": data}


def test_a_fresh_page_is_asked_for_that_firecrawl_does_not_keep() -> None:
    body = json.loads(protocol.scrape_body(config(FIRECRAWL_TIMEOUT=30), PAGE))
    assert body == {
        "url": PAGE,
        "formats": ["rawHtml"],
        "maxAge": 0,
        "storeInCache": False,
        "timeout": 30_000,
        "proxy": "basic",
        "parsers": [],
        "skipTlsVerification": False,
    }
    unverified = protocol.scrape_body(config(), PAGE, PageOptions(verify_tls=False))
    assert json.loads(unverified)["skipTlsVerification"]


def test_it_waits_for_an_element_and_sends_the_headers_of_the_page() -> None:
    options = PageOptions("#rules > li", {"X-Purpose": "research"})
    body = json.loads(protocol.scrape_body(config(), PAGE, options))
    assert body["actions"] == [{"type": "wait", "selector": "#rules > li"}]
    assert body["headers"] == {"X-Purpose": "research"}


@pytest.mark.parametrize(("proxy", "deadline"), [("basic", 45), ("auto", 135), ("enhanced", 135)])
def test_we_wait_longer_than_firecrawl_does(proxy: str, deadline: float) -> None:
    assert config(FIRECRAWL_TIMEOUT=30, FIRECRAWL_PROXY=proxy).deadline == deadline


def test_without_a_key_or_an_address_there_is_none() -> None:
    assert FirecrawlConfig.from_settings(Settings()) is None
    own = FirecrawlConfig.from_settings(Settings({"FIRECRAWL_API_URL": "http://127.0.0.1:3002/v2"}))
    assert own is not None
    assert (own.url, own.key) == ("http://127.0.0.1:3002", "")
    assert config().url == "https://api.firecrawl.dev"
    assert "fc-1" not in repr(config())


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("FIRECRAWL_API_URL", "https://api.firecrawl.dev/v1", "another version"),
        ("FIRECRAWL_API_URL", "ftp://a.example", "FIRECRAWL_API_URL"),
        ("FIRECRAWL_API_URL", "https://a.example/?key=1", "has a query"),
        ("FIRECRAWL_API_KEY", "a\nb", "FIRECRAWL_API_KEY"),
        ("FIRECRAWL_TIMEOUT", 0.5, "FIRECRAWL_TIMEOUT"),
        ("FIRECRAWL_TIMEOUT", 301, "FIRECRAWL_TIMEOUT"),
        ("FIRECRAWL_PROXY", "stealth", "basic, auto or enhanced"),
    ],
)
def test_a_wrong_setting_is_named(name: str, value: Any, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        config(**{name: value})


def test_the_page_is_the_html_at_the_final_url_with_the_status_of_its_site() -> None:
    metadata = {
        "sourceURL": PAGE,
        "url": "https://a.example/\u00fc",
        "statusCode": 404,
        "contentType": "text/html; charset=utf-8",
        "title": ["two", "titles"],
    }
    found = protocol.read_page(page(rawHtml="<p>\ud800\u00e4</p>", metadata=metadata), PAGE)
    assert found == ("https://a.example/%C3%BC", 404, b"<p>?\xc3\xa4</p>", *found[3:])
    assert found.kind == "text/html; charset=utf-8"


@pytest.mark.parametrize(
    ("metadata", "status", "url"),
    [
        ({}, 200, PAGE),
        ({"statusCode": "403"}, 403, PAGE),
        ({"statusCode": 301}, 200, PAGE),
        ({"url": ["https://a.example/1", "https://a.example/2"]}, 200, PAGE),
        ({"url": "javascript:alert(1)"}, 200, PAGE),
        ({"url": "https://[::1"}, 200, PAGE),
        ([], 200, PAGE),
    ],
)
def test_metadata_of_any_type_is_read(metadata: Any, status: int, url: str) -> None:
    found = protocol.read_page(page(rawHtml="<p>x</p>", metadata=metadata), PAGE)
    assert (found.status, found.url) == (status, url)


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {"success": True},
        page(markdown="# only", metadata={}),
        page(rawHtml=None, metadata={"statusCode": 200}),
        page(rawHtml=5),
        page(rawHtml="<p>", metadata={"statusCode": 99}),
        page(rawHtml="<p>", metadata={"statusCode": True}),
    ],
)
def test_a_response_that_is_no_page_is_the_services_fault(answer: Any) -> None:
    with pytest.raises(ServiceDownError):
        protocol.read_page(answer, PAGE)


def test_a_page_may_be_as_large_as_any_other() -> None:
    answer = page(rawHtml="\u00e4" * 10)
    assert len(protocol.read_page(answer, PAGE, 20).body) == 20
    with pytest.raises(DownloadCancelledError):
        protocol.read_page(answer, PAGE, 19)


def test_a_pdf_comes_as_it_is() -> None:
    pdf = b"%PDF-1.7 \x00\xff"
    metadata = {"contentType": "application/pdf"}
    answer = page(rawHtml=b64encode(pdf).decode(), metadata=metadata)
    assert protocol.read_page(answer, PAGE)[2:4] == (pdf, "application/pdf")
    broken = protocol.read_page(page(rawHtml="JVBERi0\u00e4", metadata={}), PAGE)
    assert broken.kind == "application/pdf"


def failure(code: str = "", **more: Any) -> dict[str, Any]:
    return {"success": False, "error": "told", **({"code": code} if code else {}), **more}


UNKNOWN_KEY = [{"code": "unrecognized_keys", "keys": ["foo"], "path": []}]
WRONG_URL = [{"code": "custom", "path": ["url"]}]


@pytest.mark.parametrize(
    ("status", "answer", "kind", "reason"),
    [
        (
            200,
            failure("SCRAPE_DNS_RESOLUTION_ERROR"),
            CannotResolveHostError,
            Reason.NETWORK,
        ),
        (200, failure(), ServiceDownError, Reason.SERVICE_DOWN),
        (200, None, ServiceDownError, Reason.SERVICE_DOWN),  # truncated
        (200, [], ServiceDownError, Reason.SERVICE_DOWN),
        (400, failure("BAD_REQUEST"), ServiceRefusedError, Reason.SERVICE_CONFIG),
        (401, failure(), ServiceRefusedError, Reason.SERVICE_CONFIG),
        (402, failure(), ServiceRefusedError, Reason.SERVICE_CONFIG),
        (403, failure("UNSUPPORTED_SITE"), ServiceRefusedError, Reason.SERVICE_CONFIG),
        (403, failure(), ServiceRefusedError, Reason.SERVICE_CONFIG),
        (404, None, ServiceRefusedError, Reason.SERVICE_CONFIG),
        (301, None, ServiceRefusedError, Reason.SERVICE_CONFIG),
        (408, failure("SCRAPE_TIMEOUT"), DownloadTimeoutError, Reason.TIMEOUT),
        (408, failure("CONCURRENCY_QUEUE_TIMEOUT"), ServiceDownError, Reason.SERVICE_DOWN),
        (429, failure(), ServiceDownError, Reason.SERVICE_DOWN),
        (500, failure("SCRAPE_SITE_ERROR"), DownloadFailedError, Reason.NETWORK),
        (
            500,
            failure("SCRAPE_SITE_ERROR", details={"browserErrorCode": "ERR_TIMED_OUT"}),
            DownloadTimeoutError,
            Reason.TIMEOUT,
        ),
        (500, failure("SCRAPE_ALL_ENGINES_FAILED"), protocol.NoDocumentError, Reason.EMPTY),
        (500, failure("SCRAPE_SSL_ERROR"), protocol.UnverifiedSiteError, Reason.NETWORK),
        (500, failure("SCRAPE_UNSUPPORTED_FILE_ERROR"), protocol.FileError, Reason.NOT_HTML),
        (500, failure("SCRAPE_PDF_INSUFFICIENT_TIME"), protocol.FileError, Reason.NOT_HTML),
        (500, failure("UNKNOWN_ERROR"), ServiceDownError, Reason.SERVICE_DOWN),
        (502, None, ServiceDownError, Reason.SERVICE_DOWN),
        (504, "<html>", ServiceDownError, Reason.SERVICE_DOWN),
    ],
)
def test_each_error_has_its_reason(
    status: int, answer: Any, kind: type[Exception], reason: Reason
) -> None:
    error = protocol.error_of(status, answer)
    assert type(error) is kind
    found = failure_of(error)
    assert found is not None
    assert found.reason is reason


def test_success_is_no_error() -> None:
    assert protocol.error_of(200, page(rawHtml="")) is None


@pytest.mark.parametrize(
    ("status", "answer", "permanent"),
    [
        (401, failure(), True),
        (402, failure(), True),
        (400, failure("BAD_REQUEST", details=UNKNOWN_KEY), True),
        (400, failure("BAD_REQUEST", details=WRONG_URL), False),
        (403, failure("UNSUPPORTED_SITE"), False),
        (404, None, True),
    ],
)
def test_what_is_refused_for_all_pages_is_not_asked_for_again(
    status: int, answer: Any, permanent: bool
) -> None:
    error = protocol.error_of(status, answer)
    assert isinstance(error, ServiceRefusedError)
    assert error.is_permanent is permanent


def test_the_message_names_the_keys_that_the_server_does_not_know() -> None:
    error = protocol.error_of(400, failure("BAD_REQUEST", details=UNKNOWN_KEY))
    assert "foo" in str(error)


def test_no_message_repeats_the_key() -> None:
    for status in (200, 400, 401, 402, 403, 408, 429, 500):
        answer = {"success": False, "error": "token fc-secret is wrong"}
        assert "fc-secret" not in str(protocol.error_of(status, answer, key="fc-secret"))


@pytest.mark.parametrize(
    ("text", "header", "seconds"),
    [
        ("Rate limit exceeded. Please retry after 7s, resets at 12:00", None, 7.0),
        ("Rate limit exceeded. retry after 7s", 20.0, 20.0),
        ("retry after " + "9" * 400 + "s", None, None),
        ("busy", None, None),
    ],
)
def test_the_delay_of_a_busy_service_is_in_its_text(
    text: str, header: float | None, seconds: float | None
) -> None:
    error = protocol.error_of(429, {"error": text}, header)
    assert isinstance(error, ServiceDownError)
    assert error.retry_after == seconds


@pytest.mark.parametrize(
    ("status", "answer", "charged"),
    [
        (200, page(metadata={"creditsUsed": 5}), 5.0),
        (200, page(metadata={"creditsUsed": "5"}), 3.0),  # not a number: the price
        (200, page(metadata={"creditsUsed": True}), 3.0),
        (200, page(metadata={"creditsUsed": -1}), 3.0),
        (200, page(metadata={"creditsUsed": 1e300}), 3.0),
        (200, page(metadata={}), 3.0),
        (200, failure("SCRAPE_DNS_RESOLUTION_ERROR"), 1.0),
        (200, failure(), 0.0),
        (200, None, 3.0),  # truncated: it may have been charged for
        (500, failure("SCRAPE_ALL_ENGINES_FAILED"), 0.0),
        (502, None, 0.0),
    ],
)
def test_the_credits_are_those_that_the_service_states(
    status: int, answer: Any, charged: float
) -> None:
    assert protocol.credits_of(status, answer, 3.0) == charged


def test_a_map_may_hold_anything() -> None:
    links = [{"url": "https://a.example/1"}, "https://a.example/2", {"url": 5}, None, {}]
    assert protocol.read_links({"links": links}, 10) == [
        "https://a.example/1",
        "https://a.example/2",
    ]
    assert protocol.read_links({"links": links}, 1) == ["https://a.example/1"]
    for wrong in (None, {}, {"links": "x"}):
        with pytest.raises(ServiceDownError):
            protocol.read_links(wrong, 10)


def test_json_of_any_depth_is_read() -> None:
    assert protocol.parse(b"[" * 500_000) is None
    assert protocol.parse(b"\xff") is None
