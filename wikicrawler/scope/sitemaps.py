"""Sitemaps (https://www.sitemaps.org/protocol.html): XML, indexes, plain text, and gzip of these.

The XML is read by a scan for the few elements that count, in linear time: a broken or truncated
file gives what can be read, entities other than the five of XML are not expanded, and nothing is
loaded.
"""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from dataclasses import dataclass, field
from html import unescape
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import re2

from wikicrawler.urls.addresses import parse_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

USUAL_PATH = "/sitemap.xml"
"""Path of the sitemap of a host whose robots.txt names none."""
MAX_NAMED = 1_000
"""Maximum number of sitemaps that are read of a robots.txt."""
MAX_BYTES = 50 * 2**20
"""Maximum size of a sitemap in bytes, uncompressed (the protocol's)."""
MAX_ENTRIES = 50_000
"""Maximum number of URLs in a sitemap (the protocol's)."""
MAX_RATIO = 200
"""Maximum factor by which gzip may have compressed a sitemap of more than a megabyte."""
HEAVY = 64 * 1024
"""Size in bytes from which :func:`read_sitemap` belongs in a thread."""

_GZIP = b"\x1f\x8b"
_HEAD = 4096
_CHUNK = 2**16
_MAX_GZIP_LAYERS = 2
_MAX_LOC = 16_000  # characters, as written
_OPTIONS = re2.Options()
_OPTIONS.log_errors = False
_ROOT = re2.compile(
    rb"(?s)^(?:\s|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*"
    rb"<(?:[A-Za-z_][\w.-]*:)?(urlset|sitemapindex)[\s>/]",
    _OPTIONS,
)
_TAG = re.compile(rb"<(/?)(?:[A-Za-z_][\w.-]{0,60}:)?([A-Za-z]{1,20})(?=[\s>/])[^<>]{0,2000}>")
_FOREIGN = re.compile(rb"<(?:image|video|news|xhtml|mobile|pagemap):", re.IGNORECASE)
_CDATA, _CDATA_END = b"<![CDATA[", b"]]>"
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});")
_TEXT_URL = re.compile(rb"(?i)https?://\S")


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A URL in a sitemap."""

    url: str
    lastmod: str = ""
    """As stated, at most 40 characters."""


@dataclass(slots=True)
class Sitemap:
    """What could be read of a sitemap."""

    entries: list[SitemapEntry] = field(default_factory=list)
    is_index: bool = False
    """True if the entries are sitemaps."""
    problems: list[str] = field(default_factory=list)
    """What is wrong with the file, one line each; nothing of its text."""


def sitemap_addresses(named: Iterable[str], page_url: str) -> list[str]:
    """Return the URLs of the sitemaps that a robots.txt names, each once; the usual one if it names
    none that can be used.

    :param named: as the robots.txt of the host of *page_url* has them; they may be relative
    """
    found: dict[str, None] = {}
    for text in islice(named, MAX_NAMED):
        if len(text) <= _MAX_LOC:
            with suppress(ValueError):
                found[parse_url(urljoin(page_url, text.partition(" #")[0].strip()))] = None
    return list(found) or [parse_url(urljoin(page_url, USUAL_PATH))]


def is_sitemap(url: str, body: bytes) -> bool:
    """Return True if the document at *url* is a sitemap. Reads its first bytes only.

    Plain text is one if its name ends with ``.txt`` or ``.txt.gz``, and its first line and most of
    the next are URLs.
    """
    head = body[:_HEAD]
    for _ in range(_MAX_GZIP_LAYERS):
        if head.startswith(_GZIP):
            head = _first_bytes(head)
    head = _utf8(head)
    if _ROOT.search(head) is not None:
        return True
    name = url.partition("?")[0].lower().removesuffix(".gz")
    lines = [line.strip() for line in head.split(b"\n")[:10] if line.strip()]
    if len(head) >= _HEAD - 4:
        lines = lines[:-1] or lines
    urls = [line for line in lines if _TEXT_URL.match(line)]
    begins_with_url = bool(lines) and urls[:1] == lines[:1]
    return name.endswith(".txt") and begins_with_url and 2 * len(urls) > len(lines)


def read_sitemap(body: bytes) -> Sitemap:
    """Return the entries of a sitemap. Takes up to a second for the largest: see :data:`HEAVY`."""
    found = Sitemap()
    for _ in range(_MAX_GZIP_LAYERS):
        if body.startswith(_GZIP):
            body = _gunzip(body, found.problems)
    if len(body) > MAX_BYTES:
        found.problems.append(f"more than {MAX_BYTES:,} bytes: the rest is not read")
        body = body[:MAX_BYTES]
    body = _utf8(body)
    root = _ROOT.search(body[:_HEAD])
    if root is None:
        locations: Iterator[tuple[bytes, bytes]] = ((line, b"") for line in _lines(body))
    else:
        found.is_index = root[1] == b"sitemapindex"
        if b"</" + root[1] not in body[-_HEAD:] and b":" + root[1] not in body[-_HEAD:]:
            found.problems.append("the XML is truncated or broken: what could be read is used")
        locations = _locations(body, root.end())
    _add_entries(found, locations)
    return found


def _add_entries(found: Sitemap, locations: Iterator[tuple[bytes, bytes]]) -> None:
    refused, urls = 0, set()
    for number, (raw, lastmod) in enumerate(locations):
        if number >= MAX_ENTRIES:
            found.problems.append(f"more than {MAX_ENTRIES:,} URLs: the rest is not read")
            break
        url = _url(raw)
        if url is None:
            refused += 1
        elif url not in urls:
            urls.add(url)
            stated = lastmod[:200].decode("utf-8", "replace").strip()[:40]
            found.entries.append(SitemapEntry(url, stated))
    if refused:
        found.problems.append(f"{refused:,} entries are not http(s) URLs")


def _lines(body: bytes) -> Iterator[bytes]:
    position = 0
    while position < len(body):
        end = body.find(b"\n", position)
        end = len(body) if end < 0 else end
        if line := body[position : min(end, position + _MAX_LOC)].strip():
            yield line
        position = end + 1


def _locations(body: bytes, position: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield the text of ``<loc>`` and ``<lastmod>`` of each entry."""
    loc = lastmod = b""
    while (start := body.find(b"<", position)) >= 0:
        if body.startswith(b"<!--", start):
            end = body.find(b"-->", start)
            position = end + 3 if end >= 0 else len(body)
            continue
        found = None if _FOREIGN.match(body, start) else _TAG.match(body, start)
        if found is None:
            position = start + 1
            continue
        position = found.end()
        name = found[2].lower()
        if name in {b"url", b"sitemap"}:
            if loc:
                yield loc, lastmod
            loc = lastmod = b""
        elif not found[1] and name in {b"loc", b"lastmod"}:
            text, position = _text(body, position)
            if name == b"loc":
                if loc:
                    yield loc, lastmod
                loc, lastmod = text, b""
            else:
                lastmod = text
    if loc:
        yield loc, lastmod


