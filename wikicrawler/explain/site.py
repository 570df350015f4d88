"""What became of a site's attempts: by tier and reason, by day, by host; its changes and pauses."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikicrawler.explain.page import budget_of, moment
from wikicrawler.learning.model.outcomes import OK
from wikicrawler.store.history import DAY, count_attempts
from wikicrawler.store.sites import find_changes
from wikicrawler.urls.sites import host_of, site_of_host

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime
    from typing import Self

    from sqlalchemy import Connection

    from wikicrawler.config import Config
    from wikicrawler.explain.facts import Budget
    from wikicrawler.store.history import Count


@dataclass(frozen=True, slots=True)
class Totals:
    """Attempts, and how many of them brought their page, were bans, or failed otherwise."""

    attempts: int
    ok: int
    failed: int
    banned: int
    first: datetime
    last: datetime

    @classmethod
    def of(cls, counts: Sequence[Count]) -> Self:
        """The totals of *counts*, of which there is at least one."""
        number = sum(count.number for count in counts)
        ok = sum(count.number for count in counts if count.reason == OK)
        banned = sum(count.banned for count in counts)
        return cls(
            attempts=number,
            ok=ok,
            failed=number - ok - banned,
            banned=banned,
            first=moment(min(count.first for count in counts)),
            last=moment(max(count.last for count in counts)),
        )


@dataclass(frozen=True, slots=True)
class TierReason:
    """The attempts of a tier that ended alike."""

    tier: str
    reason: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class TierDay:
    """The attempts of a tier on a day."""

    day: datetime
    """Its first moment, in UTC."""
    tier: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class HostTotals:
    """The attempts on a host."""

    host: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """From then on a tier has done on a domain what it did not do before."""

    at: datetime
    domain: str
    tier: str
    better: bool
    """It works, where it failed; else it fails, where it worked."""
    kept: float
    """What weight is left to what was seen before, 1 being all."""


@dataclass(frozen=True, slots=True)
class SiteHistory:
    """What is known of a host, or of a registered domain with all its hosts."""

    site: str
    is_registered_domain: bool
    at: datetime
    totals: Totals | None
    """None where there were no attempts."""
    reasons: tuple[TierReason, ...]
    days: tuple[TierDay, ...]
    hosts: tuple[HostTotals, ...]
    """The one with the most attempts first."""
    changes: tuple[ChangeEvent, ...]
    """In the order of time."""
    budgets: tuple[Budget, ...]
    """The politeness budgets of its hosts, of which anything is known: their pauses."""

    @property
    def is_known(self) -> bool:
        """Whether anything was ever recorded of it."""
        return bool(self.totals or self.changes or self.budgets)


def history_of(connection: Connection, config: Config, host: str, at: float) -> SiteHistory:
    """What is known of *host*, a host name without port or a registered domain."""
    whole = site_of_host(host) == host
    where = {"registered_domain" if whole else "domain": host}
    counts = list(count_attempts(connection, **where))
    hosts = [HostTotals(domain, totals) for domain, totals in _by(counts, lambda c: c.domain)]
    names = _budgets(config, {host, *(one.host for one in hosts)})
    budgets = [budget_of(connection, name, at) for name in sorted(names)]
    return SiteHistory(
        site=host,
        is_registered_domain=whole,
        at=moment(at),
        totals=Totals.of(counts) if counts else None,
        reasons=tuple(
            TierReason(tier, reason, totals)
            for (tier, reason), totals in _by(counts, lambda c: (c.tier, c.reason))
        ),
        days=tuple(
            TierDay(moment(day * DAY), tier, totals)
            for (day, tier), totals in _by(counts, lambda c: (c.day, c.tier))
        ),
        hosts=tuple(sorted(hosts, key=lambda one: -one.totals.attempts)),
        changes=tuple(
            ChangeEvent(moment(one.at), one.domain, one.tier, one.better, one.kept)
            for one in find_changes(connection, **where)
        ),
        budgets=tuple(one for one in budgets if one.is_known),
    )


def _budgets(config: Config, hosts: set[str]) -> set[str]:
    """The names of the budgets that pages on *hosts* are charged to, at whatever port."""
    named = {config.budget_of(f"https://{f'[{host}]' if ':' in host else host}/") for host in hosts}
    return named | {
        key
        for key, domain in config.domains.items()
        if domain.own_budget and host_of(f"https://{key}/") in hosts
    }


def _by(counts: Iterable[Count], key: Callable[[Count], Any]) -> list[tuple[Any, Totals]]:
    """The totals of *counts* by that *key*, in its order."""
    groups = defaultdict(list)
    for count in counts:
        groups[key(count)].append(count)
    return [(found, Totals.of(groups[found])) for found in sorted(groups)]
