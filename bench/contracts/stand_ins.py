"""Plugin of pytest: replaces Scrapy's components by ours before Scrapy's tests import them.

It is loaded by itself (``-p stand_ins``): Scrapy's tests are a package ``tests``, as ours are, so
the root of this project must not be on ``sys.path``. The option ``--outcomes FILE`` writes the
outcome of each test as JSON.

Two mocks of the tests get what the real objects have, and our components use: the downloader its
requests, and the spider a name.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.settings import default_settings

if TYPE_CHECKING:
    import pytest

STAND_INS = {
    "scrapy.core.downloader.handlers.http11.HTTP11DownloadHandler": (
        "wikicrawler.guard.tls.SiteTLSHandler"  # with BoundedHeadersHandler, which it uses
    ),
    "scrapy.core.scheduler.Scheduler": "wikicrawler.frontier.scheduler.FrontierScheduler",
    "scrapy.downloadermiddlewares.cookies.CookiesMiddleware": (
        "wikicrawler.guard.cookies.BoundedCookiesMiddleware"
    ),
    "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": (
        "wikicrawler.guard.bodies.BodyDecodingMiddleware"
    ),
    "scrapy.downloadermiddlewares.redirect.MetaRefreshMiddleware": (
        "wikicrawler.guard.redirects.SafeMetaRefreshMiddleware"
    ),
    "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": (
        "wikicrawler.guard.redirects.SafeRedirectMiddleware"
    ),
    "scrapy.downloadermiddlewares.retry.RetryMiddleware": (
        "wikicrawler.politeness.retry.SiteRetryMiddleware"
    ),
    "scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware": (
        "wikicrawler.politeness.robots.SiteRobotsMiddleware"
    ),
    "scrapy.exporters.CsvItemExporter": "wikicrawler.feeds.exporters.CsvExporter",
    "scrapy.exporters.JsonItemExporter": "wikicrawler.feeds.exporters.JsonExporter",
    "scrapy.exporters.JsonLinesItemExporter": "wikicrawler.feeds.line_feeds.LineExporter",
    "scrapy.exporters.XmlItemExporter": "wikicrawler.feeds.exporters.XmlExporter",
    "scrapy.extensions.feedexport.FileFeedStorage": (
        "wikicrawler.feeds.line_feeds.LineFeedStorage"
    ),
    "scrapy.extensions.feedexport.StdoutFeedStorage": (
        "wikicrawler.feeds.line_feeds.LineStdoutStorage"
    ),
    "scrapy.extensions.spiderstate.SpiderState": (
        "wikicrawler.frontier.spider_state.JsonSpiderState"
    ),
    "scrapy.pqueues.DownloaderAwarePriorityQueue": (
        "wikicrawler.frontier.site_queue.SiteAwarePriorityQueue"
    ),
}


def _load(path: str) -> Any:
    module, _, name = path.rpartition(".")
    return getattr(import_module(module), name)


def _replace() -> None:
    # All are imported before the first is replaced: ours derive from Scrapy's.
    loaded = {_load(old): (old, _load(new)) for old, new in STAND_INS.items()}
    for path, cls in loaded.values():
        module, _, name = path.rpartition(".")
        setattr(import_module(module), name, cls)
    http = "wikicrawler.guard.headers.BoundedHeadersHandler"
    default_settings.DOWNLOAD_HANDLERS_BASE["http"] = http


def _active(downloader: Any) -> list[Request]:
    """The requests in a mock downloader, which only counts them."""
    return [
        Request("data:,", meta={"download_slot": name})
        for name, slot in downloader.slots.items()
        for _ in slot.active
    ]


class _NamedSpider(Spider):
    """The spider class of the scheduler's tests, which name only the instance."""

    name = "spider"


def _complete_mocks() -> None:
    mocks: Any = sys.modules.get("tests.utils.downloader")
    if mocks is not None:
        mocks.MockDownloader.active = property(_active)
        concurrency = default_settings.CONCURRENT_REQUESTS_PER_DOMAIN
        mocks.MockDownloader.domain_concurrency = mocks.MockSlot.concurrency = concurrency
    scheduler_tests: Any = sys.modules.get("tests.test_scheduler")
    if scheduler_tests is not None:
        scheduler_tests.Spider = _NamedSpider


_replace()
_outcomes: dict[str, str] = {}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--outcomes", type=Path)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "flaky: of pytest-rerunfailures, which is not installed")


def pytest_collection_finish() -> None:
    _complete_mocks()


def pytest_collectreport(report: pytest.CollectReport) -> None:
    if report.failed:
        _outcomes[report.nodeid] = "failed"


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        _outcomes[report.nodeid] = "failed"
    elif report.skipped or report.when == "call":  # an expected failure is skipped, too
        _outcomes.setdefault(report.nodeid, report.outcome)


def pytest_sessionfinish(session: pytest.Session) -> None:
    session.config.getoption("--outcomes").write_text(json.dumps(_outcomes))
