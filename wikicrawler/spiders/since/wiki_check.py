"""The requests to a wiki about its known pages.

A page is looked up by the revision that its record has, which finds it under another title too. One
that is not found so is looked up by its title.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from scrapy import Request

from wikicrawler.operations import API, OPERATION_KEY
from wikicrawler.pages import Link
from wikicrawler.tiers.mediawiki.page_info import (
    MAX_NAMES,
    by_revision_url,
    by_title_url,
    title_batches,
)
from wikicrawler.tiers.mediawiki.titles import normalise, url_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wikicrawler.spiders.since.titles import Titles
    from wikicrawler.spiders.since.updating import Updating
    from wikicrawler.tiers.mediawiki.page_info import Infos, PageInfo
    from wikicrawler.tiers.mediawiki.site import WikiSite

_PRIORITY = 10
"""Checks come before pages: what has moved is known when its record is written."""


class Wiki(NamedTuple):
    """A wiki, as requests to it carry it."""

    site: WikiSite
    api_meta: dict[str, str]
    host: str
    """Of its known pages."""


class WikiCheck:
    """The requests about the known pages of one wiki.

    :param titles: its known pages
    """

    def __init__(self, crawl: Updating, wiki: Wiki, titles: Titles) -> None:
        self.crawl = crawl
        self.wiki = wiki
        self.site = wiki.site
        self.titles = titles

    def by_revision(self, urls: Iterable[str]) -> Iterator[Request]:
        """Yield the requests for the known pages *urls*."""
        known = self.crawl.known
        numbered: list[tuple[int, str]] = []
        others: list[tuple[str, str | None]] = []
        for url in urls:
            revid = known[url].revid
            if revid is None:
                others.append((url, None))
            else:
                numbered.append((revid, url))
        for start in range(0, len(numbered), MAX_NAMES):
            batch = numbered[start : start + MAX_NAMES]
            api_url = by_revision_url(self.site.api, dict.fromkeys(revid for revid, _ in batch))
            yield self.request(api_url, kind="revisions", pages=[list(one) for one in batch])
        yield from self.by_title(others)

    def by_title(self, pages: Iterable[tuple[str, str | None]]) -> Iterator[Request]:
        """Yield the requests for known pages, each with the title that it has moved to, if that
        is known."""
        rest = list(pages)
        for titles in title_batches(self.site.api, [self.titles.title_of(url) for url, _ in rest]):
            batch, rest = rest[: len(titles)], rest[len(titles) :]
            api_url = by_title_url(self.site.api, titles)
            yield self.request(api_url, kind="titles", pages=[list(one) for one in batch])

    def request(self, url: str, **batch: Any) -> Request:
        """Return the request to the API at *url*, whose answer is read with *batch*."""
        spider = self.crawl.spider
        spider.crawler.stats.inc_value("wikicrawler/since/requests")
        return Request(
            url,
            callback=spider.parse_since,
            errback=spider.since_failed,
            cb_kwargs={"wiki": tuple(self.wiki), **batch},
            meta={"tiers": False, OPERATION_KEY: API, **self.wiki.api_meta},
            priority=_PRIORITY,
        )

    def compare(self, url: str, info: PageInfo, infos: Infos) -> Iterator[Request]:
        """Yield the request for the known page at *url* if it may have changed."""
        known = self.crawl.known[url]
        if infos.may_differ(info, known.revid, known.fetched):
            yield from self.crawl.page(url)
        else:
            self.crawl.changes.unchanged()

    def follow(self, title: str) -> Iterator[Request]:
        """Yield the request for the page *title* if the crawl wants it, and it is not known."""
        url = self.url_of_new(title)
        if url is not None:
            yield from self.crawl.page(url)

    def url_of_new(self, title: str) -> str | None:
        """Return the URL of the page *title*; None if it is known or not wanted."""
        ref = normalise(title, self.site)
        if ref is None or ref.title is None or self.titles.url_of(title) is not None:
            return None
        link = Link(url_of(title, self.site), ref.namespace)
        scope, spider = self.crawl.spider.crawl_scope, self.crawl.spider
        wanted = spider.in_namespaces(link.namespace, self.site) and scope.bounds.match(link.url)
        return link.url if wanted and scope.reaches(link.url) else None
