"""What ``scrapy fleet`` does."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from wikicrawler import options
from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.fleet_output import dead_line, job_line, status_lines
from wikicrawler.commands.project import require_addon
from wikicrawler.control.fleet.as_data import snapshot_data
from wikicrawler.control.fleet.given_up import given_up
from wikicrawler.control.fleet.removal import forget_job
from wikicrawler.control.fleet.status_store import MAX_SITES, StatusStore
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.frontier.protocol import FrontierError
from wikicrawler.frontier.redis.loading import MAX_JOB
from wikicrawler.frontier.redis.server import connect
from wikicrawler.frontier.redis.url import shown_url
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import quoted, safe_lines

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable

    from scrapy.settings import BaseSettings

    from wikicrawler.control.fleet.snapshot import Snapshot

_MAX_DEAD = 10_000
_NAMED = 10


def status(settings: BaseSettings, opts: argparse.Namespace) -> int:
    """Print a job, or the jobs where none is given; return the exit code."""

    def answer(url: str, job: str) -> int:
        store = StatusStore(url)
        if not job:
            entries = store.jobs()
            if opts.json:
                print_lines(json.dumps(snapshot_data(entry.snapshot)) for entry in entries)
            else:
                print_lines(map(job_line, entries) if entries else ["no job is known"])
            return ExitCode.OK
        found = store.snapshot(f"{opts.spider}:{job}", opts.sites)
        if not (found.exists or found.workers):
            return _missing(store, url, found)
        lines = [json.dumps(snapshot_data(found))] if opts.json else status_lines(found, url)
        print_lines(lines)
        return ExitCode.OK

    if not 0 <= opts.sites <= MAX_SITES:
        raise UsageError(f"--sites is a number from 0 to {MAX_SITES}", print_help=False)
    return _answered(settings, opts, answer)


def dead(settings: BaseSettings, opts: argparse.Namespace) -> int:
    """Print the requests of a job that were given up; return the exit code."""

    def answer(url: str, job: str) -> int:
        store = StatusStore(url)
        found = store.snapshot(f"{opts.spider}:{_needed(job)}", 0)
        if not (found.exists or found.workers):
            return _missing(store, url, found)
        requests = given_up(url, found.job, opts.limit)
        print_lines(
            json.dumps(request._asdict()) if opts.json else dead_line(request)
            for request in requests
        )
        if not requests and not opts.json:
            print_lines(["no request was given up"])
        if found.dead > len(requests):
            sys.stderr.write(
                f"scrapy fleet: {found.dead - len(requests):,} more were given up (see --limit)\n"
            )
        return ExitCode.OK

    if not 1 <= opts.limit <= _MAX_DEAD:
        raise UsageError(f"--limit is a number from 1 to {_MAX_DEAD:,}", print_help=False)
    return _answered(settings, opts, answer)


def forget(settings: BaseSettings, opts: argparse.Namespace) -> int:
    """Delete a job from Redis, when that is confirmed; return the exit code."""

    def answer(url: str, job: str) -> int:
        store = StatusStore(url)
        found = store.snapshot(f"{opts.spider}:{_needed(job)}", 0)
        if not (found.exists or found.workers):
            return _missing(store, url, found)
        if found.live:
            names = ", ".join(worker.name for worker in found.live[:_NAMED])
            sys.stderr.write(
                f"scrapy fleet: error: workers of the job run ({names}): stop them first\n"
            )
            return ExitCode.FAILED
        if not opts.yes and not _is_confirmed(found, url):
            sys.stderr.write("scrapy fleet: nothing was deleted\n")
            return ExitCode.FAILED
        forget_job(url, found.job)
        print_lines([f"the job {quoted(found.name)} of the spider {found.spider} is forgotten"])
        return ExitCode.OK

    return _answered(settings, opts, answer)


def _answered(
    settings: BaseSettings, opts: argparse.Namespace, answer: Callable[[str, str], int]
) -> int:
    """Return the exit code of *answer*, which is called with the Redis and the job."""
    require_addon(settings)
    try:
        url, job = _given(settings, opts)
        return answer(url, job)
    except ConfigError as error:
        return _report(error, ExitCode.BAD_CONFIGURATION)
    except StoreError as error:
        return _report(error, ExitCode.STATE_UNUSABLE)


def _given(settings: BaseSettings, opts: argparse.Namespace) -> tuple[str, str]:
    """
    :raises ConfigError: one of them is missing or wrong
    """
    setting = options.FRONTIER
    url, source = opts.frontier, "--frontier"
    if url is None:
        url, source = setting.read(settings), setting.source(settings)
    if not url:
        raise ConfigError(
            f"no Redis is named: give --frontier URL, or set {setting.name} (in the settings or "
            "the environment)"
        )
    try:
        connect(url).close()
    except FrontierError as error:
        raise ConfigError(f"{source}: {error}; {error.advice}") from None
    job = opts.job if opts.job is not None else options.FRONTIER_JOB.read(settings)
    if len(job) > MAX_JOB:
        raise ConfigError(f"--job has {len(job)} characters: at most {MAX_JOB} are allowed")
    if not opts.spider or ":" in opts.spider:
        raise ConfigError(f"--spider is {quoted(opts.spider)}: the name of a spider is needed")
    return url, job


def _needed(job: str) -> str:
    """
    :raises ConfigError: no job is given
    """
    if not job:
        raise ConfigError(
            f"no job is named: give --job JOB, or set {options.FRONTIER_JOB.name}; "
            "scrapy fleet status lists the jobs"
        )
    return job


def _missing(store: StatusStore, url: str, found: Snapshot) -> int:
    entries = store.jobs()
    known = ", ".join(
        f"{quoted(entry.snapshot.name)} of {entry.snapshot.spider}" for entry in entries[:_NAMED]
    )
    more = f" and {len(entries) - _NAMED} more" if len(entries) > _NAMED else ""
    sys.stderr.write(
        f"scrapy fleet: error: {shown_url(url)} has no job {quoted(found.name)} of the spider "
        f"{quoted(found.spider)}; it has {safe_lines(known + more) if known else 'none'}\n"
    )
    return ExitCode.FAILED


def _is_confirmed(found: Snapshot, url: str) -> bool:
    left = found.queued + found.delayed + found.leased
    sys.stderr.write(
        f"Delete the job {quoted(found.name)} of the spider {quoted(found.spider)} from "
        f"{shown_url(url)}, with {left:,} requests that are not done? "
        "Type its name to confirm: "
    )
    sys.stderr.flush()
    return sys.stdin.readline(MAX_JOB + 2).rstrip("\n") == found.name


def _report(error: Exception, code: int) -> int:
    sys.stderr.write(f"scrapy fleet: error: {safe_lines(error)}\n")
    return code
