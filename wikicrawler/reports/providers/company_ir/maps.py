"""The sitemaps of a company's site."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from wikicrawler.errors import ContentError
from wikicrawler.reports.errors import ReportError
from wikicrawler.reports.models import PDF
from wikicrawler.reports.providers.company_ir.anchors import Anchor
from wikicrawler.reports.providers.company_ir.assessing import Document, PageContext, documents_in
from wikicrawler.reports.providers.company_ir.navigation import PageLink, page_of_sitemap
from wikicrawler.scope.sitemaps import is_sitemap, read_sitemap
from wikicrawler.urls.addresses import parse_url
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from wikicrawler.reports.fetching import Fetcher
    from wikicrawler.reports.providers.company_ir.survey import Survey

MAX_MAPS = 5
"""Sitemaps that are requested, indexes included."""
MAX_BYTES = 20 * 2**20
"""Size of a sitemap as it is sent."""
MAX_ROBOTS = 512 * 1024
_MAX_LISTED = 500
_MAX_KEPT = 300
_SITEMAP_LINE = re.compile(rb"(?im)^[ \t]{0,20}sitemap[ \t]{0,20}:[ \t]{0,20}(\S{1,2000})")
_PROMISING = re.compile(r"invest|\bir\b|report|financ|document|media|page", re.IGNORECASE)


class MapFacts(NamedTuple):
    """What a sitemap lists that may be of use."""

    maps: tuple[str, ...] = ()
    """The sitemaps of an index, the most promising first."""
    documents: tuple[Document, ...] = ()
    pages: tuple[PageLink, ...] = ()


def sitemaps_of(robots: bytes) -> list[str]:
    """Return the URLs of the sitemaps that a robots.txt names."""
    found: list[str] = []
    for line in _SITEMAP_LINE.finditer(robots[:MAX_ROBOTS]):
        try:
            found.append(parse_url(line[1].decode("utf-8", "replace")))
        except ValueError:
            continue
        if len(found) >= MAX_MAPS:
            break
    return found


def read_map(body: bytes, url: str) -> MapFacts:
    """Return what the sitemap *body* from *url* lists; nothing if it is none."""
    if not is_sitemap(url, body):
        return MapFacts()
    found = read_sitemap(body)
    urls = [entry.url for entry in found.entries]
    if found.is_index:
        promising = sorted(urls[:_MAX_LISTED], key=lambda url: not _PROMISING.search(url))
        return MapFacts(maps=tuple(promising[:MAX_MAPS]))
    files = [Anchor(url, "") for url in urls if urlsplit(url).path.lower().endswith(".pdf")]
    documents = [
        document
        for document in documents_in(files, PageContext(url))
        if document.kind is not None and document.content_type == PDF
    ]
    pages = [page for url in urls if (page := page_of_sitemap(url))]
    pages.sort(key=lambda page: -page.promise)
    return MapFacts((), tuple(documents[:_MAX_KEPT]), tuple(pages[:_MAX_KEPT]))


class SiteMaps:
    """Reads the sitemaps of a survey's site into the survey."""

    def __init__(self, survey: Survey, fetch: Fetcher) -> None:
        self._survey = survey
        self._fetch = fetch

    async def read(self) -> None:
        """Read the sitemaps that robots.txt names, or else ``/sitemap.xml``."""
        parts = urlsplit(self._survey.homepage)
        root = f"{parts.scheme}://{parts.netloc}"
        robots = await self._get(f"{root}/robots.txt", MAX_ROBOTS)
        waiting = sitemaps_of(robots) or [f"{root}/sitemap.xml"]
        read: set[str] = set()
        while waiting and len(read) < MAX_MAPS:
            url = waiting.pop(0)
            if url in read or site_of(url) not in self._survey.sites:
                continue
            read.add(url)
            waiting += await self._read_map(url)

    async def _read_map(self, url: str) -> tuple[str, ...]:
        """Add what the sitemap at *url* lists to the survey; return the sitemaps that it lists."""
        body = await self._get(url, MAX_BYTES)
        try:
            found = await self._fetch.run(read_map, body, url) if body else MapFacts()
        except ContentError as exc:
            self._survey.note(url, exc)
            return ()
        self._survey.add_documents(found.documents)
        self._survey.add_pages(found.pages)
        return found.maps

    async def _get(self, url: str, max_bytes: int) -> bytes:
        """Return the file at *url*, or nothing; it is not needed."""
        try:
            answer = await self._fetch.get(url, max_bytes=max_bytes, retries=False)
        except ReportError as exc:
            self._survey.note(url, exc)
            return b""
        return answer.body if answer.status == 200 else b""
