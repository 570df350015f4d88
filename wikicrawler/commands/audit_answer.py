"""The answers of ``scrapy audit``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from wikicrawler.audit.anchor import add_anchor, read_anchors
from wikicrawler.audit.rows import (
    COLUMNS,
    CONTROL_COLUMNS,
    SUMMARY_COLUMNS,
    control_row,
    operation_data,
    operation_row,
    summary_row,
)
from wikicrawler.audit.verification import verify
from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.audit_output import (
    control_line,
    open_log,
    operation_line,
    parse_day,
    report,
    summary_lines,
    to_json,
)
from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.store.audit_chain import head, kept_response
from wikicrawler.store.audit_queries import Wanted, control_at, find, find_controls, operation_at
from wikicrawler.store.audit_summaries import GROUPS, Question, summarise
from wikicrawler.text.safe import escaped, one_line, quoted
from wikicrawler.text.spreadsheet import csv_lines
from wikicrawler.text.yaml import suggest

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings
    from sqlalchemy import Connection

    from wikicrawler.store.audit_queries import Operation
    from wikicrawler.store.database import Database

_LIST = "list"
_OPTIONS = {
    _LIST: {
        *("source", "first", "last", "status", "engine", "errors", "limit", "json", "csv"),
        "controls",
    },
    "verify": {"sums", "anchor", "json"},
    "summary": {"source", "first", "last", "engine", "by", "json", "csv"},
    "anchor": {"json"},
    "show": {"json"},
}
_ARGUMENTS = {_LIST: 0, "verify": 0, "summary": 0, "anchor": 1, "show": 1}
_SHOWN = {"first": "--from", "last": "--to"}
_MAX_SEQUENCE = 2**63 - 1


def answer(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Print what *args* ask for; return the exit code.

    :raises UsageError: the arguments are wrong, or the project does not use the add-on
    """
    require_addon(settings)
    name, *rest = args or [_LIST]
    _check(name, rest, opts)
    run = {
        _LIST: _list,
        "verify": _verify,
        "summary": _summary,
        "anchor": _anchor,
        "show": _show,
    }[name]
    try:
        return run(settings, rest, opts)
    except (ConfigError, StoreError) as error:
        report("audit", f"error: {error}")
        return ExitCode.BAD_CONFIGURATION


def _check(name: str, args: list[str], opts: argparse.Namespace) -> None:
    """Raise a UsageError if *args* or *opts* are not those of the subcommand *name*."""
    if name not in _OPTIONS:
        hint = suggest(name, list(_OPTIONS)) or f"known: {', '.join(_OPTIONS)}"
        raise UsageError(f"{quoted(name, 40)} is not a subcommand ({hint})", print_help=False)
    if len(args) != _ARGUMENTS[name]:
        raise UsageError(
            f"{name}: expected {_ARGUMENTS[name]} arguments, got {len(args)}", print_help=False
        )
    for option in set().union(*_OPTIONS.values()) - _OPTIONS[name]:
        if getattr(opts, option) not in (None, False):
            shown = _SHOWN.get(option, f"--{option}")
            raise UsageError(f"{shown} is not an option of {name}", print_help=False)
    if opts.controls and (opts.errors or opts.status is not None or opts.engine is not None):
        raise UsageError(
            "--controls are no operations: --errors, --status and --engine do not choose them",
            print_help=False,
        )
    if opts.json and opts.csv:
        raise UsageError("--json or --csv, not both", print_help=False)
    if opts.limit is not None and opts.limit < 0:
        raise UsageError(f"--limit is {opts.limit}: expected 0 or more", print_help=False)


def _list(settings: BaseSettings, _: list[str], opts: argparse.Namespace) -> int:
    wanted = Wanted(
        source=opts.source,
        first=parse_day("--from", opts.first),
        last=parse_day("--to", opts.last),
        status=opts.status,
        engine=opts.engine,
        failed=opts.errors,
    )
    database = open_log(settings)
    if opts.controls:
        return _list_controls(database, wanted, opts)
    number = 0

    def counted(connection: Connection) -> Iterator[Operation]:
        nonlocal number
        for operation in find(connection, wanted, opts.limit or None):
            number += 1
            yield operation

    with database.read() as connection:
        found = counted(connection)
        if opts.json:
            print_lines(to_json(operation_data(one)) for one in found)
        elif opts.csv:
            print_lines(csv_lines(COLUMNS, map(operation_row, found)))
        else:
            print_lines(map(operation_line, found))
    if not number:
        report("audit", "no such operation is recorded")
        return ExitCode.FAILED
    if opts.limit and number == opts.limit:
        report("audit", f"the newest {number} are shown; there may be more (--limit 0 shows all)")
    return 0


