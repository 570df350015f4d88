"""A scripted SEC on this machine: three hosts with EDGAR's answers, and its blocks."""

from __future__ import annotations

import json
import re
import threading
import time
from collections import deque
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit
from zlib import crc32

from wikicrawler.demo.sec_data import (
    SecCompany,
    SecFiling,
    document_bytes,
    facts_answer,
    filing_table,
    index_page,
    page_name,
    search_answer,
    submissions_answer,
    tickers_answer,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Self

MAX_RATE = 10
"""Requests a second that SEC allows."""
LIFTED_AFTER = 600.0
"""Seconds below the limit after which a block ends."""
_HTML, _JSON, _XML = "text/html", "application/json", "application/xml"
_KINDS = {"htm": _HTML, "txt": "text/plain", "pdf": "application/pdf", "jpg": "image/jpeg"}
_ROBOTS = "User-agent: *\nAllow: /Archives/edgar/data\nDisallow: /cgi-bin\n"
_TOO_FAST = (
    "<!DOCTYPE html><html><head><title>SEC.gov | Request Rate Threshold Exceeded</title></head>"
    "<body><h1>Request Rate Threshold Exceeded</h1><p>To allow for equitable access to all users, "
    "SEC reserves the right to limit requests.</p></body></html>"
)
_UNDECLARED = (
    "<!DOCTYPE html><html><head><title>SEC.gov | Your Request Originates from an Undeclared "
    "Automated Tool</title></head><body><h1>Your Request Originates from an Undeclared Automated "
    "Tool</h1></body></html>"
)
_NO_KEY = '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>{}</Code><Message/></Error>'
_SUBMISSIONS = re.compile(r"/submissions/CIK(\d{10})\.json")
_FACTS = re.compile(r"/api/xbrl/companyfacts/CIK(\d{10})\.json")
_FOLDER = re.compile(r"/Archives/edgar/data/(\d+)/(\d{18})/([^/]+)")


@dataclass(frozen=True)
class Reply:
    status: int
    content_type: str
    body: bytes


@dataclass(frozen=True)
class SecRequest:
    """A line of the log."""

    time: float
    host: str
    """``www``, ``data`` or ``efts``."""
    path: str
    """With the query."""
    status: int


class DemoSec:
    """Context manager: serves *companies*.

    ``www``, ``data`` and ``efts`` are the base URLs; each is a host of its own port.

    :param clock: gives the time of requests, in seconds
    :param missing_status: of files that do not exist: 404, or 403 as at times
    """

    def __init__(
        self,
        companies: Iterable[SecCompany],
        clock: Callable[[], float] = time.monotonic,
        missing_status: int = 404,
    ) -> None:
        self.companies = list(companies)
        self.requests: list[SecRequest] = []
        self.replaced: dict[str, Reply] = {}
        """Answers in place of those about the companies, by path."""
        self._clock = clock
        self._missing_status = missing_status
        self._lock = threading.Lock()
        self._recent: deque[float] = deque()
        self._blocked_until = float("-inf")
        self._scripted: deque[Reply] = deque()
        self._failures: dict[str, int] = {}
        self._https = {host: _Http(("127.0.0.1", 0), host, self) for host in _ANSWERS}
        self.www, self.data, self.efts = (
            f"http://127.0.0.1:{http.server_port}" for http in self._https.values()
        )

    def __enter__(self) -> Self:
        self._threads = [
            threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True)
            for http in self._https.values()
        ]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        for http in self._https.values():
            http.shutdown()
            http.server_close()
        for thread in self._threads:
            thread.join()

    def block(self, times: int = 1, status: int = 403, undeclared: bool = False) -> None:
        """Answer the next *times* requests with a page that blocks."""
        page = _UNDECLARED if undeclared else _TOO_FAST
        self._scripted.extend([Reply(status, _HTML, page.encode())] * times)

    def fail(self, path: str, times: int = 1) -> None:
        """Answer the next *times* requests whose path has *path* with status 500."""
        self._failures[path] = times

    def replace(self, path: str, body: bytes, status: int = 200, content_type: str = _JSON) -> None:
        """Answer requests for *path* with *body*."""
        self.replaced[path] = Reply(status, content_type, body)

    def paths(self, host: str | None = None) -> list[str]:
        """Return the paths that were requested, except robots.txt."""
        return [
            request.path
            for request in self.requests
            if host in (None, request.host) and request.path != "/robots.txt"
        ]

    def respond(self, host: str, path: str, user_agent: str) -> Reply:
        """Return the answer to a request, and log it."""
        with self._lock:
            now = self._clock()
            reply = self._block_page(now, user_agent) or self._answer(host, path)
            self.requests.append(SecRequest(now, host, path, reply.status))
            return reply

    def _block_page(self, now: float, user_agent: str) -> Reply | None:
        self._recent.append(now)
        while self._recent[0] <= now - 1:
            self._recent.popleft()
        if len(self._recent) > MAX_RATE or now < self._blocked_until:
            self._blocked_until = now + LIFTED_AFTER
            return Reply(403, _HTML, _TOO_FAST.encode())
        if self._scripted:
            return self._scripted.popleft()
        return None if "@" in user_agent else Reply(403, _HTML, _UNDECLARED.encode())

    def _answer(self, host: str, path: str) -> Reply:
        for part, times in self._failures.items():
            if part in path and times:
                self._failures[part] -= 1
                return Reply(500, _JSON, b'{"message": "Internal server error"}')
        if path == "/robots.txt":
            return Reply(200, "text/plain", _ROBOTS.encode())
        found = self.replaced.get(path) or _ANSWERS[host](self.companies, path)
        if found is not None:
            return found
        code = "AccessDenied" if self._missing_status == 403 else "NoSuchKey"
        return Reply(self._missing_status, _XML, _NO_KEY.format(code).encode())


