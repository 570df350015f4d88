"""Which wikis there are: those configured, and those that a page says it belongs to.

A wiki is asked once for its ``siteinfo`` (article path, namespaces), through the crawl's own
downloader, so that robots.txt, the throttle and the User-Agent apply as to any request. Where the
API cannot be used, the wiki stays known for what its pages' addresses mean, and says why.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from scrapy.http.request import NO_CALLBACK, Request

from wikicrawler.config import Config, to_yaml_line
from wikicrawler.errors import Reason, RobotsDisallowed
from wikicrawler.politeness.signals import site_busy
from wikicrawler.tiers.base import Action, Failure
from wikicrawler.tiers.exceptions import failure_of
from wikicrawler.tiers.http import headers_of
from wikicrawler.tiers.wiki import WikiSite, read_rsd, read_siteinfo, siteinfo_url

if TYPE_CHECKING:
    from scrapy.crawler import Crawler
    from scrapy.http import Response

    from wikicrawler.tiers.plan import TierPolicy

logger = logging.getLogger(__name__)

#: So many failures of an API in a row, whatever the page, and it is left alone for a while.
_FAILURES_UNTIL_OFF = 5
_OFF_SECONDS = 600.0

#: How often an API is asked again when it asks to wait without an HTTP status for it.
WAITS = 5


@dataclass(slots=True)
class KnownWiki:
    """A wiki of this crawl."""

    api: str
    article_path: str | None = None
    robots_exempt: str | None = None
    """Why the API's URL is not checked against robots.txt, where the operator says so."""
    passive: bool = False
    """Known by its pages alone, for what their addresses mean: the API is not for use."""
    told: WikiSite | None = None
    """What it said of itself."""
    asked: bool = False
    """Whether it was asked what it is, with whatever success."""
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    _guess: WikiSite | None = None
    _off: Failure | None = None
    _off_until: float = 0.0
    _failures: int = 0

    @property
    def site(self) -> WikiSite:
        """What is known of it; a guess as long as it was not asked or did not answer."""
        if self.told is not None:
            return self.told
        if self._guess is None:
            self._guess = WikiSite.default(self.api, self.article_path)
        return self._guess

    @property
    def is_guess(self) -> bool:
        """Whether the article path is a guess: nobody configured it, the wiki did not tell."""
        return self.told is None and self.article_path is None

    def learn(self, article_path: str | None) -> None:
        """Take the article path that one of its pages shows."""
        if article_path is not None:
            self.article_path, self._guess = article_path, None

    @property
    def off(self) -> Failure | None:
        """Why its API is not to be asked now; None where it may be."""
        if self._off is not None and time.monotonic() >= self._off_until:
            self._off, self._failures = None, 0
            self.asked = self.told is not None
        return self._off

    @property
    def has_api(self) -> bool:
        """Whether its API may be asked now."""
        return not self.passive and self.off is None

    def succeeded(self) -> None:
        self._failures = 0

    def failed(self, failure: Failure) -> None:
        """Count a failure that was not the page's; a row of them switches the API off a while."""
        self._failures += 1
        if self._failures >= _FAILURES_UNTIL_OFF and self._off is None:
            detail = f"{self._failures} failures in a row: {failure.detail}"
            self.switch_off(Failure(failure.reason, detail), _OFF_SECONDS)
            logger.warning(
                "The API %s failed %d times in a row (%s): its pages come by the next tier for "
                "%.0f minutes",
                self.api,
                self._failures,
                failure.reason,
                _OFF_SECONDS / 60,
            )

    def switch_off(self, failure: Failure, seconds: float) -> None:
        self._off, self._off_until = failure, time.monotonic() + seconds