def _text(body: bytes, start: int) -> tuple[bytes, int]:
    """Return the text from *start* to the next tag, and the position after it."""
    end = body.find(b"<", start, start + _MAX_LOC)
    if end >= 0 and body.startswith(_CDATA, end):
        begin, limit = end + len(_CDATA), end + _MAX_LOC
        end = body.find(_CDATA_END, begin, limit)
        if end >= 0:
            return body[begin:end], end + len(_CDATA_END)
    if end < 0:  # truncated, or far too long for a URL
        return b" ", min(len(body), start + _MAX_LOC)
    return body[start:end], end


def _url(raw: bytes) -> str | None:
    text = raw.decode("utf-8", "replace").strip()
    if "&" in text:
        text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    try:
        return parse_url(text.partition("#")[0])
    except ValueError:
        return None


def _utf8(body: bytes) -> bytes:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return body.decode("utf-16", "replace").encode()
    return body.removeprefix(b"\xef\xbb\xbf")


def _first_bytes(head: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(head, _HEAD)
    except zlib.error:
        return b""


def _gunzip(body: bytes, problems: list[str]) -> bytes:
    """Return *body* without gzip, as far as it can be read within the limits."""
    limit = min(MAX_BYTES + 1, max(2**20, MAX_RATIO * len(body)))
    unzip, parts, size = zlib.decompressobj(wbits=31), [], 0
    data = body
    try:
        while size < limit and data and not unzip.eof:
            part = unzip.decompress(data, min(_CHUNK, limit - size))
            parts.append(part)
            size += len(part)
            data = unzip.unconsumed_tail
            if not part and not data:
                break
    except zlib.error:
        problems.append("the gzip data is damaged: what could be read is used")
    else:
        if not unzip.eof:
            why = "expands too far" if size >= limit else "is truncated"
            problems.append(f"the gzip data {why}: what could be read is used")
    return b"".join(parts)
