"""Records of the audit log as sentences: what happened, and who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

_DID = {
    "alert.resolve": "resolved the alert {}",
    "job.stop": "stopped the job {}",
    "manifest.activate": "activated the manifest {}",
    "manifest.rollback": "went back to the manifest {}",
    "run.request": "requested the run {}",
    "scheduler.pause": "paused the {}",
    "scheduler.resume": "resumed the {}",
    "site.pause": "paused the site {}",
    "site.release": "released the site {}",
    "source.override": "changed the next visit to the source {}",
    "source.pause": "paused the source {}",
    "source.resume": "resumed the source {}",
}
_VIA = {"command": "on the command line", "dashboard": "in the dashboard", "api": "by the API"}
_MAX = 300


def sentence(fields: Mapping[str, Any]) -> str:
    """Return what the record with *fields* says as one line. A field that is missing, as in records
    of other versions, is shown as ``?``."""
    make = _SENTENCES.get(str(fields.get("kind")))
    return make(fields) if make is not None else _of(fields, "kind")


def _of(fields: Mapping[str, Any], name: str, limit: int = _MAX) -> str:
    value = fields.get(name)
    return "?" if value is None else one_line(value, limit)


def _start(fields: Mapping[str, Any]) -> str:
    return f"crawl of the spider {_of(fields, 'spider')} started"


def _end(fields: Mapping[str, Any]) -> str:
    return f"crawl ended: {_of(fields, 'reason')}, {_of(fields, 'operations')} operations"


def _request(fields: Mapping[str, Any]) -> str:
    said = f"{_of(fields, 'method', 20)} {_of(fields, 'url')}"
    error = fields.get("error")
    return f"{said}: {one_line(error, _MAX)}" if error else said


def _outcome(fields: Mapping[str, Any]) -> str:
    changed = fields.get("content_changed")
    said = "content not compared"
    if changed is not None:
        said = "content changed" if changed else "content unchanged"
    if fields.get("error"):
        said = one_line(fields["error"], _MAX)
    staged = fields.get("staged_path")
    stored = f", staged as {one_line(staged, _MAX)}" if staged else ""
    return f"record {_of(fields, 'of_sequence')}: {said}{stored}"


def _removal(fields: Mapping[str, Any]) -> str:
    return f"removed {_of(fields, 'staged_path')}: {_of(fields, 'reason')}"


def _control(fields: Mapping[str, Any]) -> str:
    action, subject = str(fields.get("action")), _of(fields, "subject")
    did = _DID[action].format(subject) if action in _DID else f"{_of(fields, 'action')}: {subject}"
    said = f"{_of(fields, 'by')} {did} {_VIA.get(str(fields.get('via')), '')}".rstrip()
    detail = fields.get("detail")
    reason = detail.get("reason") if isinstance(detail, dict) else None
    return f"{said}: {one_line(reason, _MAX)}" if reason else said


_SENTENCES = {
    "start": _start,
    "end": _end,
    "request": _request,
    "outcome": _outcome,
    "removal": _removal,
    "control": _control,
}
