"""The lists of categories' members, by the API or from the categories' own pages."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypedDict

from scrapy import Request
from scrapy.http import TextResponse

from wikicrawler.errors import Reason
from wikicrawler.pages import Action, Failure, Link
from wikicrawler.spiders.all_pages import wait
from wikicrawler.spiders.wiki_finding import wiki_at
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.mediawiki.category_members import (
    CATEGORY,
    FILE,
    members_url,
    read_category_page,
    read_members,
)
from wikicrawler.tiers.mediawiki.titles import page_of
from wikicrawler.tiers.response_headers import headers_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from logging import LoggerAdapter

    from scrapy.crawler import Crawler
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.items import Attempt
    from wikicrawler.scope import CrawlScope
    from wikicrawler.spiders.arguments import WikiArguments
    from wikicrawler.tiers.mediawiki.category_members import Members
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki

MAX_LISTS = 20_000
"""Maximum number of lists that a crawl asks for: categories, and batches of their members."""
_EMPTY_BATCHES = 50
"""In a row, and a list is left."""


class CategorySpider(Protocol):
    """The spider that lists categories."""

    args: WikiArguments
    crawler: Crawler

    @property
    def logger(self) -> LoggerAdapter[Any]: ...

    @property
    def crawl_scope(self) -> CrawlScope: ...

    def wants(self, link: Link, wiki: KnownWiki | None) -> bool:
        """Return True if the namespace of *link* may be followed into."""

    def parse(self, response: Response) -> Any:
        """Return the record of a page, and requests for its links."""

    def skipped(self, failure: TwistedFailure) -> Any:
        """Report a page that was not fetched."""

    def parse_members(self, response: Response, **batch: Any) -> Any:
        """Call :func:`read_batch`."""

    def members_failed(self, failure: TwistedFailure) -> Any:
        """Call :func:`batch_failed`."""


class Missing(TypedDict):
    """The report that a category's page does not exist, unless the category has members."""

    detail: str
    attempts: list[Attempt]


class Category(NamedTuple):
    """A category that is listed."""

    url: str
    level: int = 0
    """How many categories it is below the one that was asked for."""
    missing: Missing | None = None
    """The report if it turns out to have no member."""


async def begin(
    spider: CategorySpider,
    request: Request,
    wiki: KnownWiki | None,
    category: Category,
    page: Response | None = None,
) -> AsyncIterator[Request]:
    """Yield the request for the first members of *category*, once; if they are on the *page* at
    hand, requests for them.

    *request* is the one that led to the category.
    """
    memory = spider.crawl_scope.memory
    if memory.listings >= MAX_LISTS:
        _ended_early(spider, category, f"{MAX_LISTS:,} lists were asked for")
        return
    spider.crawl_scope.outlook.expect("categories")  # whose numbers of members are not known
    if not memory.list_category(category.url, category.level, request):
        return
    spider.crawler.stats.inc_value("wikicrawler/categories/listed")
    made = _api_request(spider, wiki, category) if wiki is not None and wiki.has_api else None
    if made is not None:
        yield made
    elif page is not None and await read_page(page) is not None:
        async for one in read_batch(spider, page, category=category):
            yield one
    else:
        yield _page_request(spider, category)


async def read_batch(
    spider: CategorySpider,
    response: Response,
    *,
    category: Category,
    by_api: bool = False,
    **_: Any,
) -> AsyncIterator[Request]:
    """Yield requests for the members in a batch, and for the next batch.

    The request's other keywords are ``first``, the first member of the batch before, and ``empty``,
    how many batches before had none.
    """
    assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
    category = Category(*category)
    wiki = await wiki_at(spider, category.url)
    found = _of_api(response, wiki) if by_api else await read_page(response, wiki)
    if found is None:
        _ended_early(spider, category, "its page has no list of members")
        return
    if isinstance(found, Failure):
        again = wait(spider, response, found) if found.action is Action.WAIT else None
        yield again or _instead_of_api(spider, category, found.detail)
        return
    if found.is_empty and found.target is None:
        _report(spider, category)
    category = category._replace(missing=None)
    for one in _member_requests(spider, response, found.links, wiki, category.level):
        yield one
    if spider.crawl_scope.is_spent:
        return
    for listed in _listed_with(spider, category, found):
        async for one in begin(spider, response.request, wiki, listed):
            yield one
    for one in _onward(spider, response.request, wiki if by_api else None, category, found):
        yield one


