"""The record of a page, from the response to a spider's request."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from scrapy.http import TextResponse

from wikicrawler.content.workers.pool import ConversionPool
from wikicrawler.items import CrawlResult
from wikicrawler.pages import Link, Page
from wikicrawler.scope import CrawlScope
from wikicrawler.tiers import state as st
from wikicrawler.tiers.http.tier import HttpTier
from wikicrawler.tiers.mediawiki.html import complete
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.tiers.verdict import judge_response
from wikicrawler.urls.sites import host_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.items import Content
    from wikicrawler.pages import Failure


_STATED = ("description", "published", "modified", "author", "site_name", "infobox")


class PageResult(NamedTuple):
    """A page's record and links."""

    record: CrawlResult
    links: tuple[Link, ...]
    """Links to pages of its own host, those of the record first."""
    outward: Iterator[Link]
    """Links to other hosts."""
    namespace: int | None
    """MediaWiki's number of the page's namespace."""


async def result_of(response: Response, crawler: Crawler) -> PageResult | Failure:
    """Return the record and the links of *response*, or a failure if it is not a page.

    *response* is one of :class:`~wikicrawler.tiers.middleware.TierMiddleware`, or a plain download,
    so that a spider also runs with the tiers switched off.

    :raises ContentError: the page could not be converted
    """
    page: Page | None = response.meta.get(st.PAGE)
    content: Content | None = response.meta.get(st.CONTENT)
    if page is None:
        headers = headers_of(response)
        failure = judge_response(response.status, headers, response.body)
        found = failure or HttpTier().read(response, response.url)
        if not isinstance(found, Page):
            return found
        page = found
    if content is None:
        pool = ConversionPool.for_crawler(crawler)
        body = response.body
        encoding = response.encoding if isinstance(response, TextResponse) else None
        if asked := response.meta.get("redirect_urls"):  # with the tiers off
            page = replace(page, redirected_from=asked[0])
        scope = crawler.get_extension(CrawlScope)
        sketch = scope is not None and scope.guard.wants_sketch(page.redirected_from or page.url)
        content = await pool.convert(body, page.url, encoding=encoding, sketch=sketch)
        page = complete(page, content, None)
        response.meta.update({st.PAGE: page, st.CONTENT: content})  # as the middleware leaves them
    links = page.links or ()
    facts = content.metadata
    markdown = content.markdown_at(page.url)
    is_known = markdown is content.markdown
    record = CrawlResult(
        url=page.url,
        title=page.title or content.title,
        content=markdown,
        links=[link.url for link in links],
        categories=list(page.categories or ()),
        tier=response.meta.get(st.TIER, ""),
        attempts=list(response.meta.get(st.ATTEMPTS, ())),
        status=page.status,
        redirected_from=page.redirected_from,
        revid=page.revid,
        lang=page.lang,
        fetched_at=(page.fetched_at or datetime.now(UTC)).isoformat(timespec="seconds"),
        content_hash=content.markdown_hash if is_known else "",
        license=page.license,
        **{name: facts[name] for name in _STATED if name in facts},
    )
    if is_known and content.markdown_json:
        record.keep_written(markdown, content.markdown_json)
    own_host = host_of(page.url)
    menus = tuple(Link(url) for url in content.elsewhere if host_of(url) == own_host)
    others = (*content.links, *content.elsewhere)
    outward = (Link(url) for url in others if host_of(url) != own_host)
    return PageResult(record, (*links, *menus), outward, page.namespace)
