"""Pauses, attempt counts and tier changes of sites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select, update

from wikicrawler.store.rows import IF_NEW, insert_rows
from wikicrawler.store.tables import sites, tier_changes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection


class Site(NamedTuple):
    """State of a site (a politeness budget). Times are seconds since the epoch."""

    site: str
    paused_until: float | None
    """End of the last pause, which may be in the past; None if never paused, or released."""
    risk_level: int
    """Number of pauses in a row without a page in between."""
    attempt_count: int
    last_attempt_at: float | None
    reason: str | None
    """Reason of the last pause."""


class SitePause(NamedTuple):
    """The start of a pause of a site, or its release."""

    at: float
    site: str
    paused_until: float | None
    """None for a release."""
    risk_level: int
    reason: str
    """Reason of the pause; not stored for a release."""


class TierChange(NamedTuple):
    """A change of a tier on a domain: from :attr:`at` on it works where it failed, or fails where
    it worked."""

    at: float
    registered_domain: str
    domain: str
    tier: str
    kept: float
    """Remaining weight of the earlier evidence, up to 1."""
    better: bool
    """True: it works now; False: it fails now."""


_COUNT = """
ON CONFLICT (site) DO UPDATE SET
    attempt_count = sites.attempt_count + excluded.attempt_count,
    last_attempt_at = CASE
        WHEN sites.last_attempt_at > excluded.last_attempt_at OR excluded.last_attempt_at IS NULL
        THEN sites.last_attempt_at ELSE excluded.last_attempt_at END
"""
_CHANGE = [tier_changes.c[name] for name in TierChange._fields]


def find_site(connection: Connection, site: str) -> Site | None:
    """Return the state of *site*, or None if there is none."""
    row = connection.execute(select(sites).where(sites.c.site == site)).first()
    return Site(*row) if row else None


def paused_sites(connection: Connection, now: float) -> list[Site]:
    """Return the sites whose pause ends after *now*, ordered by name."""
    query = select(sites).where(sites.c.paused_until > now).order_by(sites.c.site)
    return [Site(*row) for row in connection.execute(query)]


def all_sites(connection: Connection) -> list[Site]:
    """Return all sites, ordered by name."""
    return [Site(*row) for row in connection.execute(select(sites).order_by(sites.c.site))]


def find_changes(
    connection: Connection, *, domain: str | None = None, registered_domain: str | None = None
) -> list[TierChange]:
    """Return the tier changes of all domains, or of those given, in order of time."""
    query = select(*_CHANGE).order_by(tier_changes.c.at, tier_changes.c.run, tier_changes.c.seq)
    if domain is not None:
        query = query.where(tier_changes.c.domain == domain)
    if registered_domain is not None:
        query = query.where(tier_changes.c.registered_domain == registered_domain)
    return [TierChange(*row) for row in connection.execute(query)]


def note_sites(
    connection: Connection, asked: Iterable[tuple[str, float]], pauses: Sequence[SitePause]
) -> None:
    """Count the attempts *asked*, pairs of site and time, and write *pauses*."""
    counts: dict[str, tuple[int, float | None]] = {pause.site: (0, None) for pause in pauses}
    for site, at in asked:
        count, last = counts.get(site, (0, None))
        counts[site] = count + 1, at if last is None else max(last, at)
    # All rows at once and in order: else two crawls could wait for each other's.
    rows = [(site, None, 0, count, last, None) for site, (count, last) in sorted(counts.items())]
    insert_rows(connection, sites, rows, _COUNT)
    for pause in pauses:
        known: dict[str, Any] = {"paused_until": pause.paused_until, "risk_level": pause.risk_level}
        if pause.paused_until is not None:
            known["reason"] = pause.reason
        connection.execute(update(sites).where(sites.c.site == pause.site).values(known))


def add_changes(
    connection: Connection, run: int, numbered: Iterable[tuple[int, TierChange]]
) -> None:
    """Write tier changes of *run* with their numbers. One that exists already is not changed."""
    rows = [(run, seq, *change) for seq, change in numbered]
    insert_rows(connection, tier_changes, rows, IF_NEW)
