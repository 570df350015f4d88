"""What it costs that a crawl survives a kill: the frontier against Scrapy's own queues.

    python -m bench.frontier [--requests N] [--pages N] [--rounds N]

Two measurements, each of them three ways (Scrapy's queues in memory, Scrapy's queues on disk, the
frontier), in turn, in processes of their own, by CPU time, and as the least of the rounds: the
scheduler alone (each request is scheduled, handed out and acknowledged), and a whole crawl of
trivial pages with a feed, from a server on this machine and without tiers or politeness, which is
the harshest comparison. Writes its section of RESULTS.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerProcess

from bench.crawls import report

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ROOT = Path(__file__).parents[1]
WAYS = ("memory", "disk", "frontier")
_NAMES = {
    "memory": "Scrapy's in memory",
    "disk": "Scrapy's on disk (JOBDIR)",
    "frontier": "the frontier (JOBDIR)",
}
_KINDS = {"scheduler": "scheduler alone", "crawl": "whole crawl"}
_FAN = 10


class Alone(Spider):
    """Sends *count* requests through the scheduler of a crawl that runs, but downloads nothing."""

    name = "alone"

    async def start(self) -> AsyncIterator[Any]:
        slot: Any = self.crawler.engine._slot
        count = int(self.count)  # type: ignore[attr-defined]
        requests = [self._request(n) for n in range(count)]
        begin = time.process_time()
        for first in range(0, count, 1000):  # as a crawl does: some are done as others come
            for request in requests[first : first + 1000]:
                slot.scheduler.enqueue_request(request)
            for _ in range(900):
                self._through(slot)
        while slot.scheduler.has_pending_requests():
            self._through(slot)
        self.crawler.stats.set_value("bench", time.process_time() - begin)
        return
        yield

    def _through(self, slot: Any) -> None:
        request = slot.scheduler.next_request()
        slot.add_request(request)
        slot.remove_request(request)

    def _request(self, n: int) -> Request:
        url = f"https://wiki{n % 20}.example.org/wiki/Page_{n}"
        return Request(url, callback=self.parse, errback=self.failed, meta={"page_depth": 1})

    def parse(self, response: Any) -> None:
        """Never called."""

    def failed(self, failure: Any) -> None:
        """Never called."""


class Crawl(Spider):
    """Follows the links of pages that are trivial."""

    name = "crawl"

    async def start(self) -> AsyncIterator[Request]:
        self.begin = time.process_time()
        self.crawler.signals.connect(self.done, signals.spider_closed)
        yield Request(self.url + "/0")  # type: ignore[attr-defined]

    def parse(self, response: Any) -> Any:
        numbers = response.text.split()
        yield {"url": response.url, "links": len(numbers)}
        for number in numbers:
            yield response.follow(f"/{number}")

    def done(self) -> None:
        self.crawler.stats.set_value("bench", time.process_time() - self.begin)


class Site(BaseHTTPRequestHandler):
    """A tree of pages that are lists of numbers."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True
    count = 0

    def do_GET(self) -> None:
        n = int(self.path[1:])
        children = range(n * _FAN + 1, min(n * _FAN + 1 + _FAN, self.count))
        body = " ".join(map(str, [*children, max(0, n - 1)])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Quiet."""


def child(kind: str, way: str, folder: str, argument: str) -> None:
    """One run; prints its CPU seconds."""
    settings: dict[str, Any] = {
        "LOG_ENABLED": False,
        "TELNETCONSOLE_ENABLED": False,
        "REMOTE_CONTROL_ENABLED": False,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 16,
        "SCHEDULER_PRIORITY_QUEUE": "wikicrawler.frontier.site_queue.SiteAwarePriorityQueue",
        "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
        "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
        "FEEDS": {f"{folder}/items.jsonl": {"format": "jsonlines"}},
    }
    if way != "memory":
        settings["JOBDIR"] = f"{folder}/job"
    if way == "frontier":
        feeds = "wikicrawler.feeds.line_feeds"
        settings["SCHEDULER"] = "wikicrawler.frontier.scheduler.FrontierScheduler"
        settings["FEED_STORAGES"] = {"": f"{feeds}.LineFeedStorage"}
        settings["FEED_EXPORTERS"] = {"jsonlines": f"{feeds}.LineExporter"}
    process = AsyncCrawlerProcess(settings)
    crawler = process.create_crawler(Alone if kind == "scheduler" else Crawl)
    name = "count" if kind == "scheduler" else "url"
    process.crawl(crawler, **{name: argument})
    process.start()
    stats = crawler.stats.get_stats()
    print(json.dumps({"cpu": stats["bench"], "items": stats.get("item_scraped_count", 0)}))


def measure(kind: str, way: str, argument: str) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-m", "bench.frontier", "--child", kind, way, folder, argument],
            check=True,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )
    return dict(json.loads(done.stdout))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--pages", type=int, default=3_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--results", type=Path, default=ROOT / "bench" / "RESULTS.md")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        child(*arguments.child)
        return
    Site.count = arguments.pages
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    runs = {
        "scheduler": (arguments.requests, str(arguments.requests)),
        "crawl": (arguments.pages, f"http://127.0.0.1:{server.server_port}"),
    }
    rows = []
    for kind, (count, argument) in runs.items():
        seconds: dict[str, list[float]] = {way: [] for way in WAYS}
        for _ in range(arguments.rounds):
            for way in WAYS:
                found = measure(kind, way, argument)
                seconds[way].append(found["cpu"])
                if kind == "crawl" and found["items"] != count:
                    sys.exit(f"{way}: {found['items']} pages of {count}")
        for way in WAYS:
            least = min(seconds[way])
            ratio = min(seconds["memory"]) / least
            rows.append([_KINDS[kind], _NAMES[way], f"{count / least:,.0f}", f"{ratio:.0%}"])
    text = "\n\n".join(
        [
            report.head("Frontier", "python -m bench.frontier " + " ".join(sys.argv[1:])),
            f"{arguments.requests:,} requests through the scheduler alone, and a whole crawl of "
            f"{arguments.pages:,} pages of some bytes with a feed, without tiers or politeness. By "
            f"the least CPU time of {arguments.rounds} rounds, the ways taking turns.",
            report.table(["", "queue", "requests a CPU second", "of memory's"], rows),
        ]
    )
    report.write(arguments.results, "frontier", text)
    print(text)


if __name__ == "__main__":
    main()