def _list_controls(database: Database, wanted: Wanted, opts: argparse.Namespace) -> int:
    with database.read() as connection:
        found = [
            fields | {"hash": link}
            for link, fields in find_controls(connection, wanted, opts.limit or None)
        ]
    if opts.json:
        print_lines(map(to_json, found))
    elif opts.csv:
        print_lines(csv_lines(CONTROL_COLUMNS, map(control_row, found)))
    else:
        print_lines(map(control_line, found))
    if not found:
        report("audit", "no control is recorded")
        return ExitCode.FAILED
    return 0


def _verify(settings: BaseSettings, _: list[str], opts: argparse.Namespace) -> int:
    anchors = read_anchors(Path(opts.anchor)) if opts.anchor else []
    began = perf_counter()
    with open_log(settings).read() as connection:
        found = verify(connection, anchors, with_sums=opts.sums)
    seconds = perf_counter() - began
    if opts.json:
        print_lines([to_json({"sound": not found.faults, "seconds": seconds, **asdict(found)})])
    else:
        lines = [f"{fault}" for fault in found.faults]
        lines += [f"crawl {run}: has no end: it runs, or was killed" for run in found.unfinished]
        if not found.faults:
            confirmed = f", {found.anchors} anchors confirmed" if anchors else ""
            lines.append(f"sound: {found.records:,} records in {seconds:.1f} s{confirmed}")
            lines.append(f"head: {found.head}")
        print_lines(map(escaped, lines))
    return ExitCode.FAILED if found.faults else 0


def _summary(settings: BaseSettings, _: list[str], opts: argparse.Namespace) -> int:
    if opts.by not in GROUPS:
        given = f"{quoted(opts.by, 40)} is none" if opts.by else "is missing"
        raise UsageError(f"--by {given}: source, engine, day or month is right", print_help=False)
    first, last = parse_day("--from", opts.first), parse_day("--to", opts.last)
    with open_log(settings).read() as connection:
        found = summarise(connection, Question(opts.by, first, last, opts.source, opts.engine))
    if not found:
        report("audit", "no such operation is recorded")
        return ExitCode.FAILED
    if opts.json:
        print_lines(to_json(summary_row(one)) for one in found)
    elif opts.csv:
        print_lines(csv_lines(SUMMARY_COLUMNS, map(summary_row, found)))
    else:
        print_lines(summary_lines(opts.by, found))
    return 0


def _anchor(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    with open_log(settings).read() as connection:
        end = head(connection)
    anchor = add_anchor(Path(args[0]), end)
    if opts.json:
        print_lines([to_json(asdict(anchor))])
    else:
        print_lines([f"record {anchor.sequence}: {anchor.hash}"])
    return 0


def _show(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    if not (args[0].isascii() and args[0].isdigit()) or int(args[0]) > _MAX_SEQUENCE:
        raise UsageError(f"{quoted(args[0], 40)}: not a sequence", print_help=False)
    with open_log(settings).read() as connection:
        operation = operation_at(connection, int(args[0]))
        if operation is None:
            control = control_at(connection, int(args[0]))
            if control is not None:
                return _show_control(*control, as_json=opts.json)
            why = "is neither an operation nor a control, or does not exist"
            report("audit", f"record {int(args[0])} {why}")
            return ExitCode.FAILED
        fields = operation.fields
        kept = kept_response(connection, fields["run_id"], fields["number"])
    body = kept.body.decode("utf-8", "replace") if kept is not None else None
    if opts.json:
        response = kept and {"headers": kept.headers, "body": body, "size": kept.size}
        print_lines([to_json({**operation_data(operation), "response": response})])
        return 0
    lines = [f"{name}: {one_line(value, 8_000)}" for name, value in fields.items()]
    lines.append(f"hash: {operation.hash}")
    for name, value in (operation.outcome or {}).items():
        lines.append(f"outcome {name}: {one_line(value, 8_000)}")
    if kept is not None and body is not None:
        lines += ["", f"response, {len(kept.body):,} of {kept.size:,} bytes:"]
        lines += [f"{name}: {one_line(value, 8_000)}" for name, value in kept.headers]
        lines += ["", *map(escaped, body.split("\n"))]
    print_lines(lines)
    return 0


def _show_control(link: str, fields: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        print_lines([to_json(fields | {"hash": link})])
    else:
        lines = [f"{name}: {one_line(value, 8_000)}" for name, value in fields.items()]
        print_lines([*lines, f"hash: {link}"])
    return 0
