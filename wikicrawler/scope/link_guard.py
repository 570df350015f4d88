"""The links of a crawl that are left out, because they lead into a trap or beyond a budget."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from scrapy.exceptions import IgnoreRequest

from wikicrawler import options
from wikicrawler.config import Config
from wikicrawler.errors import ConfigError
from wikicrawler.pages import CONTENT_KEY, PAGE_KEY
from wikicrawler.scope.families import Families
from wikicrawler.scope.robots_rules import HOW_TO_IGNORE
from wikicrawler.scope.traps import (
    MAX_SEGMENTS,
    RULES,
    YEARS_AHEAD,
    LeftOut,
    canonical,
    family_of,
    rule_against,
)
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy.http import Response
    from scrapy.settings import BaseSettings
    from scrapy.statscollectors import StatsCollector

    from wikicrawler.items import Content
    from wikicrawler.pages import Page
    from wikicrawler.scope.families import FamilyCounts, FamilyNote

logger = logging.getLogger(__name__)

GUARDED = "guarded_link"
"""Meta key: the request is for a link, and is left out where its family is closed meanwhile."""
_JUDGED = "_scope_judged"
_COUNTED = 200_000
"""Links that are counted once each; further ones are counted as often as they come."""
_TOLD = 10_000
"""Sites and rules of which the log has told."""

_WHY = {
    LeftOut.REPEATING_PATH: "the same part of the path comes over and over",
    LeftOut.DEEP_PATH: f"the path has more than {MAX_SEGMENTS} parts",
    LeftOut.FAR_DATE: f"a calendar, more than {YEARS_AHEAD} years ahead",
    LeftOut.SESSION_ID: "but for a session's number they were asked for",
    LeftOut.NOTHING_NEW: "the latest pages of this kind said nothing new",
    LeftOut.CHROME: "they are editors, histories and the like of the site's engine",
    LeftOut.NOFOLLOW: "the page asks robots not to follow them",
    LeftOut.SITE_MAX_PAGES: "the site has as many pages as it may have",
    LeftOut.SITE_MAX_DEPTH: "they are too many links away from the seed",
}
_HOW = {
    LeftOut.NOFOLLOW: HOW_TO_IGNORE,
    LeftOut.SITE_MAX_PAGES: "max_pages of the domain in sources.yml, or "
    + options.SITE_MAX_PAGES.name,
    LeftOut.SITE_MAX_DEPTH: "max_depth of the domain in sources.yml",
}
_LIFT = f"traps: false of the domain in sources.yml, or {options.TRAP_RULES.name}"


class LinkLeftOut(IgnoreRequest):
    """A link that was to be followed is not: its family is closed. It is counted, not reported."""


class LinkGuard:
    """Tells which links lead into a crawler trap, and counts and names what is left out.

    Each rule's first link at a site is logged, with what to set to have it followed. Stats:
    ``wikicrawler/left_out/{rule}``.
    """

    def __init__(self, settings: BaseSettings, stats: StatsCollector) -> None:
        self._rules = _rules(settings)
        self._stats = stats
        self._config = Config.from_settings(settings)
        self._told: set[tuple[str, LeftOut]] = set()
        self._year = datetime.now(UTC).year
        self._families = Families()
        self._news: Callable[[], Iterable[bytes]] = tuple
        self._judges = False
        self._by_page: set[int] = set()

    def key(self, url: str) -> str:
        """What *url* is known by: URLs of one key lead to the same page."""
        if LeftOut.SESSION_ID not in self._rules:
            return url
        key = canonical(url)
        return key if key is url or self._config.domain_for(url).traps else url

    def site_of(self, url: str) -> str:
        """The politeness budget of *url*."""
        return self._config.budget_of(url)

    def rule_against(self, key: str) -> LeftOut | None:
        """Why a link that is known by *key*, and is no page of a wiki, is not to be followed."""
        rule = rule_against(key, self._year)
        if rule not in self._rules:
            closed = LeftOut.NOTHING_NEW in self._rules and self._families.is_closed(key)
            rule = LeftOut.NOTHING_NEW if closed else None
        return rule if rule is None or self._config.domain_for(key).traps else None

    def leaves_out_chrome(self, url: str) -> bool:
        """Return True if the rule ``chrome`` is in force for the page at *url*."""
        return LeftOut.CHROME in self._rules and self._config.domain_for(url).traps

    def is_closed(self, url: str) -> bool:
        """Return True, and count the link *url*, if its family was closed since it was admitted."""
        if not self._families.any_closed:
            return False
        rule = self.rule_against(self.key(url))
        if rule is not LeftOut.NOTHING_NEW:
            return False
        self.leave_out(url, rule)
        return True

    @property
    def closes_families(self) -> bool:
        """True if the rule ``nothing_new`` is in force."""
        return LeftOut.NOTHING_NEW in self._rules

    def begin(
        self,
        notes: Iterable[bytes],
        on_note: Callable[[bytes], object],
        news: Callable[[], Iterable[bytes]] = tuple,
    ) -> None:
        """Expect the crawl's pages in :meth:`judge_page`; *notes* and *on_note* are those of
        :meth:`Families.resume`, *news* returns what other workers have noted since its last
        call."""
        self._judges = self.closes_families
        self._families.resume(notes, on_note)
        self._news = news

    def share_families(self, share: Callable[[FamilyNote], object]) -> None:
        """Have all workers count the pages of families together; see :attr:`Families.share`."""
        self._families.share = share

    def counted(self, counts: Iterable[FamilyCounts]) -> None:
        """Take over what all workers have counted, and what others have closed."""
        for one in counts:
            self._families.counted(one)
        self._families.learn(self._news())

    def wants_sketch(self, url: str) -> bool:
        """Return True if :meth:`judge_page` needs a sketch of the page requested as *url*."""
        return self._judges and family_of(self.key(url)) is not None

    def judge_page(self, response: Response, depth: int, *, leads_on: bool) -> None:
        """Compare the text of a page, *depth* links from its seed, with others of its family; once.

        *leads_on*: the page led to a new one that is of no family. Pages of a wiki, and those that
        the tiers did not convert, are not compared. See :meth:`Families.judge`.
        """
        page: Page | None = response.meta.get(PAGE_KEY)
        content: Content | None = response.meta.get(CONTENT_KEY)
        if page is None or content is None or response.meta.get(_JUDGED):
            return
        if page.namespace is None and content.sketch is not None:
            response.meta[_JUDGED] = True
            key = self.key(page.redirected_from or page.url)
            self._families.judge(key, content.sketch, depth, leads_on=leads_on)

    def take_in(self, rule: LeftOut) -> None:
        """A link that was left out is followed after all."""
        self._stats.inc_value(f"wikicrawler/left_out/{rule}", -1)

    def leave_out_once(self, url: str, rule: LeftOut) -> None:
        """Count a link that the page itself closes, unless another page's was counted."""
        mark = hash((url, rule))
        if mark not in self._by_page:
            if len(self._by_page) < _COUNTED:
                self._by_page.add(mark)
            self.leave_out(url, rule)

    def leave_out(self, url: str, rule: LeftOut) -> None:
        """Count a link that is not followed."""
        self._stats.inc_value(f"wikicrawler/left_out/{rule}")
        told = self.site_of(url), rule
        if told in self._told or len(self._told) >= _TOLD:
            return
        self._told.add(told)
        logger.info(
            "Links of %(site)s are left out as %(rule)s (%(why)s), the first %(url)s: to follow "
            "them see %(how)s",
            {
                "site": one_line(told[0], 80),
                "rule": rule,
                "why": _WHY[rule],
                "url": one_line(url, 200),
                "how": _HOW.get(rule, _LIFT),
            },
        )


def _rules(settings: BaseSettings) -> frozenset[LeftOut]:
    rules = set()
    for name in options.TRAP_RULES.read(settings):
        if name not in RULES:
            raise ConfigError(
                f"{options.TRAP_RULES.name}: {quoted(name, 40)} is no rule (there are: "
                f"{', '.join(RULES)}; none at all: an empty value)"
            )
        rules.add(LeftOut(name))
    return frozenset(rules)
