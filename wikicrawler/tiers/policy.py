"""Tier policies: the order in which the tiers are tried for a page."""

from __future__ import annotations

from contextlib import contextmanager, suppress
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
    """The class that ``WIKICRAWLER_TIER_POLICY`` names."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self: ...

    def plan(self, url: str, *, is_wiki: bool) -> tuple[str, ...]:
        """Return the names of the tiers for *url*, in order. Deterministic: draws no random
        choice."""


@runtime_checkable
class ChoosingPolicy(TierPolicy, Protocol):
    """A policy that makes a new choice for each page."""

    async def ready(self, url: str) -> None:
        """Wait until a page like *url* can be planned. Called before each :meth:`choose`."""

    def choose(self, url: str, tiers: tuple[str, ...], *, is_wiki: bool) -> Plan:
        """Return the plan for a page that is about to be fetched, from the usable *tiers*."""

    def is_adaptive(self, url: str) -> bool:
        """Return True if plans for pages like *url* are :attr:`Plan.adaptive`."""


class Plan(NamedTuple):
    """The tiers to try for a page, and the policy that chose them."""

    tiers: tuple[str, ...]
    policy: str
    """``static``, ``learned``, ``shadow``; ``request`` if the request names its tiers; else the
    name of the policy's class."""
    propensity: float | None
    """Probability with which the policy makes this choice; None if unknown."""
    adaptive: bool = False
    """True if the results of attempts change the rest of the plan
    (:mod:`wikicrawler.tiers.adapting`)."""
    probe: bool = False
    """True if the first tier is a probe."""
    chosen: str = ""
    """The chosen tier, if a probe precedes it."""
    stealth: bool = False
    """True if a browser should hide that it is automated."""
    instead: str = ""
    """The tier that another policy would have tried first; empty if there is no such policy."""


NO_PLAN = Plan((), "", None)
"""The plan of a page that is skipped before planning."""


class StaticPolicy:
    """The configured order of the longest matching domain, else of the wiki, else
    ``WIKICRAWLER_TIERS``.

    Without a known wiki, tiers that need one are left out.
    """

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
        return self._registry.applicable(order, is_wiki=is_wiki)


def load_policy(crawler: Crawler) -> TierPolicy:
    """Return the policy that ``WIKICRAWLER_TIER_POLICY`` names."""
    with _named_policy(crawler.settings) as policy:
        return policy.from_crawler(crawler)


def check_policy(settings: BaseSettings) -> str:
    """Return the value of ``WIKICRAWLER_TIER_POLICY``.

    :raises ConfigError: it does not name a policy
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
            f"{options.TIER_POLICY.name}: {name!r} is not a policy ({error}); expected one of "
            f"{', '.join(POLICY_CLASSES)}, or the import path of a class with from_crawler() and "
            "plan()"
        ) from error


def records_attempts(settings: BaseSettings) -> bool:
    """Return True if crawls with these settings have a database: they are to record attempts, or
    their policy's class says that it learns (``learns``)."""
    name = _name_of_policy(settings)
    with suppress(Exception):  # reported when the policy is loaded
        if getattr(load_object(POLICY_CLASSES.get(name, name)), "learns", False):
            return True
    return options.RECORD_ATTEMPTS.read(settings)


def plans_api(policy: TierPolicy, registry: TierRegistry, url: str) -> bool:
    """Return True if *policy* would use the wiki's API for *url*, if *url* belonged to a wiki."""
    planned = policy.plan(url, is_wiki=True)
    return len(registry.applicable(planned, is_wiki=False)) < len(planned)


def is_adaptive(request: Request, policy: TierPolicy, registry: TierRegistry) -> bool:
    """Return True if the plan for *request* will be :attr:`Plan.adaptive`."""
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
    """Return the plan for *request*: the tiers named in its meta, else those of *policy*.

    :param tiers: the tiers that are usable in this crawl
    :param has_api: True if the page belongs to a wiki whose API may be used
    :raises ConfigError: ``meta["tiers"]`` is invalid
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
            return plan._replace(tiers=plan.tiers + missing)  # to report them if all fail
        return Plan(planned, type(policy).__name__, None)
    if not isinstance(asked, (list, tuple)):
        raise ConfigError(
            f"meta['tiers'] of {request}: {asked!r} is not a plan (expected a list of tier names, "
            "or False to bypass the tiers)"
        )
    registry.check(asked, f"meta['tiers'] of {request}")
    return Plan(registry.applicable(asked, is_wiki=has_api), "request", 1.0)
