"""Verification of a whole staging folder."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.errors import ConfigError
from wikicrawler.sources.envelopes.schema import faults_of
from wikicrawler.sources.staging.lists import removals
from wikicrawler.sources.staging.protocol import INDEX

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from wikicrawler.sources.staging.protocol import Staging


class Verified(NamedTuple):
    """The result of a verification."""

    envelopes: int
    faults: list[str]
    """One line each, with the path of the file."""
    removed: int = 0
    """Number of envelopes that were removed."""


def verify(staging: Staging) -> Verified:
    """Check all envelopes of *staging*, and that its index lists each of them once. An envelope
    that the list of removals names may be missing.

    :raises ConfigError: there is no such folder, it cannot be read, or its list of removals is
        damaged
    """
    try:
        if not staging.exists():
            raise ConfigError(f"{staging}: there is no staging folder (no {INDEX})")
        # The envelopes first: one that is staged meanwhile is written before it is listed.
        paths = list(staging.paths())
        index = _Index(staging.lines(INDEX), removals(staging))
    except OSError as error:
        raise ConfigError(f"{staging}: cannot be read: {error}") from None
    faults = index.faults
    for path in paths:
        try:
            envelope = json.loads(staging.read_bytes(path))
        except (OSError, ValueError, RecursionError) as error:
            faults.append(f"{path}: cannot be read ({type(error).__name__})")
            continue
        found = faults_of(envelope)
        faults += [f"{path}: {fault}" for fault in found]
        if not found and index.paths.pop(path, None) != envelope["envelope_id"]:
            faults.append(f"{path}: {INDEX} does not list it")
    for path, envelope_id in index.paths.items():
        if envelope_id in index.removed:
            index.gone += 1
        elif not _is_there(staging, path):
            faults.append(f"{path}: {INDEX} lists it, and there is no such file")
    return Verified(len(paths), faults, index.gone)


def _is_there(staging: Staging, path: str) -> bool:
    try:
        return bool(staging.read_bytes(path))
    except OSError:
        return False


class _Index:
    """The index.

    :param removed: ids of the envelopes that were removed
    """

    def __init__(self, lines: Iterable[bytes], removed: Container[str]) -> None:
        self.removed = removed
        self.faults: list[str] = []
        self.paths: dict[str, str] = {}
        """The id of each listed envelope by its path."""
        self.gone = 0
        """Number of removed envelopes whose paths others have now."""
        for number, line in enumerate(lines, 1):
            try:
                entry = json.loads(line)
                path, envelope_id = str(entry["path"]), str(entry["envelope_id"])
            except (ValueError, KeyError, TypeError, RecursionError):
                self.faults.append(f"{INDEX}:{number}: not a line of the index")
                continue
            if self.paths.get(path, "") in removed:
                self.gone += 1
            elif path in self.paths:
                self.faults.append(f"{INDEX}:{number}: lists {path} again")
            self.paths[path] = envelope_id
