"""The status of a source: one word, by rules."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from wikicrawler.process.owner import is_gone
from wikicrawler.sources.schedule.state import MAX_FAILURES

if TYPE_CHECKING:
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.store.source_states import SourceState


class Status(StrEnum):
    """What a source is doing. The first one that applies, in this order."""

    RUNNING = "running"  # a process visits it now
    PAUSED = "paused"  # by an operator, by the manifest, or after five failures in a row
    PENDING = "pending"  # no visit has ended yet
    FAILED = "failed"  # the last visit that ended failed
    CHANGED = "changed"  # the last visit that ended found a new, modified or deleted document
    OK = "ok"  # the last visit that ended found no change


def status_of(source: Source, state: SourceState | None, now: float) -> Status:
    """Return the status of *source* at *now* (seconds since the epoch).

    :param state: None: the source was never on the agenda
    """
    if state is not None and is_visited(state, now):
        return Status.RUNNING
    if not source.is_active or (state is not None and why_paused(source, state)):
        return Status.PAUSED
    if state is None or state.last_started is None:
        return Status.PENDING
    if state.last_success != state.last_started:
        return Status.FAILED
    return Status.CHANGED if state.last_changed == state.last_started else Status.OK


def is_visited(state: SourceState, now: float) -> bool:
    """Return whether a process has claimed the source, and has not ended or let the claim lapse."""
    if state.owner is None or (state.leased_until or 0.0) <= now:
        return False
    return not is_gone(state.owner)


def why_paused(source: Source, state: SourceState | None) -> str | None:
    """Return why *source* is paused, in words; None if it is not."""
    if not source.is_active:
        return f"its status in the manifest is {source.fields['status']}"
    if state is None:
        return None
    if state.paused_at is not None:
        return state.pause_reason or "by an operator"
    if state.consecutive_failures >= MAX_FAILURES:
        return f"{state.consecutive_failures} failures in a row"
    return None
