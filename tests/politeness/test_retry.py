"""Retries and their pauses."""

import json
from time import time
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


class RetryHarness:
    """The middleware and the pauses that it requests."""

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
        """Fail a request until no retry is left; return the pauses of its retries."""
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
def test_failures_are_retried_with_the_pauses_of_the_table(
    failure: int | Exception, pauses: list[float]
) -> None:
    harness = RetryHarness()
    assert harness.fail(failure) == pauses
    assert harness.retries == len(pauses)


@pytest.mark.parametrize("status", [500, 502, 504, 408])
def test_other_errors_are_retried_as_scrapy_does(status: int) -> None:
    harness = RetryHarness(RETRY_TIMES=3)
    assert harness.fail(status) == []
    assert harness.retries == 3


@pytest.mark.parametrize("failure", [403, 404, 200, UnsupportedURLSchemeError()])
def test_other_failures_are_not_retried(failure: int | Exception) -> None:
    harness = RetryHarness()
    harness.fail(failure)
    assert harness.retries == 0


def test_only_a_longer_retry_after_overrides_the_table() -> None:
    assert RetryHarness().fail(503, {"Retry-After": "45"}) == [45, 45, 60]


def test_scrapys_meta_keys_apply() -> None:
    harness = RetryHarness()
    harness.fail(429, dont_retry=True)
    assert harness.retries == 0
    assert harness.fail(429, max_retry_times=1) == [30]
    assert harness.fail(503, max_retry_times=5) == [10, 30, 60, 60, 60]


@pytest.mark.parametrize("failure", [DownloadTimeoutError(), DownloadConnectionRefusedError()])
def test_retry_transient_false_disables_retries_of_timeouts_and_network_errors(
    failure: Exception,
) -> None:
    harness = RetryHarness()
    assert harness.fail(failure, retry_transient=False) == []
    assert harness.retries == 0
    assert harness.fail(503, retry_transient=False) == [10, 30, 60]
    harness.fail(500, retry_transient=False)
    assert harness.retries == 2
    harness.fail(failure, retry_transient=True)
    assert harness.retries == 2


def test_rows_can_be_replaced() -> None:
    harness = RetryHarness(WIKICRAWLER_RETRY={"429": [1], "timeout": [0.5], 418: [3]})
    assert harness.fail(429) == [1]
    assert harness.fail(DownloadTimeoutError()) == [0.5]
    assert harness.fail(418) == [3]
    assert harness.fail(DownloadConnectionRefusedError()) == [2, 5]


@pytest.mark.parametrize("failure", [503, DownloadTimeoutError(), DownloadConnectionRefusedError()])
def test_an_empty_row_disables_retries_silently(failure: int | Exception) -> None:
    harness = RetryHarness(WIKICRAWLER_RETRY={"503": [], "timeout": [], "network": []})
    harness.fail(failure)
    assert harness.retries == 0
    assert harness.crawler.stats.get_value("retry/max_reached") is None


def test_the_table_can_be_given_as_json() -> None:
    assert RetryHarness(WIKICRAWLER_RETRY=json.dumps({"429": [1, 2]})).fail(429) == [1, 2]


def test_a_status_left_out_of_scrapys_setting_is_not_retried() -> None:
    harness = RetryHarness(RETRY_HTTP_CODES=[500])
    harness.fail(429)
    assert harness.retries == 0
    harness = RetryHarness(RETRY_HTTP_CODES=[500], WIKICRAWLER_RETRY={"429": [1]})
    assert harness.fail(429) == [1]


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
def test_an_invalid_table_is_a_configuration_error(value: Any, says: str) -> None:
    with pytest.raises(ConfigError, match="WIKICRAWLER_RETRY") as raised:
        RetryHarness(WIKICRAWLER_RETRY=value)
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ("failure", "pauses"),
    [(429, [30, 60]), (503, [10, 30]), (DownloadTimeoutError(), [15, 15])],
)
def test_the_projects_number_of_retries_counts(
    failure: int | Exception, pauses: list[float]
) -> None:
    assert RetryHarness(RETRY_TIMES=2).fail(failure) == pauses
    assert RetryHarness(RETRY_TIMES=2, WIKICRAWLER_RETRY={"418": [9]}).fail(failure) == pauses
    assert RetryHarness(RETRY_TIMES=2).fail(failure, max_retry_times=1) == pauses[:1]


def test_a_replaced_row_says_its_number_of_retries_itself() -> None:
    assert RetryHarness(RETRY_TIMES=1, WIKICRAWLER_RETRY={"429": [1, 2]}).fail(429) == [1, 2]


@pytest.mark.parametrize("failure", [429, 503, 500, DownloadTimeoutError()])
def test_with_no_retries_only_those_of_a_request_are_left(failure: int | Exception) -> None:
    harness = RetryHarness(RETRY_TIMES=0, WIKICRAWLER_RETRY={"429": [1, 2]})
    harness.fail(failure)
    assert harness.retries == 0
    harness.fail(failure, max_retry_times=2)
    assert harness.retries == 2


def test_scrapys_switch_disables_it() -> None:
    with pytest.raises(NotConfigured):
        RetryHarness(RETRY_ENABLED=False)


class Twice:
    """A policy that repeats a request after 5 and 7 seconds, whatever failed."""

    def delay(self, request: Request, failed: object) -> float | None:
        return {0: 5.0, 1: 7.0}.get(request.meta.get("retry_times", 0))


@pytest.mark.parametrize("failure", [429, 503, DownloadTimeoutError()])
def test_a_policy_decides_on_the_requests_that_name_it(failure: int | Exception) -> None:
    policy = {"WIKICRAWLER_RETRY_POLICY": Twice}
    harness = RetryHarness(**policy)
    assert harness.fail(failure, retry_by_policy=True) == [], "no pause of the site"
    assert harness.retries == 2
    usual = RetryHarness().fail(failure)
    assert harness.fail(failure) == usual
    assert RetryHarness().fail(failure, retry_by_policy=True) == usual, "there is no policy"
    harness.fail(failure, retry_by_policy=True, dont_retry=True)
    assert harness.retries == 0


def test_a_retry_of_a_policy_is_delayed_and_counted_over_all_tiers() -> None:
    harness = RetryHarness(WIKICRAWLER_RETRY_POLICY=Twice)
    request = Request(URL, meta={"retry_by_policy": True, "retry_count": 3})
    before = time()
    retry = harness.middleware.process_response(request, Response(URL, status=503))
    assert isinstance(retry, Request)
    assert before + 5 <= retry.meta["not_before"] <= time() + 5
    assert retry.meta["retry_count"] == 4
