"""The turns in which processes send requests to the sites of watched sources."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, select, text, tuple_, update

from wikicrawler.store.rows import insert_rows
from wikicrawler.store.tables import site_turns, transfers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from sqlalchemy import Connection

_LOCK = 0x77696B74  # of PostgreSQL's advisory locks; another than those of other modules


class SiteTurn(NamedTuple):
    """A site. The columns of ``site_turns`` describe the fields."""

    site: str
    last_at: float
    not_before: float


class Transfer(NamedTuple):
    """A request under way. The columns of ``transfers`` describe the fields."""

    owner: str
    number: int
    site: str
    started: bool
    leased_until: float


_SAVE_SITE = """
ON CONFLICT (site) DO UPDATE SET last_at = excluded.last_at, not_before = excluded.not_before
"""
_SAVE_TRANSFER = """
ON CONFLICT (owner, number) DO UPDATE SET
    started = excluded.started, leased_until = excluded.leased_until
"""


def lock_turns(connection: Connection) -> None:
    """Let one process at a time take turns, until the end of the transaction."""
    if connection.dialect.name != "sqlite":  # whose writers exclude each other
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})


def shared_time(connection: Connection) -> float:
    """Return the time by the one clock of all processes, in seconds since the epoch."""
    if connection.dialect.name == "sqlite":  # all processes are on this machine
        return time()
    now = connection.scalar(text("SELECT extract(epoch FROM clock_timestamp())"))
    return float(now or 0)


def load_transfers(connection: Connection) -> list[Transfer]:
    """Return the requests under way, of all processes."""
    return [Transfer(*row) for row in connection.execute(select(transfers))]


def save_transfers(connection: Connection, changed: Iterable[Transfer]) -> None:
    """Store requests under way in place of what was known of them."""
    insert_rows(connection, transfers, [tuple(one) for one in changed], _SAVE_TRANSFER)


def delete_transfers(connection: Connection, ended: Collection[Transfer]) -> None:
    """Forget requests that are under way no more."""
    if ended:
        key = tuple_(transfers.c.owner, transfers.c.number)
        keys = [(one.owner, one.number) for one in ended]
        connection.execute(delete(transfers).where(key.in_(keys)))


def renew_transfers(connection: Connection, owner: str, until: float) -> None:
    """Keep the requests of *owner* until *until*."""
    statement = update(transfers).where(transfers.c.owner == owner)
    connection.execute(statement.values(leased_until=until))


def load_sites(connection: Connection, names: Collection[str]) -> dict[str, SiteTurn]:
    """Return what is known of the sites *names*, by name."""
    query = select(site_turns).where(site_turns.c.site.in_(sorted(names)))
    return {row.site: SiteTurn(*row) for row in connection.execute(query)}


def save_sites(connection: Connection, sites: Iterable[SiteTurn]) -> None:
    """Store *sites* in place of what was known of them."""
    insert_rows(connection, site_turns, [tuple(one) for one in sorted(sites)], _SAVE_SITE)


def forget_sites(connection: Connection, before: float) -> None:
    """Forget the sites that could be asked again before *before*."""
    is_old = (site_turns.c.last_at < before) & (site_turns.c.not_before < before)
    connection.execute(delete(site_turns).where(is_old))
