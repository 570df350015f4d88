"""Which failures are retried, how often and after what pause."""

import json
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import (
    DownloadConnectionRefusedError,
    DownloadTimeoutError,
    NotConfigured,
    UnsupportedURLSchemeError,
)
from scrapy.http import Response
from scrapy.utils.test import get_crawler

from tests.politeness.crawling import Pages
from wikicrawler.errors import ConfigError
from wikicrawler.politeness.retry import SiteRetryMiddleware
from wikicrawler.signals import site_busy

URL = "https://a.example.com/"


class Bench:
    """The middleware, and the pauses it asks for."""

    def __init__(self, **settings: Any) -> None:
        self.crawler = get_crawler(Pages, settings)
        self.crawler.spider = Pages([])
        self.crawler.spider.crawler = self.crawler
        self.middleware = SiteRetryMiddleware.from_crawler(self.crawler)
        self.pauses: list[tuple[str, float]] = []
        self.crawler.signals.connect(self._busy, site_busy)

    def _busy(self, slot: str, seconds: float) -> None:
        self.pauses.append((slot, seconds))

    def fail(self, failure: int | Exception, headers: Any = None, **meta: Any) -> list[float]:
        """Let a request fail until it is given up; the pauses of its retries."""
        self.pauses.clear()
        request = Request(URL, meta={"download_slot": "example.com", **meta})
        self.retries = -1
        outcome: Any = request
        while isinstance(outcome, Request):
            self.retries += 1
            assert self.retries < 20
            if isinstance(failure, Exception):
                outcome = self.middleware.process_exception(outcome, failure)
            else:
                response = Response(URL, status=failure, headers=headers)
                outcome = self.middleware.process_response(outcome, response)
        assert outcome is None or outcome.status == failure
        assert {slot for slot, _ in self.pauses} <= {"example.com"}
        return [seconds for _, seconds in self.pauses]


@pytest.mark.parametrize(
    ("failure", "pauses"),
    [
        (429, [30, 60, 120, 300, 600]),
        (503, [10, 30, 60]),
        (DownloadTimeoutError(), [15, 15]),
        (TimeoutError(), [15, 15]),
        (DownloadConnectionRefusedError(), [2, 5]),
        (ConnectionResetError(), [2, 5]),
    ],
)
def test_the_table(failure: int | Exception, pauses: list[float]) -> None:
    bench = Bench()
    assert bench.fail(failure) == pauses
    assert bench.retries == len(pauses)


@pytest.mark.parametrize("status", [500, 502, 504, 408])
def test_other_errors_are_retried_as_scrapy_does(status: int) -> None:
    bench = Bench(RETRY_TIMES=3)
    assert bench.fail(status) == []
    assert bench.retries == 3


@pytest.mark.parametrize("failure", [403, 404, 200, UnsupportedURLSchemeError()])
def test_what_is_not_retried(failure: int | Exception) -> None:
    bench = Bench()
    bench.fail(failure)
    assert bench.retries == 0


def test_a_longer_retry_after_wins_and_a_shorter_does_not() -> None:
    assert Bench().fail(503, {"Retry-After": "45"}) == [45, 45, 60]


def test_meta_keys() -> None:
    bench = Bench()
    bench.fail(429, dont_retry=True)
    assert bench.retries == 0
    assert bench.fail(429, max_retry_times=1) == [30]
    assert bench.fail(503, max_retry_times=5) == [10, 30, 60, 60, 60]


@pytest.mark.parametrize("failure", [DownloadTimeoutError(), DownloadConnectionRefusedError()])
def test_time_outs_and_network_errors_can_be_left_to_who_asks(failure: Exception) -> None:
    bench = Bench(RETRY_TIMES=2)
    assert bench.fail(failure, retry_transient=False) == []
    assert bench.retries == 0
    assert bench.fail(503, retry_transient=False) == [10, 30, 60]
    bench.fail(500, retry_transient=False)
    assert bench.retries == 2
    bench.fail(failure, retry_transient=True)
    assert bench.retries == 2


def test_rows_can_be_replaced() -> None:
    bench = Bench(WIKICRAWLER_RETRY={"429": [1], "timeout": [0.5], 418: [3]})
    assert bench.fail(429) == [1]
    assert bench.fail(DownloadTimeoutError()) == [0.5]
    assert bench.fail(418) == [3]
    assert bench.fail(DownloadConnectionRefusedError()) == [2, 5]


@pytest.mark.parametrize("failure", [503, DownloadTimeoutError(), DownloadConnectionRefusedError()])
def test_an_empty_row_means_no_retry_and_no_complaint(failure: int | Exception) -> None:
    bench = Bench(WIKICRAWLER_RETRY={"503": [], "timeout": [], "network": []})
    bench.fail(failure)
    assert bench.retries == 0
    assert bench.crawler.stats.get_value("retry/max_reached") is None


def test_the_command_line_gives_json() -> None:
    assert Bench(WIKICRAWLER_RETRY=json.dumps({"429": [1, 2]})).fail(429) == [1, 2]


def test_a_status_left_out_of_scrapys_setting_is_not_retried() -> None:
    bench = Bench(RETRY_HTTP_CODES=[500])
    bench.fail(429)
    assert bench.retries == 0
    bench = Bench(RETRY_HTTP_CODES=[500], WIKICRAWLER_RETRY={"429": [1]})
    assert bench.fail(429) == [1]


@pytest.mark.parametrize(
    ("value", "says"),
    [
        ("[1", "not JSON"),
        ("7", "is 7"),
        ([5], "is [5]"),
        ({"4xx": [1]}, "'4xx'"),
        ({"99": [1]}, "'99'"),
        ({"429": 5}, "['429'] is 5"),
        ({"429": ["5"]}, "list of seconds"),
        ({"429": [-1]}, "list of seconds"),
        ({"429": [True]}, "list of seconds"),
        ({"429": [float("inf")]}, "list of seconds"),
    ],
)
def test_a_wrong_table_is_named(value: Any, says: str) -> None:
    with pytest.raises(ConfigError, match="WIKICRAWLER_RETRY") as raised:
        Bench(WIKICRAWLER_RETRY=value)
    assert says in str(raised.value)


@pytest.mark.parametrize("switch", [{"RETRY_ENABLED": False}, {"RETRY_TIMES": 0}])
def test_it_is_switched_off_as_scrapys(switch: dict[str, Any]) -> None:
    with pytest.raises(NotConfigured):
        Bench(**switch)
