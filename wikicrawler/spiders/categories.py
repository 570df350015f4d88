"""Categories as seeds, and as the argument ``categories``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.scope.page_requests import is_seed
from wikicrawler.spiders.category_lists import Category, Missing, begin, read_page
from wikicrawler.spiders.wiki_finding import wiki_at
from wikicrawler.text.safe import one_line
from wikicrawler.tiers import state as st
from wikicrawler.tiers.failures import WITHOUT_TEXT, TiersExhausted, failure_of
from wikicrawler.tiers.mediawiki.category_members import CATEGORY, category_title
from wikicrawler.tiers.mediawiki.titles import page_of, url_of
from wikicrawler.tiers.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy import Request
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from wikicrawler.spiders.arguments import WikiArguments
    from wikicrawler.spiders.category_lists import CategorySpider
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki
    from wikicrawler.tiers.result import PageResult


class EmptySeed(NamedTuple):
    """A seed that is a category without a page, or without a text on it."""

    category: Category
    wiki: KnownWiki | None
    page: Response | None
    """The wiki's page that says so, if it came."""


def are_listed(args: WikiArguments) -> bool:
    """Return True if the members of seeds that are categories are requested."""
    return bool(args.categories) or (args.follow_links and args.max_depth != 0)


async def of_seed(
    spider: CategorySpider, response: Response, result: PageResult
) -> AsyncIterator[Request]:
    """Yield requests for the members of a seed, if it is a category, and of the argument's
    categories in its wiki."""
    assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
    wiki: KnownWiki | None = response.meta.get(st.WIKI)
    category = Category(result.record.url)
    if is_seed(response) and are_listed(spider.args):
        if result.namespace == CATEGORY:
            async for one in begin(spider, response.request, wiki, category, response):
                yield one
        async for one in named(spider, response.request, wiki, category.url):
            yield one


async def instead_of_seed(
    spider: CategorySpider, response: Response, result: PageResult
) -> AsyncIterator[Request]:
    """Yield what :func:`of_seed` does, for a seed that is not written: it is one of the argument's
    categories, or has the wiki of them."""
    assert response.request is not None  # noqa: S101 - it came by Scrapy's engine
    spider.crawl_scope.check_place(response, result.record.url)
    for request in spider.crawl_scope.instead(response.request):
        yield request
    async for request in of_seed(spider, response, result):
        yield request


async def of_empty_seed(
    spider: CategorySpider, seed: EmptySeed, request: Request
) -> AsyncIterator[Request]:
    """Yield requests for the members of *seed*; *request* was for its page."""
    async for one in begin(spider, request, seed.wiki, seed.category, seed.page):
        yield one
    async for one in named(spider, request, seed.wiki, seed.category.url):
        yield one


async def empty_seed(spider: CategorySpider, failure: TwistedFailure) -> EmptySeed | None:
    """Return the category that the *failure* of a seed is about; None if it is about none."""
    error = failure.value
    request: Request = failure.request  # type: ignore[attr-defined]
    found = failure_of(error) if error is not None else None
    response: Response | None = getattr(error, "response", None)
    if found is None or found.reason not in WITHOUT_TEXT or not are_listed(spider.args):
        return None
    subject = request if response is None else response
    if not is_seed(subject):
        return None
    progress = progress_of(request)
    url = progress.url if progress is not None and response is None else subject.url
    is_listed = response is not None and await read_page(response) is not None
    page = response if is_listed else None
    wiki = await wiki_at(spider, url, page)
    ref = page_of(url, wiki.site) if wiki is not None else None
    if page is None and (ref is None or ref.namespace != CATEGORY):
        return None
    attempts = list(subject.meta.get(st.ATTEMPTS, ()))
    reported = isinstance(error, TiersExhausted)
    missing = None if reported else Missing(detail=found.detail, attempts=attempts)
    return EmptySeed(Category(url, missing=missing), wiki, page)


async def named(
    spider: CategorySpider, request: Request, wiki: KnownWiki | None, url: str
) -> AsyncIterator[Request]:
    """Yield requests for the members of the categories that the argument names."""
    names = spider.args.category_names
    if wiki is None:
        if names:
            spider.logger.error("categories: no wiki was recognised at %s", one_line(url, 200))
        return
    for name in names:
        title = category_title(name, wiki.site)
        if title is None:
            spider.logger.error("categories: no wiki can have the category %r", name)
            continue
        missing = Missing(detail="the category has no members", attempts=[])
        category = Category(url_of(title, wiki.site), missing=missing)
        async for one in begin(spider, request, wiki, category):
            yield one
