"""What a crawl costs its process, measured from inside it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy import Request, signals

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler

EVERY = 0.05
SHORT = 3


class ShortTimeouts:
    """Downloader middleware: what is asked of the hosts in the setting ``SLOW_HOSTS`` may take 3 s,
    so that all else may take the usual time on a busy machine."""

    def __init__(self, hosts: list[str]) -> None:
        self._hosts = set(hosts)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler.settings.getlist("SLOW_HOSTS"))

    def process_request(self, request: Request) -> None:
        if urlsplit(request.url).netloc in self._hosts:
            request.meta["download_timeout"] = SHORT


class Watch:
    """Scrapy extension: writes ``{"longest_turn": seconds, "peak_mb": megabytes}`` to the file that
    the setting ``WATCH_FILE`` names when the spider is closed.

    The longest turn is the most CPU time that the event loop's thread took between two ticks that
    it was asked for every 50 ms: how long it let everything wait, had it a processor for itself.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._longest = 0.0
        self._last: float | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        watch = cls(Path(crawler.settings["WATCH_FILE"]))
        crawler.signals.connect(watch._tick, signals.spider_opened)
        crawler.signals.connect(watch._closed, signals.spider_closed)
        return watch

    def _tick(self) -> None:
        from twisted.internet import reactor

        now = time.thread_time()
        if self._last is not None:
            self._longest = max(self._longest, now - self._last)
        self._last = now
        self._call = reactor.callLater(EVERY, self._tick)

    def _closed(self) -> None:
        self._call.cancel()
        peak = peak_mb("self")
        self._file.write_text(json.dumps({"longest_turn": self._longest, "peak_mb": peak}))


def peak_mb(pid: int | str) -> float:
    """The most memory that a process had resident; 0 where it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) / 1024 if lines else 0.0
