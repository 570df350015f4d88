"""The pages, what a person reads on them, and the site on loopback that serves them.

The pages of the demo are ours. The articles are from a checkout of
https://github.com/scrapinghub/article-extraction-benchmark, and the documentation is from Debian's
packages, below ``/usr/share/doc``. What is not there is left out, and named.
"""

from __future__ import annotations

import gzip
import random
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self
from urllib.request import urlopen

import yaml
from lxml import html as lxml_html

from wikicrawler.demo import DemoWiki
from wikicrawler.demo.company import Company

if TYPE_CHECKING:
    from collections.abc import Iterator

LABELS = Path(__file__).with_name("labels.yml")
DOCUMENTATION = Path("/usr/share/doc")
SEED = 20
"""Of the split into halves."""


class Field(NamedTuple):
    """What is asked for, and what is right."""

    name: str
    type: str
    """``string``, ``number`` or ``integer``."""
    description: str
    right: tuple[str, ...]
    """Spellings of the value; none if the page does not state it."""


class Page(NamedTuple):
    """A labelled page."""

    name: str
    source: str
    """``demo``, ``articles`` or ``documentation``."""
    fields: tuple[Field, ...]
    html: bytes
    half: int
    """1, from which may be learned, or 2."""

    @property
    def path(self) -> str:
        """Of its URL, which tells nothing of it."""
        return f"/{self.source}/{self.name.replace('/', '-').removesuffix('.html')}"

    @property
    def characters(self) -> int:
        """Length of its text, menus included."""
        root = lxml_html.document_fromstring(self.html)
        for unseen in root.xpath("//script|//style|//noscript"):
            unseen.drop_tree()
        return len(" ".join(root.text_content().split()))


class Corpus(NamedTuple):
    """The pages that are there, and the names of those that are not."""

    pages: list[Page]
    missing: list[str]


def read(articles: Path | None) -> Corpus:
    """Return the labelled pages.

    :param articles: a checkout of the benchmark of articles; None: without them
    """
    labels = yaml.safe_load(LABELS.read_text("utf-8"))
    pages: list[Page] = []
    missing: list[str] = []
    for source, asked in labels.items():
        found = dict(_bodies(source, list(asked), articles))
        missing += [f"{source}/{name}" for name in asked if name not in found]
        # Of what is labelled, so that a page that is missing moves no other one.
        order = sorted(asked)
        random.Random(SEED).shuffle(order)  # noqa: S311 - a split, no secret
        first = set(order[: (len(order) + 1) // 2])
        pages += [
            Page(name, source, _fields(asked[name]), body, 1 if name in first else 2)
            for name, body in found.items()
        ]
    return Corpus(pages, missing)


def shortest(pages: list[Page], half: int, counts: dict[str, int]) -> list[Page]:
    """Return so many pages of each source and of *half* as *counts* says, those with the shortest
    texts."""
    chosen: list[Page] = []
    for source, count in counts.items():
        of = [page for page in pages if page.half == half and page.source == source]
        chosen += sorted(of, key=lambda page: page.characters)[:count]
    return chosen


def _fields(asked: dict[str, list[object]]) -> tuple[Field, ...]:
    return tuple(
        Field(name, str(kind), str(description), tuple(map(str, right)))
        for name, (kind, description, *right) in asked.items()
    )


def _bodies(source: str, names: list[str], articles: Path | None) -> Iterator[tuple[str, bytes]]:
    if source == "demo":
        with DemoWiki() as wiki, Company() as company:
            for name in names:
                root = company.url if name.startswith("company/") else wiki.url
                path = name.removeprefix("company") if root == company.url else f"/{name}"
                with urlopen(root + path) as answer:  # noqa: S310 - our own
                    yield name, answer.read()
    elif source == "documentation":
        for name in names:
            if (file := DOCUMENTATION / name).is_file():
                yield name, _as_utf8(file.read_bytes())
    elif articles is not None:
        for name in names:
            for file in (articles / "html").glob(f"{name}*.html.gz"):
                yield name, gzip.decompress(file.read_bytes())


def _as_utf8(body: bytes) -> bytes:
    """Return *body*, which says its encoding, in the one in which all are served."""
    declared = re.search(rb"charset=[\"']?([\w-]+)", body[:2048])
    encoding = declared[1].decode() if declared else "utf-8"
    text = body.decode(encoding, "replace")
    return text.replace(f"charset={encoding}", "charset=utf-8", 1).encode()


class Site:
    """Context manager: serves pages on loopback."""

    def __init__(self, pages: list[Page]) -> None:
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.pages = {page.path: page for page in pages}
        self._http.last = None
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self.url = f"http://127.0.0.1:{self._http.server_port}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def last(self) -> Page | None:
        """The page that was asked for last."""
        return self._http.last


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    pages: dict[str, Page]
    last: Page | None


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def do_GET(self) -> None:
        page = self.server.pages.get(self.path)
        body, kind = page.html if page else None, "text/html; charset=utf-8"
        self.server.last = page or self.server.last
        if self.path == "/robots.txt":
            body, kind = b"User-agent: *\nAllow: /\n", "text/plain"
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body or b"")))
        self.end_headers()
        self.wfile.write(body or b"")

    def log_message(self, *_: object) -> None:
        """Write no log."""
