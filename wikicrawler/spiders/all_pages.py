"""``all_pages=true``: the pages that a wiki lists, instead of those that links lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from scrapy import Request
from scrapy.downloadermiddlewares.retry import get_retry_request

from wikicrawler.operations import API, OPERATION_KEY
from wikicrawler.pages import Action, Failure, Link
from wikicrawler.signals import site_busy
from wikicrawler.tiers.mediawiki.all_titles import allpages_url, read_allpages
from wikicrawler.tiers.mediawiki.titles import url_of
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from logging import LoggerAdapter

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.scope import CrawlScope
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.mediawiki.site import WikiSite


class Asking(Protocol):
    """A spider that sends requests to the API of wikis."""

    crawler: Crawler


class ListingSpider(Asking, Protocol):
    """The spider that asks wikis for their pages."""

    @property
    def logger(self) -> LoggerAdapter[Any]: ...

    @property
    def crawl_scope(self) -> CrawlScope: ...

    def wanted_namespaces(self, site: WikiSite) -> frozenset[int] | None:
        """Return the numbers of the namespaces to list; None is all."""

    def wants(self, link: Link, wiki: KnownWiki | None) -> bool:
        """Return True if the namespace of *link* may be followed into."""

    def parse(self, response: Response) -> Any:
        """Return the record of a page, and requests for its links."""

    def skipped(self, failure: TwistedFailure) -> Any:
        """Report a page that was not fetched."""

    def parse_titles(self, response: Response, **batch: Any) -> Any:
        """Call :func:`read_batch`."""

    def titles_failed(self, failure: TwistedFailure) -> Any:
        """Call :func:`ended_early`."""


_EMPTY_BATCHES = 50
"""In a row, and a list of titles is left; a wiki may have a few, where it sifts them itself."""


def first_batches(spider: ListingSpider, wiki: KnownWiki) -> Iterator[Request]:
    """Requests for the first titles of each namespace that is wanted."""
    wanted = spider.wanted_namespaces(wiki.site)
    numbers = [n for n in sorted(wiki.site.names if wanted is None else wanted) if n >= 0]
    pages = wiki.site.articles if wanted == wiki.site.content_namespaces else None
    spider.crawl_scope.outlook.expect(wiki.site.api, parts=len(numbers), pages=pages)
    for number in numbers:
        yield _request(spider, wiki.site, dict(wiki.api_meta), number, None)


def read_batch(
    spider: ListingSpider,
    response: Response,
    *,
    site: WikiSite,
    api_meta: dict[str, str],
    number: int,
    start: str | None,
    first: str = "",
    empty: int = 0,
) -> Iterator[Request]:
    """Requests for the pages in a batch of titles, and for the next batch.

    *start* is where the batch begins, *first* the first title of the batch before, and *empty* how
    many before it had none.
    """
    found = read_allpages(response.body, headers_of(response), response.status)
    if isinstance(found, Failure):
        again = wait(spider, response, found) if found.action is Action.WAIT else None
        if again is not None:
            yield again
        else:
            ended_early(spider, f"namespace {number}: {found.reason} ({found.detail})", site.api)
        return
    for title in found.titles:
        link = Link(url_of(title, site), number)
        page = spider.wants(link, None) and spider.crawl_scope.request(
            link.url,
            response,
            callback=spider.parse,
            errback=spider.skipped,
            depth=1,
            guarded=False,
        )
        if page:
            yield page
    is_last = found.following is None or spider.crawl_scope.is_spent
    spider.crawl_scope.outlook.read(site.api, len(found.titles), ended=is_last)
    if found.following is None or is_last:
        return
    title = found.titles[0] if found.titles else ""
    empty = 0 if title else empty + 1
    if start is not None and (found.following <= start or title == first != ""):
        ended_early(spider, f"namespace {number}: the wiki names the same batch again", site.api)
        return
    if empty == _EMPTY_BATCHES:
        why = f"namespace {number}: {empty} batches in a row had no title"
        ended_early(spider, why, site.api)
        return
    request = _request(spider, site, api_meta, number, found.following)
    request.cb_kwargs.update(first=title, empty=empty)
    yield request


def ended_early(spider: ListingSpider, why: str, api: str) -> None:
    """Report a list of titles, of the wiki with that *api*, that is not complete."""
    spider.crawl_scope.outlook.read(api)
    spider.logger.error("all_pages: a list of titles ended early: %s", why)
    spider.crawler.stats.inc_value("wikicrawler/enumeration_failed")


def _request(
    spider: ListingSpider, site: WikiSite, api_meta: dict[str, str], number: int, start: str | None
) -> Request:
    return Request(
        allpages_url(site.api, number, start),
        callback=spider.parse_titles,
        errback=spider.titles_failed,
        cb_kwargs={"site": site, "api_meta": api_meta, "number": number, "start": start},
        meta={"tiers": False, OPERATION_KEY: API, **api_meta},
    )


def wait(spider: Asking, response: Response, failure: Failure) -> Request | None:
    """The same request again when the wiki is ready; None when it was asked often enough."""
    spider.crawler.signals.send_catch_log(
        site_busy,
        slot=response.meta.get("download_slot", ""),
        seconds=failure.retry_after,
        reason=failure.detail,
    )
    assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
    sender = spider.crawler.spider
    assert sender is not None  # noqa: S101 - it is *spider*
    return get_retry_request(response.request, spider=sender, reason=failure.detail)
