"""Attempts in a database, as a crawl that learns records them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.store.samples import attempt
from wikicrawler.learning.model.outcomes import Outcome, outcome_of
from wikicrawler.store.records import add_records
from wikicrawler.store.sites import TierChange

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wikicrawler.learning.model.features import Features
    from wikicrawler.learning.model.sums import Changed, Observation
    from wikicrawler.store.attempts import FetchAttempt
    from wikicrawler.store.database import Database
    from wikicrawler.store.records import Record

REASONS = {
    Outcome.SUCCESS: "ok",
    Outcome.FAILURE: "js_shell",
    Outcome.BAN: "blocked",
    Outcome.NONE: "timeout",
}


def attempted(
    features: Features, row: Observation, *, expected: float | None = None, **facts: object
) -> FetchAttempt:
    """The attempt as it is stored."""
    reason = REASONS[row.outcome]
    usual = {
        **features.named(),
        "at": row.at,
        "tier": row.tier,
        "ok": row.outcome is Outcome.SUCCESS,
        "reason": reason,
        "is_banned": outcome_of(reason) is Outcome.BAN,
        "expected": expected,
        "heuristics": (),
    }
    return attempt(**usual | facts)


def told(features: Features, changed: Changed, *, better: bool = False) -> TierChange:
    """The change as it is stored."""
    site = features.registered_domain
    return TierChange(changed.at, site, changed.domain, changed.tier, changed.kept, better)


def store(database: Database, records: Iterable[Record], run: int = 1) -> None:
    with database.write() as connection:
        add_records(connection, run, list(enumerate(records, 1)))
