"""Reads what was learned back from the database: sums and suspicions as if every attempt that is
stored had been learned from one by one.

The database weighs and groups the attempts (:mod:`wikicrawler.store.attempt_sums`). No attempt
counts that is so old that its weight lies below 2^-12, about a year. Python's lock is free
meanwhile.
"""

from __future__ import annotations

from itertools import groupby
from math import prod
from typing import TYPE_CHECKING

from wikicrawler.errors import Reason
from wikicrawler.learning.model.evidence import Evidence, Group
from wikicrawler.learning.model.features import Features, segment_of
from wikicrawler.learning.model.outcomes import OK, Outcome, outcome_of
from wikicrawler.learning.model.rhythm import HOURS, MAX_RHYTHMS, HourSum
from wikicrawler.learning.model.sums import HALF_LIFE, Sums
from wikicrawler.store.attempt_sums import (
    Counted,
    Endings,
    recent_attempts,
    recent_hours,
    sum_attempts,
)
from wikicrawler.store.sites import find_changes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from sqlalchemy import Connection

    from wikicrawler.store.attempt_sums import RecentAttempt
    from wikicrawler.store.database import Database
    from wikicrawler.store.sites import TierChange

HALF_LIVES = 12
"""After so many an attempt is left out."""
LAST = 40
"""Attempts of a tier on a domain by which it is suspected to have changed."""
SUSPICIOUS_FOR = 60 * 86_400.0
"""Seconds for which an attempt counts there."""

_Changes = dict[tuple[str, str], list["TierChange"]]  # by tier and domain


def read_evidence(
    database: Database,
    now: float,
    harmless: Collection[str] = (),
    also: Callable[[Connection], object] = lambda _: None,
) -> Evidence:
    """What the attempts until *now* (seconds since the epoch) have taught; nothing where there is
    no database yet, and none is made.

    The same as if :meth:`~wikicrawler.learning.model.learner.Learner.record` had seen them all and
    the stored changes had been reported. Domains that were not used for long are left out if
    :data:`~wikicrawler.learning.model.evidence.MAX_BUCKETS` is reached. Takes seconds for a million
    attempts: not to be called in the event loop's thread.

    :param harmless: names of the tiers of which a block is no ban
    :param also: called within the transaction: it reads what belongs to the same state

    :raises StoreError: the database cannot be used
    """
    if not database.has_tables():
        return Evidence()
    counted = Counted(
        successes=_endings(Outcome.SUCCESS),
        failures=_endings(Outcome.FAILURE, Outcome.BAN),
        bans=_endings(Outcome.BAN),
        harmless=harmless,
    )
    with database.read() as connection:
        also(connection)
        changes: _Changes = {}
        for change in find_changes(connection):
            if change.at <= now:
                changes.setdefault((change.tier, change.domain), []).append(change)
        evidence = Evidence.of_groups(_groups(connection, counted, changes, now), now)
        for tier, domain, trials in _last_trials(connection, counted, changes, now):
            evidence.resume_change_test(tier, domain, trials, now)
        _read_hours(connection, counted, evidence, now)
    return evidence


def _groups(
    connection: Connection, counted: Counted, changes: _Changes, now: float
) -> Iterator[Group]:
    """The attempts that have all heuristics in common, and the number of changes since; the groups
    that were added to last come first."""
    found = sum_attempts(
        connection,
        counted,
        now=now,
        half_life=HALF_LIFE,
        longest=HALF_LIVES * HALF_LIFE,
        has_changes=bool(changes),
    )
    for one in found:
        features = Features(
            one.domain, one.registered_domain, one.suffix, one.shape, "", one.wiki, ""
        )
        later = one.later_changes
        since = changes[one.tier, one.domain][-later:] if later else []
        kept = prod((change.kept for change in since), start=1.0)
        sums = Sums(one.successes, one.failures, one.bans)
        yield Group(features, one.tier, sums, kept, one.last)


def _read_hours(connection: Connection, counted: Counted, evidence: Evidence, now: float) -> None:
    """Add the last hours with attempts of each tier at each segment of a domain to *evidence*."""
    longest = HALF_LIVES * HALF_LIFE
    rhythms: dict[tuple[str, str, str], dict[int, HourSum]] = {}  # the most recent first
    for one in recent_hours(connection, counted, now=now, longest=longest, number=HOURS):
        key = one.tier, one.domain, segment_of(one.shape)
        if key not in rhythms and len(rhythms) >= MAX_RHYTHMS:
            continue
        hours = rhythms.setdefault(key, {})
        known = hours.get(one.hour, (0, 0, 0, 0))
        counts = (x + y for x, y in zip(known[1:], one[4:], strict=True))
        hours[one.hour] = HourSum(one.hour, *counts)
    for key, hours in rhythms.items():
        evidence.rhythms.add_hours(*key, [hours[hour] for hour in sorted(hours)])


def _last_trials(
    connection: Connection, counted: Counted, changes: _Changes, now: float
) -> Iterator[tuple[str, str, list[RecentAttempt]]]:
    """Of each tier on each domain the last attempts since its last change."""
    found = recent_attempts(connection, counted, now=now, longest=SUSPICIOUS_FOR, number=LAST)
    for (tier, domain), rows in groupby(found, lambda one: (one.tier, one.domain)):
        told = changes.get((tier, domain))
        since = told[-1].at if told else 0.0
        yield tier, domain, [one for one in rows if one.at > since]


def _endings(*outcomes: Outcome) -> Endings:
    """How attempts end that are evidence of one of *outcomes*."""
    words = (OK, *Reason)
    return Endings(
        final=[word for word in words if outcome_of(word, final=True) in outcomes],
        other=[word for word in words if outcome_of(word, final=False) in outcomes],
    )
