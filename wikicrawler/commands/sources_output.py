"""What ``scrapy sources list`` and ``show`` print."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from wikicrawler.commands.arguments import print_lines
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wikicrawler.sources.agenda.agenda import Entry
    from wikicrawler.sources.staging.failures import KeptFailures


def print_list(entries: Iterable[Entry], kept: KeptFailures, *, as_json: bool) -> None:
    """Print one line for each source."""
    entries = list(entries)
    if as_json:
        print_lines(json.dumps(_fields(entry, kept)) for entry in entries)
        return
    print_lines(_lines_of_list(entries, kept))


def _lines_of_list(entries: Sequence[Entry], kept: KeptFailures) -> Iterator[str]:
    width = max((len(entry.source.id) for entry in entries), default=0)
    for entry in entries:
        frequency = f"{entry.source.frequency:<9}"
        visited = f"{_moment(entry.state.last_started):<20}"
        line = f"{entry.source.id:<{width}}  {frequency}  {visited}  {_status(entry)}"
        if entry.state.consecutive_failures and (paths := kept.paths_of(entry.source.id)):
            line += f"; last kept response: {paths[-1]}"
        yield line


def print_details(
    entries: Iterable[Entry], kept: KeptFailures, errors: Mapping[str, str], *, as_json: bool
) -> None:
    """Print all that is known of each source, with the kept responses of its failed fetches.

    :param errors: why the last visits failed, by the ids of sources
    """
    print_lines(_lines_of_details(entries, kept, errors, as_json=as_json))


def _lines_of_details(
    entries: Iterable[Entry], kept: KeptFailures, errors: Mapping[str, str], *, as_json: bool
) -> Iterator[str]:
    for entry in entries:
        responses = [_response(kept, path) for path in kept.paths_of(entry.source.id)]
        error = errors.get(entry.source.id)
        if as_json:
            more = {"last_error": error, "kept_responses": responses}
            yield json.dumps(_fields(entry, kept) | more)
            continue
        state = entry.state
        yield f"{entry.source.id}  {one_line(entry.source.url)}"
        for name, value in {
            "frequency": _frequency(entry),
            "status": _status(entry),
            "last visit": _moment(state.last_started),
            "last success": _moment(state.last_success),
            "last change": _moment(state.last_changed),
            "failures in a row": str(state.consecutive_failures),
            "last error": one_line(error) if error else "none",
        }.items():
            yield f"  {name:<17}  {value}"
        for response in responses:
            yield f"  {_line(response)}"


def shown_moment(at: datetime) -> str:
    """Return *at*, in UTC, as a person reads it."""
    return f"{at:%Y-%m-%d %H:%M} UTC"


def _moment(seconds: float | None) -> str:
    return "never" if seconds is None else shown_moment(datetime.fromtimestamp(seconds, UTC))


def _frequency(entry: Entry) -> str:
    steps = entry.state.reduced
    shown = f" (visited less often after rate limits: {steps} steps)" if steps else ""
    return f"{entry.source.frequency}{shown}"


def _status(entry: Entry) -> str:
    if entry.is_claimed:
        return "is visited now"
    failures = entry.state.consecutive_failures
    failed = f"{failures} failure{'s' if failures > 1 else ''} in a row" if failures else ""
    if entry.is_paused or entry.next_visit is None:
        reason = entry.state.pause_reason or failed
        return "paused" + (f": {one_line(reason)}" if reason else "")
    due = entry.next_visit <= datetime.now(UTC)
    status = "due" if due else f"next {shown_moment(entry.next_visit)}"
    return f"{status}; {failed}" if failed else status


def _response(kept: KeptFailures, path: str) -> dict[str, Any]:
    """Return what a person sees of the kept response at *path*."""
    try:
        found = kept.read(path)
        return {
            "path": path,
            "kept_at": str(found["kept_at"]),
            "url": str(found["url"]),
            "status": found["response"]["status"],
            "error": str(found["error"]),
            "needs_review": bool(found["needs_review"]),
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        return {"path": path, "error": f"cannot be read ({type(error).__name__})"}


def _line(response: dict[str, Any]) -> str:
    parts = [response.get("kept_at", ""), response["error"], response.get("url", "")]
    review = "  needs review" if response.get("needs_review") else ""
    shown = "  ".join(one_line(part) for part in parts if part)
    return f"{shown}{review}\n    {response['path']}"


def _fields(entry: Entry, kept: KeptFailures) -> dict[str, object]:
    state = entry.state
    return {
        "source": entry.source.id,
        "frequency": entry.source.frequency,
        "frequency_reduced": state.reduced,
        "priority": entry.source.priority,
        "due": entry.due.isoformat(),
        "next_visit": entry.next_visit.isoformat() if entry.next_visit else None,
        "paused": entry.is_paused,
        "pause_reason": state.pause_reason,
        "visited_now": entry.is_claimed,
        "last_started": state.last_started,
        "last_success": state.last_success,
        "last_changed": state.last_changed,
        "consecutive_failures": state.consecutive_failures,
        "kept_responses": kept.paths_of(entry.source.id),
    }
