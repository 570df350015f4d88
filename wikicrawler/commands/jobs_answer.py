"""What ``scrapy jobs`` does."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.project import require_addon
from wikicrawler.control.context import Context
from wikicrawler.control.jobs import list_jobs, stop_job
from wikicrawler.errors import ConfigError, ControlRefused, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.alerts.messages import moment
from wikicrawler.store.database import Database
from wikicrawler.store.jobs import KEPT
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

    from wikicrawler.control.jobs import Job

_SHOWN = 20


def show(settings: BaseSettings, *, every: bool, as_json: bool) -> int:
    """Print the jobs, the last requested first; return the exit code."""
    require_addon(settings)
    try:
        found = list_jobs(Database.from_settings(settings, read_only=True), KEPT)
    except (ConfigError, StoreError) as error:
        return _report(error)
    shown = found if every else [*_unended(found), *[job for job in found if job.ended][:_SHOWN]]
    if as_json:
        print_lines(json.dumps(asdict(job)) for job in shown)
    else:
        print_lines(map(_line, shown) if shown else ["no crawl has been reported"])
    return ExitCode.OK


def stop(settings: BaseSettings, ids: list[str], opts: argparse.Namespace) -> int:
    """Ask jobs to stop; return the exit code."""
    require_addon(settings)
    code = ExitCode.OK
    try:
        context = Context.of(settings, opts.by)
        for job_id in ids:
            try:
                job = stop_job(context, job_id, opts.why)
            except ControlRefused as error:
                sys.stderr.write(f"scrapy jobs: {safe_lines(error)}\n")
                code = ExitCode.FAILED
                continue
            print_lines([json.dumps(asdict(job)) if opts.json else _line(job)])
    except (ConfigError, StoreError) as error:
        return _report(error)
    return code


def _unended(jobs: list[Job]) -> Iterator[Job]:
    return (job for job in jobs if not job.ended)


def _line(job: Job) -> str:
    progress = job.progress
    parts = [
        job.id,
        f"{job.state.replace('_', ' '):<11}",
        one_line(job.spider, 60),
        moment(job.started if job.started is not None else job.requested_at),
    ]
    if job.requested_by:
        parts.append(f"by {one_line(job.requested_by, 60)}")
    if progress:
        parts.append(_clock(progress.get("seconds") or 0))
        parts.append(f"{progress.get('items') or 0:,} items")
        if tiers := progress.get("pages_by_tier"):
            parts.append(_counts(tiers))
        if skipped := progress.get("skipped"):
            parts.append(f"skipped: {_counts(skipped)}")
    if progress and job.is_live:
        queued = progress.get("queued")
        waiting = f"{queued:,} queued, " if queued is not None else ""
        parts.append(f"{waiting}{progress.get('active') or 0} active")
    if job.finish_reason:
        parts.append(one_line(job.finish_reason, 200))
    return "  ".join(parts)


def _clock(seconds: float) -> str:
    minutes, second = divmod(int(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}"


def _counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{one_line(name, 80)} {count:,}" for name, count in counts.items())


def _report(error: Exception) -> int:
    sys.stderr.write(f"scrapy jobs: error: {safe_lines(error)}\n")
    return ExitCode.BAD_CONFIGURATION
