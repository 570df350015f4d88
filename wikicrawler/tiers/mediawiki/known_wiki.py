"""A wiki of the crawl: its siteinfo, and the state of its API."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.site import WikiSite
from wikicrawler.tiers.mediawiki.titles import is_main_page, normalise

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger(__name__)

#: Number of consecutive failures of an API, on whatever pages, that switches it off for a while.
_MAX_FAILURES = 5
OFF_SECONDS = 600.0
_MAX_PATHS = 20


@dataclass(slots=True)
class KnownWiki:
    """One wiki of the crawl, with the state of its API."""

    api: str
    page_url: str
    """URL of any of its pages, which locates them without siteinfo."""
    article_path: str | None = None
    """Article path that the operator configured."""
    api_meta: Mapping[str, str] = field(default_factory=dict)
    """Meta of requests to its API."""
    passive: bool = False
    """True if the API must not be used: the wiki only interprets its pages' URLs."""
    siteinfo: WikiSite | None = None
    """Its siteinfo, if it could be read."""
    siteinfo_requested: bool = False
    """True after a request for the siteinfo, successful or not."""
    siteinfo_lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _guess: WikiSite | None = None
    _paths: Counter[str] = field(default_factory=Counter)
    _off: Failure | None = None
    _off_until: float = 0.0
    _failures: int = 0

    @property
    def site(self) -> WikiSite:
        """Its siteinfo; a guess while that is unknown."""
        if self.siteinfo is not None:
            return self.siteinfo
        if self._guess is None:
            self._guess = WikiSite.default(self.api, self.article_path, self.page_url)
        return self._guess

    @property
    def is_located(self) -> bool:
        """True if the addresses of its pages are known, not assumed."""
        return bool(self.siteinfo is not None or self.article_path or self._paths)

    def learn(self, url: str, facts: Mapping[str, Any]) -> None:
        """Learn addresses from its page at *url*, for a wiki without siteinfo.

        The article path is the one that most of its pages show.

        :param facts: the metadata of the page's content
        """
        path = facts.get("article_path")
        if path and (path in self._paths or len(self._paths) < _MAX_PATHS):
            self._paths[path] += 1
        site = self.site
        if self._paths and self.article_path is None:
            path = self._paths.most_common(1)[0][0]
            if path != site.article_path:
                site = replace(site, article_path=path)
        script = facts.get("script")
        if script and script != site.script:
            site = replace(site, script=script, script_path=script.rpartition("/")[0])
        if facts.get("case_sensitive") and not site.case_sensitive:
            site = replace(site, case_sensitive=frozenset(site.names))
        if site.main_page is None and is_main_page(url, site):
            main = normalise(facts.get("page_name", ""), site)
            site = replace(site, main_page=main.title if main else None)
        self._guess = site

    def learn_namespace(self, name: str, number: int) -> None:
        """Store the name of a namespace found on one of its pages."""
        name = name.replace("_", " ")
        site = self.site
        if site.names.get(number) != name:
            names = {**site.names, number: name}
            namespaces = {**site.namespaces, name.lower(): number}
            self._guess = replace(site, names=names, namespaces=namespaces)

    @property
    def off(self) -> Failure | None:
        """The failure for which its API is switched off; None if it is not."""
        if self._off is not None and time.monotonic() >= self._off_until:
            self._off, self._failures = None, 0
            self.siteinfo_requested = self.siteinfo is not None
        return self._off

    @property
    def has_api(self) -> bool:
        """True if its API may be used now."""
        return not self.passive and self.off is None

    def succeeded(self) -> None:
        """Reset the count of failures: the API returned a usable response."""
        self._failures = 0

    def failed(self, failure: Failure) -> None:
        """Count a failure of the API. Several in a row switch it off for a while."""
        self._failures += 1
        if self._failures >= _MAX_FAILURES and self._off is None:
            detail = f"{self._failures} failures in a row: {failure.detail}"
            self.switch_off(Failure(failure.reason, detail), OFF_SECONDS)
            logger.warning(
                "The API %s failed %d times in a row (%s): its pages are fetched by the next tier "
                "for %.0f minutes",
                self.api,
                self._failures,
                failure.reason,
                OFF_SECONDS / 60,
            )

    def switch_off(self, failure: Failure, seconds: float) -> None:
        """Switch the API off for a number of *seconds* because of *failure*."""
        self._off, self._off_until = failure, time.monotonic() + seconds
