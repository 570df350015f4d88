"""A crawl that is stopped while pages are under way: what they bring later has no effect."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

# A crawl of the URLs in sys.argv that is stopped while a page is in a conversion worker. The worker
# is suspended then, and continues when the engine has closed: the pool waits for it.
SCRIPT = """
import os
import signal
import sys

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess

from tests.content.workers.running import children
from tests.crawling import project_settings
from wikicrawler.process.stopping import abandon_requests, stop

first, *others = sys.argv[3:]


class PageSpider(Spider):
    name = "page"

    async def start(self):
        yield Request(first, errback=self.failed)

    def parse(self, response):
        print("page", response.url, flush=True)
        if response.url.endswith("/item"):
            # An item that takes its time in a pipeline, and a request after it.
            yield {"url": response.url, "html": response.body}
            yield response.follow("/after-item")
        elif response.url == first:
            self.workers = children()
            for pid in self.workers:
                os.kill(pid, signal.SIGSTOP)
            self.crawler.signals.connect(self.arrived, signals.bytes_received)
            self.crawler.signals.connect(self.closed_now, signals.spider_closed)
            for url in others:
                # An item's own page bypasses the tiers: the pipeline converts it.
                meta = {"tiers": False} if url.endswith("/item") else {}
                yield Request(url, errback=self.failed, dont_filter=True, meta=meta)

    def failed(self, failure):
        print("failed", failure.value, flush=True)
        yield Request(first + "after-failure")

    def arrived(self, request):
        if request.url == others[0]:
            from twisted.internet import reactor
            self.crawler.signals.disconnect(self.arrived, signals.bytes_received)
            reactor.callLater(0.1, stop, self.crawler, "out_of_space")

    def closed_now(self):
        # A second call finds what the pages under way have begun since.
        abandon_requests(self.crawler)
        from twisted.internet import reactor
        reactor.callLater(float(sys.argv[2]), self.go_on)

    def go_on(self):
        for pid in self.workers:
            os.kill(pid, signal.SIGCONT)


overrides = {"WIKICRAWLER_CONTENT_WORKERS": 1, "LOG_LEVEL": "DEBUG"}
if sys.argv[1]:
    overrides["JOBDIR"] = sys.argv[1]
crawl = AsyncCrawlerProcess(project_settings(**overrides))
crawl.crawl(PageSpider)
crawl.start()
"""
TEXT = "<p>Some words of a page that is worth reading.</p>" * 5
PAGE = Reply(body=f"<!doctype html><title>T</title><main>{TEXT}</main>")
EDIT_URI = '<link rel="EditURI" type="application/rsd+xml" href="/w/api.php?action=rsd">'
WIKI_PAGE = Reply(body=f"<!doctype html><title>T</title>{EDIT_URI}<main>{TEXT}</main>")


def stopped(job: str, server: ScriptedServer, *paths: str, continue_after: float = 0) -> str:
    """Return the output and the log of a crawl that is stopped while the second page of *paths* is
    being converted."""
    command = [sys.executable, "-c", SCRIPT, job, str(continue_after), *map(server.url, paths)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert f"page {server.url(paths[0])}" in done.stdout
    assert "Closing spider (out_of_space)" in done.stderr
    assert "Spider closed (out_of_space)" in done.stderr
    return done.stdout + done.stderr


def trouble(log: str) -> list[str]:
    """Return the lines of *log* that report an error."""
    words = ("Traceback", "Error while", "ERROR", "Unhandled", "never awaited", "destroyed")
    return [line for line in log.splitlines() if any(word in line for word in words)]


@pytest.mark.parametrize(
    ("reply", "continue_after", "with_state"),
    [
        (PAGE, 0, True),  # becomes a response while the other components close
        (PAGE, 0, False),
        (WIKI_PAGE, 0, True),  # would look for the wiki's API
        (PAGE, 60, False),  # fails when the worker is killed
        (Reply(body="<p>"), 0, False),  # empty: the next tier would be tried
    ],
    ids=["page", "no JOBDIR", "wiki", "killed", "empty"],
)
def test_a_page_that_is_converted_after_the_end_has_no_effect(
    tmp_path: Path, reply: Reply, continue_after: float, with_state: bool
) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", PAGE).on("/a", reply)
        job = str(tmp_path / "job") if with_state else ""
        log = stopped(job, server, "/", "/a", continue_after=continue_after)
        assert "page " + server.url("/a") not in log
        assert "\nfailed" not in log
        assert trouble(log) == []


@pytest.mark.parametrize(
    ("reply", "with_state"),
    [
        (Reply(body=PAGE.body, delay=2), True),
        (Reply(302, {"Location": "/c"}, delay=2), False),
        (Reply(503, delay=2), True),
        (Reply(drop=True, delay=2), False),
        (Reply(200, {"Content-Type": "application/pdf"}, b"%PDF-1.7", delay=2), True),
    ],
    ids=["page", "redirect", "busy", "reset", "file"],
)
def test_a_response_that_arrives_after_the_end_has_no_effect(
    tmp_path: Path, reply: Reply, with_state: bool
) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", PAGE).on("/a", PAGE).on("/late", reply)
        job = str(tmp_path / "job") if with_state else ""
        log = stopped(job, server, "/", "/a", "/late", continue_after=4)
        assert "/late" in server.paths()
        assert "page " + server.url("/late") not in log
        assert "\nfailed" not in log
        assert trouble(log) == []


@pytest.mark.parametrize("with_state", [True, False], ids=["JOBDIR", "no JOBDIR"])
def test_an_item_in_a_pipeline_at_the_end_has_no_effect(tmp_path: Path, with_state: bool) -> None:
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", PAGE).on("/item", PAGE)
        job = str(tmp_path / "job") if with_state else ""
        log = stopped(job, server, "/", "/item")
        assert "page " + server.url("/item") in log
        assert "/after-item" not in log
        assert trouble(log) == []
