"""A wiki of the crawl: what is known of it, and whether its API may be asked now."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wikicrawler.pages import Failure
from wikicrawler.tiers.mediawiki.site import WikiSite

if TYPE_CHECKING:
    from collections.abc import Mapping

logger = logging.getLogger(__name__)

#: So many failures of an API in a row, whatever the page, and it is left alone for a while.
_FAILURES_UNTIL_OFF = 5
OFF_SECONDS = 600.0


@dataclass(slots=True)
class KnownWiki:
    """One wiki."""

    api: str
    pages: str
    """URL of a page of it: where its pages are if it does not tell."""
    article_path: str | None = None
    api_meta: Mapping[str, str] = field(default_factory=dict)
    """Meta of each request to its API."""
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
        """What it told; a guess as long as it was not asked or did not answer."""
        if self.told is not None:
            return self.told
        if self._guess is None:
            self._guess = WikiSite.default(self.api, self.article_path, self.pages)
        return self._guess

    def learn_article_path(self, article_path: str | None) -> None:
        """Take the article path that one of its pages shows, if it shows one."""
        if article_path is not None:
            self.article_path, self._guess = article_path, None

    def learn_namespace(self, name: str, number: int) -> None:
        """Take the name of a namespace that one of its pages shows."""
        name = name.replace("_", " ")
        site = self.site
        if site.names.get(number) != name:
            names = {**site.names, number: name}
            namespaces = {**site.namespaces, name.lower(): number}
            self._guess = replace(site, names=names, namespaces=namespaces)

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
        """Its API answered as it should."""
        self._failures = 0

    def failed(self, failure: Failure) -> None:
        """Count a failure that was not the page's; a row of them switches the API off a while."""
        self._failures += 1
        if self._failures >= _FAILURES_UNTIL_OFF and self._off is None:
            detail = f"{self._failures} failures in a row: {failure.detail}"
            self.switch_off(Failure(failure.reason, detail), OFF_SECONDS)
            logger.warning(
                "The API %s failed %d times in a row (%s): its pages come by the next tier for "
                "%.0f minutes",
                self.api,
                self._failures,
                failure.reason,
                OFF_SECONDS / 60,
            )

    def switch_off(self, failure: Failure, seconds: float) -> None:
        """Leave its API alone for so long, because of *failure*."""
        self._off, self._off_until = failure, time.monotonic() + seconds
