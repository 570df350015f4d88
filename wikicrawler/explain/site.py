"""The history of a site: attempts by tier and reason, by day and by host; changes and pauses."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wikicrawler.explain.page import moment, read_budget
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
    from wikicrawler.explain.facts import ExplainedBudget
    from wikicrawler.store.history import Count


@dataclass(frozen=True, slots=True)
class Totals:
    """Number of attempts, of successes, of bans and of other failures."""

    attempts: int
    ok: int
    failed: int
    banned: int
    first: datetime
    last: datetime

    @classmethod
    def of(cls, counts: Sequence[Count]) -> Self:
        """Return the totals of *counts*, which must not be empty."""
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
    """The attempts of a tier with the same reason."""

    tier: str
    reason: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class TierDay:
    """The attempts of a tier on one day."""

    day: datetime
    """Midnight at the start of the day, in UTC."""
    tier: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class HostTotals:
    """The attempts on a host."""

    host: str
    totals: Totals


@dataclass(frozen=True, slots=True)
class ChangeEvent:
    """A change of a tier's success on a domain."""

    at: datetime
    domain: str
    tier: str
    better: bool
    """True if the tier works since then, False if it fails."""
    kept: float
    """Factor for the weight of earlier attempts, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class SiteHistory:
    """The history of a host, or of a registered domain with all its hosts."""

    site: str
    is_registered_domain: bool
    at: datetime
    totals: Totals | None
    """None without attempts."""
    reasons: tuple[TierReason, ...]
    days: tuple[TierDay, ...]
    hosts: tuple[HostTotals, ...]
    """By decreasing number of attempts."""
    changes: tuple[ChangeEvent, ...]
    """In order of time."""
    budgets: tuple[ExplainedBudget, ...]
    """The recorded politeness budgets of its hosts, with their pauses."""

    @property
    def is_known(self) -> bool:
        """True if the database has a record of it."""
        return bool(self.totals or self.changes or self.budgets)


def history_of(connection: Connection, config: Config, host: str, at: float) -> SiteHistory:
    """Return the history of *host*, a host name without port or a registered domain."""
    whole = site_of_host(host) == host
    where = {"registered_domain" if whole else "domain": host}
    counts = list(count_attempts(connection, **where))
    hosts = [HostTotals(domain, totals) for domain, totals in _by(counts, lambda c: c.domain)]
    names = _budgets(config, {host, *(one.host for one in hosts)})
    budgets = [read_budget(connection, name, at) for name in sorted(names)]
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
    """Return the names of the budgets for pages on *hosts*, at any port."""
    named = {config.budget_of(f"https://{f'[{host}]' if ':' in host else host}/") for host in hosts}
    return named | {
        key
        for key, domain in config.domains.items()
        if domain.own_budget and host_of(f"https://{key}/") in hosts
    }


def _by(counts: Iterable[Count], key: Callable[[Count], Any]) -> list[tuple[Any, Totals]]:
    """Return the totals of *counts*, grouped and sorted by *key*."""
    groups = defaultdict(list)
    for count in counts:
        groups[key(count)].append(count)
    return [(found, Totals.of(groups[found])) for found in sorted(groups)]
