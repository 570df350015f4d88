"""The signal ``tier_attempted``: sent after each fetch of a tier."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wikicrawler.errors import Reason
from wikicrawler.politeness.robots import RobotsDisallowed
from wikicrawler.signals import fetch_retried, tier_attempted
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.logins.errors import SiteLoginError
from wikicrawler.tiers.state import STATE, State
from wikicrawler.tiers.verdict import judge_status

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.pages import Failure
    from wikicrawler.tiers.mediawiki.directory import WikiDirectory
    from wikicrawler.tiers.mediawiki.known_wiki import KnownWiki

_NOT_SENT = {Reason.OFFSITE, Reason.PRIVATE_ADDRESS}


def was_sent(failure: Failure, exception: Exception) -> bool:
    """Return whether the request that failed because of *exception* was sent."""
    not_sent = (RobotsDisallowed, SiteLoginError)
    return failure.reason not in _NOT_SENT and not isinstance(exception, not_sent)


class AttemptSignal:
    """Sender of :data:`~wikicrawler.signals.tier_attempted` in one crawl."""

    def __init__(self, crawler: Crawler, wikis: WikiDirectory) -> None:
        self._crawler = crawler
        self._wikis = wikis
        crawler.signals.connect(self._retried, fetch_retried)

    def send(
        self,
        request: Request,
        state: State,
        wiki: KnownWiki | None,
        failure: Failure | None,
        response: Response | None,
    ) -> None:
        """Send the signal for a fetch, before the attempt is recorded in *state*.

        :param wiki: the wiki of the page, as known when the fetch began
        :param failure: None for a success
        """
        self._crawler.signals.send_catch_log(
            tier_attempted,
            request=request,
            state=state,
            is_wiki=wiki is not None and not wiki.passive,
            failure=failure,
            response=response,
        )

    def send_failed(
        self, request: Request, state: State, failure: Failure, exception: Exception
    ) -> None:
        """Send the signal for a fetch without a response, unless no request was sent."""
        if was_sent(failure, exception):
            self.send(request, state, self._wikis.wiki_of(state["url"]), failure, None)

    def _retried(
        self, request: Request, response: Response | None, exception: Exception | None
    ) -> None:
        """Send the signal for a fetch that is retried: no tier sees its response."""
        state = cast("State | None", request.meta.get(STATE))
        if response is not None:
            failure = judge_status(response.status)
        else:
            failure = failure_of(exception) if exception is not None else None
        if state is not None and failure is not None:
            self.send(request, state, self._wikis.wiki_of(state["url"]), failure, response)
