"""Crawls that run, ran or were requested, and the control that stops one."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from time import time
from typing import TYPE_CHECKING, Any, Literal

from wikicrawler.audit.control import Control
from wikicrawler.control.context import shown_reason
from wikicrawler.errors import ControlRefused
from wikicrawler.process.owner import is_gone
from wikicrawler.store.jobs import ask_to_stop, end_unbegun, find_job, find_jobs
from wikicrawler.text.safe import quoted

if TYPE_CHECKING:
    from wikicrawler.control.context import Context
    from wikicrawler.store.database import Database
    from wikicrawler.store.jobs import JobRow

JobState = Literal["requested", "never_began", "running", "stopping", "ended", "killed"]
SILENCE = 60.0
"""Seconds without a sign of life after which a crawl counts as killed; also the time in which one
that was requested begins."""
NOT_BEGUN = "stopped before it began"
"""Finish reason of a job that was stopped while it was only requested."""


@dataclass(frozen=True, slots=True)
class Job:
    """A crawl. Times are seconds since the epoch."""

    id: str
    spider: str
    arguments: dict[str, Any]
    state: JobState
    requested_at: float
    """When it was requested, or began without a request."""
    requested_by: str | None
    """Who requested it through a control; None: nobody."""
    via: str | None
    pid: int | None
    host: str | None
    started: float | None
    heartbeat: float | None
    """Its last sign of life."""
    ended: float | None
    finish_reason: str | None
    log_file: str | None
    stop_requested_at: float | None
    stop_requested_by: str | None
    progress: dict[str, Any] = field(default_factory=dict)
    """What ``docs/jobs.md`` lists; empty before the first sign of life."""

    @property
    def is_live(self) -> bool:
        """Whether it runs, as far as is known."""
        return self.state in {"running", "stopping"}


def list_jobs(database: Database, limit: int = 100) -> list[Job]:
    """Return the last jobs, the last requested first.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return []
    with database.read() as connection:
        rows = find_jobs(connection, limit)
    now = time()
    return [_job(row, now) for row in rows]


def get_job(database: Database, job_id: str) -> Job | None:
    """Return the job with this id, or None.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return None
    with database.read() as connection:
        row = find_job(connection, job_id)
    return _job(row, time()) if row is not None else None


def stop_job(context: Context, job_id: str, reason: str = "") -> Job:
    """Ask a crawl to end as after Ctrl-C, which it does within some seconds: what it has not done
    stays to be done. One that was only requested will not begin.

    :raises ControlRefused: there is no such job, it has ended, or was asked before
    :raises StoreError: the database is unavailable
    """
    now = time()
    missing = f"there is no job {quoted(job_id, 60)} (scrapy jobs lists them)"
    if not context.database.has_tables():
        raise ControlRefused(missing)
    with context.database.write() as connection:
        row = find_job(connection, job_id)
        if row is None:
            raise ControlRefused(missing)
        state = _job(row, now).state
        if state in {"ended", "killed"}:
            how = "was killed" if state == "killed" else f"has ended ({row.finish_reason})"
            raise ControlRefused(f"the job {job_id} {how}: there is nothing to stop")
        if not ask_to_stop(connection, job_id, now, context.by):
            raise ControlRefused(f"the job {job_id} was asked to stop before: wait for its end")
        end_unbegun(connection, job_id, now, NOT_BEGUN)
        detail = {"spider": row.spider, "state": state, "reason": shown_reason(reason)}
        context.record(connection, [Control("job.stop", job_id, detail)], now)
        changed = find_job(connection, job_id)
    return _job(changed or row, now)


def _job(row: JobRow, now: float) -> Job:
    return Job(
        id=row.id,
        spider=row.spider,
        arguments=_object(row.arguments),
        state=_state(row, now),
        requested_at=row.requested_at,
        requested_by=row.requested_by,
        via=row.via,
        pid=row.pid,
        host=row.host,
        started=row.started,
        heartbeat=row.heartbeat,
        ended=row.ended,
        finish_reason=row.finish_reason,
        log_file=row.log_file,
        stop_requested_at=row.stop_requested_at,
        stop_requested_by=row.stop_requested_by,
        progress=_object(row.progress),
    )


def _state(row: JobRow, now: float) -> JobState:
    if row.ended is not None:
        return "ended"
    if row.started is None:
        return "requested" if now - row.requested_at <= SILENCE else "never_began"
    seen = row.heartbeat if row.heartbeat is not None else row.started
    if now - seen > SILENCE or (row.owner is not None and is_gone(row.owner)):
        return "killed"
    return "running" if row.stop_requested_at is None else "stopping"


def _object(text: str | None) -> dict[str, Any]:
    found = json.loads(text) if text else {}
    return found if isinstance(found, dict) else {}