class WikiDirectory:
    """The wikis of one crawl, by the host (and port) of their pages."""

    def __init__(self, crawler: Crawler, config: Config, policy: TierPolicy) -> None:
        self._crawler = crawler
        self._config = config
        self._policy = policy
        self._discover = crawler.settings.getbool("WIKICRAWLER_DISCOVER_WIKIS", True)
        self._by_place: dict[str, KnownWiki | None] = {}
        self._by_api: dict[str, KnownWiki] = {}
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def known(self, url: str) -> KnownWiki | None:
        """The wiki that *url* is a page of, as far as is known; asks nobody."""
        place = _place_of(url)
        if place not in self._by_place:
            self._by_place[place] = self._configured(url)
        return self._by_place[place]

    async def discover(self, url: str, edit_uri: str) -> KnownWiki:
        """Recognise the wiki whose page *url* names *edit_uri* as the way to its API.

        Its API is used for the rest of the crawl, unless ``WIKICRAWLER_DISCOVER_WIKIS`` is off or
        the site's plan has no such tier. Asked once a host, whatever the outcome.
        """
        place = _place_of(url)
        async with self._locks[place]:
            known = self._by_place.get(place)
            if known is not None:
                return known
            if not self._discover or "mediawiki" not in self._policy.plan(url, is_wiki=True):
                self._by_place[place] = wiki = KnownWiki(_api_of(edit_uri), passive=True)
                return wiki
            self._by_place[place] = wiki = await self._follow(url, edit_uri)
        if wiki.off is None:
            self._stat("wikicrawler/wikis_discovered")
            logger.info(
                "Recognised a wiki that is not configured; to configure it, add under "
                "mediawiki_sites in config/sources.yml:\n  %s",
                to_yaml_line(place, wiki.api),
            )
        return wiki

    def meta_of(self, wiki: KnownWiki, page_url: str) -> dict[str, str]:
        """Meta of a request to the API of *wiki*: charged to the site of its pages."""
        return self._meta(page_url, wiki.robots_exempt)

    def _meta(self, page_url: str, exempt: str | None) -> dict[str, str]:
        meta = {"throttle_slot": self._config.budget_of(page_url)}
        return meta | {"robots_exempt": exempt} if exempt else meta

    def _configured(self, url: str) -> KnownWiki | None:
        entry = self._config.wiki_for(url)
        if entry is None:
            return None
        if entry.api not in self._by_api:
            exempt = "api_robots: exempt" if entry.api_robots == "exempt" else None
            self._by_api[entry.api] = KnownWiki(entry.api, entry.article_path, exempt)
        return self._by_api[entry.api]

    async def _follow(self, url: str, edit_uri: str) -> KnownWiki:
        """EditURI → RSD → API → siteinfo. A step that fails leaves a wiki whose API is off."""
        guess = _api_of(edit_uri)
        answer = await self._get(edit_uri, url, None)
        if isinstance(answer, Failure):
            return self._refused(KnownWiki(guess), answer)
        api = read_rsd(answer.body, url)
        if api is None:
            return self._refused(KnownWiki(guess), Failure(Reason.API_OFF, "no API in the RSD"))
        wiki = KnownWiki(api)
        await self.ask(wiki, url)
        return wiki

    async def ask(self, wiki: KnownWiki, url: str) -> None:
        """Ask *wiki* for its siteinfo, charged to the site of *url*; at most once a wiki."""
        async with wiki.asking:
            if wiki.asked or wiki.off is not None:
                return
            wiki.asked = True
            found = await self._siteinfo(wiki, url)
            for _ in range(WAITS):
                if not isinstance(found, Failure) or found.action is not Action.WAIT:
                    break
                slot = self._config.budget_of(url)
                self._crawler.signals.send_catch_log(
                    site_busy, slot=slot, seconds=found.retry_after, reason=found.detail
                )
                found = await self._siteinfo(wiki, url)
            if isinstance(found, Failure):
                self._refused(wiki, found)
            else:
                wiki.told = found

    async def _siteinfo(self, wiki: KnownWiki, url: str) -> WikiSite | Failure:
        answer = await self._get(siteinfo_url(wiki.api), url, wiki.robots_exempt)
        if isinstance(answer, Failure):
            return answer
        return read_siteinfo(
            answer.body, headers_of(answer), answer.status, wiki.api, wiki.article_path
        )

    def _refused(self, wiki: KnownWiki, failure: Failure) -> KnownWiki:
        reason = failure.reason
        passing = reason in {Reason.TIMEOUT, Reason.NETWORK, Reason.BUSY}
        wiki.switch_off(failure, _OFF_SECONDS if passing else float("inf"))
        logger.warning(
            "The API %s is not used%s: %s%s; the pages of this wiki come by the next tier%s",
            wiki.api,
            f" for {_OFF_SECONDS / 60:.0f} minutes" if passing else "",
            reason,
            f" ({failure.detail})" if failure.detail else "",
            " (if its operator permits you to use it, set api_robots: exempt)"
            if reason is Reason.ROBOTS
            else "",
        )
        return wiki

    async def _get(self, url: str, page_url: str, exempt: str | None) -> Response | Failure:
        meta = {"tiers": False, **self._meta(page_url, exempt)}
        request = Request(url, callback=NO_CALLBACK, priority=1000, meta=meta)
        try:
            response = await self._crawler.engine.download_async(request)
        except RobotsDisallowed:
            return Failure(Reason.ROBOTS, "robots.txt disallows the API")
        except Exception as exception:
            failure = failure_of(exception)
            if failure is None:
                raise
            return failure
        if response.status in {429, 503}:
            return Failure(Reason.BUSY, f"HTTP {response.status}", status=response.status)
        if response.status >= 400:
            return Failure(Reason.API_OFF, f"HTTP {response.status}", status=response.status)
        return response

    def _stat(self, name: str) -> None:
        self._crawler.stats.inc_value(name)


def _api_of(edit_uri: str) -> str:
    """Where the API is if EditURI is its ``action=rsd``, as in every MediaWiki."""
    return edit_uri.partition("?")[0]


def _place_of(url: str) -> str:
    """Host and port of *url* as the configuration writes them."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    return f"{host}:{parts.port}" if parts.port else host