def _onward(
    spider: CategorySpider,
    request: Request,
    wiki: KnownWiki | None,
    category: Category,
    found: Members,
) -> Iterator[Request]:
    """Yield the requests for the batches after *found*, which *request* was for; *wiki* has the
    API that is used."""
    title = found.links[0].url if found.links else ""
    empty = 0 if title else request.cb_kwargs.get("empty", 0) + 1
    again = title == request.cb_kwargs.get("first", "") != ""
    if found.following and (again or empty == _EMPTY_BATCHES):
        why = "the same members come again" if again else f"{empty} batches in a row had no member"
        _ended_early(spider, category, why)
        return
    memory = spider.crawl_scope.memory
    for start in found.following:
        made = (
            _api_request(spider, wiki, category, start)
            if wiki is not None
            else _page_request(spider, category, start)
        )
        if made is not None and memory.listings < MAX_LISTS:
            made.cb_kwargs.update(first=title, empty=empty)
            if memory.list_wiki(made.url, request):  # else it goes in circles
                yield made


def batch_failed(spider: CategorySpider, failure: TwistedFailure) -> Iterator[Request]:
    """Yield the request for the category's page in place of the API's that failed."""
    asked = failure.request.cb_kwargs  # type: ignore[attr-defined]
    category, why = Category(*asked["category"]), failure.getErrorMessage()
    if asked.get("by_api"):
        yield _instead_of_api(spider, category, why)
    else:
        _ended_early(spider, category, why)


async def read_page(response: Response, wiki: KnownWiki | None = None) -> Members | None:
    """Return the members that the page *response* lists; None if it is not a category's."""
    encoding = response.encoding if isinstance(response, TextResponse) else None
    site = wiki.site if wiki is not None else None
    return await asyncio.to_thread(read_category_page, response.body, response.url, encoding, site)


def _of_api(response: Response, wiki: KnownWiki | None) -> Members | Failure:
    if wiki is None:  # in a resumed crawl
        return Failure(Reason.API_OFF, "the wiki is not known any more")
    return read_members(response.body, headers_of(response), response.status, wiki.site)


def _listed_with(spider: CategorySpider, category: Category, found: Members) -> Iterator[Category]:
    """Yield the categories that are listed because *category* is."""
    level = category.level + 1
    if level <= spider.args.category_depth:
        for link in found.links:
            if link.namespace == CATEGORY:
                yield Category(link.url, level)
    if found.target is not None:
        yield category._replace(url=found.target)


def _member_requests(
    spider: CategorySpider,
    response: Response,
    links: tuple[Link, ...],
    wiki: KnownWiki | None,
    level: int,
) -> Iterator[Request]:
    spider.crawler.stats.inc_value("wikicrawler/categories/members", len(links))
    deepest = None if spider.args.categories else spider.args.max_depth
    if deepest is not None and level >= deepest:
        return
    for link in links:
        if not spider.wants(link, wiki) or (wiki is None and link.namespace):
            continue
        page = spider.crawl_scope.request(
            link.url,
            response,
            callback=spider.parse,
            errback=spider.skipped,
            depth=level + 1,
            guarded=False,
        )
        if page is not None:
            yield page


def _api_request(
    spider: CategorySpider, wiki: KnownWiki, category: Category, start: str | None = None
) -> Request | None:
    """Return the request to the API of *wiki*; None if *category* is no page of it."""
    ref = page_of(category.url, wiki.site)
    if ref is None or ref.title is None:
        return None
    with_files = spider.wants(Link("", FILE), wiki)
    url = members_url(wiki.site.api, ref.title, start, with_files=with_files)
    return _request(spider, url, category, by_api=True, meta=dict(wiki.api_meta))


def _page_request(spider: CategorySpider, category: Category, start: str | None = None) -> Request:
    spider.crawl_scope.memory.ask(start or category.url)  # a link to it is followed no more
    # The status of a category without a page, which lists its members all the same.
    meta = {"handle_httpstatus_list": [404]}
    return _request(spider, start or category.url, category, by_api=False, meta=meta)


def _request(
    spider: CategorySpider, url: str, category: Category, *, by_api: bool, meta: dict[str, Any]
) -> Request:
    return Request(
        url,
        callback=spider.parse_members,
        errback=spider.members_failed,
        cb_kwargs={"category": tuple(category), "by_api": by_api},
        meta={"tiers": False, **meta},
        priority=-category.level,
        dont_filter=True,  # the page of the category may have been a seed
    )


def _instead_of_api(spider: CategorySpider, category: Category, why: str) -> Request:
    spider.logger.warning(
        "Category %s: the API cannot be used (%s), so its page is read",
        one_line(category.url, 200),
        one_line(why, 200),
    )
    return _page_request(spider, category)


def _report(spider: CategorySpider, category: Category) -> None:
    if category.missing is not None:
        failure = Failure(Reason.MISSING, category.missing["detail"], Action.FINAL)
        spider.crawl_scope.report(category.url, failure, category.missing["attempts"])


def _ended_early(spider: CategorySpider, category: Category, why: str) -> None:
    """Report a list of members that is not complete."""
    spider.logger.error(
        "Category %s: the list of its members ended early: %s",
        one_line(category.url, 200),
        one_line(why, 200),
    )
    spider.crawler.stats.inc_value("wikicrawler/enumeration_failed")
    _report(spider, category)
