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

from wikicrawler.config import Config
from wikicrawler.errors import Reason
from wikicrawler.learning.costs import costs_of
from wikicrawler.learning.live import Lesson, LiveLearner
from wikicrawler.learning.model.features import features_of
from wikicrawler.learning.model.outcomes import OK, Outcome, outcome_of
from wikicrawler.learning.signs import signs_of
from wikicrawler.pages import Action
from wikicrawler.process.command import is_crawl
from wikicrawler.signals import site_changed, site_paused, tier_attempted
from wikicrawler.store.attempts import AFTER, BEFORE, FetchAttempt, Heuristic
from wikicrawler.store.database import Database
from wikicrawler.store.sites import SitePause, TierChange
from wikicrawler.store.writer import AttemptWriter
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.middleware import TierMiddleware
from wikicrawler.tiers.policy import StaticPolicy
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from functools import partial

    from scrapy.crawler import Crawler
    from scrapy.http import Request, Response

    from wikicrawler.learning.model.features import Features
    from wikicrawler.learning.model.sums import Changed
    from wikicrawler.pages import Failure
    from wikicrawler.tiers.state import State

logger = logging.getLogger(__name__)

FLUSH_SECONDS = 5.0
"""How long the end of a crawl waits for a database that is away."""
FLUSH_SECONDS_STOPPED = 0.5
"""The same of a crawl that is stopped: its pages were given 8 of 10 seconds."""
_LOOK_SECONDS = 0.01
_MAX_URL = 2000
_MAX_HOSTS = 10_000
_NO_LESSON = Lesson(None, None)
_NO_PAGE_WAS_LOADED = {
    *(Reason.BROWSER_DOWN, Reason.BROWSER_CONFIG, Reason.BROWSER_ADDRESS),
    *(Reason.SERVICE_DOWN, Reason.SERVICE_CONFIG),
}


class AttemptRecorder:
    """Scrapy extension: each :data:`~wikicrawler.signals.tier_attempted` becomes an attempt in the
    database that ``WIKICRAWLER_DATABASE_URL`` names, and teaches the crawl's learner, where it has
    one. No state of the database stops or slows the crawl.

    The add-on uses it where ``WIKICRAWLER_RECORD_ATTEMPTS`` is true, or
    ``WIKICRAWLER_TIER_POLICY`` one that learns. Not under ``scrapy shell``, ``fetch``, ``parse``
    and ``check``. Stats: ``learning/changed_count`` (changes of sites that were told), and, set at
    the end, ``store/attempt_count``, and where there are any ``store/lost_count`` and
    ``store/lost_before_count``.

    Raises:
        ConfigError: the database's URL is none, or the costs are wrong.
    """

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._config = Config.from_settings(crawler.settings)
        self._policy = StaticPolicy.from_crawler(crawler)
        self._first: LocalCache[tuple[str, bool], tuple[str, str]] = LocalCache(_MAX_HOSTS)
        self._costs = costs_of(crawler.settings).tiers
        self._harmless = TierRegistry.from_settings(crawler.settings).harmless
        self._learner: LiveLearner | None = None
        self._database = Database.from_settings(crawler.settings)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._writer = AttemptWriter(self._database, crawler.spidercls.name, self._log)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        if not is_crawl(crawler):
            raise NotConfigured
        extension = cls(crawler)
        crawler.signals.connect(extension.tier_attempted, tier_attempted)
        crawler.signals.connect(extension.site_paused, site_paused)
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
        url, tier, now = state["url"], state["tier"], time()
        features = features_of(url, is_wiki=is_wiki)
        reason = OK if failure is None else failure.reason.value
        final = failure is not None and failure.action is Action.FINAL
        outcome = outcome_of(reason, final=final, risks_ban=tier not in self._harmless)
        self._begin()
        lesson = self._learner.learn(features, tier, outcome, now) if self._learner else _NO_LESSON
        site, configured = self._configured(url, is_wiki)
        self._writer.put(
            FetchAttempt(
                at=now,
                url=url.partition("#")[0][:_MAX_URL],
                domain=features.domain,
                registered_domain=features.registered_domain,
                suffix=features.suffix,
                shape=features.shape,
                scheme=features.scheme,
                wiki=features.wiki,
                configured=configured,
                tier=tier,
                ok=failure is None,
                reason=reason,
                final=final,
                is_banned=outcome is Outcome.BAN,
                status=response.status if response is not None else None,
                latency=request.meta.get("download_latency") if response is not None else None,
                size=len(response.body) if response is not None else None,
                cost=0.0 if reason in _NO_PAGE_WAS_LOADED else self._costs.get(tier, 1.0),
                policy=state.get("policy", ""),  # none in the state folder of an older version
                propensity=state.get("propensity"),
                step=len(state["attempts"]) + 1,
                expected=lesson.expected,
                heuristics=tuple(_heuristics(state, failure, response)),
                site=site,
            )
        )
        if lesson.changed is not None:
            self._tell_change(features, lesson.changed, better=outcome is Outcome.SUCCESS)

    def site_paused(
        self, site: str, paused_until: float | None, risk_level: int, reason: Reason | None
    ) -> None:
        self._begin()
        why = reason.value if reason is not None else ""
        self._writer.put(SitePause(time(), site, paused_until, risk_level, why))

    def _begin(self) -> None:
        """Begin to record with the first attempt: what asks for no page makes no database."""
        if self._loop is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._learner = self._learner_of_policy()
        if self._learner is not None:
            self._learner.leave_out(self._writer.run)
        logger.info("What tiers do is recorded in %s", self._database)
        self._writer.start()

    def _learner_of_policy(self) -> LiveLearner | None:
        """The attribute ``learner`` of the crawl's policy, if it has one."""
        tiers = self._crawler.get_downloader_middleware(TierMiddleware)
        learner = getattr(tiers.policy, "learner", None) if tiers is not None else None
        return learner if isinstance(learner, LiveLearner) else None

    def _tell_change(self, features: Features, changed: Changed, *, better: bool) -> None:
        logger.info(
            "Site %s changed: tier %s %s there now; what was seen before counts little",
            one_line(changed.domain, 200),
            changed.tier,
            "works" if better else "fails",
        )
        self._crawler.stats.inc_value("learning/changed_count")
        self._writer.put(
            TierChange(
                at=changed.at,
                registered_domain=features.registered_domain,
                domain=changed.domain,
                tier=changed.tier,
                kept=changed.kept,
                better=better,
            )
        )
        self._crawler.signals.send_catch_log(
            site_changed, domain=changed.domain, tier=changed.tier, better=better
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

    def _configured(self, url: str, is_wiki: bool) -> tuple[str, str]:
        """The politeness budget of *url*, and the tier that the configuration would try first: the
        same for all of a host."""
        key = urlsplit(url).netloc, is_wiki
        if key not in self._first:
            order = self._policy.plan(url, is_wiki=is_wiki)
            self._first[key] = self._config.budget_of(url), order[0] if order else ""
        return self._first[key]

    def _log(self, log: partial[None]) -> None:
        """Log from the writer's thread: Scrapy counts the lines, in the loop's."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(log)
        except RuntimeError:  # it has ended
            log()


def _heuristics(
    state: State, failure: Failure | None, response: Response | None
) -> Iterator[Heuristic]:
    if instead := state.get("instead"):
        yield Heuristic(BEFORE, "instead", instead)
    if response is not None:
        for name, value in signs_of(response):
            yield Heuristic(AFTER, name, value)
    if failure is not None and failure.vendor:
        yield Heuristic(AFTER, "challenge", failure.vendor.lower())
