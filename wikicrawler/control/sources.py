"""Controls of watched sources: pause, resume, and a visit besides the schedule."""

from __future__ import annotations

from time import time
from typing import TYPE_CHECKING

from wikicrawler.audit.control import Control
from wikicrawler.control.context import shown_reason, shown_time
from wikicrawler.control.selection import select
from wikicrawler.errors import ControlRefused
from wikicrawler.sources.agenda.agenda import is_paused, paused, resumed
from wikicrawler.store.source_states import SourceState, load_states, lock_states, save_states

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from wikicrawler.control.context import Context
    from wikicrawler.control.selection import Selection

_LAST = 253_402_300_799.0  # the end of the year 9999


def pause_sources(context: Context, selection: Selection, reason: str = "") -> list[str]:
    """Visit sources no more until they are resumed; return their ids.

    :raises ControlRefused, ConfigError: the selection is wrong
    :raises StoreError: the database is unavailable
    """
    at, why = time(), shown_reason(reason)
    return _change(
        context,
        selection,
        "source.pause",
        lambda state: paused(state, at, why),
        lambda state: {"reason": why, "was_paused": is_paused(state)},
    )


def resume_sources(context: Context, selection: Selection) -> list[str]:
    """Visit sources again that were paused, or that failed too often; return their ids.

    :raises ControlRefused, ConfigError: the selection is wrong
    :raises StoreError: the database is unavailable
    """
    return _change(
        context,
        selection,
        "source.resume",
        resumed,
        lambda state: {
            "was_paused": is_paused(state),
            "consecutive_failures": state.consecutive_failures,
        },
    )


def override_sources(context: Context, selection: Selection, at: float) -> list[str]:
    """Visit sources at a moment besides their schedule, once; return their ids.

    :param at: seconds since the epoch; a moment in the past is now
    :raises ControlRefused, ConfigError: the selection or the moment is wrong
    :raises StoreError: the database is unavailable
    """
    if not 0 <= at <= _LAST:
        raise ControlRefused("the time is not between 1970 and 9999 (like 2026-12-01T03:00Z)")
    return _change(
        context,
        selection,
        "source.override",
        lambda state: state._replace(override_at=at),
        lambda _: {"at": shown_time(at)},
    )


def _change(
    context: Context,
    selection: Selection,
    action: str,
    change: Callable[[SourceState], SourceState],
    detail: Callable[[SourceState], Mapping[str, Any]],
) -> list[str]:
    """Apply *change* to the state of each source, and record it with *detail* of the state
    before."""
    ids = [source.id for source in select(context.database, selection)]
    now = time()
    with context.database.write() as connection:
        lock_states(connection)
        known = load_states(connection)
        states = [known.get(one) or SourceState(one, now) for one in ids]
        save_states(connection, map(change, states))
        controls = [Control(action, one.source, detail(one), one.source) for one in states]
        context.record(connection, controls, now)
    return ids
