"""Reads what was learned back from the database: sums and suspicions as if every attempt that is
stored had been learned from one by one.

The attempts are weighed and grouped by the database, which is as exact as one by one: weights are
those of one moment, and no attempt counts that is so old that its weight lies below 2^-12, about a
year. So a million attempts come as their groups, and Python's lock is free meanwhile.
"""

from __future__ import annotations

from itertools import groupby
from math import prod
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, case, func, literal, or_, select

from wikicrawler.errors import Reason
from wikicrawler.learning.model.evidence import Evidence, Group, TestedAttempt
from wikicrawler.learning.model.features import Features
from wikicrawler.learning.model.outcomes import OK, Outcome, outcome_of
from wikicrawler.learning.model.sums import HALF_LIFE, Sums
from wikicrawler.store.sites import find_changes
from wikicrawler.store.tables import attempts, tier_changes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from sqlalchemy import ColumnElement, Connection, Select

    from wikicrawler.store.database import Database
    from wikicrawler.store.sites import TierChange

HALF_LIVES = 12
"""After so many an attempt is left out."""
LAST = 40
"""Attempts of a tier on a domain by which it is suspected to have changed."""
SUSPICIOUS_FOR = 60 * 86_400.0
"""Seconds for which an attempt counts there."""

_AT_ONCE = 1000  # rows
_Changes = dict[tuple[str, str], list["TierChange"]]  # by tier and domain
_Any = tuple[Any, ...]


def read_evidence(database: Database, now: float, harmless: Collection[str] = ()) -> Evidence:
    """What the attempts until *now* (seconds since the epoch) have taught; nothing where there is
    no database yet, and none is made.

    The same as if :meth:`~wikicrawler.learning.model.learner.Learner.record` had seen them all and
    the stored changes had been reported. Domains that were not used for long are left out if
    :data:`~wikicrawler.learning.model.evidence.MAX_BUCKETS` is reached. Takes seconds for a million
    attempts: not to be called in the event loop's thread.

    :param harmless: names of the tiers of which a block is no ban

    :raises StoreError: the database cannot be used
    """
    if not database.has_tables():
        return Evidence()
    with database.read() as connection:
        changes: _Changes = {}
        for change in find_changes(connection):
            if change.at <= now:
                changes.setdefault((change.tier, change.domain), []).append(change)
        evidence = Evidence.of_groups(_groups(connection, changes, harmless, now), now)
        for tier, domain, tried in _last_tried(connection, changes, now):
            evidence.resume_change_test(tier, domain, tried, now)
    return evidence


def _groups(
    connection: Connection, changes: _Changes, harmless: Collection[str], now: float
) -> Iterator[Group]:
    """The attempts that have all heuristics in common, and the number of changes since; the groups
    that were added to last come first."""
    at = attempts.c.at
    weight = func.power(2.0, (at - now) / HALF_LIFE)
    key = [attempts.c.tier, *(attempts.c[name] for name in _GROUPED), _era(changes, now)]
    is_ban = and_(_ended({Outcome.BAN}), attempts.c.tier.not_in(harmless))
    counted_as = (_ended({Outcome.SUCCESS}), _ended({Outcome.FAILURE, Outcome.BAN}), is_ban)
    sums = (func.sum(case((counts, weight), else_=0.0)) for counts in counted_as)
    query = (
        select(*key, *sums)
        .where(at > now - HALF_LIVES * HALF_LIFE, at <= now, _ended(_EVIDENCE))
        .group_by(*key)
        .order_by(func.max(at).desc())
    )
    for tier, domain, site, suffix, shape, wiki, era, *counted in _rows(connection, query):
        features = Features(domain, site, suffix, shape, "", wiki, "")
        kept = prod(change.kept for change in changes[tier, domain][-era:]) if era else 1.0
        yield Group(features, tier, Sums(*counted), kept)


def _last_tried(
    connection: Connection, changes: _Changes, now: float
) -> Iterator[tuple[str, str, list[TestedAttempt]]]:
    """Of each tier on each domain the last attempts since its last change."""
    at, tier, domain = attempts.c.at, attempts.c.tier, attempts.c.domain
    newest_first = (at.desc(), attempts.c.run.desc(), attempts.c.seq.desc())
    nth = func.row_number().over(partition_by=(tier, domain), order_by=newest_first).label("nth")
    ok = _ended({Outcome.SUCCESS}).label("ok")
    last = (
        select(tier, domain, at, ok, attempts.c.expected, nth)
        .where(at > now - SUSPICIOUS_FOR, at <= now, _ended(_EVIDENCE))
        .subquery()
    )
    query = (
        select(*list(last.c)[:-1])
        .where(last.c.nth <= LAST)
        .order_by(last.c.tier, last.c.domain, last.c.nth.desc())
    )
    for (tier_, domain_), rows in groupby(_rows(connection, query), lambda row: row[:2]):
        told = changes.get((tier_, domain_))
        since = told[-1].at if told else 0.0
        yield tier_, domain_, [TestedAttempt(*row[2:]) for row in rows if row[2] > since]


def _era(changes: _Changes, now: float) -> ColumnElement[int]:
    """How many changes of its tier on its domain an attempt is older than."""
    if not changes:
        return literal(0)
    own = tier_changes.c
    of_attempt = (own.domain == attempts.c.domain, own.tier == attempts.c.tier)
    later = select(func.count()).where(*of_attempt, own.at > attempts.c.at, own.at <= now)
    return later.scalar_subquery()


def _ended(outcomes: Iterable[Outcome]) -> ColumnElement[bool]:
    """Whether an attempt is evidence of one of *outcomes*."""
    wanted = set(outcomes)
    parts: list[ColumnElement[bool]] = []
    for final in (False, True):
        reasons = [word for word in _WORDS if outcome_of(word, final=final) in wanted]
        parts.append(and_(attempts.c.final.is_(final), attempts.c.reason.in_(reasons)))
    return or_(*parts)


def _rows(connection: Connection, query: Select[_Any]) -> Iterator[_Any]:
    return map(tuple, connection.execute(query.execution_options(yield_per=_AT_ONCE)))


_GROUPED = ("domain", "registered_domain", "suffix", "shape", "wiki")
_EVIDENCE = {Outcome.SUCCESS, Outcome.FAILURE, Outcome.BAN}
_WORDS = (OK, *Reason)
