"""Whose turn it is when places in the downloader are few."""

from contextlib import ExitStack
from pathlib import Path
from time import time
from typing import Any

import pytest
from scrapy import Request
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.politeness.crawling import Pages, crawl
from tests.servers.scripted import Reply, ScriptedServer

QUEUE = "wikicrawler.frontier.site_queue.SiteAwarePriorityQueue"
QUICK: dict[str, Any] = {
    "DOWNLOAD_DELAY": 0.01,
    "DOMAIN_THROTTLE_MAX_DELAY": 0,
    "CONCURRENT_REQUESTS": 4,
    "SCHEDULER_PRIORITY_QUEUE": QUEUE,
    "WIKICRAWLER_RETRY": {"503": [0]},
}


class Chain(Pages):
    """Besides its requests follows a chain of pages, one known at a time."""

    chain: tuple[str, ...] = ()

    def parse(self, response: Any) -> Any:
        super().parse(response)
        if response.url in self.chain[:-1]:
            yield Request(self.chain[self.chain.index(response.url) + 1])


def chain_of(server: ScriptedServer, length: int) -> type[Chain]:
    class Spider(Chain):
        chain = tuple(server.on(f"/{n}").url(f"/{n}") for n in range(length))

    return Spider


@deferred_f_from_coro_f
async def test_a_paused_site_leaves_room_for_the_others() -> None:
    with ScriptedServer("127.0.0.1") as paused, ScriptedServer("127.0.0.2") as other:
        for n in range(8):
            paused.on(f"/{n}")
        paused.on("/0", Reply(503, {"Retry-After": "1"}), Reply())
        spidercls = chain_of(other, 6)
        first = [paused.url(f"/{n}") for n in range(8)]
        crawler = await crawl([*first, other.url("/0")], spidercls=spidercls, **QUICK)
        assert len(other.exchanges) == 6
        assert other.exchanges[-1].end < paused.exchanges[0].end + 0.8
        assert len(crawler.spider.responses) == 14  # and none is lost


@deferred_f_from_coro_f
async def test_pages_that_wait_for_a_robots_txt_leave_room_too() -> None:
    with ScriptedServer("127.0.0.1") as slow, ScriptedServer("127.0.0.2") as other:
        slow.on("/robots.txt", Reply(404, delay=1))
        for n in range(8):
            slow.on(f"/{n}")
        spidercls = chain_of(other, 6)
        first = [slow.url(f"/{n}") for n in range(8)]
        settings = QUICK | {"ROBOTSTXT_OBEY": True}
        crawler = await crawl([*first, other.url("/0")], spidercls=spidercls, **settings)
        assert other.exchanges[-1].end < slow.exchanges[0].end
        assert len(crawler.spider.responses) == 14


@deferred_f_from_coro_f
async def test_sites_take_turns() -> None:
    hosts = [f"127.0.0.{n}" for n in range(1, 5)]
    with ExitStack() as stack:
        servers = [stack.enter_context(ScriptedServer(host)) for host in hosts]
        urls = [s.on(f"/{n}").url(f"/{n}") for s in servers for n in range(4)]
        await crawl(urls, **QUICK | {"CONCURRENT_REQUESTS": 1})
        seen = sorted(
            (x.start, host) for s, host in zip(servers, hosts, strict=True) for x in s.exchanges
        )
    order = [host for _, host in seen]
    assert len(order) == 16
    assert all(len(set(order[i : i + 4])) == 4 for i in range(0, 16, 4))


class Counting(Pages):
    """Compares the length of the queue with what went in and out of it."""

    lengths: tuple[tuple[int, int], ...] = ()

    def parse(self, response: Any) -> Any:
        super().parse(response)
        stats = self.crawler.stats
        inside = stats.get_value("scheduler/enqueued") - stats.get_value("scheduler/dequeued", 0)
        self.lengths += ((len(self.crawler.engine.scheduler), inside),)
        if response.url.endswith("/0"):
            yield Request(response.url[:-1] + "3", meta={"not_before": time() + 0.5})


@pytest.mark.parametrize("state", [False, True])
@deferred_f_from_coro_f
async def test_its_length_is_the_number_of_requests_that_wait(state: bool, tmp_path: Path) -> None:
    with ScriptedServer("127.0.0.1") as one, ScriptedServer("127.0.0.2") as other:
        servers = [one, other]
        urls = [server.on(f"/{n}").url(f"/{n}") for server in servers for n in range(3)]
        for server in servers:
            server.on("/3")
        settings = QUICK | ({"JOBDIR": str(tmp_path)} if state else {})
        crawler = await crawl(urls, spidercls=Counting, **settings)
    lengths = crawler.spider.lengths
    assert len(lengths) == 8
    assert all(length == inside for length, inside in lengths)
    assert lengths[-1][0] == 0
    assert max(length for length, _ in lengths) > 1
