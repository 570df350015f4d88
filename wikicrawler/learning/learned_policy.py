"""Policies that learn: ``learned``, ``shadow`` and ``split`` of ``WIKICRAWLER_TIER_POLICY``."""

from __future__ import annotations

import logging
from hashlib import sha256
from time import time
from typing import TYPE_CHECKING

from scrapy import signals

from wikicrawler import options
from wikicrawler.learning.live import LiveLearner
from wikicrawler.learning.model.features import features_of
from wikicrawler.learning.turns import Turns
from wikicrawler.signals import tier_attempted
from wikicrawler.text.safe import one_line
from wikicrawler.tiers.policy import Plan, StaticPolicy
from wikicrawler.tiers.registry import TierRegistry
from wikicrawler.tiers.state import STATE
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request

    from wikicrawler.learning.model.choice import Choice, Option
    from wikicrawler.tiers.state import State

logger = logging.getLogger(__name__)

STEALTH = 0.3
"""P(ban) of a plain GET above which a browser hides that it is driven."""


class LearnedPolicy:
    """Each page goes by what became of others: the tiers of the configured order, by rising cost
    of a page (``docs/learning.md``).

    Attempts are recorded for a policy whose class has a true ``learns``, and taught to its
    ``learner``.
    """

    learns = True

    def __init__(self, crawler: Crawler) -> None:
        self._stats = crawler.stats
        self._static = StaticPolicy.from_crawler(crawler)
        self._probe = TierRegistry.from_settings(crawler.settings).probe
        self.learner = LiveLearner(crawler)
        self._turns = Turns()
        crawler.signals.connect(self._attempted, tier_attempted)
        crawler.signals.connect(self._fetched, signals.request_left_downloader)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls(crawler)

    def plan(self, url: str, *, is_wiki: bool) -> tuple[str, ...]:
        return self._static.plan(url, is_wiki=is_wiki)

    async def ready(self, url: str) -> None:
        await self.learner.ready()
        if self.is_adaptive(url):
            await self._turns.wait(site_of(url))

    def is_adaptive(self, url: str) -> bool:
        return True

    def choose(self, url: str, tiers: tuple[str, ...], *, is_wiki: bool) -> Plan:
        choice = self._choice(url, tiers, is_wiki=is_wiki)
        if choice.is_informative:
            self._turns.begin(site_of(url))
        is_probe = choice.probe and choice.order[0] == self._probe
        if is_probe:
            self._stats.inc_value("tier/probe_count")
        return Plan(
            choice.order,
            "learned",
            choice.propensity,
            adaptive=True,
            probe=is_probe,
            chosen=choice.chosen,
            stealth=wants_stealth(choice.options, self._probe),
        )

    def _attempted(self, state: State) -> None:
        self._turns.end(site_of(state["url"]))

    def _fetched(self, request: Request) -> None:
        if STATE in request.meta:  # a page's: robots.txt and what a wiki is show nothing
            self._turns.end_soon(site_of(request.url))

    def _choice(self, url: str, tiers: tuple[str, ...], *, is_wiki: bool) -> Choice:
        return self.learner.choose(features_of(url, is_wiki=is_wiki), tiers, time())


class ShadowPolicy(LearnedPolicy):
    """The configured order; what :class:`LearnedPolicy` would have tried first is logged where it
    differs, and recorded with each attempt."""

    def is_adaptive(self, url: str) -> bool:
        return False

    def choose(self, url: str, tiers: tuple[str, ...], *, is_wiki: bool) -> Plan:
        choice = self._choice(url, tiers, is_wiki=is_wiki)
        first = choice.order[0]
        level = logging.INFO if first != tiers[0] else logging.DEBUG
        logger.log(
            level,
            "Learned: %s first%s, by the configured order %s: %s",
            first,
            " as a probe" if choice.probe else "",
            tiers[0],
            one_line(url, 200),
        )
        return Plan(tiers, "shadow", 1.0, instead=first)


class SplitPolicy(LearnedPolicy):
    """:class:`LearnedPolicy` for a share of the registered domains (``WIKICRAWLER_TIER_SPLIT``), by
    a hash of their names, the configured order for the others."""

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._share = options.TIER_SPLIT.read(crawler.settings)

    def is_adaptive(self, url: str) -> bool:
        return is_learned(site_of(url), self._share)

    def choose(self, url: str, tiers: tuple[str, ...], *, is_wiki: bool) -> Plan:
        if self.is_adaptive(url):
            return super().choose(url, tiers, is_wiki=is_wiki)
        return Plan(tiers, "static", 1.0)


def wants_stealth(options: Iterable[Option], probe: str) -> bool:
    """Whether a browser is to hide that it is driven: plain GETs (*probe*) are banned too often."""
    return any(o.tier == probe and o.estimate.ban > STEALTH for o in options)


def is_learned(site: str, share: float) -> bool:
    """Whether *site* is of that *share* of all; the same in every crawl."""
    digest = sha256(site.encode("utf-8", "replace")).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64
