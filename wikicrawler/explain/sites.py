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
from wikicrawler.store.site_holds import find_hold, find_holds
from wikicrawler.store.sites import Site, TierChange, find_changes, find_site
from wikicrawler.store.slices import asked_text
from wikicrawler.store.turns import load_sites
from wikicrawler.urls.sites import host_of, site_of_host

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wikicrawler.store.database import Database
    from wikicrawler.store.site_holds import SiteHold

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
    """End of the pause because it blocked every tier; None if there is none now."""
    pause_reason: str | None
    """Of the last such pause, also one that is over."""
    risk_level: int
    """Pauses in a row without a page between."""
    held_until: datetime | None
    """End of the pause by an operator; None if there is none now."""
    held_by: str
    hold_reason: str
    tiers: tuple[TierShare, ...]
    """The most attempts first. A site with a budget of its own within a registered domain has
    none: attempts are counted by registered domain."""

    @property
    def is_paused(self) -> bool:
        return self.paused_until is not None or self.held_until is not None

    @property
    def success(self) -> float | None:
        """Share of the attempts of the last :data:`DAYS` days that brought a page."""
        total = sum(one.attempts for one in self.tiers)
        return sum(one.ok for one in self.tiers) / total if total else None


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
    last_sent: datetime | None
    """Time of the last request to it as the site of a watched source; None if there was none
    lately."""
    not_before: datetime | None
    """Time before which no crawl of watched sources sends the next request."""


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
        names = [one.site for one in found]
        used = tier_use(connection, names, _since(at))
        holds = find_holds(connection, names)
    lines = tuple(_line(one, used, holds.get(one.site), at) for one in found)
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
        hold = find_hold(connection, site)
        turn = load_sites(connection, [site]).get(site)
    if known is None and not used and not changes and hold is None and turn is None:
        return None
    known = known or Site(site, None, 0, sum(u.attempts for u in used), None, None)
    line = _line(known, used, hold, at)
    last = moment(at).date()
    return SiteView(
        line=line,
        first=last - timedelta(days=DAYS - 1),
        last=last,
        days=tuple(_day(one) for one in days),
        latencies=_histograms(times),
        changes=tuple(changes[-MAX_CHANGES:][::-1]),
        last_sent=moment(turn.last_at) if turn else None,
        not_before=moment(turn.not_before) if turn else None,
    )


def current_hold(database: Database, site: str, now: float | None = None) -> SiteHold | None:
    """Return the pause of *site* by an operator; None if there is none now.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return None
    with database.read() as connection:
        hold = find_hold(connection, asked_text(site))
    at = time() if now is None else now
    return hold if hold and (hold.held_until or 0.0) > at else None


def _since(at: float) -> float:
    return float((at // DAY - DAYS + 1) * DAY)


def _line(site: Site, used: Iterable[TierUse], hold: SiteHold | None, at: float) -> SiteLine:
    own = sorted((one for one in used if one.site == site.site), key=lambda one: -one.attempts)
    total = sum(one.attempts for one in own)
    is_paused = site.paused_until is not None and site.paused_until > at
    held_until = hold.held_until if hold else None
    return SiteLine(
        site=site.site,
        attempts=site.attempt_count,
        last_attempt=None if site.last_attempt_at is None else moment(site.last_attempt_at),
        paused_until=moment(site.paused_until) if is_paused and site.paused_until else None,
        pause_reason=site.reason,
        risk_level=site.risk_level,
        held_until=moment(held_until) if held_until and held_until > at else None,
        held_by=hold.changed_by if hold else "",
        hold_reason=hold.reason if hold else "",
        tiers=tuple(TierShare(u.tier, u.attempts, u.ok, u.attempts / total) for u in own),
    )


def _day(one: TierDayUse) -> DayTier:
    return DayTier(_EPOCH + timedelta(days=one.day), one.tier, one.attempts, one.ok, one.banned)


def _histograms(counts: Sequence[LatencyCount]) -> tuple[Histogram, ...]:
    found: dict[str, list[int]] = defaultdict(lambda: [0] * (len(LATENCY_LIMITS) + 1))
    for one in counts:
        found[one.tier][one.bucket] += one.attempts
    return tuple(Histogram(tier, tuple(numbers)) for tier, numbers in sorted(found.items()))
