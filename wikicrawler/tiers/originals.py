"""The answers that a spider would have got without the tiers, kept while other tiers are tried."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import uuid4

from wikicrawler import options
from wikicrawler.errors import Reason
from wikicrawler.pages import STRICT_KEY, Failure
from wikicrawler.tiers.responses import original_response, spider_handles

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.tiers.state import State
    from wikicrawler.tiers.tier import Tier

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of all kept bodies; the oldest are dropped first."""
MAX_COUNT = 10_000
"""Maximum number of kept answers; the oldest are dropped first."""


class UnimprovedError(Exception):
    """No tier found a page, and the spider gets the original answer.

    :param answer: a response to the spider's own request, or the exception of the download
    """

    def __init__(self, answer: Response | Exception) -> None:
        super().__init__(str(answer))
        self.answer = answer


@dataclass(frozen=True, slots=True)
class _Kept:
    request: Request
    tier: Tier
    failure: Failure
    answer: Response | Exception

    @property
    def size(self) -> int:
        return 0 if isinstance(self.answer, Exception) else len(self.answer.body)


class Originals:
    """The original answers of one crawl, by page.

    Only the answers from a page's own URL are kept, the first of each page, and none of a page that
    is to be strict: by the meta key ``tiers_strict``, else by ``WIKICRAWLER_TIERS_STRICT``.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._strict = options.TIERS_STRICT.read(crawler.settings)
        self._retried = {429, *map(int, crawler.settings.getlist("RETRY_HTTP_CODES"))}
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._size = 0

    def is_strict(self, request: Request) -> bool:
        """Return True if only a page is of use to the sender of *request*."""
        asked = request.meta.get(STRICT_KEY)
        return self._strict if asked is None else bool(asked)

    def is_wanted(self, request: Request, failure: Failure, response: Response) -> bool:
        """Return True if the spider or a middleware of the project handles *response* itself, so
        that no other tier is to be tried: a rate limit, another status that is retried, a redirect.
        """
        if self.is_strict(request) or failure.vendor:
            return False
        status = response.status
        if failure.reason is Reason.BUSY or status in self._retried:
            return True
        return 300 <= status < 400 and spider_handles(self._crawler, request, status)

    def keep(
        self,
        request: Request,
        state: State,
        tier: Tier,
        failure: Failure,
        answer: Response | Exception,
    ) -> None:
        """Keep *answer*, in which *tier* found no page, unless there is one of the page."""
        if self.is_strict(request) or not tier.at_page_url or state.get("original") in self._kept:
            return
        key = state["original"] = uuid4().hex  # of no other process that a state is read in
        self._kept[key] = kept = _Kept(request, tier, failure, answer)
        self._size += kept.size
        while self._size > MAX_BYTES or len(self._kept) > MAX_COUNT:
            self._size -= self._kept.popitem(last=False)[1].size

    def drop(self, state: State) -> None:
        """Forget the answer of the page of *state*."""
        self._take(state)

    def unimproved(self, state: State) -> UnimprovedError | None:
        """Return the exception to raise for the page of *state*, which no tier has found; None if
        no answer is kept of it."""
        kept = self._take(state)
        if kept is None:
            return None
        if isinstance(kept.answer, Exception):
            return UnimprovedError(kept.answer)
        return UnimprovedError(
            original_response(kept.request, state, kept.tier, kept.failure, kept.answer)
        )

    def _take(self, state: State) -> _Kept | None:
        kept = self._kept.pop(state.pop("original", ""), None)
        self._size -= 0 if kept is None else kept.size
        return kept
