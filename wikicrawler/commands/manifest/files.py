"""``scrapy manifest validate``, ``diff`` and ``prompt``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.commands.arguments import print_lines
from wikicrawler.commands.manifest.output import counted, fault_lines, shown, to_json
from wikicrawler.errors import ConfigError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.sources.manifest.activation import find_activation, stored_reading
from wikicrawler.sources.manifest.comparison import Change, Comparison, compare, shown_value
from wikicrawler.sources.manifest.prompt import MAX_SEED, prompt
from wikicrawler.sources.manifest.reader import read_file
from wikicrawler.store.database import Database
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from wikicrawler.commands.manifest.output import Call
    from wikicrawler.sources.manifest.faults import Fault
    from wikicrawler.sources.manifest.reader import Reading


def validate(call: Call) -> int:
    """Print the faults and notices of files."""
    is_valid = True
    for index in range(len(call.args)):
        reading = read_file(call.path(index))
        is_valid = is_valid and reading.manifest is not None
        if call.opts.json:
            print_lines([to_json(_as_data(reading))])
        else:
            print_lines([*fault_lines(reading), _verdict(reading)])
    return 0 if is_valid else ExitCode.FAILED


def diff(call: Call) -> int:
    """Print the differences between two manifests."""
    before, after = (_read(call, index) for index in range(2))
    for reading in (before, after):
        if reading.manifest is None:
            raise ConfigError("\n".join(fault_lines(reading)))
    assert before.manifest is not None  # noqa: S101 - checked above
    assert after.manifest is not None  # noqa: S101
    found = compare(before.manifest, after.manifest)
    if call.opts.json:
        print_lines([to_json(_comparison_data(found))])
    elif found:
        print_lines(_comparison_lines(found))
    else:
        print_lines(["no differences"])
    return ExitCode.FAILED if found else 0


def print_prompt(call: Call) -> int:
    """Print the prompt with which a language model writes a manifest."""
    seed = _read_seed(call.path(0)) if call.args else ""
    print_lines(prompt(seed, call.opts.vertical or "").rstrip("\n").split("\n"))
    return 0


def _read(call: Call, index: int) -> Reading:
    """Read a manifest from a file, or from the store if there is no such file."""
    path = call.path(index)
    name = call.args[index]
    if path.exists() or not (name == "active" or name.replace(".", "").isdecimal()):
        return read_file(path)
    database = Database.from_settings(call.settings, read_only=True)
    if not database.has_tables():
        raise ConfigError(f"{one_line(name)}: neither a file nor a version (the database is empty)")
    with database.read() as connection:
        return stored_reading(connection, find_activation(connection, name))


def _read_seed(path: Path) -> str:
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(MAX_SEED + 1)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise ConfigError(f"{one_line(path)}: cannot be read: {why} (name a text file)") from None
    if len(text) > MAX_SEED:
        raise ConfigError(f"{one_line(path)}: has more than {MAX_SEED:,} characters (split it)")
    return text


def _verdict(reading: Reading) -> str:
    if (manifest := reading.manifest) is None:
        number = len(reading.faults)
        return f"{reading.name}: {number} fault{'s' if number != 1 else ''}"
    counts = counted(len(manifest.sources), len(manifest.active))
    return f"{reading.name}: valid, version {manifest.version}, {counts}"


def _as_data(reading: Reading) -> dict[str, Any]:
    def rows(faults: Iterable[Fault]) -> list[dict[str, Any]]:
        return [
            {
                "pointer": fault.pointer,
                "line": fault.place.line,
                "column": fault.place.column,
                "message": one_line(fault.message, 1_000),
            }
            for fault in faults
        ]

    return {
        "file": reading.name,
        "valid": reading.manifest is not None,
        "version": reading.manifest.version if reading.manifest else None,
        "faults": rows(reading.faults),
        "notices": rows(reading.notices),
    }


def _comparison_lines(found: Comparison) -> Iterator[str]:
    yield from map(_change_line, found.heads)
    for source in found.added:
        yield f"+ {source.id}  {one_line(source.url)}"
    for source in found.removed:
        yield f"- {source.id}  {one_line(source.url)}"
    for source_id, changes in found.changed.items():
        yield f"~ {source_id}"
        yield from (f"  {_change_line(change)}" for change in changes)


def _change_line(change: Change) -> str:
    before, after = (shown(shown_value(change.field, v)) for v in (change.before, change.after))
    return f"{one_line(change.field)}: {before} -> {after}"


def _comparison_data(found: Comparison) -> dict[str, Any]:
    def rows(changes: Iterable[Change]) -> list[dict[str, Any]]:
        return [
            {
                "field": change.field,
                "before": shown_value(change.field, change.before),
                "after": shown_value(change.field, change.after),
            }
            for change in changes
        ]

    return {
        "manifest": rows(found.heads),
        "added": [source.id for source in found.added],
        "removed": [source.id for source in found.removed],
        "changed": {key: rows(changes) for key, changes in found.changed.items()},
    }
