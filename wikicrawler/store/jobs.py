"""Crawls that run, ran, or were requested."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects import postgresql, sqlite

from wikicrawler.store.tables import jobs

if TYPE_CHECKING:
    from sqlalchemy import Connection

KEPT = 1_000
"""Number of jobs that are kept."""


class JobRow(NamedTuple):
    """A crawl. The columns of ``jobs`` describe the fields."""

    id: str
    spider: str
    arguments: str
    requested_at: float
    requested_by: str | None = None
    via: str | None = None
    owner: str | None = None
    pid: int | None = None
    host: str | None = None
    started: float | None = None
    heartbeat: float | None = None
    ended: float | None = None
    finish_reason: str | None = None
    log_file: str | None = None
    progress: str | None = None
    stop_requested_at: float | None = None
    stop_requested_by: str | None = None


_COLUMNS = [jobs.c[name] for name in JobRow._fields]


def add_job(connection: Connection, job: JobRow) -> None:
    """Add *job*, and remove the oldest ones above :data:`KEPT`. A job that is there already is not
    changed."""
    dialect = sqlite if connection.dialect.name == "sqlite" else postgresql
    statement = dialect.insert(jobs).values(**job._asdict())
    connection.execute(statement.on_conflict_do_nothing())
    _remove_old(connection)


def _remove_old(connection: Connection) -> None:
    newest = jobs.c.requested_at.desc()
    oldest_kept = connection.scalar(
        select(jobs.c.requested_at).order_by(newest).offset(KEPT - 1).limit(1)
    )
    if oldest_kept is None:
        return
    since = func.coalesce(jobs.c.heartbeat, jobs.c.requested_at)  # one that runs long is kept
    connection.execute(delete(jobs).where(jobs.c.requested_at < oldest_kept, since < oldest_kept))


def begin_job(connection: Connection, job: JobRow) -> bool:
    """Note that *job* has begun: take over the row that requested it, or add one. Return False,
    without a change, if another process has begun it."""
    begun = ("owner", "pid", "host", "started", "heartbeat", "spider", "arguments", "progress")
    values: dict[str, Any] = {name: getattr(job, name) for name in begun}
    if job.log_file is not None:
        values["log_file"] = job.log_file
    statement = update(jobs).where(jobs.c.id == job.id, jobs.c.started.is_(None))
    statement = statement.where(jobs.c.ended.is_(None)).values(**values)
    if connection.execute(statement.returning(jobs.c.id)).first() is not None:
        return True
    if find_job(connection, job.id) is not None:
        return False
    add_job(connection, job)
    return True


def beat(connection: Connection, job_id: str, now: float, progress: str) -> bool:
    """Note that a job runs, and how far it is; return whether it is asked to stop."""
    statement = update(jobs).where(jobs.c.id == job_id).values(heartbeat=now, progress=progress)
    asked = connection.scalar(statement.returning(jobs.c.stop_requested_at))
    return asked is not None


def end_job(
    connection: Connection, job_id: str, now: float, reason: str, progress: str | None = None
) -> bool:
    """Note that a job has ended; return False, without a change, if that was noted before."""
    values: dict[str, Any] = {"ended": now, "finish_reason": reason}
    if progress is not None:
        values |= {"heartbeat": now, "progress": progress}
    statement = update(jobs).where(jobs.c.id == job_id, jobs.c.ended.is_(None)).values(**values)
    return connection.execute(statement.returning(jobs.c.id)).first() is not None


def end_unbegun(connection: Connection, job_id: str, now: float, reason: str) -> bool:
    """Note that a job that was requested will not begin; return False if it has."""
    statement = update(jobs).where(
        jobs.c.id == job_id, jobs.c.started.is_(None), jobs.c.ended.is_(None)
    )
    values = {"ended": now, "finish_reason": reason}
    return connection.execute(statement.values(**values).returning(jobs.c.id)).first() is not None


def ask_to_stop(connection: Connection, job_id: str, now: float, by: str) -> bool:
    """Ask a job to stop that has not ended; return False if it was asked before."""
    statement = update(jobs).where(
        jobs.c.id == job_id, jobs.c.ended.is_(None), jobs.c.stop_requested_at.is_(None)
    )
    values = {"stop_requested_at": now, "stop_requested_by": by}
    return connection.execute(statement.values(**values).returning(jobs.c.id)).first() is not None


def find_job(connection: Connection, job_id: str) -> JobRow | None:
    """Return the job with this id, or None."""
    row = connection.execute(select(*_COLUMNS).where(jobs.c.id == job_id)).first()
    return JobRow(*row) if row else None


def find_jobs(connection: Connection, limit: int = KEPT) -> list[JobRow]:
    """Return the jobs, the last requested first."""
    query = select(*_COLUMNS).order_by(jobs.c.requested_at.desc(), jobs.c.id).limit(limit)
    return [JobRow(*row) for row in connection.execute(query)]
