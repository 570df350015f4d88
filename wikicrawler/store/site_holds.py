"""Sites that an operator pauses and releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.tables import site_holds, sites

if TYPE_CHECKING:
    from sqlalchemy import Connection


class SiteHold(NamedTuple):
    """What an operator did last with a site. Times are seconds since the epoch."""

    site: str
    changed_at: float
    changed_by: str
    held_until: float | None
    """End of the pause, which may be in the past; None if the site was released."""
    reason: str


_COLUMNS = [site_holds.c[name] for name in SiteHold._fields]


def save_hold(connection: Connection, hold: SiteHold) -> None:
    """Store *hold* in place of what was done with the site before. A release also ends the pause
    that crawls have recorded of the site."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(site_holds).values(**hold._asdict())
    changed = {name: statement.excluded[name] for name in SiteHold._fields if name != "site"}
    connection.execute(statement.on_conflict_do_update(index_elements=["site"], set_=changed))
    if hold.held_until is None:
        known = update(sites).where(sites.c.site == hold.site)
        connection.execute(known.values(paused_until=None, risk_level=0))


def find_hold(connection: Connection, site: str) -> SiteHold | None:
    """Return what an operator did last with *site*, or None."""
    row = connection.execute(select(*_COLUMNS).where(site_holds.c.site == site)).first()
    return SiteHold(*row) if row else None


def current_holds(connection: Connection, now: float, since: float) -> list[SiteHold]:
    """Return the pauses that end after *now*, and the releases after *since*, by site."""
    is_current = (site_holds.c.held_until > now) | (
        site_holds.c.held_until.is_(None) & (site_holds.c.changed_at >= since)
    )
    query = select(*_COLUMNS).where(is_current).order_by(site_holds.c.site)
    return [SiteHold(*row) for row in connection.execute(query)]


def all_holds(connection: Connection) -> list[SiteHold]:
    """Return what an operator did last with each site, by site."""
    query = select(*_COLUMNS).order_by(site_holds.c.site)
    return [SiteHold(*row) for row in connection.execute(query)]
