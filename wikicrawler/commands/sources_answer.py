"""What ``scrapy sources`` and ``scrapy due`` do with the agenda."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.commands.alerts_answer import check_alerts
from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.live_answer import show_live
from wikicrawler.commands.project import require_addon
from wikicrawler.commands.sources_output import print_details, print_list, shown_moment
from wikicrawler.control.context import Context
from wikicrawler.control.runs import request_run, run_sources
from wikicrawler.control.selection import Selection
from wikicrawler.control.sources import override_sources, pause_sources, resume_sources
from wikicrawler.errors import ConfigError, ControlRefused, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.agenda.agenda import Agenda
from wikicrawler.sources.agenda.timing import timing_of
from wikicrawler.sources.scheduler.outlook import look
from wikicrawler.sources.staging.failures import KeptFailures
from wikicrawler.sources.staging.location import staging_of
from wikicrawler.sources.visits.selection import chosen_sources, manifest_of
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.manifest.model import Source


CONTROLS = ("pause", "resume", "override")
_DONE = {"pause": "paused", "resume": "resumed", "override": "visited once at that time"}


def is_anything_due(settings: BaseSettings, manifest: str | None) -> int | None:
    """Return None if a source is due; else print when the next one is, see to the alerts, and
    return the exit code."""
    require_addon(settings)
    try:
        outlook = look(settings, manifest)
    except (ConfigError, StoreError) as error:
        return _report(error)
    if outlook.is_due:
        return None
    if outlook.pause:
        how = "scrapy scheduler resume has it go on"
        print(f"The scheduler is {outlook.pause}. Nothing is started ({how})")  # noqa: T201
        return 0
    following = outlook.next_at
    when = f"; next: {outlook.next_id} on {shown_moment(following)}" if following else ""
    print(f"Nothing is due{when}")  # noqa: T201
    try:
        check_alerts(settings, outlook.entries)
    except ConfigError as error:
        return _report(error)
    except StoreError as error:  # another time
        sys.stderr.write(f"Alerts cannot be stored or delivered: {safe_lines(error)}\n")
    return 0


def answer(settings: BaseSettings, name: str, args: list[str], opts: argparse.Namespace) -> int:
    """Run the subcommand *name* with *args*; return the exit code."""
    if name in CONTROLS:
        return _control(settings, name, args, opts)
    try:
        if name == "live":
            show_live(settings, _sources(settings, opts.manifest, args), as_json=opts.json)
            return ExitCode.OK
        agenda = _agenda(settings, opts.manifest, () if name == "list" else args)
        if name in {"list", "show"}:
            kept = _kept_failures(settings)
            if name == "list":
                print_list(agenda.entries(), kept, as_json=opts.json)
            else:
                print_details(agenda.entries(), kept, agenda.last_errors(), as_json=opts.json)
    except (ConfigError, StoreError) as error:
        return _report(error)
    return ExitCode.OK


def _control(settings: BaseSettings, name: str, args: list[str], opts: argparse.Namespace) -> int:
    """Pause, resume or override sources."""
    require_addon(settings)
    try:
        context = Context.of(settings, opts.by)
        if name == "override":
            *ids, text = args or [""]
            done = override_sources(context, selection_of(ids, opts), _time(text))
        elif name == "pause":
            done = pause_sources(context, selection_of(args, opts), opts.why)
        else:
            done = resume_sources(context, selection_of(args, opts))
    except ControlRefused as error:
        _report(error)
        return ExitCode.FAILED
    except (ConfigError, StoreError) as error:
        return _report(error)
    if len(done) > 1:
        print_lines([f"{len(done):,} sources: {_DONE[name]}"])
    return ExitCode.OK


def selection_of(ids: list[str], opts: argparse.Namespace) -> Selection:
    """Return the sources that *ids* and the options name.

    :raises ConfigError: ``--category`` is not like FIELD=VALUE
    """
    category = None
    if opts.category is not None:
        field, equals, value = opts.category.partition("=")
        if not (field and equals and value):
            raise ConfigError("--category: not like FIELD=VALUE (like jurisdiction=federal)")
        category = (field.strip(), value.strip())
    return Selection(tuple(ids), category, opts.all, opts.manifest)


def request_crawl(
    settings: BaseSettings, ids: list[str], opts: argparse.Namespace
) -> dict[str, str] | int:
    """Request a crawl, and return the arguments of the spider that this process is to run; with
    ``--detach``, or if there is nothing to do, the exit code.

    A process that was started for a job has the arguments of that.
    """
    require_addon(settings)
    if options.JOB_ID.read(settings):
        return {}
    try:
        context, selection = Context.of(settings, opts.by), selection_of(ids, opts)
        if opts.detach:
            run = run_sources(context, selection, force=not opts.due)
            log = f", log: {run.log_file}" if run.log_file else ""
            print_lines([f"{run.job}{one_line(log, 1_000)}"])
            return ExitCode.OK
        run = request_run(context, selection, force=not opts.due)
    except ControlRefused as error:
        _report(error)
        return ExitCode.FAILED
    except (ConfigError, StoreError) as error:
        return _report(error)
    settings.set(options.JOB_ID.name, run.job, "cmdline")
    return run.arguments


def _time(text: str) -> float:
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError("override needs sources and a time like 2026-12-01T03:00Z") from None
    if at.tzinfo is None:
        raise ConfigError(
            f"the time {one_line(text, 60)} has no offset from UTC (like 2026-12-01T03:00Z)"
        )
    return at.timestamp()


def _agenda(
    settings: BaseSettings, manifest: str | None, only: list[str] | tuple[str, ...] = ()
) -> Agenda:
    sources = _sources(settings, manifest, only)
    return Agenda(Database.from_settings(settings), sources, timing_of(settings))


def _sources(
    settings: BaseSettings, manifest: str | None, only: list[str] | tuple[str, ...]
) -> list[Source]:
    require_addon(settings)
    return chosen_sources(manifest_of(Database.from_settings(settings), manifest), only)


def _kept_failures(settings: BaseSettings) -> KeptFailures:
    return KeptFailures(staging_of(settings), options.SOURCE_KEPT_FAILURES.read(settings))


def _report(error: Exception) -> int:
    sys.stderr.write(f"scrapy sources: error: {safe_lines(error)}\n")
    return ExitCode.BAD_CONFIGURATION
