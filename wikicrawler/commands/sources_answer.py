"""What ``scrapy sources`` and ``scrapy due`` do with the agenda."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.agenda.agenda import Agenda, Entry
from wikicrawler.sources.visits.selection import chosen_sources, manifest_of
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line, safe_lines

if TYPE_CHECKING:
    import argparse

    from scrapy.settings import BaseSettings


def is_anything_due(settings: BaseSettings, manifest: str | None) -> int | None:
    """Return None if a source is due; else print when the next one is, and return the exit code."""
    try:
        entries = _agenda(settings, manifest).entries()
    except (ConfigError, StoreError) as error:
        return _report(error)
    now = datetime.now(UTC)
    waiting = [entry for entry in entries if entry.next_visit and not entry.is_claimed]
    if any(entry.next_visit <= now for entry in waiting if entry.next_visit):
        return None
    following = min(
        ((entry.next_visit, entry.source.id) for entry in waiting if entry.next_visit), default=None
    )
    when = f"; next: {following[1]} on {_shown(following[0])}" if following else ""
    print(f"Nothing is due{when}")  # noqa: T201
    return 0


def answer(settings: BaseSettings, name: str, args: list[str], opts: argparse.Namespace) -> int:
    """Run the subcommand *name* with *args*; return the exit code."""
    try:
        agenda = _agenda(settings, opts.manifest, () if name == "list" else _ids(name, args))
        if name == "list":
            _list(agenda, as_json=opts.json)
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
    require_addon(settings)
    database = Database.from_settings(settings)
    return Agenda(database, chosen_sources(manifest_of(database, manifest), only))


def _list(agenda: Agenda, *, as_json: bool) -> None:
    entries = agenda.entries()
    if as_json:
        for entry in entries:
            print(json.dumps(_fields(entry)))  # noqa: T201
        return
    width = max((len(entry.source.id) for entry in entries), default=0)
    for entry in entries:
        last = entry.state.last_started
        visited = "never" if last is None else _shown(datetime.fromtimestamp(last, UTC))
        frequency = f"{entry.source.frequency:<9}"
        print(f"{entry.source.id:<{width}}  {frequency}  {visited:<20}  {_status(entry)}")  # noqa: T201


def _status(entry: Entry) -> str:
    if entry.is_claimed:
        return "is visited now"
    if entry.is_paused or entry.next_visit is None:
        failures = entry.state.consecutive_failures
        reason = entry.state.pause_reason or (f"{failures} failures in a row" if failures else "")
        return "paused" + (f": {one_line(reason)}" if reason else "")
    if entry.next_visit <= datetime.now(UTC):
        return "due"
    return f"next {_shown(entry.next_visit)}"


def _fields(entry: Entry) -> dict[str, object]:
    state = entry.state
    return {
        "source": entry.source.id,
        "frequency": entry.source.frequency,
        "priority": entry.source.priority,
        "due": entry.due.isoformat(),
        "next_visit": entry.next_visit.isoformat() if entry.next_visit else None,
        "paused": entry.is_paused,
        "pause_reason": state.pause_reason,
        "visited_now": entry.is_claimed,
        "last_started": state.last_started,
        "last_success": state.last_success,
        "last_changed": state.last_changed,
        "consecutive_failures": state.consecutive_failures,
    }


def _shown(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _report(error: Exception) -> int:
    sys.stderr.write(f"scrapy sources: error: {safe_lines(error)}\n")
    return ExitCode.BAD_CONFIGURATION
