"""The pages that are crawled: rendered by a real MediaWiki from wikitext, or the user's own."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit
from xml.sax.saxutils import escape

from lxml import html

from bench.crawls import manual, wikitext
from bench.crawls.render import PAGE_NAME, Wiki, rendered

FOLLOW = r"/wiki/[^:?#]+$"
"""What every program follows, behind the site's address: articles; no ``Special:``, no query."""
_FOLLOW = re.compile(FOLLOW)
_LINK = re.compile(rb'href="(/wiki/[^"?#]+)')
_STATED_NAMESPACE = re.compile(rb'"wgNamespaceNumber":-?\d+,?')
_START = """<!DOCTYPE html>
<html class="client-nojs" lang="en" dir="ltr"><head><title>All pages</title>
<meta name="generator" content="MediaWiki 1.39.17"/>
<link rel="EditURI" type="application/rsd+xml" href="/api.php?action=rsd"/></head>
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


class Corpus(NamedTuple):
    """Pages that are crawled as one site."""

    name: str
    """Short, for the section of the results."""
    title: str
    source: str
    """In words: how many pages, and from where."""
    pages: list[Page]
    api: Path | None = None
    """Folder with answers of the wiki's API, as :func:`bench.crawls.render.rendered` makes it."""


GENERATED, MANUAL = "generated", "manual"


def read(which: str, pages: int | None, seed: int) -> Corpus:
    """Return the corpus *which*: :data:`GENERATED`, :data:`MANUAL`, or a folder of ``*.html``.

    :param pages: number of pages; None: 300 generated ones, the whole manual, the whole folder
    :param seed: of the generated pages
    :raises SystemExit: MediaWiki is not installed, or the folder has no page
    """
    if which == GENERATED:
        folder = rendered(_generated(pages or 300, seed))
        found = saved(folder)
        source = f"{len(found):,} pages of generated wikitext, seed {seed}, rendered by MediaWiki"
        return Corpus(GENERATED, "Generated pages", source, found, folder / "api")
    if which == MANUAL:
        wiki, copies = manual.wiki(pages)
        folder = rendered(wiki)
        found = saved(folder)
        source = f"{len(found):,} pages of the OpenTTD manual, rendered by MediaWiki"
        if copies:
            source += f" ({copies:,} of them are copies of others at other addresses)"
        return Corpus(MANUAL, "The OpenTTD manual", source, found, folder / "api")
    found = saved(Path(which))[:pages]
    return Corpus("saved", "Saved pages", f"{len(found):,} pages of a folder", found)


def _generated(pages: int, seed: int) -> Wiki:
    sources = wikitext.wiki_pages(pages, seed)
    return Wiki(sources, [title for title in sources if not title.startswith("Template:")])


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


def numbered(corpus: Corpus) -> Corpus:
    """*corpus* at ``/wiki/Page_1``, ``/wiki/Page_2`` and so on, as pages that state no namespace.

    A crawl compares the text of such pages, as their URLs differ by a number alone. No API knows
    them.
    """
    pages = corpus.pages
    paths = {page.path: f"/wiki/Page_{number}" for number, page in enumerate(pages, 1)}

    def link(found: re.Match[bytes]) -> bytes:
        path = unescape(found[1].decode("utf-8", "replace"))
        return b'href="' + paths[path].encode() if path in paths else found[0]

    moved = [
        Page(paths[page.path], _STATED_NAMESPACE.sub(b"", _LINK.sub(link, page.html)))
        for page in pages
    ]
    return corpus._replace(pages=moved, source=corpus.source + ", at numbered URLs", api=None)


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
    if name := PAGE_NAME.search(text):
        return "/wiki/" + quote(json.loads(name[1]), safe=";@$!*(),/~:")
    canonical = re.search(r'<link rel="canonical" href="([^"]+)"', text)
    path = urlsplit(canonical[1]).path if canonical else ""
    return path if path.startswith("/wiki/") else "/wiki/" + quote(path.strip("/") or stem)
