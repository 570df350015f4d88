"""What other crawls record while this one runs: their attempts and changes since the last look.

Each crawl numbers its records in the order in which it writes them, so a look finds the new ones of
each crawl by the primary key, however many there are. Their times would not do: a crawl may write
its records late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func, not_, or_, select

from wikicrawler.store.sites import TierChange
from wikicrawler.store.tables import attempts, runs, tier_changes

if TYPE_CHECKING:
    from sqlalchemy import Connection, Select, Table

_ENDED_LATELY = 3600.0
"""Seconds for which a crawl is looked at that has ended: clocks differ, and a look may fail."""
_RUNS = 200
"""Crawls that are looked at, the latest ones."""


class OtherAttempt(NamedTuple):
    """An attempt of another crawl, as evidence."""

    at: float
    """Seconds since the epoch."""
    domain: str
    registered_domain: str
    suffix: str
    shape: str
    wiki: str
    tier: str
    reason: str
    final: bool


class News(NamedTuple):
    """What was recorded since the last look, of each crawl in its order."""

    attempts: list[OtherAttempt]
    changes: list[TierChange]
    is_all: bool
    """False: there is more."""


_ATTEMPT = [attempts.c[name] for name in OtherAttempt._fields]
_CHANGE = [tier_changes.c[name] for name in TierChange._fields]


class OtherRuns:
    """The records of other crawls, from :meth:`begin` on. *own* is the number of this crawl."""

    def __init__(self) -> None:
        self.own: int | None = None
        self._seen: dict[tuple[str, int], int] = {}  # number of the last record, by table and run

    def begin(self, connection: Connection, now: float) -> None:
        """Take all that is recorded as seen; *now* in seconds since the epoch."""
        for table in (attempts, tier_changes):
            last = select(table.c.run, func.max(table.c.seq))
            last = last.where(table.c.run.in_(_running(now))).group_by(table.c.run)
            for run, seq in connection.execute(last):
                self._seen[table.name, run] = seq

    def news(self, connection: Connection, now: float, most: int) -> News:
        """Return what was recorded since the last call, at most *most* attempts."""
        found: list[OtherAttempt] = []
        changes: list[TierChange] = []
        for run in self._runs(connection, now):
            # Changes first: of what is written later the next look has the rest.
            query = select(tier_changes.c.seq, *_CHANGE).where(
                tier_changes.c.run == run, tier_changes.c.seq > self._last(tier_changes, run)
            )
            for seq, *change in connection.execute(query.order_by(tier_changes.c.seq)):
                self._seen[tier_changes.name, run] = seq
                changes.append(TierChange(*change))
            if len(found) >= most:
                continue
            query = select(attempts.c.seq, *_ATTEMPT).where(
                attempts.c.run == run, attempts.c.seq > self._last(attempts, run)
            )
            query = query.order_by(attempts.c.seq).limit(most - len(found))
            for seq, *attempt in connection.execute(query):
                self._seen[attempts.name, run] = seq
                found.append(OtherAttempt(*attempt))
        return News(found, changes, len(found) < most)

    def _last(self, table: Table, run: int) -> int:
        return self._seen.get((table.name, run), 0)

    def _runs(self, connection: Connection, now: float) -> list[int]:
        """Return the crawls to look at."""
        query = _running(now).order_by(runs.c.run.desc()).limit(_RUNS)
        return [run for run in connection.scalars(query) if run != self.own]


def _running(now: float) -> Select[Any]:
    has_ended = runs.c.ended <= now - _ENDED_LATELY
    return select(runs.c.run).where(or_(runs.c.ended.is_(None), not_(has_ended)))
