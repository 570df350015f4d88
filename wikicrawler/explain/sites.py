"""The sites that were crawled, in a table; and one site in time."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from time import time
from typing import TYPE_CHECKING

from wikicrawler.explain.page import moment
from wikicrawler.store.history import DAY
from wikicrawler.store.site_figures import (
    ORDERS,
    LatencyCount,
    TierDayUse,
    TierUse,
    latencies,
    list_sites,
    tier_days,
    tier_use,
)
from wikicrawler.store.sites import Site, TierChange, find_changes, find_site
from wikicrawler.store.slices import asked_text
from wikicrawler.urls.sites import host_of, site_of_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikicrawler.store.database import Database

PAGE = 50
DAYS = 90
"""Days of attempts that are counted."""
MAX_TEXT = 200
MAX_PAGE = 1_000_000
LATENCY_LIMITS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Upper limits of the bars of the histogram in seconds; the last bar has what reaches the last."""
MAX_CHANGES = 500
"""The last changes of tiers that are shown."""
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class TierShare:
    """A tier's part in the attempts of the last :data:`DAYS` days."""

    tier: str
    attempts: int
    ok: int
    share: float
    """Of the attempts of all tiers, 0 to 1."""

    @property
    def success(self) -> float:
        """Share of its attempts that brought a page."""
        return self.ok / self.attempts


@dataclass(frozen=True, slots=True)
class SiteLine:
    """A site (a politeness budget)."""

    site: str
    attempts: int
    """All that were ever recorded."""
    last_attempt: datetime | None
    paused_until: datetime | None
    """None if it is not paused now."""
    pause_reason: str | None
    """Of the last pause, also one that is over."""
    risk_level: int
    """Pauses in a row without a page between."""
    tiers: tuple[TierShare, ...]
    """The most attempts first. A site with a budget of its own within a registered domain has
    none: attempts are counted by registered domain."""


@dataclass(frozen=True, slots=True)
class SitesPage:
    """A page of the table."""

    lines: tuple[SiteLine, ...]
    page: int
    pages: int
    matching: int
    at: datetime


@dataclass(frozen=True, slots=True)
class DayTier:
    """The attempts of a tier on a day."""

    day: date
    """In UTC."""
    tier: str
    attempts: int
    ok: int
    banned: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """The latencies of a tier: :attr:`counts` has one more number than :data:`LATENCY_LIMITS`."""

    tier: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SiteView:
    """One site in time."""

    line: SiteLine
    first: date
    """The first of the :data:`DAYS` days."""
    last: date
    days: tuple[DayTier, ...]
    """Only days with attempts, in order."""
    latencies: tuple[Histogram, ...]
    changes: tuple[TierChange, ...]
    """The last first, at most :data:`MAX_CHANGES`."""


def sites_page(
    database: Database,
    *,
    text: str = "",
    only_paused: bool = False,
    order: str = "last_attempt_at",
    descending: bool = True,
    page: int = 1,
    size: int = PAGE,
    now: float | None = None,
) -> SitesPage:
    """Return sites.

    :param text: a part of the name
    :param order: one of :data:`~wikicrawler.store.site_figures.ORDERS`
    :raises ValueError: there is no such order
    :raises StoreError: the database is unavailable
    """
    if order not in ORDERS:
        raise ValueError(f"{order[:40]!r} is no order of sites (expected {', '.join(ORDERS)})")
    at = time() if now is None else now
    if not database.has_tables():
        return SitesPage((), 1, 1, 0, moment(at))
    number = min(max(1, page), MAX_PAGE)
    with database.read() as connection:
        while True:
            found, total = list_sites(
                connection,
                text=text[:MAX_TEXT],
                paused_at=at if only_paused else None,
                order=order,
                descending=descending,
                offset=(number - 1) * size,
                limit=size,
            )
            pages = max(1, -(-total // size))
            if number <= pages:
                break
            number = pages
        used = tier_use(connection, [one.site for one in found], _since(at))
    lines = tuple(_line(one, used, at) for one in found)
    return SitesPage(lines, number, pages, total, moment(at))


def site_view(database: Database, site: str, now: float | None = None) -> SiteView | None:
    """Return one site; None if nothing is recorded about it.

    :param site: name of a budget: a registered domain, or a host
    :raises StoreError: the database is unavailable
    """
    at = time() if now is None else now
    if not database.has_tables():
        return None
    site = asked_text(site)
    with database.read() as connection:
        known = find_site(connection, site)
        since = _since(at)
        name = site_of_host(host_of(f"https://{site}/"))
        used = tier_use(connection, [site], since)
        days = tier_days(connection, site, since)
        times = latencies(connection, site, since, LATENCY_LIMITS)
        changes = find_changes(connection, registered_domain=name)
    if known is None and not used and not changes:
        return None
    line = _line(known or Site(site, None, 0, sum(u.attempts for u in used), None, None), used, at)
    last = moment(at).date()
    return SiteView(
        line=line,
        first=last - timedelta(days=DAYS - 1),
        last=last,
        days=tuple(_day(one) for one in days),
        latencies=_histograms(times),
        changes=tuple(changes[-MAX_CHANGES:][::-1]),
    )


def _since(at: float) -> float:
    return float((at // DAY - DAYS + 1) * DAY)


def _line(site: Site, used: Iterable[TierUse], at: float) -> SiteLine:
    own = sorted((one for one in used if one.site == site.site), key=lambda one: -one.attempts)
    total = sum(one.attempts for one in own)
    is_paused = site.paused_until is not None and site.paused_until > at
    return SiteLine(
        site=site.site,
        attempts=site.attempt_count,
        last_attempt=None if site.last_attempt_at is None else moment(site.last_attempt_at),
        paused_until=moment(site.paused_until) if is_paused and site.paused_until else None,
        pause_reason=site.reason,
        risk_level=site.risk_level,
        tiers=tuple(TierShare(u.tier, u.attempts, u.ok, u.attempts / total) for u in own),
    )


def _day(one: TierDayUse) -> DayTier:
    return DayTier(_EPOCH + timedelta(days=one.day), one.tier, one.attempts, one.ok, one.banned)


def _histograms(counts: Sequence[LatencyCount]) -> tuple[Histogram, ...]:
    found: dict[str, list[int]] = defaultdict(lambda: [0] * (len(LATENCY_LIMITS) + 1))
    for one in counts:
        found[one.tier][one.bucket] += one.attempts
    return tuple(Histogram(tier, tuple(numbers)) for tier, numbers in sorted(found.items()))
