"""Pages of a wiki as a real MediaWiki shows them, and what its API answers for them."""

from __future__ import annotations

import json
import re
import sqlite3
import tempfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote_plus
from urllib.request import urlopen
from xml.sax.saxutils import escape

from bench.environments import CACHE
from tests.servers import mediawiki_build as build
from tests.servers.mediawiki import RealMediaWiki
from wikicrawler.tiers.mediawiki.site import WikiSite, siteinfo_url
from wikicrawler.tiers.mediawiki.tier import request_url
from wikicrawler.tiers.mediawiki.titles import PageRef

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

HOST = b"host.of.the.site.invalid"
"""Stands for host and port in the answers of the API."""
PAGE_NAME = re.compile(r'"wgPageName":("(?:[^"\\]|\\.)*")')
_VARYING = re.compile(  # what differs from one rendering to the next
    r"<!--\s*(?:NewPP limit report|Transclusion expansion|Saved in parser cache).*?-->"
    r'|"wgRequestId":"\w+",|"wgBackendResponseTime":\d+,?',
    re.DOTALL,
)
_IMAGE = """
INSERT OR IGNORE INTO image (img_name, img_size, img_width, img_height, img_metadata, img_bits,
  img_media_type, img_major_mime, img_minor_mime, img_description_id, img_actor, img_timestamp)
VALUES (?, 40000, 640, 400, ?, 8, 'BITMAP', 'image', ?, 1, 1, '20240102030405')"""
# With the metadata that MediaWiki stores for a file whose own cannot be read.
_TYPES = {"png": ("0", "png"), "gif": ("0", "gif"), "jpg": ("-1", "jpeg"), "jpeg": ("-1", "jpeg")}


class Wiki(NamedTuple):
    """What a MediaWiki is filled with."""

    sources: Mapping[str, str]
    """Wikitext by title, with templates and messages."""
    articles: Sequence[str]
    """Titles of the pages to render."""
    php: str = ""
    """Settings, as code."""
    images: Sequence[str] = ()
    """Names of images that it has, as far as its pages show: each of 640 × 400, without a file."""


def rendered(wiki: Wiki, cache: Path = CACHE) -> Path:
    """Return a folder with the articles of *wiki* as ``*.html``, and answers of its API.

    The answers are in ``api/ACTION/TITLE.json``, with the title as in a query; those to what our
    tier ``mediawiki`` asks. They name the site as :data:`HOST`. The folder is kept below *cache*:
    rendering takes some tenths of a second a page.

    :raises SystemExit: MediaWiki is not installed
    """
    asked = [siteinfo_url("/api.php"), _parse_url("/api.php", "Title")]
    digest = sha256(json.dumps([*wiki, asked]).encode())
    for file in (build.SOURCE / "includes" / "Defines.php", build.ETC / "LocalSettings.php"):
        digest.update(file.read_bytes() if file.is_file() else b"")
    kept = cache / "corpus" / digest.hexdigest()[:16]
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
            (fresh / "api" / "parse").mkdir(parents=True)
            _render(wiki, Path(scratch), fresh)
            fresh.rename(kept)
    return kept


def _render(wiki: Wiki, scratch: Path, target: Path) -> None:
    data = scratch / "wiki"
    build.install(data)
    dump = scratch / "pages.xml"
    dump.write_text(_dump(wiki.sources), "utf-8")
    environment = build.environment(data, "http://127.0.0.1")
    build._run(
        "importDump", "--no-updates", "--username-prefix=imported", str(dump), env=environment
    )
    with closing(sqlite3.connect(data / "db" / "wiki.sqlite")) as db, db:
        db.executemany(_IMAGE, map(_image_row, wiki.images))
    with RealMediaWiki(data) as server, ThreadPoolExecutor(2) as threads:
        server.php(wiki.php)

        def get(url: str) -> bytes:
            with urlopen(url, timeout=120) as answer:  # noqa: S310 - our own
                return answer.read()

        def fetch(number_and_title: tuple[int, str]) -> None:
            number, title = number_and_title
            text = get(server.article_url(title)).decode()
            name = json.loads(PAGE_NAME.search(text)[1]).replace("_", " ")
            answer = get(_parse_url(server.api, name)).replace(server.host.encode(), HOST)
            (target / "api" / "parse" / f"{quote_plus(name)}.json").write_bytes(answer)
            text = _VARYING.sub("", text).replace(server.url, "")
            (target / f"{number:05}.html").write_text(text, "utf-8")
            if number % 50 == 0:
                print(f"bench: rendered {number} of {len(wiki.articles)} pages", flush=True)

        for action, url in (
            ("rsd", f"{server.api}?action=rsd"),
            ("query", siteinfo_url(server.api)),
        ):
            answer = get(url).replace(server.host.encode(), HOST)
            (target / "api" / action).mkdir()
            (target / "api" / action / ".json").write_bytes(answer)
        list(threads.map(fetch, enumerate(wiki.articles)))


def _parse_url(api: str, title: str) -> str:
    return request_url(PageRef(title), WikiSite.default(api))


def _image_row(name: str) -> tuple[str, str, str]:
    metadata, kind = _TYPES[name.rpartition(".")[2].lower()]
    title = name[:1].upper() + name[1:]
    return title.replace(" ", "_"), metadata, kind


def _dump(sources: Mapping[str, str]) -> str:
    entries = "".join(
        f"<page><title>{escape(title)}</title><revision><timestamp>2024-01-02T03:04:05Z</timestamp>"
        f"<contributor><username>Keeper</username></contributor>"
        f'<text xml:space="preserve">{escape(text)}</text></revision></page>\n'
        for title, text in sources.items()
    )
    head = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11">\n'
    return head + entries + "</mediawiki>\n"
