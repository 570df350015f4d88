"""A site of many small pages, and the real ``scrapy crawl wiki`` over it, in a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from tests.scrapy_runs import Running
from tests.servers.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[2]
_PAGE = (
    "<!doctype html><html lang=en><title>Page {n}</title><main><h1>Page {n}</h1>"
    "<p>This is the text of page {n}, a page like any other but for the word {word}.</p>"
    "{links}</main>"
)


class Exchange(NamedTuple):
    """A request and its response, at the server's time."""

    path: str
    start: float
    end: float


class ManyPages(Serving):
    """Context manager: pages ``/0`` to ``/{count - 1}``, a tree in which each links to *fan* more,
    and to the root and its neighbours. *redirects*: every so manieth page is reached by a redirect
    of its own; *holes*: every so manieth links to a page that is missing.
    """

    def __init__(
        self, count: int, *, fan: int = 8, redirects: int = 0, holes: int = 0, delay: float = 0
    ) -> None:
        self.count = count
        self.fan = fan
        self.redirects = redirects
        self.holes = holes
        self.delay = delay
        self.asked: list[str] = []
        self.exchanges: list[Exchange] = []
        self._goes_on = threading.Event()
        self._goes_on.set()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.site = self
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    @contextmanager
    def held(self) -> Iterator[None]:
        """Answer no request for a page until the end of the block."""
        self._goes_on.clear()
        try:
            yield
        finally:
            self._goes_on.set()

    def urls(self) -> set[str]:
        """Every page that a whole crawl writes."""
        return {f"{self.url}/{n}" for n in range(self.count)}

    def answer(self, path: str) -> tuple[int, str, str]:
        """Status, Location and body."""
        self.asked.append(path)
        if path != "/robots.txt":
            self._goes_on.wait()
        name = path.strip("/")
        if self.redirects and name.startswith("to-"):
            return 302, f"/{name[3:]}", ""
        if not name.isdigit() or int(name) >= self.count:
            return 404, "", "not here"
        n = int(name)
        children = range(n * self.fan + 1, n * self.fan + 1 + self.fan)
        near = [0, max(0, n - 1), min(self.count - 1, n + 1)]
        links = [self._link(m) for m in children if m < self.count] + [f"/{m}" for m in near]
        if self.holes and n % self.holes == 0:
            links.append(f"/missing-{n}")
        anchors = "".join(f'<p><a href="{link}">See {link}</a></p>' for link in links)
        return 200, "", _PAGE.format(n=n, word=word_of(n), links=anchors)

    def _link(self, n: int) -> str:
        return f"/to-{n}" if self.redirects and n % self.redirects == 0 else f"/{n}"


def word_of(n: int) -> str:
    """A word of the page's own, as pages of the same kind have."""
    return "x" + "".join(chr(ord("a") + int(digit)) for digit in str(n))


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 100
    site: ManyPages

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        start = time.monotonic()
        if self.server.site.delay and self.path != "/robots.txt":
            time.sleep(self.server.site.delay)
        status, location, text = self.server.site.answer(self.path)
        body = text.encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        end = time.monotonic()  # before the client may have it
        self.wfile.write(body)
        self.wfile.flush()
        self.server.site.exchanges.append(Exchange(self.path, start, end))

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The list of what was asked for is the log."""


FAST = {
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
    "DOMAIN_THROTTLE_MAX_DELAY": "0",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "8",
    "WIKICRAWLER_CONTENT_WORKERS": "0",
    "WIKICRAWLER_TIERS": "http",
    "WIKICRAWLER_DISCOVER_WIKIS": "False",
    "WIKICRAWLER_PROGRESS_ENABLED": "False",
}


class Crawl:
    """The project in *folder*, as a person runs it there."""

    def __init__(self, folder: Path, seeds: str) -> None:
        self.folder = folder
        self.seeds = seeds
        (folder / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")

    @property
    def feed(self) -> Path:
        return self.folder / "pages.jsonl"

    def command(self, *arguments: str, output: tuple[str, ...] | None = None) -> list[str]:
        settings = [part for name, value in FAST.items() for part in ("-s", f"{name}={value}")]
        return [
            *("crawl", "wiki", "-a", f"seeds={self.seeds}"),
            *settings,
            *(output if output is not None else ("-o", "pages.jsonl")),
            *arguments,
        ]

    def start(self, *arguments: str, **more: object) -> subprocess.Popen[str]:
        """The crawl, running; its log is in ``log``."""
        options = {key: more.pop(key) for key in ("output",) if key in more}
        command = self.command(*arguments, **options)  # type: ignore[arg-type]
        with (self.folder / "log").open("a") as log:
            if not more:
                running = Running(command, cwd=self.folder, stdout=log, stderr=log)
                return cast("subprocess.Popen[str]", running)  # with what is used of it
            return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
                [sys.executable, "-m", "scrapy", *command],
                cwd=self.folder,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                text=True,
                **{"stdout": log, "stderr": log, **more},
            )

    def run(self, *arguments: str, **more: object) -> int:
        """Its exit code, at its end."""
        return self.start(*arguments, **more).wait(120)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    def lines(self) -> list[str]:
        return self.feed.read_text("utf-8").splitlines() if self.feed.exists() else []

    def written(self) -> Counter[str]:
        """How often each URL is in the feed, of which every line is whole."""
        text = self.feed.read_text("utf-8")
        assert text.endswith("\n")
        return Counter(json.loads(line)["url"] for line in text.splitlines())

    def wait_for(self, ready: Callable[[], bool], process: subprocess.Popen[str]) -> None:
        """Until *ready* or the end of *process*."""
        give_up = time.monotonic() + 60
        while not ready() and process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.01)
