"""The delays of real crawls, measured by the server."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scrapy import Request, signals
from scrapy.exceptions import NotConfigured
from scrapy.extensions.throttle import AutoThrottle
from scrapy.http import Response
from scrapy.settings import Settings
from scrapy.utils.defer import deferred_f_from_coro_f
from scrapy.utils.test import get_crawler

from tests.politeness.crawling import Pages, config_file, crawl, stats_with_prefix
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.errors import ConfigError
from wikicrawler.politeness.throttle import DomainThrottle, default_delay
from wikicrawler.signals import site_busy

SLACK = 0.02  # between the clock readings of the server's thread and ours
# The delay is never raised: a machine under load may respond slowly.
QUICK: dict[str, Any] = {"DOWNLOAD_DELAY": 0.01, "DOMAIN_THROTTLE_MAX_DELAY": 0}
PAGES = [f"/{n}" for n in range(6)]


def serve(host: str = "127.0.0.1") -> ScriptedServer:
    server = ScriptedServer(host)
    for path in PAGES:
        server.on(path)
    return server


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serve() as running:
        yield running


def urls(server: ScriptedServer, count: int) -> list[str]:
    return [server.url(path) for path in PAGES[:count]]


def throttle_of(crawler: Any) -> DomainThrottle:
    found = crawler.get_extension(DomainThrottle)
    assert found is not None
    return found


@deferred_f_from_coro_f
async def test_the_delay_counts_from_the_end_of_the_last_response(server: ScriptedServer) -> None:
    for path in PAGES:
        server.on(path, Reply(delay=0.1))
    await crawl(urls(server, 4), DOWNLOAD_DELAY=0.25)
    assert len(server.exchanges) == 4
    assert min(server.gaps()) >= 0.25 - SLACK


@deferred_f_from_coro_f
async def test_the_delay_counts_from_the_end_of_a_failure_too(server: ScriptedServer) -> None:
    server.on("/0", Reply(delay=0.6, drop=True))
    await crawl(urls(server, 3), DOWNLOAD_DELAY=0.3, RETRY_ENABLED=False)
    assert server.exchanges[0].status is None
    assert min(server.gaps()) >= 0.3 - SLACK


@deferred_f_from_coro_f
async def test_concurrent_requests_start_a_delay_apart(server: ScriptedServer) -> None:
    for path in PAGES:
        server.on(path, Reply(delay=1.2))
    settings = {"DOWNLOAD_DELAY": 0.5, "CONCURRENT_REQUESTS_PER_DOMAIN": 3}
    await crawl(urls(server, 3), **settings, DOMAIN_THROTTLE_MAX_DELAY=0)
    starts = [x.start for x in server.exchanges]
    # A busy machine may record one start late, which shortens the gap to the next.
    assert min(b - a for a, b in pairwise(starts)) >= 0.25
    assert starts[1] < server.exchanges[0].end  # the requests overlap


@deferred_f_from_coro_f
async def test_two_sites_do_not_wait_for_each_other(server: ScriptedServer) -> None:
    server.on("/0", Reply(429, {"Retry-After": "0.7"}), Reply())
    with serve("127.0.0.2") as other:
        both = [u for pair in zip(urls(server, 3), urls(other, 3), strict=True) for u in pair]
        await crawl(both, **QUICK, WIKICRAWLER_RETRY={"429": [0]})
        assert other.exchanges[-1].end < server.exchanges[0].end + 0.6
        assert server.exchanges[1].start >= server.exchanges[0].end + 0.7 - SLACK
        assert [x.status for x in other.exchanges] == [200] * 3


@pytest.mark.parametrize("status", [429, 403, 301])
@deferred_f_from_coro_f
async def test_retry_after_pauses_the_site(server: ScriptedServer, status: int) -> None:
    server.on("/0", Reply(status, {"Retry-After": "0.4", "Location": "/5"}))
    await crawl(urls(server, 2), **QUICK, RETRY_ENABLED=False)
    assert server.gaps()[0] >= 0.4 - SLACK


@deferred_f_from_coro_f
async def test_a_site_without_a_delay_is_paused_too(server: ScriptedServer) -> None:
    server.on("/0", Reply(200, {"Retry-After": "0.4"}))
    await crawl(urls(server, 2), DOWNLOAD_DELAY=0, DOMAIN_THROTTLE_MAX_DELAY=0)
    assert server.gaps()[0] >= 0.4 - SLACK


@deferred_f_from_coro_f
@pytest.mark.parametrize(("delay", "expected"), [(0, 0), (0.0009, 0), (0.001, 0.001)])
async def test_a_delay_below_a_millisecond_is_none(
    server: ScriptedServer, delay: float, expected: float
) -> None:
    delays = []

    class Watched(Pages):
        def parse(self, response: Any) -> None:
            delays.append(self.crawler.engine.downloader.slots["127.0.0.1"].delay)

    settings = {"DOWNLOAD_DELAY": delay, "DOMAIN_THROTTLE_MAX_DELAY": 0}
    await crawl(urls(server, 2), spidercls=Watched, **settings)
    assert delays == [expected, expected]


@deferred_f_from_coro_f
async def test_retry_after_may_be_a_date(server: ScriptedServer) -> None:
    until = (datetime.now(UTC) + timedelta(seconds=2)).replace(microsecond=0)
    server.on("/0", Reply(503, {"Retry-After": format_datetime(until, usegmt=True)}), Reply())
    await crawl(urls(server, 1), **QUICK, WIKICRAWLER_RETRY={"503": [0]})
    assert datetime.now(UTC) >= until
    assert [x.status for x in server.exchanges] == [503, 200]


@deferred_f_from_coro_f
async def test_retry_after_is_capped(server: ScriptedServer) -> None:
    server.on("/0", Reply(503, {"Retry-After": "9" * 5_000}), Reply())
    crawler = await crawl(
        urls(server, 2), **QUICK, DOMAIN_THROTTLE_MAX_RETRY_AFTER=0.3, RETRY_ENABLED=False
    )
    assert 0.3 - SLACK <= server.gaps()[0] < 5
    assert stats_with_prefix(crawler, "domain_throttle/")["pause_capped_count"] == 1


@deferred_f_from_coro_f
async def test_a_429_followed_by_200_slows_the_site(
    server: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    server.on("/0", Reply(429), Reply())
    with caplog.at_level(logging.INFO, "wikicrawler"):
        crawler = await crawl(
            [server.url("/0")], DOWNLOAD_DELAY=0.2, WIKICRAWLER_RETRY={"429": [0.7]}
        )
    assert [r.status for r in crawler.spider.responses] == [200]
    assert server.gaps()[0] >= 0.7 - SLACK
    assert 0.2 < throttle_of(crawler).delays()["127.0.0.1"] < 0.4
    lines = [r.getMessage() for r in caplog.records if r.name.endswith("throttle")]
    assert len(lines) == 2
    assert "slowed from 0.2 to 0.4 s" in lines[0]
    assert "status 429" in lines[0]
    assert "paused for 0.7 s" in lines[1]


def test_the_return_to_the_base_delay_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    crawler = get_crawler(None, {"DOWNLOAD_DELAY": 0.1})
    throttle = DomainThrottle.from_crawler(crawler)
    crawler.engine = SlotsOnly()
    meta = {"download_slot": "example.com", "download_latency": 0.05}
    request = Request("https://example.com/", meta=meta)
    with caplog.at_level(logging.INFO, "wikicrawler"):
        for status in [200, 503, *[200] * 10]:
            crawler.signals.send_catch_log(
                signals.response_downloaded,
                request=request,
                response=Response(request.url, status=status),
            )
    assert throttle.delays() == {"example.com": 0.1}
    stats = stats_with_prefix(crawler, "domain_throttle/")
    assert (stats["slowed_count"], stats["recovered_count"]) == (1, 1)
    assert stats["delay_max"] == pytest.approx(0.2)
    slowed, recovered = (r.getMessage() for r in caplog.records if r.name.endswith("throttle"))
    assert "slowed from 0.1 to 0.2 s" in slowed
    assert "recovered" in recovered


def test_a_site_that_is_slowed_again_within_a_minute_is_counted_not_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    crawler = get_crawler(None, {"DOWNLOAD_DELAY": 0.1})
    throttle = DomainThrottle.from_crawler(crawler)
    crawler.engine = SlotsOnly()
    meta = {"download_slot": "example.com", "download_latency": 0.0}
    request = Request("https://example.com/", meta=meta)
    with caplog.at_level(logging.INFO, "wikicrawler"):
        for status in [200, *[503, *[200] * 10] * 3]:
            crawler.signals.send_catch_log(
                signals.response_downloaded,
                request=request,
                response=Response(request.url, status=status),
            )
    assert throttle.delays() == {"example.com": 0.1}
    stats = stats_with_prefix(crawler, "domain_throttle/")
    assert (stats["slowed_count"], stats["recovered_count"]) == (3, 3)
    lines = [r.getMessage() for r in caplog.records if r.name.endswith("throttle")]
    assert ["slowed" in lines[0], "recovered" in lines[1], lines[2:]] == [True, True, []]


@deferred_f_from_coro_f
async def test_a_slow_server_is_paused_as_long_as_it_took(server: ScriptedServer) -> None:
    server.on("/1", Reply(delay=0.5))
    await crawl(urls(server, 3), DOWNLOAD_DELAY=0.05)
    assert server.gaps()[1] >= 0.5 - SLACK


@deferred_f_from_coro_f
async def test_the_latency_of_a_request_can_be_excluded(server: ScriptedServer) -> None:
    server.on("/0", Reply(delay=0.3))
    request = Request(server.url("/0"), meta={"autothrottle_dont_adjust_delay": True})
    crawler = await crawl([request], DOWNLOAD_DELAY=0.05)
    assert throttle_of(crawler).delays() == {"127.0.0.1": 0.05}


ROBOTS = {"ROBOTSTXT_OBEY": True}


@pytest.mark.parametrize(
    ("directive", "limit", "delay"),
    [
        ("Crawl-delay: 0.3", 60, 0.3),
        ("Crawl-delay: 8", 0.2, 0.2),
        ("Request-rate: 10/3", 60, 0.3),
        ("Crawl-delay: nan", 60, 0.01),
        (f"Request-rate: {'9' * 400}/{'9' * 800}", 0.3, 0.3),
    ],
)
@deferred_f_from_coro_f
async def test_robots_txt_raises_the_delay(
    server: ScriptedServer, directive: str, limit: float, delay: float
) -> None:
    server.on("/robots.txt", Reply(body=f"User-agent: *\n{directive}\n"))
    settings = ROBOTS | QUICK | {"DOMAIN_THROTTLE_MAX_CRAWL_DELAY": limit}
    crawler = await crawl(urls(server, 2), **settings)
    assert throttle_of(crawler).delays() == {"127.0.0.1": pytest.approx(delay)}
    assert min(server.gaps()) >= delay - SLACK


@deferred_f_from_coro_f
async def test_the_crawl_delay_is_that_of_our_user_agent(server: ScriptedServer) -> None:
    text = "User-agent: tester\nCrawl-delay: 0.2\n\nUser-agent: *\nCrawl-delay: 50\n"
    server.on("/robots.txt", Reply(body=text))
    crawler = await crawl(urls(server, 1), **ROBOTS, **QUICK)
    assert throttle_of(crawler).delays() == {"127.0.0.1": 0.2}


@deferred_f_from_coro_f
async def test_a_configured_delay_overrides_the_settings(
    server: ScriptedServer, tmp_path: Path
) -> None:
    file = config_file(tmp_path, "domains:\n  127.0.0.1: {delay: 0.2, concurrency: 1}\n")
    crawler = await crawl(
        urls(server, 3), **QUICK | {"DOWNLOAD_DELAY": 30}, WIKICRAWLER_CONFIG=file
    )
    assert throttle_of(crawler).delays() == {"127.0.0.1": 0.2}
    assert min(server.gaps()) >= 0.2 - SLACK


@deferred_f_from_coro_f
async def test_requests_charged_to_another_site_share_its_delay(server: ScriptedServer) -> None:
    with serve("127.0.0.2") as api:
        charged = [Request(u, meta={"throttle_slot": "127.0.0.1"}) for u in urls(api, 2)]
        crawler = await crawl([*urls(server, 2), *charged], **QUICK | {"DOWNLOAD_DELAY": 0.2})
        assert throttle_of(crawler).delays() == {"127.0.0.1": 0.2}
        seen = sorted([*server.exchanges, *api.exchanges], key=lambda x: x.start)
    assert len(seen) == 4
    assert all(b.start - a.end >= 0.2 - SLACK for a, b in pairwise(seen))


@deferred_f_from_coro_f
async def test_a_spiders_own_slot_has_its_own_delay(server: ScriptedServer) -> None:
    mine = [Request(u, meta={"download_slot": "mine"}) for u in urls(server, 2)]
    slots_settings = {"mine": {"delay": 0.2, "concurrency": 1}}
    crawler = await crawl(mine, **QUICK, DOWNLOAD_SLOTS=slots_settings)
    assert crawler.spider.slots == ["mine", "mine"]
    assert throttle_of(crawler).delays() == {"mine": 0.2}


class Dropping(Pages):
    """Spider that requests its second page after Scrapy has dropped the slot of the first."""

    @classmethod
    def from_crawler(cls, crawler: Any, *args: Any, **kwargs: Any) -> Any:
        spider = super().from_crawler(crawler, *args, **kwargs)
        spider.later = spider.requests.pop()
        crawler.signals.connect(spider.idle, signals.spider_idle)
        return spider

    def idle(self) -> None:
        downloader = self.crawler.engine.downloader
        if self.later and not downloader.active:
            downloader._slot_gc(age=-3600)  # drops paused slots too
            self.dropped = not downloader.slots
            later, self.later = self.later, None
            self.crawler.engine.crawl(later.replace(callback=self.parse, dont_filter=True))


@deferred_f_from_coro_f
async def test_a_pause_survives_the_removal_of_its_slot(server: ScriptedServer) -> None:
    server.on("/0", Reply(200, {"Retry-After": "0.6"}))
    crawler = await crawl(urls(server, 2), spidercls=Dropping, **QUICK)
    assert crawler.spider.dropped
    assert server.gaps()[0] >= 0.6 - SLACK


@deferred_f_from_coro_f
async def test_site_busy_pauses_the_site(server: ScriptedServer) -> None:
    class Lagged(Pages):
        def parse(self, response: Any) -> None:
            super().parse(response)
            self.crawler.signals.send_catch_log(
                site_busy, slot=self.slots[-1], seconds=0.5, reason="maxlag"
            )

    crawler = await crawl(urls(server, 2), spidercls=Lagged, DOWNLOAD_DELAY=0.1)
    assert server.gaps()[0] >= 0.5 - SLACK
    assert 0 < throttle_of(crawler).pauses()["127.0.0.1"] <= 0.5


def test_site_busy_without_seconds_slows_the_site() -> None:
    crawler = get_crawler(None, {"DOWNLOAD_DELAY": 1})
    throttle = DomainThrottle.from_crawler(crawler)
    crawler.engine = SlotsOnly()
    crawler.signals.send_catch_log(site_busy, slot="example.com", seconds=None, reason="busy")
    assert throttle.delays() == {"example.com": 2.0}
    assert 1.9 < throttle.pauses()["example.com"] <= 2.0


class SlotsOnly:
    """The part of the engine that the throttle uses."""

    def __init__(self) -> None:
        self.downloader = self
        self.slots: dict[str, Any] = {}


def test_idle_sites_are_forgotten() -> None:
    crawler = get_crawler(None, {"DOWNLOAD_DELAY": 1})
    throttle = DomainThrottle.from_crawler(crawler)
    crawler.engine = SlotsOnly()
    for n in range(5_000):
        budget = throttle._budget(f"site{n}")
        budget.last_used -= 10_000  # as if long ago
    assert len(throttle.delays()) <= 1_024


@deferred_f_from_coro_f
async def test_the_throttle_can_be_disabled(server: ScriptedServer) -> None:
    server.on("/0", Reply(200, {"Retry-After": "30"}))
    crawler = await crawl(urls(server, 2), DOWNLOAD_DELAY=0, DOMAIN_THROTTLE_ENABLED=False)
    assert crawler.get_extension(DomainThrottle) is None
    assert len(server.exchanges) == 2
    assert server.gaps()[0] < 5
    with pytest.raises(NotConfigured):
        DomainThrottle.from_crawler(get_crawler(None, {"DOMAIN_THROTTLE_ENABLED": False}))


@deferred_f_from_coro_f
async def test_a_warning_is_logged_if_autothrottle_is_enabled_too(
    server: ScriptedServer, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, "wikicrawler"):
        crawler = await crawl(urls(server, 1), **QUICK, AUTOTHROTTLE_ENABLED=True)
    assert crawler.get_extension(AutoThrottle)
    assert "AUTOTHROTTLE_ENABLED" in caplog.text


RATE = "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE"


@pytest.mark.parametrize(
    ("values", "delay"),
    [
        ({}, 1.0),
        ({RATE: ("30", "project")}, 2.0),
        ({"DOWNLOAD_DELAY": (0.5, "project")}, 0.5),
        ({"DOWNLOAD_DELAY": (0, "project")}, 0.0),
        ({"DOWNLOAD_DELAY": (0.5, "project"), RATE: (30, "project")}, 0.5),
        ({"DOWNLOAD_DELAY": (0.5, "project"), RATE: (30, "cmdline")}, 2.0),
        ({"DOWNLOAD_DELAY": (0.5, "spider"), RATE: (30, "project")}, 0.5),
    ],
)
def test_the_base_delay_is_the_setting_with_the_highest_priority(
    values: dict[str, Any], delay: float
) -> None:
    settings = Settings()
    for name, (value, priority) in values.items():
        settings.set(name, value, priority)
    assert default_delay(settings) == delay


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (RATE, "0"),
        (RATE, "-1"),
        (RATE, "many"),
        (RATE, "nan"),
        ("DOWNLOAD_DELAY", "-1"),
        ("DOMAIN_THROTTLE_MAX_DELAY", "inf"),
        ("DOMAIN_THROTTLE_MAX_CRAWL_DELAY", "long"),
        ("DOMAIN_THROTTLE_MAX_RETRY_AFTER", []),
    ],
)
def test_an_invalid_setting_is_a_configuration_error(name: str, value: Any) -> None:
    with pytest.raises(ConfigError, match=name):
        DomainThrottle.from_crawler(get_crawler(None, {name: value}))
