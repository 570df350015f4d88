"""In which order the tiers are tried for a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from scrapy.utils.misc import load_object

from wikicrawler.config import TIERS, Config
from wikicrawler.errors import ConfigError
from wikicrawler.tiers.crawl4ai.handler import META

if TYPE_CHECKING:
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request
    from scrapy.settings import BaseSettings


class TierPolicy(Protocol):
    """What ``WIKICRAWLER_TIER_POLICY`` names: ``from_crawler`` makes it, ``plan`` asks it."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self: ...

    def plan(self, url: str, *, is_wiki: bool) -> tuple[str, ...]:
        """Names of the tiers to try for *url*, first to last."""


class Plan(NamedTuple):
    """The tiers to try for a page, and where that comes from."""

    tiers: tuple[str, ...]
    policy: str
    """``static``, ``request`` where the request names its tiers, else the name of the policy's
    class."""
    propensity: float | None
    """Probability with which the policy would choose so; None where it does not say."""


NO_PLAN = Plan((), "", None)
"""Of a page for which no tier is tried."""


class StaticPolicy:
    """The order that is configured: of the longest matching domain, else of the wiki, else
    ``WIKICRAWLER_TIERS``. The MediaWiki API is left out where no wiki is known."""

    def __init__(self, config: Config, order: tuple[str, ...]) -> None:
        self._config = config
        self._order = order

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls.from_settings(crawler.settings)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        order = tuple(settings.getlist("WIKICRAWLER_TIERS", list(TIERS)))
        check_tiers(order, "WIKICRAWLER_TIERS")
        return cls(Config.from_settings(settings), order)

    def plan(self, url: str, *, is_wiki: bool) -> tuple[str, ...]:
        wiki = self._config.wiki_for(url)
        order = self._config.domain_for(url).tiers or (wiki and wiki.tiers) or self._order
        return tuple(name for name in order if is_wiki or name != "mediawiki")


def check_tiers(names: tuple[str, ...], where: str) -> None:
    """Refuse what is no tier's name; *where* says where it was written."""
    unknown = [name for name in names if name not in TIERS]
    if unknown or not names:
        what = f"no such tier: {', '.join(map(repr, unknown))}" if unknown else "no tier"
        raise ConfigError(f"{where}: {what} (expected some of {', '.join(TIERS)})")


def load_policy(crawler: Crawler) -> TierPolicy:
    """What ``WIKICRAWLER_TIER_POLICY`` names: ``static``, or the path of a class."""
    name = crawler.settings.get("WIKICRAWLER_TIER_POLICY", "static")
    if name == "static":
        return StaticPolicy.from_crawler(crawler)
    try:
        policy: TierPolicy = load_object(name).from_crawler(crawler)
    except (ImportError, NameError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"WIKICRAWLER_TIER_POLICY: {name!r} is no policy ({error}); expected 'static' or the "
            "import path of a class with from_crawler() and plan()"
        ) from error
    return policy


def plan_of(request: Request, policy: TierPolicy, *, has_api: bool) -> Plan:
    """The tiers to try for *request*: those that its meta names, else those of *policy*.

    *has_api*: whether its page is of a wiki whose API may be asked.
    """
    asked = request.meta.get("tiers")
    if asked is None and request.meta.get(META):
        asked = ["browser"]
    if asked is None:
        tiers = tuple(policy.plan(request.url, is_wiki=has_api))
        if isinstance(policy, StaticPolicy):
            return Plan(tiers, "static", 1.0)
        return Plan(tiers, type(policy).__name__, None)
    if not isinstance(asked, (list, tuple)):
        raise ConfigError(
            f"meta['tiers'] of {request}: {asked!r} is no plan (expected a list of tier names, or "
            "False to leave the request alone)"
        )
    check_tiers(tuple(asked), f"meta['tiers'] of {request}")
    tiers = tuple(name for name in asked if has_api or name != "mediawiki")
    return Plan(tiers, "request", 1.0)