def _www(companies: list[SecCompany], path: str) -> Reply | None:
    if path == "/files/company_tickers.json":
        return _json(tickers_answer(companies))
    found = _FOLDER.fullmatch(path)
    for company in companies if found else ():
        for filing in company.filings if found and str(company.cik) == found[1] else ():
            if found and filing.folder == found[2]:
                return _file(company, filing, found[3])
    return None


def _file(company: SecCompany, filing: SecFiling, name: str) -> Reply | None:
    if name == f"{filing.accession}-index.htm":
        return Reply(200, _HTML, index_page(company, filing).encode())
    names = [filing.document, filing.pdf, f"{filing.accession}.txt"]
    if name not in [*names, *(exhibit[2] for exhibit in filing.exhibits)]:
        return None
    kind = _KINDS.get(name.rpartition(".")[2], "application/octet-stream")
    return Reply(200, kind, document_bytes(company, filing, name))


def _data(companies: list[SecCompany], path: str) -> Reply | None:
    for company in companies:
        if path == f"/submissions/{page_name(company)}" and company.older:
            return _json(filing_table(company.filings[company.older :]))
        for pattern, answer in ((_SUBMISSIONS, submissions_answer), (_FACTS, facts_answer)):
            found = pattern.fullmatch(path)
            if found and int(found[1]) == company.cik:
                content = answer(company)
                return None if content is None else _json(content)
    return None


def _efts(companies: list[SecCompany], path: str) -> Reply | None:
    parts = urlsplit(path)
    if parts.path != "/LATEST/search-index":
        return None
    query = parse_qs(parts.query)
    forms = query.get("forms", [""])[0].split(",")
    return _json(search_answer(companies, query.get("q", [""])[0], list(filter(None, forms))))


def _json(content: object) -> Reply:
    return Reply(200, _JSON, json.dumps(content).encode())


_ANSWERS = {"www": _www, "data": _data, "efts": _efts}


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, address: tuple[str, int], host: str, sec: DemoSec) -> None:
        super().__init__(address, _Handler)
        self.host, self.sec = host, sec

    def server_bind(self) -> None:
        TCPServer.server_bind(self)  # HTTPServer's does a DNS lookup, which can take long
        self.server_port = self.server_address[1]
        # A connection may be gone when it is to be accepted (accept(2)), which then would block.
        self.socket.setblocking(False)


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment
    timeout = 60

    def do_GET(self) -> None:
        agent = self.headers.get("User-Agent", "")
        reply = self.server.sec.respond(self.server.host, self.path, agent)
        body, status, headers = self._part(reply)
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", reply.content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _part(self, reply: Reply) -> tuple[bytes, int, dict[str, str]]:
        """Return the rest of a file that an earlier request has had the start of."""
        if reply.status != 200:
            return reply.body, reply.status, {}
        tag = f'"{crc32(reply.body):x}"'
        found = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        start = int(found[1]) if found else 0
        if not found or self.headers.get("If-Range", tag) != tag or start >= len(reply.body):
            return reply.body, 200, {"ETag": tag, "Accept-Ranges": "bytes"}
        span = f"bytes {start}-{len(reply.body) - 1}/{len(reply.body)}"
        return reply.body[start:], 206, {"ETag": tag, "Content-Range": span}

    def log_message(self, *_: object) -> None:
        """Write no log."""
