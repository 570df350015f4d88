"""Why a source is not visited now."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wikicrawler.sources.agenda.agenda import Entry


def why_not_now(entry: Entry, now: float) -> str | None:
    """Return why a person's crawl does not visit *entry*, as the rest of a sentence; None if it
    does.

    :param now: seconds since the epoch
    """
    if entry.is_paused:
        reason = entry.state.pause_reason
        return "is paused" + (f": {reason}" if reason else "")
    if entry.is_claimed:
        return "is visited by another process"
    at = datetime.fromtimestamp(now, UTC)
    # A visit that the operator has set for now comes before the next one by the frequency.
    is_set = entry.next_visit is not None and entry.next_visit <= at
    if entry.due > at and not is_set:
        return f"is due on {entry.due:%Y-%m-%d %H:%M} UTC (-a force=true visits it now)"
    return None
