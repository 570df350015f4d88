"""The pages that are crawled: rendered by a real MediaWiki from our wikitext, or the user's own."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit
from urllib.request import urlopen
from xml.sax.saxutils import escape

from lxml import html

from bench.crawls import wikitext
from tests.servers import mediawiki_build as build
from tests.servers.mediawiki import RealMediaWiki

CACHE = Path(__file__).parents[2] / ".cache" / "bench"
FOLLOW = r"/wiki/[^:?#]+$"
"""What every program follows, behind the site's address: articles; no ``Special:``, no query."""
_FOLLOW = re.compile(FOLLOW)
_PAGE_NAME = re.compile(r'"wgPageName":("(?:[^"\\]|\\.)*")')
_LINK = re.compile(rb'href="(/wiki/[^"?#]+)')
_STATED_NAMESPACE = re.compile(rb'"wgNamespaceNumber":-?\d+,?')
_VARYING = re.compile(  # what differs from one rendering to the next
    r"<!--\s*(?:NewPP limit report|Transclusion expansion|Saved in parser cache).*?-->"
    r'|"wgRequestId":"\w+",|"wgBackendResponseTime":\d+,?',
    re.DOTALL,
)
_START = """<!DOCTYPE html>
<html class="client-nojs" lang="en" dir="ltr"><head><title>All pages</title>
<meta name="generator" content="MediaWiki 1.39.17"/></head>
<body class="mediawiki ltr ns-0 ns-subject skin-vector-legacy action-view">
<div id="content" class="mw-body" role="main"><h1 id="firstHeading">All pages</h1>
<div id="bodyContent"><div id="mw-content-text"><div class="mw-parser-output">
<p>Every page of this site.</p>
<ul>
{}
</ul>
</div></div></div></div></body></html>
"""


class Page(NamedTuple):
    """A page of the site."""

    path: str
    """Percent-encoded, as links name it: ``/wiki/Main_Page``."""
    html: bytes


def generated(pages: int, seed: int) -> list[Page]:
    """*pages* articles of :mod:`bench.crawls.wikitext` as a MediaWiki shows them.

    Kept in ``.cache/bench/corpus``: rendering takes about half a second a page.

    :raises SystemExit: MediaWiki is not installed
    """
    sources = wikitext.wiki_pages(pages, seed)
    digest = sha256(json.dumps(sources).encode())
    for file in (build.SOURCE / "includes" / "Defines.php", build.ETC / "LocalSettings.php"):
        digest.update(file.read_bytes() if file.is_file() else b"")
    kept = CACHE / "corpus" / digest.hexdigest()[:16]
    if not kept.is_dir():
        if lacks := build.missing():
            raise SystemExit(
                f"bench: the corpus is rendered by MediaWiki, and {', '.join(lacks)} is missing: "
                "run scripts/install-test-packages as root, or name a folder of saved pages with "
                "--corpus"
            )
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=kept.parent) as scratch:
            fresh = Path(scratch, "pages")
            fresh.mkdir()
            _render(sources, Path(scratch), fresh)
            fresh.rename(kept)
    return saved(kept)


def saved(folder: Path) -> list[Page]:
    """The ``*.html`` files in *folder*, at the paths that their own links have for them.

    A MediaWiki page says its name; another is at its canonical URL's path, else at its file's name.
    Always below ``/wiki/``, as :data:`FOLLOW` asks.
    """
    pages: dict[str, Page] = {}
    for file in sorted(folder.glob("*.html")):
        body = file.read_bytes()
        path = _path(body, file.stem)
        if not _FOLLOW.match(path):
            continue  # a page of a namespace that no program would follow into
        pages[path] = Page(path, body)
    if not pages:
        raise SystemExit(f"bench: no page of an article in {folder}/*.html")
    return list(pages.values())


def numbered(pages: list[Page]) -> list[Page]:
    """*pages* at ``/wiki/Page_1``, ``/wiki/Page_2`` and so on, as pages that state no namespace.

    A crawl compares the text of such pages, as their URLs differ by a number alone.
    """
    paths = {page.path: f"/wiki/Page_{number}" for number, page in enumerate(pages, 1)}

    def link(found: re.Match[bytes]) -> bytes:
        path = unescape(found[1].decode("utf-8", "replace"))
        return b'href="' + paths[path].encode() if path in paths else found[0]

    return [
        Page(paths[page.path], _STATED_NAMESPACE.sub(b"", _LINK.sub(link, page.html)))
        for page in pages
    ]


def start_page(pages: list[Page]) -> bytes:
    """A page of a MediaWiki that links to all *pages*."""
    links = "\n".join(
        f'<li><a href="{escape(page.path)}">{escape(unquote(page.path[6:]))}</a></li>'
        for page in pages
    )
    return _START.format(links).encode()


def links_a_page(pages: list[Page]) -> float:
    """How many different URLs that programs follow a page has on average."""
    found = 0
    for page in pages:
        tree = html.document_fromstring(page.html)
        urls = {urljoin(page.path, href).partition("#")[0] for href in tree.xpath("//a/@href")}
        found += sum(bool(_FOLLOW.match(url)) for url in urls)
    return found / len(pages)


def _path(body: bytes, stem: str) -> str:
    text = body.decode("utf-8", "replace")
    if name := _PAGE_NAME.search(text):
        return "/wiki/" + quote(json.loads(name[1]), safe=";@$!*(),/~:")
    canonical = re.search(r'<link rel="canonical" href="([^"]+)"', text)
    path = urlsplit(canonical[1]).path if canonical else ""
    return path if path.startswith("/wiki/") else "/wiki/" + quote(path.strip("/") or stem)


def _render(sources: dict[str, str], scratch: Path, target: Path) -> None:
    data = scratch / "wiki"
    build.install(data)
    dump = scratch / "pages.xml"
    dump.write_text(_dump(sources), "utf-8")
    subprocess.run(
        [
            *(*build.PHP, str(build.SOURCE / "maintenance" / "importDump.php")),
            *("--no-updates", "--username-prefix=imported", str(dump)),
        ],
        env=build.environment(data, "http://127.0.0.1"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    titles = [title for title in sources if not title.startswith("Template:")]
    with RealMediaWiki(data) as wiki, ThreadPoolExecutor(2) as threads:

        def fetch(number_and_title: tuple[int, str]) -> None:
            number, title = number_and_title
            with urlopen(wiki.article_url(title), timeout=120) as answer:  # noqa: S310 - our own
                text = answer.read().decode()
            text = _VARYING.sub("", text).replace(wiki.url, "")
            (target / f"{number:05}.html").write_text(text, "utf-8")
            if number % 50 == 0:
                print(f"bench: rendered {number} of {len(titles)} pages", flush=True)

        list(threads.map(fetch, enumerate(titles)))


def _dump(sources: dict[str, str]) -> str:
    entries = "".join(
        f"<page><title>{escape(title)}</title><revision><timestamp>2024-01-02T03:04:05Z</timestamp>"
        f"<contributor><username>Keeper</username></contributor>"
        f'<text xml:space="preserve">{escape(text)}</text></revision></page>\n'
        for title, text in sources.items()
    )
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">\n'
    return head + entries + "</mediawiki>\n"
