"""``scrapy manifest activate``, ``rollback``, ``history``, ``show`` and ``download``."""

from __future__ import annotations

import os
import sys
from collections import Counter
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.manifest.output import counted, fault_lines, report, shown, to_json
from wikicrawler.commands.manifest.robots import check_robots
from wikicrawler.control.context import Context
from wikicrawler.control.manifests import Activated, activate_manifest, restore_manifest
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.manifest.activation import (
    ActivationRefused,
    described,
    find_activation,
    stored_reading,
)
from wikicrawler.sources.manifest.comparison import flat_fields, shown_value
from wikicrawler.sources.manifest.reader import read_file
from wikicrawler.store.database import Database
from wikicrawler.store.manifests import list_activations, manifest_text
from wikicrawler.text.safe import one_line, quoted
from wikicrawler.text.yaml import suggest

if TYPE_CHECKING:
    from wikicrawler.commands.manifest.output import Call
    from wikicrawler.sources.manifest.model import Manifest
    from wikicrawler.store.manifests import Activation


def activate_file(call: Call) -> int:
    """Make the manifest in a file the active one."""
    reading = read_file(call.path(0))
    for line in fault_lines(reading)[len(reading.faults) :]:
        report(line)
    return _show_activated(
        activate_manifest(
            Context.of(call.settings, call.opts.by or ""),
            reading,
            check=partial(check_robots, call),
            force=call.opts.force,
            reason=call.opts.why or "",
        )
    )


def roll_back(call: Call) -> int:
    """Make an earlier manifest the active one again."""
    return _show_activated(
        restore_manifest(
            Context.of(call.settings, call.opts.by or ""),
            call.args[0],
            check=partial(check_robots, call),
            reason=call.opts.why or "",
        )
    )


def robots(call: Call) -> int:
    """Check the robots.txt of the active sources in a file, and activate nothing."""
    reading = read_file(call.path(0))
    if reading.manifest is None:
        raise ActivationRefused("\n".join(fault_lines(reading)))
    disallowed = check_robots(call, reading.manifest.active)
    if call.opts.json:
        print_lines([to_json({"disallowed": disallowed})])
    elif disallowed:
        print_lines(f"{one.source_id}  {one_line(one.url)}  {one.reason}" for one in disallowed)
    elif disallowed is not None:
        print_lines(["robots.txt allows all active sources"])
    return ExitCode.FAILED if disallowed else ExitCode.OK


def history(call: Call) -> int:
    """Print all activations, the last one first."""
    database = _database(call)
    with database.read() as connection:
        found = list_activations(connection)
    if not found:
        raise ActivationRefused("no manifest has been activated")
    if call.opts.json:
        print_lines(to_json(_activation_data(activation)) for activation in found)
    else:
        print_lines(_activation_line(one, is_active=one is found[0]) for one in found)
    return 0


def show(call: Call) -> int:
    """Print the active manifest, or one source of it."""
    database = _database(call)
    with database.read() as connection:
        activation = find_activation(connection, "active")
        reading = stored_reading(connection, activation)
    if (manifest := reading.manifest) is None:  # of a version with other rules
        raise ActivationRefused("\n".join(fault_lines(reading)))
    if call.args:
        return _show_source(call, manifest, call.args[0])
    if call.opts.json:
        rows = [dict(_shown_fields(source.fields)) for source in manifest.sources]
        print_lines([to_json({**_activation_data(activation), "sources": rows})])
    else:
        print_lines(_manifest_lines(activation, manifest))
    return 0


def download(call: Call) -> int:
    """Print the file of an activated manifest, byte for byte."""
    database = _database(call)
    with database.read() as connection:
        activation = find_activation(connection, call.args[0] if call.args else "active")
        text = manifest_text(connection, activation.number) or ""
    try:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the flush at exit
    return 0


def _show_activated(found: Activated) -> int:
    activation = found.activation
    if found.is_new:
        print_lines([f"{described(activation)} is active: {counted(*activation[-2:])}"])
    else:
        print_lines([f"{described(activation)} is active already: nothing changed"])
    return 0


def _database(call: Call) -> Database:
    database = Database.from_settings(call.settings, read_only=True)
    if not database.has_tables():
        raise ActivationRefused("no manifest has been activated")
    return database


def _activation_line(activation: Activation, *, is_active: bool) -> str:
    at = datetime.fromtimestamp(activation.at, UTC)
    parts = [
        f"{'*' if is_active else ' '} {activation.number:>3}  {activation.version:<10}  "
        f"{at:%Y-%m-%d %H:%M} UTC  {activation.sha256[:12]}  {counted(*activation[-2:])}",
        f"by {one_line(activation.activated_by, 80)}",
    ]
    if activation.restored is not None:
        parts.append(f"restores number {activation.restored}")
    if not activation.robots_checked:
        parts.append("robots.txt not checked")
    if activation.reason:
        parts.append(one_line(activation.reason, 200))
    return "; ".join(parts)


def _activation_data(activation: Activation) -> dict[str, Any]:
    at = datetime.fromtimestamp(activation.at, UTC).isoformat().replace("+00:00", "Z")
    return {**activation._asdict(), "at": at}


def _manifest_lines(activation: Activation, manifest: Manifest) -> list[str]:
    at = datetime.fromtimestamp(activation.at, UTC)
    lines = [
        f"version    {manifest.version} (number {activation.number})",
        f"vertical   {manifest.vertical}",
        f"activated  {at:%Y-%m-%d %H:%M} UTC by {one_line(activation.activated_by, 80)}",
        f"sha256     {activation.sha256}",
    ]
    for name in ("status", "frequency", "priority"):
        counts = Counter(source.fields[name] for source in manifest.sources)
        lines.append(f"{name:<9}  {', '.join(f'{k} {n}' for k, n in counts.most_common())}")
    width = max(len(source.id) for source in manifest.sources)
    lines.append("")
    for source in manifest.sources:
        kind = f"{source.fields['status']:<8}  {source.method:<6}  {source.frequency:<8}"
        lines.append(f"{source.id:<{width}}  {kind}  {source.priority:<6}  {one_line(source.url)}")
    return lines


def _show_source(call: Call, manifest: Manifest, source_id: str) -> int:
    if (source := manifest.find(source_id)) is None:
        hint = suggest(source_id, [source.id for source in manifest.sources][:50])
        report(f"there is no source {quoted(source_id, 80)} ({hint})")
        return ExitCode.FAILED
    fields = _shown_fields(source.fields)
    if call.opts.json:
        print_lines([to_json(dict(fields))])
    else:
        print_lines(
            f"{field:<31}  {one_line(value) if isinstance(value, str) else shown(value)}"
            for field, value in fields
        )
    return 0


def _shown_fields(fields: Any) -> list[tuple[str, Any]]:
    return [(field, shown_value(field, value)) for field, value in flat_fields(fields)]
