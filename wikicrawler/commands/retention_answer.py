"""What ``scrapy staged confirm`` and ``prune`` do."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from scrapy.exceptions import UsageError

from wikicrawler.commands.arguments import print_lines
from wikicrawler.errors import ConfigError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.envelopes.build import timestamp
from wikicrawler.sources.staging.confirmation import confirm as confirm_ids
from wikicrawler.sources.staging.confirmation import confirm_before
from wikicrawler.sources.staging.lists import read_time
from wikicrawler.sources.staging.retention import Stay, plan, remove
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line, quoted

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

    from wikicrawler.sources.staging.protocol import Staging
    from wikicrawler.sources.staging.retention import Plan

MAX_DAYS = 36_500


def confirm(folder: Staging, ids: list[str], opts: argparse.Namespace) -> int:
    """Confirm envelopes; return the exit code.

    :raises UsageError: the arguments are wrong
    :raises ConfigError: a file cannot be read
    """
    given = [bool(ids), opts.all_before is not None, opts.from_file is not None]
    if given.count(True) != 1:
        raise UsageError(
            "confirm needs one of: ids of envelopes, --all-before TIME, --from FILE",
            print_help=False,
        )
    now = datetime.now(UTC)
    if opts.all_before is not None:
        found = confirm_before(folder, _time(opts.all_before), now)
    else:
        found = confirm_ids(folder, ids or _ids_in(opts.from_file), now)
    for one in found.unknown:
        sys.stderr.write(f"scrapy staged: no envelope has the id {quoted(one, 80)}\n")
    before = f", {found.before:,} were confirmed before" if found.before else ""
    print_lines([f"{_count(found.added)} confirmed{before}"])
    return ExitCode.FAILED if found.unknown else ExitCode.OK


def _time(text: str) -> datetime:
    try:
        return read_time(text)
    except ValueError:
        raise UsageError(
            f"--all-before {quoted(text, 40)}: not a time (right would be 2026-12-01T03:00Z)",
            print_help=False,
        ) from None


def _ids_in(name: str) -> list[str]:
    """Return the ids in the file *name*."""
    if name == "-":
        return list(_read_ids(sys.stdin.buffer, "stdin"))
    try:
        with Path(name).open("rb") as file:
            return list(_read_ids(file, name))
    except OSError as error:
        raise ConfigError(f"{one_line(name)}: cannot be read: {error.strerror}") from None


def _read_ids(file: BinaryIO, name: str) -> Iterator[str]:
    for number, line in enumerate(file, 1):
        text = line.decode("utf-8", "replace").strip()
        if not text or text.startswith("#"):
            continue
        if not text.startswith("{"):
            yield text
            continue
        try:
            yield str(json.loads(text)["envelope_id"])
        except (ValueError, KeyError, RecursionError):
            raise ConfigError(
                f"{one_line(name)}:{number}: neither an id nor an object with envelope_id"
            ) from None


def prune(settings: BaseSettings, folder: Staging, opts: argparse.Namespace) -> int:
    """Show which envelopes go, or remove them; return the exit code.

    :raises UsageError: the arguments are wrong
    """
    days = _days(opts.days)
    now = datetime.now(UTC)
    database = Database.from_settings(settings)
    planned = plan(folder, database, days, now)
    if opts.json:
        print_lines(_objects(planned))
    else:
        print_lines(_summary(folder, planned, days, will_remove=opts.apply))
    if opts.apply:
        count = sum(remove(folder, database, planned, days, now))
        if not opts.json:
            print_lines([f"{_count(count)} removed"])
    return ExitCode.OK


def _days(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= MAX_DAYS:
        raise UsageError(
            f"--days {quoted(text, 40)}: not a number from 1 to {MAX_DAYS}", print_help=False
        )
    return int(text)


def _objects(planned: Plan) -> Iterator[str]:
    for one in planned.going:
        yield json.dumps(
            {
                "envelope_id": one.entry.envelope_id,
                "path": one.entry.path,
                "staged_at": timestamp(one.entry.staged_at),
                "confirmed_at": timestamp(one.confirmed_at),
                "goes": True,
                "reason": None,
            }
        )
    for envelope_id, stay in planned.staying.items():
        yield json.dumps({"envelope_id": envelope_id, "goes": False, "reason": stay.name.lower()})


def _summary(folder: Staging, planned: Plan, days: int, *, will_remove: bool) -> Iterator[str]:
    going = [one.entry for one in planned.going]
    what = _count(len(going))
    if going:
        size = sum(folder.sizes([entry.path for entry in going]).values())
        oldest = timestamp(min(entry.staged_at for entry in going))
        what += f", {size:,} bytes, the oldest staged {oldest}"
    yield f"{'to remove' if will_remove else 'would go'}: {what}"
    if planned.leftovers:
        yield f"left by an earlier removal: {_count(len(planned.leftovers))}"
    reasons = planned.reasons()
    for stay in Stay:
        if reasons[stay]:
            why = f"confirmed less than {days} days ago" if stay is Stay.YOUNG else stay.value
            yield f"stay: {_count(reasons[stay])}: {why}"
    if going and not will_remove:
        yield "nothing was removed (--apply removes)"


def _count(number: int) -> str:
    return f"{number:,} envelope{'' if number == 1 else 's'}"
