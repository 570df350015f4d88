"""In which order the tiers are tried for a page."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from scrapy.utils.misc import load_object

from wikicrawler.config import TIERS, Config
from wikicrawler.errors import ConfigError
from wikicrawler.tiers.crawl4ai.handler import META

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Self

    from scrapy.crawler import Crawler
    from scrapy.http import Request
    from scrapy.settings import BaseSettings


class TierPolicy(Protocol):
    """What ``WIKICRAWLER_TIER_POLICY`` names: ``from_crawler`` makes it, ``plan`` asks it."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self: ...

    def plan(self, url: str, *, is_wiki: bool) -> tuple[str, ...]:
        """Names of the tiers that may be tried for *url*, first to last as far as is known without
        choosing: whoever asks draws nothing."""


@runtime_checkable
class ChoosingPolicy(TierPolicy, Protocol):
    """A policy that chooses anew for each page."""

    async def ready(self, url: str) -> None:
        """Return when a page like *url* may be planned; asked before each."""

    def choose(self, url: str, tiers: tuple[str, ...], *, is_wiki: bool) -> Plan:
        """The plan for a page that is to be fetched now, of those *tiers*, which can be tried."""

    def is_adaptive(self, url: str) -> bool:
        """Whether its plans for pages like *url* are :attr:`Plan.adaptive`."""


class Plan(NamedTuple):
    """The tiers to try for a page, and where that comes from."""

    tiers: tuple[str, ...]
    policy: str
    """``static``, ``learned``, ``shadow``; ``request`` where the request names its tiers, else the
    name of the policy's class."""
    propensity: float | None
    """Probability with which the policy would choose so; None where it does not say."""
    adaptive: bool = False
    """Whether what a page's attempts show changes what comes next: see
    :mod:`wikicrawler.tiers.adapting`."""
    probe: bool = False
    """Whether the first tier, plain HTTP then, only probes."""
    chosen: str = ""
    """The tier that was chosen, where a probe comes before it."""
    stealth: bool = False
    """Whether a browser is to hide that it is one that is driven."""
    instead: str = ""
    """The tier that another policy would have tried first; empty where none was asked."""


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


#: Policies by name; those that learn by path: who does not use them does without their libraries.
_POLICIES: Mapping[str, str | type[TierPolicy]] = {
    "static": StaticPolicy,
    "learned": "wikicrawler.learning.learned_policy.LearnedPolicy",
    "shadow": "wikicrawler.learning.learned_policy.ShadowPolicy",
    "split": "wikicrawler.learning.learned_policy.SplitPolicy",
}
LEARNING = frozenset(_POLICIES) - {"static"}
"""Names of the policies that learn."""


def load_policy(crawler: Crawler) -> TierPolicy:
    """What ``WIKICRAWLER_TIER_POLICY`` names: one of the project's, or the path of a class."""
    with _named_policy(crawler.settings) as policy:
        return policy.from_crawler(crawler)


def check_policy(settings: BaseSettings) -> str:
    """What ``WIKICRAWLER_TIER_POLICY`` says, which names a policy.

    :raises ConfigError: it names none
    """
    with _named_policy(settings):
        return _name_of_policy(settings)


def _name_of_policy(settings: BaseSettings) -> str:
    return str(settings.get("WIKICRAWLER_TIER_POLICY", "static"))


@contextmanager
def _named_policy(settings: BaseSettings) -> Iterator[type[TierPolicy]]:
    name = _name_of_policy(settings)
    try:
        yield load_object(_POLICIES.get(name, name))
    except ConfigError:
        raise
    except (ImportError, NameError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"WIKICRAWLER_TIER_POLICY: {name!r} is no policy ({error}); expected one of "
            f"{', '.join(_POLICIES)}, or the import path of a class with from_crawler() and plan()"
        ) from error


def is_adaptive(request: Request, policy: TierPolicy) -> bool:
    """Whether the plan for *request* will be :attr:`Plan.adaptive`."""
    names_tiers = request.meta.get("tiers") is not None or bool(request.meta.get(META))
    return (
        not names_tiers and isinstance(policy, ChoosingPolicy) and policy.is_adaptive(request.url)
    )


def plan_of(request: Request, policy: TierPolicy, tiers: Collection[str], *, has_api: bool) -> Plan:
    """The plan for *request*: the tiers that its meta names, else what *policy* says.

    *tiers*: those that can be tried in this crawl. *has_api*: whether the page is of a wiki whose
    API may be asked.
    """
    asked = request.meta.get("tiers")
    if asked is None and request.meta.get(META):
        asked = ["browser"]
    if asked is None:
        planned = tuple(policy.plan(request.url, is_wiki=has_api))
        if isinstance(policy, StaticPolicy):
            return Plan(planned, "static", 1.0)
        usable = tuple(name for name in planned if name in tiers)
        if usable and isinstance(policy, ChoosingPolicy):
            plan = policy.choose(request.url, usable, is_wiki=has_api)
            missing = tuple(name for name in planned if name not in tiers)
            return plan._replace(tiers=plan.tiers + missing)  # for what is said at the end
        return Plan(planned, type(policy).__name__, None)
    if not isinstance(asked, (list, tuple)):
        raise ConfigError(
            f"meta['tiers'] of {request}: {asked!r} is no plan (expected a list of tier names, or "
            "False to leave the request alone)"
        )
    check_tiers(tuple(asked), f"meta['tiers'] of {request}")
    return Plan(tuple(n for n in asked if has_api or n != "mediawiki"), "request", 1.0)
