"""Which manifest is in force, and how another one replaces it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from time import time
from typing import TYPE_CHECKING

from wikicrawler.errors import ControlRefused
from wikicrawler.sources.manifest.model import parse_version
from wikicrawler.sources.manifest.reader import Reading, read_manifest
from wikicrawler.store.manifests import (
    Activation,
    active_manifest,
    add_activation,
    list_activations,
    manifest_text,
)
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

    from wikicrawler.sources.manifest.model import Manifest
    from wikicrawler.store.database import Database

MAX_REASON = 1_000
"""Maximum number of characters that are stored of who activated a manifest, and why."""


class ActivationRefused(ControlRefused):
    """A manifest cannot be activated; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A valid manifest that may become the active one."""

    reading: Reading
    manifest: Manifest
    active: Activation | None
    """What was active when the candidate was checked."""
    restored: int | None = None
    """Number of the activation whose text it has."""

    @property
    def is_active(self) -> bool:
        """Whether the active manifest has the same content."""
        return self.active is not None and self.active.sha256 == self.reading.sha256


def new_candidate(database: Database, reading: Reading, *, force: bool = False) -> Candidate:
    """Return the manifest of *reading* as a candidate.

    :param force: allow a lower version, other content of the same version, and another vertical
    :raises ActivationRefused: the manifest has faults, or its version is not higher
    :raises StoreError: the database is unavailable
    """
    manifest = _valid(reading)
    candidate = Candidate(reading, manifest, find_active(database))
    if candidate.active is not None and not candidate.is_active and not force:
        _check_progress(manifest, candidate.active)
    return candidate


def old_candidate(database: Database, version: str) -> Candidate:
    """Return the manifest of an earlier activation as a candidate.

    :param version: version of the manifest, or number of the activation
    :raises ActivationRefused: there is none, or it is not valid any more
    :raises StoreError: the database is unavailable
    """
    with database.read() as connection:
        found = find_activation(connection, version)
        active = active_manifest(connection)
        reading = stored_reading(connection, found)
    return Candidate(reading, _valid(reading), active, found.number)


def activate(
    database: Database,
    candidate: Candidate,
    *,
    by: str,
    reason: str = "",
    robots_checked: bool,
    record: Callable[[Connection, Activation], object] | None = None,
) -> Activation:
    """Make *candidate* the active manifest, unless another one was activated since it was checked.

    :param by: name of the person or program that activates it
    :param record: called in the transaction of the activation
    :raises ActivationRefused: another manifest was activated in the meantime
    :raises StoreError: the database is unavailable, and nothing was changed
    """
    manifest = candidate.manifest
    activation = Activation(
        number=candidate.active.number + 1 if candidate.active else 1,
        at=time(),
        version=manifest.version,
        vertical=manifest.vertical,
        sha256=candidate.reading.sha256,
        activated_by=one_line(by, MAX_REASON),
        reason=one_line(reason, MAX_REASON),
        restored=candidate.restored,
        robots_checked=robots_checked,
        source_count=len(manifest.sources),
        active_count=len(manifest.active),
    )
    with database.write() as connection:
        # SQLite admits one writer at a time, PostgreSQL waits for the other row with this number.
        is_added = add_activation(connection, activation, candidate.reading.data.decode())
        if is_added and record is not None:
            record(connection, activation)
    if not is_added:
        other = find_active(database)
        who = f"{described(other)} by {other.activated_by}" if other else "another manifest"
        raise ActivationRefused(
            f"{who} was activated in the meantime (compare with it, then try again)"
        )
    return activation


def find_active(database: Database) -> Activation | None:
    """Return the active manifest's activation, or None.

    :raises StoreError: the database is unavailable
    """
    if not database.has_tables():
        return None
    with database.read() as connection:
        return active_manifest(connection)


def find_activation(connection: Connection, version: str) -> Activation:
    """Return the last activation of the manifest *version*, or the one with that number; ``active``
    is the last of all.

    :raises ActivationRefused: there is none
    """
    found = list_activations(connection)
    for activation in found:
        if version in ("active", activation.version, str(activation.number)):
            return activation
    known = ", ".join(dict.fromkeys(activation.version for activation in found[:20]))
    hint = f"known: {known}" if known else "no manifest has been activated"
    raise ActivationRefused(f"there is no activation of {one_line(version, 40)} ({hint})")


def stored_reading(connection: Connection, activation: Activation) -> Reading:
    """Return the manifest of *activation* as it is read today."""
    text = manifest_text(connection, activation.number) or ""
    return read_manifest(text.encode(), described(activation))


def described(activation: Activation) -> str:
    """Return a short description of *activation*."""
    at = datetime.fromtimestamp(activation.at, UTC)
    return f"version {activation.version} (number {activation.number}, {at:%Y-%m-%d %H:%M} UTC)"


def _valid(reading: Reading) -> Manifest:
    if reading.manifest is None:
        lines = [f"{reading.name}:{fault}" for fault in reading.faults]
        raise ActivationRefused("\n".join(lines))
    return reading.manifest


def _check_progress(manifest: Manifest, active: Activation) -> None:
    """Raise :class:`ActivationRefused` if *manifest* does not follow the active one."""
    if manifest.vertical != active.vertical:
        raise ActivationRefused(
            f"the vertical is {manifest.vertical}, and the active manifest's is {active.vertical} "
            "(name another database, or replace it with --force)"
        )
    own, other = parse_version(manifest.version), parse_version(active.version)
    if own < other:
        raise ActivationRefused(
            f"version {manifest.version} is lower than the active {described(active)} (raise it, "
            "use rollback to restore an earlier manifest, or --force)"
        )
    if own == other:
        raise ActivationRefused(
            f"{described(active)} is active with other content (raise the version, or --force)"
        )
