"""Sites by their politeness budgets, and their attempts by tier, day and latency."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Integer, case, cast, func, select

from wikicrawler.store.history import DAY
from wikicrawler.store.sites import Site
from wikicrawler.store.slices import asked_text, slices
from wikicrawler.store.tables import attempts, sites

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, Connection

ORDERS = ("site", "attempt_count", "last_attempt_at", "paused_until", "risk_level")


class TierUse(NamedTuple):
    """The attempts of a tier at a site since a moment."""

    site: str
    tier: str
    attempts: int
    ok: int


class TierDayUse(NamedTuple):
    """The attempts of a tier at a site on one day."""

    day: int
    """Days since 1970, in UTC."""
    tier: str
    attempts: int
    ok: int
    banned: int


class LatencyCount(NamedTuple):
    """The attempts of a tier at a site whose latency is in a bucket."""

    tier: str
    bucket: int
    attempts: int


def list_sites(
    connection: Connection,
    *,
    text: str = "",
    paused_at: float | None = None,
    order: str = "last_attempt_at",
    descending: bool = True,
    offset: int = 0,
    limit: int = 50,
) -> tuple[list[Site], int]:
    """Return sites, and the number of all that match.

    :param text: that the name contains, in any case of its letters
    :param paused_at: only sites that are paused then
    :param order: one of :data:`ORDERS`
    """
    conditions: list[ColumnElement[bool]] = []
    if text:
        conditions.append(sites.c.site.contains(asked_text(text).lower(), autoescape=True))
    if paused_at is not None:
        conditions.append(sites.c.paused_until > paused_at)
    total = connection.scalar(select(func.count()).select_from(sites).where(*conditions)) or 0
    column = sites.c[order]
    by = (column.desc() if descending else column.asc()).nulls_last()
    query = select(sites).where(*conditions).order_by(by, sites.c.site)
    rows = connection.execute(query.offset(offset).limit(limit)).all()
    return [Site(*row) for row in rows], total


def tier_use(connection: Connection, names: Collection[str], since: float) -> list[TierUse]:
    """Return the attempts since *since* (seconds since the epoch) at the registered domains
    *names*, by domain and tier."""
    own = attempts.c
    found = []
    for some in slices(names):
        query = select(
            own.registered_domain, own.tier, func.count(), func.sum(case((own.ok, 1), else_=0))
        ).where(own.registered_domain.in_(some), own.at >= since)
        query = query.group_by(own.registered_domain, own.tier)
        found += [TierUse(*row) for row in connection.execute(query).all()]
    return found


def tier_days(connection: Connection, site: str, since: float) -> list[TierDayUse]:
    """Return the attempts since *since* at the registered domain *site*, by day and tier."""
    own = attempts.c
    day = cast(func.floor(own.at / DAY), Integer).label("day")
    query = select(
        *(day, own.tier, func.count()),
        func.sum(case((own.ok, 1), else_=0)),
        func.sum(case((own.is_banned, 1), else_=0)),
    ).where(own.registered_domain == site, own.at >= since)
    rows = connection.execute(query.group_by(day, own.tier).order_by(day, own.tier)).all()
    return [TierDayUse(*row) for row in rows]


def latencies(
    connection: Connection, site: str, since: float, limits: Sequence[float]
) -> list[LatencyCount]:
    """Count the attempts since *since* at the registered domain *site* by tier and latency.

    :param limits: upper limits of the buckets in seconds, in order. The bucket of a latency is the
        number of limits that it reaches or exceeds
    """
    own = attempts.c
    cases = [(own.latency < limit, number) for number, limit in enumerate(limits)]
    bucket = case(*cases, else_=len(limits)).label("bucket")
    query = select(own.tier, bucket, func.count()).where(
        own.registered_domain == site, own.at >= since, own.latency.is_not(None)
    )
    rows = connection.execute(query.group_by(own.tier, bucket).order_by(own.tier, bucket)).all()
    return [LatencyCount(*row) for row in rows]
