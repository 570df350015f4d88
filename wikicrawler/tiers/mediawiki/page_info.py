"""What a wiki says of many pages in one answer: title, latest revision, time of the last touch.

https://www.mediawiki.org/wiki/API:Info. Pages are named by a revision that they once had (which
follows a page that is moved) or by title, 50 in a request; or a list of all pages has them, 500 in
an answer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlencode

from wikicrawler.errors import Reason
from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.api import as_dict, as_list, flag, read_answer
from wikicrawler.tiers.mediawiki.titles import is_legal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MAX_NAMES = 50
"""The limit of names in a request, for anonymous clients."""
_MAX_URL = 1900
"""Characters of a request's URL: many servers refuse more than 8,000, Scrapy drops 2,083."""
_BATCH = 500
_MAX_REDIRECTS = 10
_MARGIN = 10
"""Seconds by which an answer may be older than its time: a replica of the wiki's database may lag,
and its clock and ours are compared to the second."""
_QUERY = {
    "action": "query",
    "format": "json",
    "formatversion": "2",
    "curtimestamp": "1",
    "maxlag": "5",
}


class PageInfo(NamedTuple):
    """What the wiki says of a page that exists."""

    title: str
    revid: int
    """The latest revision."""
    touched: int
    """Seconds since the epoch: when its output may have changed last, by an edit of its own or of
    what it includes. 0 if that is not known."""
    is_redirect: bool = False


@dataclass(frozen=True, slots=True)
class Infos:
    """The pages in an answer."""

    pages: Mapping[str, PageInfo]
    """Pages that exist, by title."""
    by_revision: Mapping[int, PageInfo] = field(default_factory=dict)
    """Pages by the revision that was asked for."""
    led: Mapping[str, str] = field(default_factory=dict)
    """Where a title leads that was asked for: as the wiki spells it, and to what it redirects."""
    absent: frozenset[str] = frozenset()
    """Titles of which the answer says that there is no page."""
    skew: float = 0.0
    """Seconds by which the clock of the wiki's server is ahead of ours."""
    following: str | None = None
    """In a list of all pages, start of the next batch; None at the end."""

    def may_differ(self, page: PageInfo, revid: int | None, fetched: float) -> bool:
        """Return True if *page* may have changed since it was fetched, at the time *fetched*, with
        the revision *revid*."""
        if revid not in {None, page.revid} or not page.touched:
            return True
        return page.touched >= fetched + self.skew - _MARGIN

    def page_at(self, title: str) -> PageInfo | None:
        """Return the page that *title*, which was asked for, leads to; None if the answer has
        none."""
        return self.pages.get(self._end_of(title))

    def has_none_at(self, title: str) -> bool:
        """Return True if the answer says that *title*, which was asked for, leads to no page."""
        return self._end_of(title) in self.absent

    def _end_of(self, title: str) -> str:
        for _ in range(_MAX_REDIRECTS):
            if title not in self.led:
                break
            title = self.led[title]
        return title


def by_revision_url(api: str, revisions: Iterable[int]) -> str:
    """Return the API URL for the pages that have *revisions*, at most 50."""
    names = "|".join(map(str, revisions))
    return _url(api, {"prop": "info|revisions", "rvprop": "ids", "revids": names})


def by_title_url(api: str, titles: Iterable[str]) -> str:
    """Return the API URL for the pages that *titles*, at most 50, lead to."""
    return _url(api, {"prop": "info", "redirects": "1", "titles": "|".join(titles)})


def list_url(api: str, namespace: int, following: str | None = None) -> str:
    """Return the API URL for a batch of all pages in *namespace*, without redirects.

    :param following: :attr:`Infos.following` of the batch before; None for the first
    """
    query = {
        "prop": "info",
        "generator": "allpages",
        "gapnamespace": str(namespace),
        "gapfilterredir": "nonredirects",
        "gaplimit": str(_BATCH),
    }
    if following is not None:
        query["gapcontinue"] = following
    return _url(api, query)


def title_batches(api: str, titles: Iterable[str]) -> Iterator[list[str]]:
    """Yield *titles* in batches for :func:`by_title_url`: at most 50, and no long URL."""
    room = _MAX_URL - len(by_title_url(api, ()))
    batch: list[str] = []
    used = 0
    for title in titles:
        size = len(urlencode({"": title})) + 2  # the "=" is the first character of its "%7C"
        if batch and (len(batch) == MAX_NAMES or used + size > room):
            yield batch
            batch, used = [], 0
        batch.append(title)
        used += size
    if batch:
        yield batch


def read_infos(body: bytes, headers: Mapping[str, str], status: int) -> Infos | Failure:
    """Return the pages in an answer to one of the URLs of this module. Never raises.

    :param headers: headers with lower-case names
    """
    answer = read_answer(body, headers, status)
    if isinstance(answer, Failure):
        return answer
    if "batchcomplete" not in answer and "continue" not in answer:
        return Failure(Reason.API_ERROR, "no pages in the answer")
    query = as_dict(answer.get("query"))
    records = query.get("pages")
    if isinstance(records, dict):  # format version 1
        records = list(records.values())
    pages: dict[str, PageInfo] = {}
    revisions: dict[int, PageInfo] = {}
    absent = set()
    for record in map(as_dict, as_list(records)):
        page = _page(record)
        if page is None:
            if flag(record, "missing") or flag(record, "invalid"):
                absent.add(str(record.get("title")))
            continue
        pages[page.title] = page
        for revision in map(as_dict, as_list(record.get("revisions"))):
            revid = revision.get("revid")
            if type(revid) is int:
                revisions[revid] = page
    following = as_dict(answer.get("continue")).get("gapcontinue")
    return Infos(
        pages,
        revisions,
        _steps(query),
        frozenset(absent),
        skew=clock - time() if (clock := seconds_of(answer.get("curtimestamp"))) else 0.0,
        following=following if isinstance(following, str) else None,
    )


def seconds_of(timestamp: object) -> int:
    """Return an ISO 8601 time as seconds since the epoch; 0 if it is none."""
    if not isinstance(timestamp, str) or len(timestamp) > 40:
        return 0
    try:
        found = datetime.fromisoformat(timestamp)
        return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp())
    except (ValueError, OverflowError):
        return 0


def _steps(query: Mapping[str, Any]) -> dict[str, str]:
    led = {}
    for name in ("normalized", "converted", "redirects"):
        for step in map(as_dict, as_list(query.get(name))):
            old, new = step.get("from"), step.get("to")
            if isinstance(old, str) and isinstance(new, str) and old != new:
                led[old] = new
    return led


def _page(record: Mapping[str, Any]) -> PageInfo | None:
    """Return the page in *record*; None if it does not exist, or the answer lacks its revision."""
    title, revid = record.get("title"), record.get("lastrevid")
    if not isinstance(title, str) or not is_legal(title):
        return None
    if flag(record, "missing") or flag(record, "invalid") or type(revid) is not int or revid <= 0:
        return None
    return PageInfo(title, revid, seconds_of(record.get("touched")), flag(record, "redirect"))


def _url(api: str, query: Mapping[str, str]) -> str:
    return f"{api}?{urlencode({**_QUERY, **query})}"
