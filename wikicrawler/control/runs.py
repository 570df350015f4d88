"""The controls that start crawls over watched sources."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from wikicrawler import options
from wikicrawler.audit.control import Control
from wikicrawler.control.context import shown_time
from wikicrawler.control.launch import launch_child, launch_scrapyd, log_path
from wikicrawler.control.selection import select
from wikicrawler.errors import ConfigError, ControlRefused, StoreError
from wikicrawler.sources.scheduler.outlook import described_pause
from wikicrawler.store.jobs import JobRow, add_job, end_unbegun
from wikicrawler.store.site_holds import current_holds
from wikicrawler.store.switches import SCHEDULER, find_switch
from wikicrawler.text.safe import one_line
from wikicrawler.urls.sites import site_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from wikicrawler.control.context import Context
    from wikicrawler.control.selection import Selection
    from wikicrawler.sources.manifest.model import Source

SPIDER = "sources"
_MAX_ONLY = 100_000  # characters of an argument of a process; Linux allows 131,072


@dataclass(frozen=True, slots=True)
class Run:
    """A crawl that was requested."""

    job: str
    """Id of its job."""
    arguments: dict[str, str]
    """Of the spider ``sources``."""
    sources: int | None
    """Number of sources that it visits at most; None of one that visits what is due."""
    log_file: str | None


def run_sources(context: Context, selection: Selection, *, force: bool = True) -> Run:
    """Start a crawl over *selection* as a process of its own, or as a job of Scrapyd where
    ``WIKICRAWLER_SCRAPYD_URL`` is set, and return without waiting for it.

    :param force: visit sources that are not due, too
    :raises ControlRefused, ConfigError: the selection is wrong
    :raises StoreError: the database is unavailable, or the crawl could not be started
    """
    return _launched(context, request_run(context, selection, force=force, with_log=True))


def run_due(context: Context, manifest: str | None = None) -> Run:
    """Start a crawl over what is due, as the scheduler does; see :func:`run_sources`.

    :param manifest: file of the manifest; None: the active one
    :raises ControlRefused: the scheduler is paused
    :raises StoreError: the database is unavailable, or the crawl could not be started
    """
    arguments = {"scheduled": "true", **_manifest(manifest)}
    run = _request(context, arguments, None, {"what": "due"}, with_log=True)
    return _launched(context, run)


def request_run(
    context: Context, selection: Selection, *, force: bool = True, with_log: bool = False
) -> Run:
    """Record the request of a crawl over *selection*, which the caller starts.

    A process that is killed before it has begun leaves a job that never began.

    :param with_log: choose a file for the log
    :raises ControlRefused, ConfigError: the selection is wrong
    :raises StoreError: the database is unavailable
    """
    sources = select(context.database, selection)
    _check_sites(context, sources)
    arguments = {"force": "true" if force else "false"}
    if not selection.everything:
        arguments["only"] = ",".join(source.id for source in sources)
        if len(arguments["only"]) > _MAX_ONLY:
            raise ControlRefused(
                f"{len(sources):,} sources are too many to name: choose all, or a smaller category"
            )
    arguments |= _manifest(selection.manifest)
    detail = {"what": str(selection), "force": force, "sources": len(sources)}
    return _request(context, arguments, len(sources), detail, with_log=with_log)


def _check_sites(context: Context, sources: Sequence[Source]) -> None:
    """
    :raises ControlRefused: operators have paused the sites of all *sources*
    """
    if not context.database.has_tables():
        return
    now = time()
    with context.database.read() as connection:
        holds = {one.site: one for one in current_holds(connection, now, now) if one.held_until}
    sites = {site_of(source.url) for source in sources}
    if sites and sites <= holds.keys():
        hold = holds[min(sites)]
        raise ControlRefused(
            f"the site {hold.site} is paused by {one_line(hold.changed_by, 80)} until "
            f"{shown_time(hold.held_until)} (scrapy sites release {hold.site} ends that)"
        )


def _manifest(file: str | None) -> dict[str, str]:
    return {"manifest": str(Path(file).absolute())} if file else {}


def _request(
    context: Context,
    arguments: dict[str, str],
    number: int | None,
    detail: dict[str, Any],
    *,
    with_log: bool,
) -> Run:
    job, now = str(uuid4()), time()
    is_ours = with_log and not options.SCRAPYD_URL.read(context.settings)
    log_file = str(log_path(job)) if is_ours else None
    row = JobRow(
        job,
        SPIDER,
        json.dumps(arguments),
        now,
        context.by,
        context.via,
        log_file=log_file,
    )
    with context.database.write() as connection:
        if "scheduled" in arguments:
            _check_scheduler(connection)
        add_job(connection, row)
        context.record(connection, [Control("run.request", job, detail)], now)
    return Run(job, arguments, number, log_file)


def _check_scheduler(connection: Connection) -> None:
    switch = find_switch(connection, SCHEDULER)
    if switch is not None and switch.off_since is not None:
        raise ControlRefused(
            f"the scheduler is {described_pause(switch)} (resume it, or run sources by their ids, "
            "a category or all)"
        )


def _launched(context: Context, run: Run) -> Run:
    """Start *run*; note it in its job if that fails."""
    try:
        if options.SCRAPYD_URL.read(context.settings):
            launch_scrapyd(context.settings, run.job, run.arguments)
        else:
            launch_child(context.settings, run.job, run.arguments, Path(run.log_file or ""))
    except (ConfigError, StoreError) as error:
        with context.database.write() as connection:
            end_unbegun(connection, run.job, time(), f"could not start: {error}")
        raise
    return run
