"""The answers of ``scrapy prove``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from scrapy.exceptions import UsageError

from wikicrawler.audit.anchor import add_anchor, read_anchors
from wikicrawler.audit.export import BrokenChainError, NothingRecordedError, export_proof
from wikicrawler.audit.proof import MAX_PROOF, Proof, ProofError, check_proof
from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.audit_output import open_log, parse_day, report, to_json
from wikicrawler.commands.project import require_addon
from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from scrapy.settings import BaseSettings

_REQUEST = ("url", "page_url", "method", "engine", "final_url", "http_status", "error", "bytes")
_HASHES = ("request_hash", "response_hash")
_OUTCOME = ("content_hash", "content_changed", "staged_path")
_CONTROL = ("action", "subject", "by", "via", "detail")
_REMOVAL = ("url", "envelope_id", "staged_path", "content_hash", "reason")


def answer(settings: BaseSettings, args: list[str], opts: argparse.Namespace) -> int:
    """Export or check a proof; return the exit code.

    :raises UsageError: the arguments are wrong, or the project does not use the add-on
    """
    if args:
        raise UsageError("no arguments are expected, only options", print_help=False)
    try:
        return _check(opts) if opts.check is not None else _export(settings, opts)
    except (ConfigError, StoreError) as error:
        report("prove", f"error: {error}")
        return ExitCode.BAD_CONFIGURATION


def _check(opts: argparse.Namespace) -> int:
    if opts.source is not None or opts.date is not None or opts.output is not None:
        raise UsageError("--check takes --anchor and --json only", print_help=False)
    anchors = read_anchors(Path(opts.anchor)) if opts.anchor else []
    name = one_line(opts.check)
    try:
        with Path(opts.check).open("rb") as file:
            data = file.read(MAX_PROOF + 1)
    except OSError as error:
        raise ConfigError(f"{name}: cannot be read: {error.strerror}") from None
    try:
        proof = check_proof(data, anchors)
    except ProofError as error:
        report("prove", f"{name}: not sound: {error}")
        return ExitCode.FAILED
    _print(proof, as_json=opts.json)
    if not opts.json:
        confirmed = f"confirmed by {proof.anchors} anchors" if anchors else "not compared with any"
        print_lines([f"sound: {len(proof.records)} records, {confirmed}"])
    return 0


def _export(settings: BaseSettings, opts: argparse.Namespace) -> int:
    require_addon(settings)
    day = parse_day("--date", opts.date)
    if not opts.source or day is None:
        raise UsageError("--source and --date are needed, or --check", print_help=False)
    with open_log(settings).read() as connection:
        try:
            data, head = export_proof(connection, opts.source, day)
        except NothingRecordedError:
            report("prove", f"nothing is recorded of {one_line(opts.source, 200)} on {day}")
            return ExitCode.FAILED
        except BrokenChainError:
            report("prove", "the chain is broken: scrapy audit verify says where")
            return ExitCode.FAILED
    if opts.output is not None:
        try:
            Path(opts.output).write_bytes(data)
        except OSError as error:
            name = one_line(opts.output)
            raise ConfigError(f"{name}: cannot be written: {error.strerror}") from None
    if opts.anchor is not None:
        add_anchor(Path(opts.anchor), head)
    _print(check_proof(data), as_json=opts.json)
    return 0


def _print(proof: Proof, *, as_json: bool) -> None:
    if as_json:
        print_lines(map(to_json, proof.records))
    else:
        print_lines(_lines(proof))


def _lines(proof: Proof) -> Iterator[str]:
    yield f"{one_line(proof.source, 200)} on {one_line(proof.date, 20)}"
    removed = {
        record.get("staged_path"): one_line(record.get("timestamp"), 40)
        for record in proof.records
        if record.get("kind") == "removal"
    }
    for record in proof.records:
        yield ""
        yield from _record_lines(record)
        if record.get("kind") == "outcome" and (at := removed.get(record.get("staged_path"))):
            yield f"  the staged file was removed: {at}"
    yield ""
    yield f"chain: records {proof.first} to {proof.last}, which has the hash"
    yield f"  {proof.end}"


def _record_lines(record: dict[str, Any]) -> Iterator[str]:
    kind = one_line(record.get("kind"), 40)
    is_later = kind in {"outcome", "removal"} and record.get("of_sequence") is not None
    of = f" of record {record['of_sequence']}" if is_later else ""
    at = one_line(record.get("timestamp"), 40)
    yield f"record {record['sequence']}: {kind}{one_line(of, 60)}, {at}"
    shown = {
        "request": (*_REQUEST, *_HASHES),
        "removal": _REMOVAL,
        "control": _CONTROL,
    }.get(kind, _OUTCOME)
    for name in shown:
        if record.get(name) is not None:
            yield f"  {name}: {one_line(record[name], 8_000)}"
