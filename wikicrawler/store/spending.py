"""Credits that the services behind tiers charged, by service and calendar month."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.tables import spending

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Spending(NamedTuple):
    """A service's credits in a month. The columns of ``spending`` describe the fields."""

    service: str
    month: str
    credits: float
    requests: int
    first_at: float
    last_at: float


_COLUMNS = [spending.c[name] for name in Spending._fields]


def reserve_credits(
    connection: Connection,
    service: str,
    month: str,
    price: float,
    *,
    now: float,
    limit: float | None = None,
) -> Spending | None:
    """Add a request that costs *price* credits, before it is sent.

    Return None, without a change, if that would exceed *limit*. It is one statement, so processes
    that use the last credits at the same time cannot both get them.
    """
    if limit is not None and price > limit:
        return None
    insert = sqlite.insert if connection.dialect.name == "sqlite" else postgresql.insert
    row = Spending(service, month, price, 1, now, now)
    total = spending.c.credits + price
    statement = (
        insert(spending)
        .values(**row._asdict())
        .on_conflict_do_update(
            index_elements=[spending.c.service, spending.c.month],
            set_={"credits": total, "requests": spending.c.requests + 1, "last_at": now},
            where=None if limit is None else total <= limit,
        )
        .returning(*_COLUMNS)
    )
    found = connection.execute(statement).first()
    return Spending(*found) if found else None


def settle_credits(
    connection: Connection, service: str, month: str, difference: float
) -> Spending | None:
    """Add *difference* to the credits of a month: what requests cost beyond their price."""
    mine = (spending.c.service == service) & (spending.c.month == month)
    statement = update(spending).where(mine).values(credits=spending.c.credits + difference)
    found = connection.execute(statement.returning(*_COLUMNS)).first()
    return Spending(*found) if found else None


def list_spending(connection: Connection, month: str = "") -> list[Spending]:
    """Return what the services charged, the last month first; only that of *month* if given."""
    query = select(*_COLUMNS).order_by(spending.c.month.desc(), spending.c.service)
    if month:
        query = query.where(spending.c.month == month)
    return [Spending(*row) for row in connection.execute(query)]
