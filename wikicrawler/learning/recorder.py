"""Records what tiers do in the database, for who learns from it."""

from __future__ import annotations

import asyncio
import logging
from time import monotonic, time
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.utils.datatypes import LocalCache

from wikicrawler.command import is_crawl
from wikicrawler.learning.features import features_of
from wikicrawler.learning.outcomes import OK, Outcome, outcome_of
from wikicrawler.learning.signs import signs_of
from wikicrawler.signals import tier_attempted
from wikicrawler.store.attempts import AFTER, FetchAttempt, Heuristic
from wikicrawler.store.database import Database
from wikicrawler.store.writer import AttemptWriter
from wikicrawler.tiers.base import Action
from wikicrawler.tiers.plan import StaticPolicy

if TYPE_CHECKING:
    from collections.abc import Iterator
    from functools import partial

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.tiers.base import Failure
    from wikicrawler.tiers.state import State

logger = logging.getLogger(__name__)

COSTS = {"mediawiki": 1.0, "http": 1.0, "browser": 10.0}
"""What a fetch by a tier costs, in plain GETs."""
FLUSH_SECONDS = 5.0
"""How long the end of a crawl waits for a database that is away."""
FLUSH_SECONDS_STOPPED = 0.5
"""The same of a crawl that is stopped: its pages were given 8 of 10 seconds."""
_LOOK_SECONDS = 0.01
_MAX_URL = 2000
_MAX_HOSTS = 10_000


class AttemptRecorder:
    """Scrapy extension: each :data:`~wikicrawler.signals.tier_attempted` becomes an attempt in the
    database that ``WIKICRAWLER_DATABASE_URL`` names. No state of the database stops or slows the
    crawl.

    The add-on uses it where ``WIKICRAWLER_RECORD_ATTEMPTS`` is true. Not under ``scrapy shell``,
    ``fetch``, ``parse`` and ``check``. Stats, set at the end:
    ``store/attempt_count``, and where there are any ``store/lost_count`` and
    ``store/lost_before_count``.

    Raises:
        ConfigError: the database's URL is none.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._policy = StaticPolicy.from_crawler(crawler)
        self._first: LocalCache[tuple[str, bool], str] = LocalCache(_MAX_HOSTS)
        self._database = Database.from_settings(crawler.settings)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._writer = AttemptWriter(self._database, crawler.spidercls.name, self._log)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not is_crawl(crawler):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.tier_attempted, tier_attempted)
        crawler.signals.connect(extension.spider_closed, signals.spider_closed)
        return extension

    def tier_attempted(
        self,
        request: Request,
        state: State,
        is_wiki: bool,
        failure: Failure | None,
        response: Response | None,
    ) -> None:
        if response is not None and "cached" in response.flags:
            return  # nobody was asked
        if self._loop is None:  # what asks for no page makes no database
            self._loop = asyncio.get_running_loop()
            logger.info("What tiers do is recorded in %s", self._database)
            self._writer.start()
        url, tier = state["url"], state["tier"]
        features = features_of(url, is_wiki=is_wiki)
        reason = OK if failure is None else failure.reason.value
        final = failure is not None and failure.action is Action.FINAL
        self._writer.put(
            FetchAttempt(
                at=time(),
                url=url.partition("#")[0][:_MAX_URL],
                domain=features.domain,
                registered_domain=features.registered_domain,
                suffix=features.suffix,
                shape=features.shape,
                scheme=features.scheme,
                wiki=features.wiki,
                configured=self._configured(url, is_wiki),
                tier=tier,
                ok=failure is None,
                reason=reason,
                final=final,
                is_banned=outcome_of(reason, final=final) is Outcome.BAN,
                status=response.status if response is not None else None,
                latency=request.meta.get("download_latency") if response is not None else None,
                size=len(response.body) if response is not None else None,
                cost=COSTS.get(tier, 1.0),
                policy=state.get("policy", ""),  # none in the state folder of an older version
                propensity=state.get("propensity"),
                step=len(state["attempts"]) + 1,
                heuristics=tuple(_heuristics(failure, response)),
            )
        )

    async def spider_closed(self, reason: str) -> None:
        stopped = reason == "shutdown"
        seconds = FLUSH_SECONDS_STOPPED if stopped else FLUSH_SECONDS
        self._writer.finish(seconds)
        give_up = monotonic() + seconds
        while not self._writer.is_done and monotonic() < give_up:  # noqa: ASYNC110 - a thread
            await asyncio.sleep(_LOOK_SECONDS)
        self._writer.close()
        stats = self._crawler.stats
        stats.set_value("store/attempt_count", self._writer.written)
        if self._writer.lost:
            stats.set_value("store/lost_count", self._writer.lost)
        if self._writer.lost_before:
            stats.set_value("store/lost_before_count", self._writer.lost_before)

    def _configured(self, url: str, is_wiki: bool) -> str:
        """The tier that the configuration would try first, which is the same for all of a host."""
        key = urlsplit(url).netloc, is_wiki
        if key not in self._first:
            order = self._policy.plan(url, is_wiki=is_wiki)
            self._first[key] = order[0] if order else ""
        return self._first[key]

    def _log(self, log: partial[None]) -> None:
        """Log from the writer's thread: Scrapy counts the lines, in the loop's."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(log)
        except RuntimeError:  # it has ended
            log()


def _heuristics(failure: Failure | None, response: Response | None) -> Iterator[Heuristic]:
    if response is not None:
        for name, value in signs_of(response):
            yield Heuristic(AFTER, name, value)
    if failure is not None and failure.vendor:
        yield Heuristic(AFTER, "challenge", failure.vendor.lower())
