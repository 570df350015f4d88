"""In which order the tiers are tried for a page."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

from scrapy.utils.misc import load_object

from wikicrawler import options
from wikicrawler.config import POLICY_CLASSES, Config
from wikicrawler.errors import ConfigError
from wikicrawler.tiers.registry import TierRegistry

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
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
    """The configured order: of the longest matching domain, else of the wiki, else
    ``WIKICRAWLER_TIERS``. Tiers that need a wiki are left out where none is known."""

    def __init__(self, config: Config, registry: TierRegistry) -> None:
        self._config = config
        self._registry = registry

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls.from_settings(crawler.settings)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        registry = TierRegistry.from_settings(settings)
        return cls(Config.from_settings(settings), registry)

    def plan(self, url: str, *, is_wiki: bool) -> tuple[str, ...]:
        wiki = self._config.wiki_for(url)
        order = self._config.domain_for(url).tiers or (wiki and wiki.tiers) or self._registry.order
        return self._registry.fit(order, is_wiki=is_wiki)


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
    return options.TIER_POLICY.read(settings)


@contextmanager
def _named_policy(settings: BaseSettings) -> Iterator[type[TierPolicy]]:
    name = _name_of_policy(settings)
    try:
        yield load_object(POLICY_CLASSES.get(name, name))
    except ConfigError:
        raise
    except (ImportError, NameError, ValueError, AttributeError) as error:
        raise ConfigError(
            f"{options.TIER_POLICY.name}: {name!r} is no policy ({error}); expected one of "
            f"{', '.join(POLICY_CLASSES)}, or the import path of a class with from_crawler() and "
            "plan()"
        ) from error


def plans_api(policy: TierPolicy, registry: TierRegistry, url: str) -> bool:
    """Return True if *policy* would try a wiki's API for *url* if that were a page of one."""
    planned = policy.plan(url, is_wiki=True)
    return len(registry.fit(planned, is_wiki=False)) < len(planned)


def is_adaptive(request: Request, policy: TierPolicy, registry: TierRegistry) -> bool:
    """Whether the plan for *request* will be :attr:`Plan.adaptive`."""
    names_tiers = (
        request.meta.get("tiers") is not None or registry.forced_by(request.meta) is not None
    )
    return (
        not names_tiers and isinstance(policy, ChoosingPolicy) and policy.is_adaptive(request.url)
    )


def plan_of(
    request: Request,
    policy: TierPolicy,
    registry: TierRegistry,
    tiers: Collection[str],
    *,
    has_api: bool,
) -> Plan:
    """The plan for *request*: the tiers that its meta names, else what *policy* says.

    *tiers*: those that can be tried in this crawl. *has_api*: whether the page is of a wiki whose
    API may be asked.
    """
    asked = request.meta.get("tiers")
    forced = registry.forced_by(request.meta)
    if asked is None and forced is not None:
        asked = [forced]
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
    registry.check(asked, f"meta['tiers'] of {request}")
    return Plan(registry.fit(asked, is_wiki=has_api), "request", 1.0)
