"""Response times in the audit log, by their sums."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, func, select

from wikicrawler.store.audit_sums import (
    in_period,
    middle_of,
    of_source,
    source_key,
    whole_period,
)
from wikicrawler.store.audit_tables import audit_times

if TYPE_CHECKING:
    from datetime import date

    from sqlalchemy import Connection


def response_times(
    connection: Connection,
    first: date | None = None,
    last: date | None = None,
    *,
    source: str | None = None,
    engine: str | None = None,
) -> list[tuple[float, int]]:
    """Return response times in milliseconds, each within 5 % of the exact ones, in ascending order,
    with the numbers of operations that had them, from the day *first* to *last*."""
    period = whole_period(connection, first, last)
    if period is None:
        return []
    own = audit_times.c
    query = select(own.bucket, func.sum(own.count).cast(BigInteger)).where(
        of_source(audit_times, "all", source_key(source) if source is not None else None),
        in_period(audit_times, *period, days_only=False),
    )
    if engine is not None:
        query = query.where(own.engine == engine)
    rows = connection.execute(query.group_by(own.bucket).order_by(own.bucket)).all()
    return [(middle_of(bucket), int(count)) for bucket, count in rows]
