"""The control of the scheduler as a whole. Operators can start crawls while it is paused."""

from __future__ import annotations

from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING

from wikicrawler.audit.control import Control
from wikicrawler.control.context import shown_reason
from wikicrawler.errors import ControlRefused
from wikicrawler.sources.scheduler.outlook import described_pause, scheduler_switch
from wikicrawler.store.switches import SCHEDULER, Switch, find_switch, save_switch

if TYPE_CHECKING:
    from wikicrawler.control.context import Context
    from wikicrawler.store.database import Database


@dataclass(frozen=True, slots=True)
class SchedulerState:
    """Whether the scheduler starts crawls. Times are seconds since the epoch."""

    is_paused: bool
    since: float | None = None
    """When it was paused or resumed last; None: never."""
    by: str | None = None
    """Who did."""
    reason: str = ""

    @classmethod
    def of(cls, switch: Switch | None) -> SchedulerState:
        if switch is None:
            return cls(is_paused=False)
        is_paused = switch.off_since is not None
        return cls(is_paused, switch.changed_at, switch.changed_by, switch.reason)


def pause_scheduler(context: Context, reason: str = "") -> SchedulerState:
    """Have ``scrapy scheduler`` and ``scrapy due`` start nothing until :func:`resume_scheduler`.
    Scheduled crawls that run end after the visits that they have begun.

    :raises ControlRefused: it is paused
    :raises StoreError: the database is unavailable
    """
    return _switch(context, reason, off=True)


def resume_scheduler(context: Context, reason: str = "") -> SchedulerState:
    """Have the scheduler start crawls again.

    :raises ControlRefused: it is not paused
    :raises StoreError: the database is unavailable
    """
    return _switch(context, reason, off=False)


def scheduler_state(database: Database) -> SchedulerState:
    """Return whether the scheduler is paused.

    :raises StoreError: the database is unavailable
    """
    return SchedulerState.of(scheduler_switch(database))


def _switch(context: Context, reason: str, *, off: bool) -> SchedulerState:
    now, why = time(), shown_reason(reason)
    with context.database.write() as connection:
        before = find_switch(connection, SCHEDULER)
        is_off = before is not None and before.off_since is not None
        if off and is_off and before is not None:
            raise ControlRefused(f"the scheduler is {described_pause(before)}")
        if not off and not is_off:
            raise ControlRefused("the scheduler is not paused")
        switch = Switch(SCHEDULER, now if off else None, now, context.by, why)
        save_switch(connection, switch)
        action = "scheduler.pause" if off else "scheduler.resume"
        context.record(connection, [Control(action, SCHEDULER, {"reason": why})], now)
    return SchedulerState.of(switch)
