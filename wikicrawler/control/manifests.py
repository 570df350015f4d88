"""The controls that make a manifest the active one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.audit.control import Control
from wikicrawler.sources.manifest.activation import (
    ActivationRefused,
    activate,
    new_candidate,
    old_candidate,
)
from wikicrawler.sources.manifest.tier_names import unknown_tiers
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from wikicrawler.control.context import Context
    from wikicrawler.sources.manifest.activation import Candidate
    from wikicrawler.sources.manifest.model import Source
    from wikicrawler.sources.manifest.reader import Reading
    from wikicrawler.sources.manifest.robots_check import Disallowed
    from wikicrawler.store.manifests import Activation

    RobotsChecker = Callable[[Sequence[Source]], list[Disallowed] | None]
    """Returns the sources that robots.txt disallows; None if it was not checked."""

_MAX_NAMED = 50


class Activated(NamedTuple):
    """What came of an activation."""

    activation: Activation
    is_new: bool
    """False: it was active already, and nothing was changed."""


def activate_manifest(
    context: Context,
    reading: Reading,
    *,
    check: RobotsChecker | None,
    force: bool = False,
    reason: str = "",
) -> Activated:
    """Make the manifest of *reading* the active one.

    :param check: checks robots.txt, see :mod:`wikicrawler.control.robots`; None: it is not checked
    :param force: allow a lower version, other content of the same version, and another vertical
    :raises ActivationRefused: the manifest has faults, does not follow the active one, names a tier
        that does not exist, or a source that may not be fetched
    :raises ConfigError: a setting is wrong
    :raises StoreError: the database is unavailable, and nothing was changed
    """
    candidate = new_candidate(context.database, reading, force=force)
    return _activate(context, candidate, "manifest.activate", check, reason)


def restore_manifest(
    context: Context, version: str, *, check: RobotsChecker | None, reason: str = ""
) -> Activated:
    """Make the manifest of an earlier activation the active one again.

    :param version: version of the manifest, or number of the activation
    :raises ActivationRefused: there is none, or as with :func:`activate_manifest`
    :raises ConfigError: a setting is wrong
    :raises StoreError: the database is unavailable, and nothing was changed
    """
    candidate = old_candidate(context.database, version)
    return _activate(context, candidate, "manifest.rollback", check, reason)


def _activate(
    context: Context,
    candidate: Candidate,
    action: str,
    check: RobotsChecker | None,
    reason: str,
) -> Activated:
    if candidate.is_active and candidate.active is not None:
        return Activated(candidate.active, is_new=False)
    sources = candidate.manifest.active
    if lines := unknown_tiers(context.settings, sources):
        raise ActivationRefused("not activated: there is no such tier\n  " + "\n  ".join(lines))
    disallowed = check(sources) if check is not None else None
    if disallowed:
        raise ActivationRefused("\n".join(_lines(disallowed)))

    def record(connection: Connection, activation: Activation) -> None:
        detail = {
            "number": activation.number,
            "sha256": activation.sha256,
            "restored": activation.restored,
            "robots_checked": activation.robots_checked,
            "reason": activation.reason,
            "was_active": candidate.active.number if candidate.active else None,
        }
        control = Control(action, activation.version, detail)
        context.record(connection, [control], activation.at)

    activation = activate(
        context.database,
        candidate,
        by=context.by,
        reason=reason,
        robots_checked=disallowed is not None,
        record=record,
    )
    return Activated(activation, is_new=True)


def _lines(disallowed: list[Disallowed]) -> list[str]:
    number = len(disallowed)
    lines = [f"not activated: {number} source{'s' if number != 1 else ''} may not be fetched"]
    lines += [
        f"  {found.source_id}  {one_line(found.url)}  {found.reason}"
        for found in disallowed[:_MAX_NAMED]
    ]
    if number > _MAX_NAMED:
        lines.append(f"  and {number - _MAX_NAMED} more")
    lines.append('Set their status to "proposed" or remove them, or repeat it with --offline')
    return lines
