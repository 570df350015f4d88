"""Attempts weighted by age, summed and grouped by the database, for who learns from them.

The weights are those of one moment, so summing them in the database is as exact as adding the
attempts one by one, and a million attempts arrive as their groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, case, func, literal, or_, select

from wikicrawler.store.tables import attempts, tier_changes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlalchemy import ColumnElement, Connection, Select

_AT_ONCE = 1000  # rows
_GROUPED = ("tier", "domain", "registered_domain", "suffix", "shape", "wiki")


class Endings(NamedTuple):
    """Ways in which an attempt may have ended."""

    final: Collection[str]
    """Reasons, of attempts whose reason is true of the page itself."""
    other: Collection[str]
    """Reasons, of all other attempts."""


class Counted(NamedTuple):
    """Which attempts count, and as what. All others are left out."""

    successes: Endings
    failures: Endings
    """The bans among them."""
    bans: Endings
    harmless: Collection[str]
    """Names of the tiers whose blocks are not bans."""

    @property
    def all(self) -> Endings:
        """The endings of attempts that count."""
        won, lost = self.successes, self.failures
        return Endings([*won.final, *lost.final], [*won.other, *lost.other])


class AttemptSum(NamedTuple):
    """The weighted attempts of a tier that have all of these columns in common."""

    tier: str
    domain: str
    registered_domain: str
    suffix: str
    shape: str
    wiki: str
    later_changes: int
    """How many changes of the tier on the domain were recorded after them."""
    successes: float
    failures: float
    """The bans among them."""
    bans: float
    last: float
    """When the latest of them was made, in seconds since the epoch."""


class AttemptHour(NamedTuple):
    """The attempts of a tier on a domain, at paths of one shape, within an hour."""

    tier: str
    domain: str
    shape: str
    hour: int
    """Hours since the epoch."""
    successes: int
    failures: int
    """The bans among them."""
    bans: int


class RecentAttempt(NamedTuple):
    """One of the latest attempts of a tier on a domain."""

    tier: str
    domain: str
    at: float
    """Seconds since the epoch."""
    ok: bool
    """Whether it counts as a success."""
    expected: float | None
    """P(success) as believed before it; None where nothing was."""


def sum_attempts(
    connection: Connection,
    counted: Counted,
    *,
    now: float,
    half_life: float,
    longest: float,
    has_changes: bool = True,
) -> Iterator[AttemptSum]:
    """Sum the attempts of the last *longest* seconds until *now* (seconds since the epoch).

    An attempt weighs ``2 ** -(age / half_life)``, both in seconds. The group with the latest
    attempt comes first. Without *has_changes* the recorded changes are not looked at, and
    ``later_changes`` is 0.
    """
    at = attempts.c.at
    weight = func.power(2.0, (at - now) / half_life)
    later_changes = _later_changes(now) if has_changes else literal(0)
    key = [*(attempts.c[name] for name in _GROUPED), later_changes]
    sums = (func.sum(case((counts, weight), else_=0.0)) for counts in _counted_as(counted))
    query = (
        select(*key, *sums, func.max(at))
        .where(at > now - longest, at <= now, _ended(counted.all))
        .group_by(*key)
        .order_by(func.max(at).desc())
    )
    for row in _rows(connection, query):
        yield AttemptSum(*row)


def recent_hours(
    connection: Connection, counted: Counted, *, now: float, longest: float, number: int
) -> Iterator[AttemptHour]:
    """Count the attempts of each tier at each shape of a domain's paths by the hour, in the last
    *number* hours with attempts that count.

    They are of the last *longest* seconds until *now* (seconds since the epoch). Those of one shape
    come together, in the order of time; those with the latest hour come first.
    """
    at, kind = attempts.c.at, (attempts.c.tier, attempts.c.domain, attempts.c.shape)
    hour = func.floor(at / 3600.0).label("hour")
    sums = (func.sum(case((counts, 1), else_=0)) for counts in _counted_as(counted))
    hours = (
        select(*kind, hour, *sums)
        .where(at > now - longest, at <= now, _ended(counted.all))
        .group_by(*kind, hour)
        .subquery()
    )
    own = (hours.c.tier, hours.c.domain, hours.c.shape)
    nth = func.row_number().over(partition_by=own, order_by=hours.c.hour.desc())
    latest = func.max(hours.c.hour).over(partition_by=own)
    last = select(hours, nth.label("nth"), latest.label("latest")).subquery()
    query = (
        select(*list(last.c)[:-2])
        .where(last.c.nth <= number)
        .order_by(last.c.latest.desc(), last.c.tier, last.c.domain, last.c.shape, last.c.hour)
    )
    for tier, domain, shape, hour_, *counts in _rows(connection, query):
        yield AttemptHour(tier, domain, shape, int(hour_), *map(int, counts))


def recent_attempts(
    connection: Connection, counted: Counted, *, now: float, longest: float, number: int
) -> Iterator[RecentAttempt]:
    """Find the latest attempts of each tier on each domain that count, at most *number* of each.

    They are of the last *longest* seconds until *now* (seconds since the epoch). They come by tier
    and domain, those of one tier on one domain in the order of time.
    """
    at, tier, domain = attempts.c.at, attempts.c.tier, attempts.c.domain
    newest_first = (at.desc(), attempts.c.run.desc(), attempts.c.seq.desc())
    nth = func.row_number().over(partition_by=(tier, domain), order_by=newest_first).label("nth")
    ok = _ended(counted.successes).label("ok")
    last = (
        select(tier, domain, at, ok, attempts.c.expected, nth)
        .where(at > now - longest, at <= now, _ended(counted.all))
        .subquery()
    )
    query = (
        select(*list(last.c)[:-1])
        .where(last.c.nth <= number)
        .order_by(last.c.tier, last.c.domain, last.c.nth.desc())
    )
    for row in _rows(connection, query):
        yield RecentAttempt(*row)


def _later_changes(now: float) -> ColumnElement[int]:
    own = tier_changes.c
    of_attempt = (own.domain == attempts.c.domain, own.tier == attempts.c.tier)
    later = select(func.count()).where(*of_attempt, own.at > attempts.c.at, own.at <= now)
    return later.scalar_subquery()


def _counted_as(counted: Counted) -> tuple[ColumnElement[bool], ...]:
    """Whether an attempt is a success, a failure, a ban."""
    is_ban = and_(_ended(counted.bans), attempts.c.tier.not_in(counted.harmless))
    return _ended(counted.successes), _ended(counted.failures), is_ban


def _ended(endings: Endings) -> ColumnElement[bool]:
    final = attempts.c.final
    return or_(
        and_(final.is_(False), attempts.c.reason.in_(endings.other)),
        and_(final.is_(True), attempts.c.reason.in_(endings.final)),
    )


def _rows(connection: Connection, query: Select[Any]) -> Iterator[tuple[Any, ...]]:
    return map(tuple, connection.execute(query.execution_options(yield_per=_AT_ONCE)))
