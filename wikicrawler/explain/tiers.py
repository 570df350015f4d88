"""The tiers that would be tried for a page, and whether their servers answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from wikicrawler.config import Config
from wikicrawler.tiers.mediawiki.directory import WikiDirectory
from wikicrawler.tiers.policy import ChoosingPolicy, StaticPolicy, load_policy, plans_api
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from scrapy.crawler import Crawler


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One tier of the plan."""

    tier: str
    usable: bool
    why: str


@dataclass(frozen=True, slots=True)
class PlanExplanation:
    """The plan for a page."""

    url: str
    site: str
    """The politeness budget that the page is charged to."""
    order_from: str
    """Where the order of the tiers is configured."""
    steps: tuple[PlanStep, ...]
    servers_answer: bool
    """True if every configured server of the plan answers."""
    login: str | None
    """The log-in that requests to the page have, without its secret."""
    proxy: str | None
    """The proxy of the page's domain, without its password."""


class TierExplainer:
    """Explains the plans of pages in one crawl. It contacts each server once."""

    def __init__(self, crawler: Crawler) -> None:
        self._config = Config.from_settings(crawler.settings)
        self._policy = load_policy(crawler)
        self._registry = TierRegistry.from_settings(crawler.settings)
        uses_api = partial(plans_api, self._policy, self._registry)
        self._wikis = WikiDirectory(crawler, self._config, uses_api)
        self._tiers = self._registry.make(crawler, self._wikis)

    async def explain(self, url: str) -> PlanExplanation:
        """Return the plan for the page at *url*, without fetching it."""
        is_wiki = self._wikis.wiki_of(url) is not None
        steps, servers_answer = [], True
        for name in self._policy.plan(url, is_wiki=is_wiki):
            tier = self._registry.classes[name]
            if tier.sends_elsewhere and (why := self._config.only_ours(url)):
                steps.append(PlanStep(name, False, why))
            elif name in self._tiers:
                found = await self._tiers[name].explain(url)
                steps.append(PlanStep(name, found.usable, found.why))
                servers_answer = servers_answer and found.server_answers
            else:
                steps.append(PlanStep(name, False, self._registry.missing(name)))
        login, proxy = self._config.access_of(url)
        return PlanExplanation(
            url=url,
            site=self._config.budget_of(url),
            order_from=self._order_from(url),
            steps=tuple(steps),
            servers_answer=servers_answer,
            login=login,
            proxy=proxy,
        )

    def _order_from(self, url: str) -> str:
        if isinstance(self._policy, ChoosingPolicy):
            return "WIKICRAWLER_TIER_POLICY, which chooses among the tiers: see scrapy explain"
        if not isinstance(self._policy, StaticPolicy):
            return "WIKICRAWLER_TIER_POLICY"
        file = self._config.source or "the packaged sources.yml"
        if self._config.domain_for(url).tiers:
            return f"domains in {file}"
        wiki = self._config.wiki_for(url)
        return f"mediawiki_sites in {file}" if wiki and wiki.tiers else "WIKICRAWLER_TIERS"
