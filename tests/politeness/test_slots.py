"""Assignment of requests to slots."""

from pathlib import Path

import pytest
from scrapy import Request, signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.test import get_crawler

from tests.politeness.crawling import config_file
from wikicrawler.politeness.slots import SiteSlotMiddleware


@pytest.fixture
def slots(tmp_path: Path) -> SiteSlotMiddleware:
    file = config_file(tmp_path, "domains:\n  own.example.org: {own_budget: true}\n")
    return SiteSlotMiddleware.from_crawler(get_crawler(None, {"WIKICRAWLER_CONFIG": file}))


def slot(middleware: SiteSlotMiddleware, request: Request) -> str | None:
    assert middleware.process_request(request) is None
    return request.meta.get("download_slot")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://en.wikipedia.org/wiki/A", "wikipedia.org"),
        ("https://de.wikipedia.org/robots.txt", "wikipedia.org"),
        ("http://127.0.0.1:8080/w/api.php", "127.0.0.1"),
        ("https://own.example.org/", "own.example.org"),
        ("https://www.example.org/", "example.org"),
        ("data:,hello", None),
    ],
)
def test_the_slot_is_the_site(slots: SiteSlotMiddleware, url: str, expected: str | None) -> None:
    assert slot(slots, Request(url)) == expected


def test_throttle_slot_charges_another_site(slots: SiteSlotMiddleware) -> None:
    request = Request("https://api.example.net/w/api.php", meta={"throttle_slot": "wiki.example"})
    assert slot(slots, request) == "wiki.example"


def test_a_redirect_to_another_site_is_charged_to_that_site(slots: SiteSlotMiddleware) -> None:
    request = Request("https://a.example.com/")
    assert slot(slots, request) == "example.com"
    assert slot(slots, request.replace(url="https://b.example.net/")) == "example.net"


def test_a_request_with_copied_meta_is_charged_to_its_own_site(
    slots: SiteSlotMiddleware,
) -> None:
    first = Request("https://a.example.com/", meta={"throttle_slot": "elsewhere"})
    slot(slots, first)
    del first.meta["throttle_slot"]
    assert slot(slots, Request("https://b.example.net/", meta=first.meta)) == "example.net"


def test_a_spiders_own_slot_is_kept_through_retries_and_redirects(
    slots: SiteSlotMiddleware,
) -> None:
    request = Request("https://a.example.com/", meta={"download_slot": "mine"})
    assert slot(slots, request) == "mine"
    assert slot(slots, request.copy()) == "mine"
    assert slot(slots, request.replace(url="https://b.example.net/")) == "mine"


def test_a_slot_that_the_spider_sets_later_is_kept(slots: SiteSlotMiddleware) -> None:
    request = Request("https://a.example.com/")
    slot(slots, request)
    request.meta["download_slot"] = "mine"
    assert slot(slots, request) == "mine"
    assert slot(slots, request.replace(url="https://b.example.net/")) == "mine"


def test_the_scheduler_sees_the_slot() -> None:
    crawler = get_crawler()
    middleware = SiteSlotMiddleware.from_crawler(crawler)
    request = Request("https://en.wikipedia.org/wiki/A")
    crawler.signals.send_catch_log(signals.request_scheduled, request=request, spider=None)
    assert request.meta["download_slot"] == "wikipedia.org"
    assert slot(middleware, request) == "wikipedia.org"


def test_without_the_throttle_no_slot_is_assigned() -> None:
    with pytest.raises(NotConfigured):
        SiteSlotMiddleware.from_crawler(get_crawler(None, {"DOMAIN_THROTTLE_ENABLED": False}))
