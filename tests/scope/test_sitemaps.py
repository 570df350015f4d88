"""Sitemaps: what is read of good, broken and hostile ones."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from tests.growth import LIMIT, growth
from wikicrawler.scope.sitemaps import MAX_ENTRIES, is_sitemap, read_sitemap

if TYPE_CHECKING:
    from collections.abc import Callable

HOST = "https://w.example"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'


def urlset(*entries: str, start: str = '<?xml version="1.0" encoding="UTF-8"?>\n') -> bytes:
    urls = "".join(f"<url><loc>{entry}</loc></url>" for entry in entries)
    return f"{start}<urlset {NS}>{urls}</urlset>".encode()


def read(body: bytes) -> list[str]:
    assert is_sitemap(HOST + "/sitemap.xml", body)
    return [entry.url.removeprefix(HOST) for entry in read_sitemap(body).entries]


GOOD: dict[str, bytes] = {
    "plain": urlset(f"{HOST}/a", f"{HOST}/b"),
    "white space": urlset(f"\n   {HOST}/a\n", f"\t{HOST}/b "),
    "CDATA": urlset(f"<![CDATA[{HOST}/a]]>", f" <![CDATA[ {HOST}/b ]]>"),
    "twice": urlset(f"{HOST}/a", f"{HOST}/b", f"{HOST}/a#part"),
    "a comment": urlset(f"{HOST}/a").replace(b"</urlset>", b"")
    + f"<!-- <url><loc>{HOST}/no</loc></url> --><url><loc>{HOST}/b</loc></url></urlset>".encode(),
    "comment before": urlset(f"{HOST}/a", f"{HOST}/b", start="<!-- made by x > y -->\n"),
    "stylesheet": urlset(
        f"{HOST}/a",
        f"{HOST}/b",
        start='<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="/main.xsl"?>',
    ),
    "a prefix": urlset(f"{HOST}/a", f"{HOST}/b")
    .replace(b"<", b"<s:")
    .replace(b"<s:/", b"</s:")
    .replace(b"<s:?", b"<?"),
    "images": urlset(
        f"{HOST}/a</loc><image:image><image:loc>{HOST}/i.png</image:loc></image:image>"
        f"<xhtml:link rel='alternate' href='{HOST}/de/a'/><lastmod>2026-01-01</lastmod><x>",
        f"{HOST}/b",
    ),
    "BOM": b"\xef\xbb\xbf" + urlset(f"{HOST}/a", f"{HOST}/b"),
    "UTF-16": urlset(f"{HOST}/a", f"{HOST}/b").decode().encode("utf-16"),
    "gzip": gzip.compress(urlset(f"{HOST}/a", f"{HOST}/b")),
    "gzip twice": gzip.compress(gzip.compress(urlset(f"{HOST}/a", f"{HOST}/b"))),
    "other schemes": urlset(f"{HOST}/a", "ftp://w.example/", "javascript:alert(1)", f"{HOST}/b"),
    "truncated": urlset(f"{HOST}/a", f"{HOST}/b", f"{HOST}/cut")[:-23],
    "no end tags": f"<urlset><url><loc>{HOST}/a<url><loc>{HOST}/b<url>".encode(),
    "stray characters": urlset(f"{HOST}/a", f"{HOST}/b").replace(b"<url>", b"<url>& < <3 "),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_can_be_read_is_read(name: str) -> None:
    expected = ["/a", "/b"]
    found = read(GOOD[name])
    assert found[:2] == expected
    assert found[2:] == []


def test_escapes_are_those_of_xml_alone() -> None:
    body = urlset(f"{HOST}/?a=1&amp;b=2", f"{HOST}/?a=1&copy=2", f"{HOST}/&#x41;&#66;")
    assert read(body) == ["/?a=1&b=2", "/?a=1&copy=2", "/AB"]


def test_lastmod_and_index() -> None:
    body = f"<sitemapindex {NS}><sitemap><lastmod>2026-02-03</lastmod></sitemap>" + "".join(
        f"<sitemap><loc>{HOST}/{n}.xml.gz</loc><lastmod>2026-02-0{n}</lastmod></sitemap>"
        for n in (1, 2)
    )
    found = read_sitemap(f"{body}</sitemapindex>".encode())
    assert found.is_index
    assert [(e.url, e.lastmod) for e in found.entries] == [
        (f"{HOST}/1.xml.gz", "2026-02-01"),
        (f"{HOST}/2.xml.gz", "2026-02-02"),
    ]
    assert found.problems == []


def test_text() -> None:
    body = f"{HOST}/a\r\n\r\n{HOST}/b\nnonsense\n".encode()
    assert is_sitemap(HOST + "/urls.txt", body)
    assert not is_sitemap(HOST + "/urls.html", body)
    assert not is_sitemap(HOST + "/readme.txt", b"Read me.\nhttps://w.example/\n")
    found = read_sitemap(body)
    assert [entry.url for entry in found.entries] == [f"{HOST}/a", f"{HOST}/b"]
    assert found.problems == ["1 entries are not http(s) URLs"]


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body><urlset></html>",
        b"<!doctype html><p>A page about &lt;urlset&gt;",
        b'<?xml version="1.0"?><rss version="2.0"><channel/></rss>',
        b'<?xml version="1.0"?><urlsets>',
        b"\x1f\x8bnonsense",
        b"%PDF-1.4 <urlset>",
    ],
)
def test_what_is_no_sitemap(body: bytes) -> None:
    assert not is_sitemap(HOST + "/x", body)


BOMB = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n'
HOSTILE: dict[str, tuple[Callable[[], bytes], int]] = {
    "entities": (lambda: urlset(f"{HOST}/&b;", f"{HOST}/b", start=BOMB), 2),
    "gzip bomb": (lambda: gzip.compress(urlset(f"{HOST}/a") + b" " * 80_000_000), 1),
    "truncated gzip": (lambda: gzip.compress(urlset(f"{HOST}/a") + b"x" * 3_000)[:-12], 1),
    "too many": (lambda: urlset(*(f"{HOST}/{n}" for n in range(MAX_ENTRIES + 10))), MAX_ENTRIES),
    "a long URL": (lambda: urlset(f"{HOST}/" + "a" * 100_000, f"{HOST}/b"), 1),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_strangers_send_is_bounded(name: str) -> None:
    body, most = HOSTILE[name]
    found = read_sitemap(body())
    assert 1 <= len(found.entries) <= most
    assert all(len(entry.url) <= 8_000 for entry in found.entries)
    assert found.problems or name == "entities"


@pytest.mark.parametrize(
    "part", ["<", "<loc>", "<url>", "<!--", "<![CDATA[", "<loc><![CDATA[", "<a:", "&#", "<image:"]
)
def test_reading_is_linear(part: str) -> None:
    start = f"<urlset {NS}>"
    text = lambda size: start + part * size  # noqa: E731
    assert growth(lambda t: read_sitemap(t.encode()), text, 2_000) < LIMIT
    assert growth(lambda t: is_sitemap(HOST, t.encode()), lambda n: part * n, 2_000) < LIMIT
