"""Counts of the attempts at a site, by result."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Integer, cast, func, select

from wikicrawler.store.tables import attempts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

DAY = 86_400


class Count(NamedTuple):
    """Count of the attempts of one tier on one domain with the same reason on one day."""

    domain: str
    tier: str
    reason: str
    day: int
    """Days since 1970, in UTC."""
    number: int
    banned: int
    """Number of bans among them."""
    first: float
    last: float


def count_attempts(
    connection: Connection, *, domain: str | None = None, registered_domain: str | None = None
) -> Iterator[Count]:
    """Yield the counts of attempts on a domain, or on a whole registered domain, ordered by day,
    domain, tier and reason."""
    a = attempts.c
    alike = (cast(func.floor(a.at / DAY), Integer).label("day"), a.domain, a.tier, a.reason)
    query = select(
        *(a.domain, a.tier, a.reason, alike[0], func.count()),
        func.count().filter(a.is_banned),
        *(func.min(a.at), func.max(a.at)),
    )
    if domain is not None:
        query = query.where(a.domain == domain)
    if registered_domain is not None:
        query = query.where(a.registered_domain == registered_domain)
    for row in connection.execute(query.group_by(*alike).order_by(*alike)):
        yield Count(*row)
