"""A wiki's list of all its pages, with their revisions: what is new, changed and gone.

A batch of the list is a range of titles, so what is known in that range and not in the batch is
gone: nothing has to be remembered between batches. Wikis sort titles by their bytes. Where one does
not, all known pages of the namespace are looked up by their revisions at the end of its list.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from wikicrawler.spiders.since.titles import key_of
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.mediawiki.page_info import list_url
from wikicrawler.tiers.mediawiki.titles import url_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrapy import Request

    from wikicrawler.spiders.since.wiki_check import WikiCheck
    from wikicrawler.tiers.mediawiki.page_info import Infos

logger = logging.getLogger(__name__)

_EMPTY_BATCHES = 50
"""In a row, and a list is left; a wiki may have a few, where it sifts the pages itself."""


def first_lists(check: WikiCheck) -> Iterator[Request]:
    """Yield the requests for the first pages of each namespace that the crawl wants, and for the
    known pages in other namespaces."""
    spider, site = check.crawl.spider, check.site
    wanted = spider.wanted_namespaces(site)
    numbers = [n for n in sorted(site.names if wanted is None else wanted) if n >= 0]
    spider.crawl_scope.outlook.expect(site.api, parts=len(numbers))
    for number in numbers:
        yield check.request(list_url(site.api, number), kind="list", number=number, start=None)
    yield from check.by_revision(check.titles.outside(numbers))


def read_list(
    check: WikiCheck,
    infos: Infos,
    *,
    number: int,
    start: str | None,
    empty: int = 0,
    is_sorted: bool = True,
) -> Iterator[Request]:
    """Yield the requests for what a batch shows to be new, changed or gone, and the next batch.

    *start* is where the batch begins, *empty* how many before it had no page; *is_sorted*: the
    pages of those before were in their ranges.
    """
    begin, following = _bytes(start or ""), infos.following
    end = _bytes(following) if following is not None else None
    scope = check.crawl.spider.crawl_scope
    listed = set()
    for title, info in infos.pages.items():
        key = key_of(title, number)
        is_sorted = is_sorted and begin <= key and (end is None or key < end)
        known = check.titles.url_of(title)
        if known is not None:
            listed.add(known)
            yield from check.compare(known, info, infos)
        elif check.url_of_new(title) is not None:
            yield from check.crawl.page(url_of(title, check.site))
    empty = 0 if infos.pages else empty + 1
    why = _problem(following, start, empty)
    if why is not None or scope.is_spent:
        following = None
    if why is not None:
        _report(check, why)
        is_sorted = False
    scope.outlook.read(check.site.api, ended=following is None)
    if not is_sorted and following is None:
        yield from check.by_revision(check.titles.between(number, b"", None))
    elif is_sorted:
        missing = [u for u in check.titles.between(number, begin, end) if u not in listed]
        yield from check.by_revision(missing)
    if following is not None:
        yield check.request(
            list_url(check.site.api, number, following),
            kind="list",
            number=number,
            start=following,
            empty=empty,
            is_sorted=is_sorted,
        )


def list_failed(
    check: WikiCheck,
    why: str,
    *,
    number: int,
    start: str | None,
    is_sorted: bool = True,
    **_: Any,
) -> Iterator[Request]:
    """Yield the requests in place of a batch that did not come: the known pages from there on are
    looked up by their revisions; all of them if the list was not sorted."""
    _report(check, why)
    check.crawl.spider.crawl_scope.outlook.read(check.site.api)
    begin = _bytes(start or "") if is_sorted else b""
    yield from check.by_revision(check.titles.between(number, begin, None))


def _report(check: WikiCheck, why: str) -> None:
    logger.error(
        "since: the list of pages of %s ended early, so new pages may be missed: %s",
        one_line(check.site.api, 200),
        one_line(why, 200),
    )
    check.crawl.spider.crawler.stats.inc_value("wikicrawler/enumeration_failed")


def _problem(following: str | None, start: str | None, empty: int) -> str | None:
    """Return why a list is not read on; None if it is, or has ended."""
    if following is None:
        return None
    if start is not None and following <= start:
        return "the wiki names the same batch again"
    return f"{empty} batches in a row had no page" if empty == _EMPTY_BATCHES else None


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
