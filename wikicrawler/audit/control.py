"""Records of what operators do. No request belongs to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from wikicrawler.audit.record import MAX_NAME, utc_text
from wikicrawler.audit.redaction import MAX_VALUE
from wikicrawler.store.audit_chain import Entry, Head, append
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

_AT_ONCE = 500  # records


class Control(NamedTuple):
    """Something that an operator did."""

    action: str
    """As ``source.pause``."""
    subject: str
    """What it was done to: the id of a source, job or alert, a site, a version."""
    detail: Mapping[str, Any]
    """Values of JSON's types, without secrets. Long strings are cut."""
    source: str | None = None
    """The id of the source, if the subject is one."""


def record_controls(
    connection: Connection, controls: Sequence[Control], *, by: str, via: str, at: datetime
) -> Head | None:
    """Add a record for each of *controls* to the audit log, in the transaction of *connection*:
    they are recorded if, and only if, what the transaction changes is. Return the last one's place
    in the chain; None without controls.

    The records of one call are a run of their own.

    :param by: name of the person or program
    :param via: ``command``, ``dashboard`` or ``api``
    """
    run = str(uuid4())
    end = None
    for start in range(0, len(controls), _AT_ONCE):
        entries = [
            Entry(_fields(control, run, number, by=by, via=via, at=at))
            for number, control in enumerate(controls[start : start + _AT_ONCE], start + 1)
        ]
        end = append(connection, run, entries)
    return end


def _fields(
    control: Control, run: str, number: int, *, by: str, via: str, at: datetime
) -> dict[str, Any]:
    source = control.source
    return {
        "kind": "control",
        "timestamp": utc_text(at),
        "run_id": run,
        "number": number,
        "manifest_id": source[:MAX_NAME] if source is not None else None,
        "action": control.action,
        "subject": one_line(control.subject, MAX_NAME),
        "by": one_line(by, MAX_NAME),
        "via": via,
        "detail": {name: _short(value) for name, value in control.detail.items()},
    }


def _short(value: Any) -> Any:
    return one_line(value, MAX_VALUE) if isinstance(value, str) else value
