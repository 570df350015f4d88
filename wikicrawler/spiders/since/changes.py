"""The records of what has changed since an earlier crawl."""

from __future__ import annotations

import logging
from dataclasses import fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.frontier.scheduler import frontier_of, lease_of
from wikicrawler.items import DELETED, CrawlResult, PageChange
from wikicrawler.pages import PAGE_KEY
from wikicrawler.scope.links import asked_for
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.http import Request, Response

    from wikicrawler.feeds.known_pages import KnownPages
    from wikicrawler.pages import Page
    from wikicrawler.spiders.since.spider import SinceSpider

logger = logging.getLogger(__name__)

_MOVED = "moved"
_LASTING = frozenset({301, 308})
"""Statuses of redirects that say where a page is from now on."""
_FIELDS = [field.name for field in fields(CrawlResult)]


class Changes:
    """Compares fetched pages with the known ones.

    Where a page has moved to is noted with the requests of the crawl: after a kill, the record of
    the page still says where it was.
    """

    def __init__(self, spider: SinceSpider, known: KnownPages) -> None:
        self._spider = spider
        self._known = known
        self._moved: dict[str, str] | None = None

    def is_away(self, response: Response) -> bool:
        """Return True if *response* is where a known page leads for now only, by a temporary
        redirect: what is known of the page stays as it is."""
        asked = asked_for(response)
        if asked == response.url or asked not in self._known or _is_lasting(response):
            return False
        logger.info(
            "since: %s leads to %s by a temporary redirect: it stays as it was",
            one_line(asked, 200),
            one_line(response.url, 200),
        )
        return True

    def of_page(
        self, response: Response, record: CrawlResult, *, is_refused: bool
    ) -> Iterator[PageChange]:
        """Return what the page *response* shows to have changed. *is_refused*: a crawl does not
        write it."""
        if is_refused:
            return self._of_refused(response, record.url)
        return self._of_record(record, response)

    def _of_record(self, record: CrawlResult, response: Response) -> Iterator[PageChange]:
        """Yield the change that *record*, the page *response*, is; and what it shows to be gone."""
        asked = asked_for(response)
        is_redirect = asked != record.url and self._is_gone(asked)
        before = self._moves.get(record.url)
        if record.url not in self._known:
            previous = before or (asked if is_redirect else None)
            yield self._change(record, "moved" if previous else "new", previous)
        else:
            previous = None
            if not self._known.has_same(record):
                yield self._change(record, "modified")
            elif not self._known[record.url].is_wiki:
                self.unchanged()
            elif asked == record.url:  # else it was checked, and a link to a redirect led here
                yield self._change(record, "refreshed")
        for url in dict.fromkeys((before, asked if is_redirect else None)):
            if url is not None and url != previous:
                yield self.deleted(url)

    def _of_refused(self, response: Response, url: str) -> Iterator[PageChange]:
        """Yield the ends of the known pages that the page at *url* was asked for as."""
        for one in dict.fromkeys((asked_for(response), url, self._moves.get(url))):
            if one is not None and self._is_gone(one):
                yield self.deleted(one)

    def moved(self, url: str, target: str, request: Request) -> bool:
        """Remember that the page at *url* is now at *target*; False if the record of *target* can
        not say so. *request* is the one that found it out."""
        if target in self._known or self._spider.crawl_scope.memory.is_written(target):
            return False
        if self._moves.setdefault(target, url) != url:
            return False
        frontier = frontier_of(self._spider.crawler)
        if frontier is not None:
            note = f"{target} {url}".encode("utf-8", "surrogatepass")
            frontier.note(_MOVED, note, after=lease_of(request))
        return True

    def unchanged(self) -> None:
        """Count a page that has not changed."""
        self._count("unchanged")

    def deleted(self, url: str) -> PageChange:
        """Return the record of the end of the known page at *url*."""
        self._count(DELETED)
        known = self._known.get(url)
        return PageChange(
            url=url,
            title=known.title if known is not None else "",
            content="",
            status=404,
            fetched_at=datetime.now(UTC).isoformat(timespec="seconds"),
            change=DELETED,
        )

    def _change(self, record: CrawlResult, change: str, previous: str | None = None) -> PageChange:
        self._count(change)
        values = {name: getattr(record, name) for name in _FIELDS}
        return PageChange(**values, change=change, previous_url=previous)

    def _is_gone(self, url: str) -> bool:
        """Return True if the page at *url* is known, and has no record in this crawl."""
        return url in self._known and not self._spider.crawl_scope.memory.is_written(url)

    def _count(self, change: str) -> None:
        self._spider.crawler.stats.inc_value(f"wikicrawler/since/pages/{change}")

    @property
    def _moves(self) -> dict[str, str]:
        """Where the pages at these URLs were before."""
        if self._moved is None:
            frontier = frontier_of(self._spider.crawler)
            notes = frontier.noted(_MOVED) if frontier is not None else set()
            pairs = (note.decode("utf-8", "surrogatepass").split(" ", 1) for note in notes)
            self._moved = dict(pairs)
        return self._moved


def _is_lasting(response: Response) -> bool:
    """Return True if the redirects to *response* are for good: as their statuses say, or a wiki."""
    reasons = response.meta.get("redirect_reasons")
    if reasons:
        return _LASTING.issuperset(reasons)
    page: Page | None = response.meta.get(PAGE_KEY)
    return page is not None and page.revid is not None
