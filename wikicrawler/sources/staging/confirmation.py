"""Confirmation that a consumer has ingested envelopes. Their retention counts from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.sources.staging.lists import add_confirmed, confirmations, entries, mend

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from wikicrawler.sources.staging.protocol import Staging

BATCH = 500
"""Maximum number of envelopes in a line of the list."""


class Confirmed(NamedTuple):
    """What was confirmed."""

    added: int
    """Number of envelopes that were not confirmed before."""
    before: int
    """Number of those that were; their first confirmation counts."""
    unknown: list[str]
    """Ids that no envelope has."""


def confirm(folder: Staging, envelope_ids: Iterable[str], now: datetime) -> Confirmed:
    """Confirm the envelopes with these ids. An unknown id does not keep the others from it.

    :raises ConfigError: a list of *folder* is damaged
    :raises OSError: *folder* cannot be read or written
    """
    mend(folder)
    wanted = dict.fromkeys(envelope_ids)
    known = {entry.envelope_id for entry in entries(folder) if entry.envelope_id in wanted}
    return _add(folder, wanted, known, now)


def confirm_before(folder: Staging, before: datetime, now: datetime) -> Confirmed:
    """Confirm all envelopes that were staged before a time.

    :raises ConfigError, OSError: as :func:`confirm`
    """
    mend(folder)
    wanted = {entry.envelope_id: None for entry in entries(folder) if entry.staged_at < before}
    return _add(folder, wanted, wanted.keys(), now)


def _add(
    folder: Staging, wanted: dict[str, None], known: Iterable[str], now: datetime
) -> Confirmed:
    present = set(known)
    done = confirmations(folder)
    new = [one for one in wanted if one in present and one not in done]
    for start in range(0, len(new), BATCH):
        add_confirmed(folder, new[start : start + BATCH], now)
    unknown = [one for one in wanted if one not in present]
    return Confirmed(len(new), len(present) - len(new), unknown)
