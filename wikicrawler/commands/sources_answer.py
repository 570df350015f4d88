"""What ``scrapy sources`` and ``scrapy due`` do with the agenda."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from wikicrawler import options
from wikicrawler.commands.alerts_answer import check_alerts
from wikicrawler.commands.live_answer import show_live
from wikicrawler.commands.project import require_addon
from wikicrawler.commands.sources_output import print_details, print_list, shown_moment
from wikicrawler.errors import ConfigError, StoreError
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
    try:
        if name == "live":
            show_live(settings, _sources(settings, opts.manifest, args), as_json=opts.json)
            return ExitCode.OK
        agenda = _agenda(settings, opts.manifest, () if name == "list" else _ids(name, args))
        if name in {"list", "show"}:
            kept = _kept_failures(settings)
            if name == "list":
                print_list(agenda.entries(), kept, as_json=opts.json)
            else:
                print_details(agenda.entries(), kept, agenda.last_errors(), as_json=opts.json)
        elif name == "override":
            agenda.override(args[0], _time(args))
        else:
            for source_id in args:
                if name == "pause":
                    agenda.pause(source_id, one_line(opts.why))
                else:
                    agenda.resume(source_id)
    except (ConfigError, StoreError) as error:
        return _report(error)
    return ExitCode.OK


def _ids(name: str, args: list[str]) -> list[str]:
    return args[:1] if name == "override" else args


def _time(args: list[str]) -> float:
    try:
        (text,) = args[1:]
        at = datetime.fromisoformat(text)
    except ValueError:
        raise ConfigError("override needs an id and a time like 2026-12-01T03:00Z") from None
    if at.tzinfo is None:
        raise ConfigError(f"the time {text} has no offset from UTC (like 2026-12-01T03:00Z)")
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
