"""Verification of a whole staging folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.errors import ConfigError
from wikicrawler.sources.envelopes.schema import faults_of
from wikicrawler.sources.staging.folder import INDEX

if TYPE_CHECKING:
    from pathlib import Path

    from wikicrawler.sources.staging.folder import StagingFolder


class Verified(NamedTuple):
    """The result of a verification."""

    envelopes: int
    faults: list[str]
    """One line each, with the path of the file."""


def verify_folder(folder: StagingFolder) -> Verified:
    """Check all envelopes of *folder*, and that its index lists each of them once.

    :raises ConfigError: there is no such folder
    """
    root = folder.root
    if not (root / INDEX).exists():
        raise ConfigError(f"{root}: there is no staging folder (no {INDEX})")
    faults, listed = _read_index(root / INDEX)
    count = 0
    for path in sorted(root.glob("*/*/*.json")):
        count += 1
        name = path.relative_to(root).as_posix()
        try:
            envelope = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError) as error:
            faults.append(f"{name}: cannot be read ({type(error).__name__})")
            continue
        found = faults_of(envelope)
        faults += [f"{name}: {fault}" for fault in found]
        if not found and listed.pop(name, None) != envelope["envelope_id"]:
            faults.append(f"{name}: {INDEX} does not list it")
    faults += [f"{name}: {INDEX} lists it, and there is no such file" for name in listed]
    return Verified(count, faults)


def _read_index(path: Path) -> tuple[list[str], dict[str, str]]:
    """Return the faults of the index, and the id of each listed envelope by its path."""
    faults: list[str] = []
    listed: dict[str, str] = {}
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                entry = json.loads(line)
                name, envelope_id = str(entry["path"]), str(entry["envelope_id"])
            except (ValueError, KeyError, TypeError):
                faults.append(f"{INDEX}:{number}: not a line of the index")
                continue
            if name in listed:
                faults.append(f"{INDEX}:{number}: lists {name} again")
            listed[name] = envelope_id
    return faults, listed
