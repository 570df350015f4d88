"""Which tiers a page would be tried by, and whether the servers behind them answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wikicrawler.config import Config
from wikicrawler.errors import BrowserError
from wikicrawler.tiers.crawl4ai.config import Crawl4AIConfig
from wikicrawler.tiers.crawl4ai.handler import client_of
from wikicrawler.tiers.mediawiki.directory import WikiDirectory
from wikicrawler.tiers.mediawiki.titles import page_of
from wikicrawler.tiers.policy import ChoosingPolicy, StaticPolicy, load_policy

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.tiers.mediawiki.known import KnownWiki


@dataclass(frozen=True, slots=True)
class Step:
    """One tier, in the order in which they are tried."""

    tier: str
    usable: bool
    why: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What would become of a page."""

    url: str
    site: str
    """The politeness budget that it is charged to."""
    order_from: str
    """Where the order of the tiers is configured."""
    steps: tuple[Step, ...]
    servers_answer: bool
    """Whether every configured server that has a part in it answers."""


class TierExplainer:
    """Explains pages by the configuration of one crawl; asks each server once."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._config = Config.from_settings(crawler.settings)
        self._policy = load_policy(crawler)
        self._wikis = WikiDirectory(crawler, self._config, self._policy)
        self._browser: Step | None = None

    async def explain(self, url: str) -> Explanation:
        """What would become of the page at *url*, which is not fetched."""
        wiki = self._wikis.known(url)
        order = self._policy.plan(url, is_wiki=wiki is not None)
        steps = []
        for tier in order:
            if tier == "mediawiki" and wiki is not None:
                steps.append(await self._mediawiki(url, wiki))
            elif tier == "browser":
                steps.append(await self._crawl4ai())
            else:
                steps.append(Step(tier, True, "the page's own URL"))
        return Explanation(
            url=url,
            site=self._config.budget_of(url),
            order_from=self._order_from(url),
            steps=tuple(steps),
            servers_answer=(wiki is None or wiki.off is None)
            and (
                "browser" not in order
                or Crawl4AIConfig.from_settings(self._crawler.settings) is None
                or (self._browser is not None and self._browser.usable)
            ),
        )

    async def _mediawiki(self, url: str, wiki: KnownWiki) -> Step:
        await self._wikis.ask(wiki, url)
        if wiki.off is not None:
            detail = f" ({wiki.off.detail})" if wiki.off.detail else ""
            return Step("mediawiki", False, f"{wiki.api} is not used: {wiki.off.reason}{detail}")
        told = wiki.site.generator or "a MediaWiki"
        page = page_of(url, wiki.site)
        if page is None:
            return Step("mediawiki", False, f"{wiki.api} answers ({told}), but has no such page")
        name = f"page {page.title!r}" if page.title else f"page number {page.pageid}"
        return Step("mediawiki", True, f"{wiki.api} answers ({told}): {name}")

    async def _crawl4ai(self) -> Step:
        if self._browser is None:
            self._browser = await self._ask_crawl4ai()
        return self._browser

    async def _ask_crawl4ai(self) -> Step:
        config = Crawl4AIConfig.from_settings(self._crawler.settings)
        if config is None:
            return Step("browser", False, "no crawl4ai is configured (CRAWL4AI_URL)")
        try:
            version = await client_of(self._crawler).check()
        except BrowserError as error:
            return Step("browser", False, f"{config.url}: {error}")
        told = f"version {'.'.join(map(str, version))}" if version else "no version stated"
        return Step("browser", True, f"crawl4ai at {config.url} renders pages ({told})")

    def _order_from(self, url: str) -> str:
        if isinstance(self._policy, ChoosingPolicy):
            return "WIKICRAWLER_TIER_POLICY, which chooses among them: see scrapy explain"
        if not isinstance(self._policy, StaticPolicy):
            return "WIKICRAWLER_TIER_POLICY"
        file = self._config.source or "the packaged sources.yml"
        if self._config.domain_for(url).tiers:
            return f"domains in {file}"
        wiki = self._config.wiki_for(url)
        return f"mediawiki_sites in {file}" if wiki and wiki.tiers else "WIKICRAWLER_TIERS"
