"""Directory of a crawl's wikis: configured ones, and those discovered from their pages.

A wiki's ``siteinfo`` (article path, namespaces) is requested once, through the crawl's own
downloader, so that robots.txt, the throttle and the User-Agent apply. If the API is not usable, the
wiki stays in the directory: its pages' URLs can still be interpreted, and it records the failure.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import defaultdict
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from scrapy import signals
from scrapy.http.request import NO_CALLBACK, Request

from wikicrawler import options
from wikicrawler.config import Config, to_yaml_line
from wikicrawler.errors import Reason
from wikicrawler.frontier.scheduler import frontier_of
from wikicrawler.guard.site_proxies import PROXY_OF
from wikicrawler.operations import API, OPERATION_KEY
from wikicrawler.pages import Action, Failure
from wikicrawler.politeness.robots import RobotsDisallowed
from wikicrawler.signals import site_busy
from wikicrawler.tiers.failures import failure_of
from wikicrawler.tiers.mediawiki.known_wiki import OFF_SECONDS, KnownWiki
from wikicrawler.tiers.mediawiki.rsd import read_rsd
from wikicrawler.tiers.mediawiki.site import WikiSite, read_siteinfo, siteinfo_url
from wikicrawler.tiers.mediawiki.titles import page_of
from wikicrawler.tiers.mediawiki.usual_places import usual_apis
from wikicrawler.tiers.response_headers import headers_of
from wikicrawler.urls.sites import host_of, site_of
from wikicrawler.urls.splitting import PLAIN_ORIGIN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy.crawler import Crawler
    from scrapy.http import Response

logger = logging.getLogger(__name__)

#: Retries of an API request whose response asks for a wait in the body, not by the HTTP status.
MAX_BUSY_RETRIES = 5
#: Maximum number of discovered wikis in a crawl, and on a host. Each costs requests and memory, and
#: pages may name any number. Pages of further wikis are fetched as HTML.
MAX_WIKIS, MAX_WIKIS_OF_A_HOST = 10_000, 100
_RECOGNISED = "recognised_wikis"  # kept with the requests of a crawl with JOBDIR


class WikiDirectory:
    """The wikis of one crawl, by host and port of their pages. A host may have several."""

    def __init__(self, crawler: Crawler, config: Config, plans_api: Callable[[str], bool]) -> None:
        """
        :param plans_api: returns True if the policy would use the API for a wiki page at a URL
        """
        self._crawler = crawler
        self._config = config
        self._plans_api = plans_api
        self._discover = options.DISCOVER_WIKIS.read(crawler.settings)
        self._by_host: dict[str, list[KnownWiki]] = {}
        self._configured: dict[tuple[str, str], KnownWiki] = {}
        self._by_edit_uri: dict[str, KnownWiki] = {}
        self._unlinked = 0
        self._probed: set[str] = set()
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        crawler.signals.connect(self._resume, signals.spider_opened)

    def wiki_of(self, url: str) -> KnownWiki | None:
        """Return the wiki of the page at *url*, if one is known. Sends no request.

        If *url* is not a page of any of its host's wikis, return the host's first wiki.
        """
        place = _host_and_port(url)
        wikis = self._by_host.get(place)
        if wikis is None:
            configured = self._configured_wiki(url)
            wikis = self._by_host[place] = [configured] if configured else []
        if len(wikis) < 2:
            return wikis[0] if wikis else None
        return next((wiki for wiki in wikis if page_of(url, wiki.site)), wikis[0])

    async def discover(self, url: str, edit_uri: str) -> KnownWiki:
        """Return the wiki whose page *url* links to *edit_uri*; add it if it is new.

        Its API is used for the rest of the crawl, unless ``WIKICRAWLER_DISCOVER_WIKIS`` is off or
        the site's plan has no tier that uses it. The API is contacted once, whatever the outcome.
        """
        place, api = _host_and_port(url), edit_uri.partition("?")[0]
        async with self._locks[place]:
            wikis = self._by_host[place]
            if api in self._by_edit_uri:
                return self._by_edit_uri[api]
            for wiki in wikis:  # a configured wiki, perhaps under another host name
                if urlsplit(wiki.api).path == urlsplit(api).path:
                    return wiki
            full = len(wikis) >= MAX_WIKIS_OF_A_HOST or len(self._by_edit_uri) >= MAX_WIKIS
            wiki = KnownWiki(
                api, url, api_meta=self._meta(url), passive=full or not self._may_use_api(url)
            )
            if full:
                return wiki
            if not wiki.passive:
                await self._find_api(wiki, edit_uri)
            self._by_edit_uri[api] = wiki
            wikis.append(wiki)
        if wiki.has_api:
            self._report_discovered(wiki, api, url)
        return wiki

    def _report_discovered(self, wiki: KnownWiki, api: str, url: str) -> None:
        frontier = frontier_of(self._crawler)
        if frontier is not None:
            frontier.note(_RECOGNISED, json.dumps([api, wiki.api, url]).encode())
        self._crawler.stats.inc_value("wikicrawler/wikis_discovered")
        logger.info(
            "Discovered a wiki that is not configured; to configure it, add under "
            "mediawiki_sites in config/sources.yml:\n  %s",
            to_yaml_line(_host_and_port(url), wiki.api),
        )

    async def find_api(self, url: str) -> KnownWiki | None:
        """Return the wiki of the blocked page *url*, if its API may be used.

        If the host has no known wiki and *url* looks like a wiki's page, request the siteinfo at
        the usual places of an API, once a host.
        """
        place = _host_and_port(url)
        async with self._locks[place]:
            if self.wiki_of(url) is None and place not in self._probed:
                apis = usual_apis(url) if self._plans_api(url) else ()
                if apis and len(self._probed) < MAX_WIKIS:
                    self._probed.add(place)
                    await self._try_places(url, apis if self._discover else ())
        wiki = self.wiki_of(url)
        return wiki if wiki is not None and wiki.has_api else None

    async def _try_places(self, url: str, apis: tuple[str, ...]) -> None:
        for api in apis:
            wiki = KnownWiki(api, url, api_meta=self._meta(url))
            found = await self._request_siteinfo(wiki)
            if isinstance(found, WikiSite) and page_of(url, found) is not None:
                wiki.siteinfo, wiki.siteinfo_requested = found, True
                self._by_edit_uri[api] = wiki
                self._by_host[_host_and_port(url)].append(wiki)
                self._report_discovered(wiki, api, url)
                return
        logger.warning(
            "%s blocks its pages, which look like a wiki's; %s. If you know its API, add under "
            "mediawiki_sites in config/sources.yml:\n  %s",
            _host_and_port(url),
            f"no API at {', '.join(urlsplit(api).path for api in apis)}"
            if apis
            else f"no API is searched for, because {options.DISCOVER_WIKIS.name} is off",
            to_yaml_line(_host_and_port(url), urljoin(url, "/…/api.php")),
        )

    def recognise(self, url: str, script: str, article_path: str) -> KnownWiki | None:
        """Return the wiki of the page *url*, which names no API; add it if it is new.

        Its pages' URLs can be interpreted; no API is used. None if there are too many wikis.

        :param script: path of its ``index.php``, or an empty string
        :param article_path: as the page shows it
        """
        place = _host_and_port(url)
        wikis = self._by_host[place]
        for wiki in wikis:
            if not wiki.is_located or article_path == wiki.site.article_path:
                return wiki
        self._unlinked += 1
        if len(wikis) >= MAX_WIKIS_OF_A_HOST or self._unlinked > MAX_WIKIS:
            return None
        api = urljoin(url, script.rpartition("/")[0] + "/api.php")
        wikis.append(KnownWiki(api, url, passive=True))
        return wikis[-1]

    def _resume(self) -> None:
        """Restore the wikis that were discovered before the crawl was stopped."""
        frontier = frontier_of(self._crawler)
        for noted in frontier.noted(_RECOGNISED) if frontier is not None else ():
            edit_api, api, url = json.loads(noted)
            if self._may_use_api(url):
                self.wiki_of(url)  # the configured one comes first
                wiki = KnownWiki(api, url, api_meta=self._meta(url))
                self._by_edit_uri[edit_api] = wiki
                self._by_host[_host_and_port(url)].append(wiki)

    def _may_use_api(self, url: str) -> bool:
        return self._discover and self._plans_api(url)

    def _configured_wiki(self, url: str) -> KnownWiki | None:
        entry = self._config.wiki_for(url)
        if entry is None:
            return None
        key = (entry.api, site_of(url))
        if key not in self._configured:
            exempt = "api_robots: exempt" if entry.api_robots == "exempt" else None
            self._configured[key] = KnownWiki(
                entry.api, url, entry.article_path, self._meta(url, exempt)
            )
        return self._configured[key]

    def _meta(self, url: str, exempt: str | None = None) -> Mapping[str, str]:
        """Return the meta of API requests for the wiki at *url*: they are charged to its pages'
        site."""
        meta = {"throttle_slot": self._config.budget_of(url)}
        if self._config.domain_for(url).proxy is not None:
            meta[PROXY_OF] = url
        return meta | {"robots_exempt": exempt} if exempt else meta

    async def _find_api(self, wiki: KnownWiki, edit_uri: str) -> None:
        """Follow EditURI → RSD → API → siteinfo. If a step fails, switch the API off."""
        answer = await self.get(edit_uri, wiki)
        if isinstance(answer, Failure):
            self._disable_api(wiki, answer)
            return
        api = read_rsd(answer.body, wiki.page_url)
        if api is None:
            self._disable_api(wiki, Failure(Reason.API_OFF, "no API in the RSD"))
            return
        wiki.api = api
        await self.ensure_siteinfo(wiki, wiki.page_url)

    async def ensure_siteinfo(self, wiki: KnownWiki, url: str) -> None:
        """Request the siteinfo of *wiki* on behalf of its page *url*, at most once."""
        if wiki.siteinfo_requested:
            return
        async with wiki.siteinfo_lock:
            if wiki.siteinfo_requested or wiki.off is not None:
                return
            found = await self._request_siteinfo(wiki)
            for _ in range(MAX_BUSY_RETRIES):
                if not isinstance(found, Failure) or found.action is not Action.WAIT:
                    break
                self._crawler.signals.send_catch_log(
                    site_busy,
                    slot=wiki.api_meta["throttle_slot"],
                    seconds=found.retry_after,
                    reason=found.detail,
                )
                found = await self._request_siteinfo(wiki)
            wiki.siteinfo_requested = True
            if isinstance(found, Failure):
                self._disable_api(wiki, found)
                return
            wiki.siteinfo = found
        if host_of(found.article_url) != host_of(url) and page_of(url, found) is None:
            logger.warning(
                "The API %s belongs to a wiki with pages at %s: it is not used for %s",
                wiki.api,
                found.article_url,
                url,
            )

    async def _request_siteinfo(self, wiki: KnownWiki) -> WikiSite | Failure:
        answer = await self.get(siteinfo_url(wiki.api), wiki)
        if isinstance(answer, Failure):
            return answer
        if site_of(answer.url) == site_of(wiki.api):
            wiki.api = answer.url.partition("?")[0]  # after redirects (to https, for example)
        return read_siteinfo(
            answer.body,
            headers_of(answer),
            answer.status,
            wiki.api,
            article_path=wiki.article_path,
            pages=wiki.page_url,
        )

    def _disable_api(self, wiki: KnownWiki, failure: Failure) -> None:
        reason = failure.reason
        passing = reason in {Reason.TIMEOUT, Reason.NETWORK, Reason.BUSY}
        passing = passing or failure.retry_after is not None  # another log-in is tried
        wiki.siteinfo_requested = True
        wiki.switch_off(failure, OFF_SECONDS if passing else float("inf"))
        logger.warning(
            "The API %s is not used%s: %s%s; the wiki's pages are fetched by the next tier%s",
            wiki.api,
            f" for {OFF_SECONDS / 60:.0f} minutes" if passing else "",
            reason,
            f" ({failure.detail})" if failure.detail else "",
            " (if its operator permits you to use it, set api_robots: exempt)"
            if reason is Reason.ROBOTS
            else "",
        )

    async def get(self, url: str, wiki: KnownWiki) -> Response | Failure:
        """Return the response of *wiki*'s API at *url*, or why there is none."""
        # The warning that the API is not used replaces the log entry for used-up retries.
        meta = {
            "tiers": False,
            "give_up_log_level": "DEBUG",
            OPERATION_KEY: API,
            **wiki.api_meta,
        }
        request = Request(url, callback=NO_CALLBACK, priority=1000, meta=meta)
        try:
            response = await self._crawler.engine.download_async(request)
        except RobotsDisallowed as exception:
            return Failure(Reason.ROBOTS, str(exception))
        except Exception as exception:
            failure = failure_of(exception)
            if failure is None:
                raise
            return failure
        if response.status in {429, 503}:
            return Failure(Reason.BUSY, f"HTTP {response.status}", status=response.status)
        if response.status >= 300:
            return Failure(Reason.API_OFF, f"HTTP {response.status}", status=response.status)
        return response


def _host_and_port(url: str) -> str:
    """Return host and port of *url*, as in the configuration's keys."""
    if plain := PLAIN_ORIGIN.match(url):
        return plain[1]
    parts = urlsplit(url)
    host = parts.hostname or ""
    return f"{host}:{parts.port}" if parts.port else host
