"""Shutdown of a crawl: no worker outlives it."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import time

import pytest

from tests.content.workers.running import ENDLESS, children, cpu_seconds_of, is_alive
from wikicrawler.content.form import Form
from wikicrawler.content.workers.worker import PageInput

# A crawl of one page that keeps its worker busy for the given number of CPU seconds.
SCRIPT = """
import sys
from scrapy import Spider
from scrapy.crawler import AsyncCrawlerProcess

class PageSpider(Spider):
    name = "page"
    start_urls = ["data:,x"]

    def parse(self, response):
        yield {"url": "https://wiki.example/", "html": sys.stdin.read(), "content": ""}

crawl = AsyncCrawlerProcess({
    "ITEM_PIPELINES": {"wikicrawler.content.pipeline.MarkdownPipeline": 100},
    "WIKICRAWLER_PAGE_CPU_SECONDS": sys.argv[1],
    "WIKICRAWLER_PAGE_WALL_SECONDS": 600,
    "TELNETCONSOLE_ENABLED": False,
})
crawl.crawl(PageSpider)
crawl.start()
"""


def crawl_in_the_middle_of_a_page(cpu_seconds: int) -> tuple[subprocess.Popen[str], int]:
    crawl = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(cpu_seconds)],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert crawl.stdin is not None
    crawl.stdin.write(ENDLESS)
    crawl.stdin.close()
    crawl.stdin = None
    while not (workers := children(crawl.pid)):
        time.sleep(0.05)
    (worker,) = workers
    while cpu_seconds_of(worker) < 1:
        time.sleep(0.05)
    return crawl, worker


def test_after_one_interrupt_the_current_page_is_finished():
    crawl, worker = crawl_in_the_middle_of_a_page(3)
    crawl.send_signal(signal.SIGINT)
    _, log = crawl.communicate()
    assert "cannot convert 'https://wiki.example/' to Markdown: cpu_limit" in log
    assert "'finish_reason': 'shutdown'" in log
    assert not is_alive(worker)


@pytest.mark.parametrize("end", ["second interrupt", "kill"])
def test_after_a_forced_shutdown_no_worker_keeps_running(end):
    crawl, worker = crawl_in_the_middle_of_a_page(600)
    if end == "kill":
        crawl.kill()
    else:
        crawl.send_signal(signal.SIGINT)
        assert crawl.stderr is not None
        while "Send again to force" not in crawl.stderr.readline():
            pass
        crawl.send_signal(signal.SIGINT)
    crawl.communicate()
    while is_alive(worker):  # would run for minutes if it were not killed
        time.sleep(0.05)


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_worker_of_a_killed_parent_ends_without_a_word(is_whole: bool) -> None:
    worker = subprocess.Popen(
        [sys.executable, "-P", "-m", "wikicrawler.content.workers.worker", "10", "512"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stderr is not None
    worker.stdout.read(1)  # it has started
    worker.stdout.close()
    url = "https://a.example/"
    task = pickle.dumps(
        PageInput(b"<p>good</p>", url, None, None, Form(), sketch=False, json=False)
    )
    worker.stdin.write(task if is_whole else task[:-9])
    worker.stdin.close()
    assert worker.stderr.read() == b""
    assert worker.wait(60) == 0
