"""What a worker of a fleet says of itself, as it is stored in Redis."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, Self, cast

from wikicrawler.audit.redaction import redact_parameters
from wikicrawler.text.safe import one_line

State = Literal["running", "stopping", "ended"]
"""What a worker does: ``stopping`` finishes its pages, after a signal for one."""
MAX_REPORT = 32_000
"""Maximum number of bytes of a report."""
MAX_STATS = 200
MAX_SITES = 10
"""Number of sites whose delays and pauses are reported, the longest ones."""
MAX_NAMES = 5
"""Number of feeds, and of hosts with a robots.txt, that are reported."""
_MAX_TEXT = 300
"""Characters of a text."""
_LARGEST = 2**53


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """What a worker says of itself. Texts are short printable lines without secrets."""

    host: str = ""
    pid: int = 0
    state: State = "running"
    reason: str = ""
    """The finish reason; empty before the end."""
    every: float = 10.0
    """Seconds between two reports."""
    stats: dict[str, int] = field(default_factory=dict)
    """Those of its stats that :mod:`~wikicrawler.control.fleet.totals` adds."""
    rate: float | None = None
    """Pages per minute, over the last minute."""
    active: int = 0
    """Requests in its downloader."""
    waiting: int = 0
    """Those of them that wait for their turns among all workers."""
    robots_fetched: list[str] = field(default_factory=list)
    """Origins whose robots.txt it is fetching."""
    robots_awaited: list[str] = field(default_factory=list)
    """Origins whose robots.txt it waits for, because another worker fetches it."""
    delays: dict[str, float] = field(default_factory=dict)
    """Seconds between two requests, of the slowest sites."""
    pauses: dict[str, float] = field(default_factory=dict)
    """Seconds left of the pauses of sites, the longest ones."""
    feeds: list[str] = field(default_factory=list)

    def to_json(self) -> bytes:
        """Return the report as it is stored, of at most :data:`MAX_REPORT` bytes."""
        parts = asdict(self)
        stored = _packed(parts)
        for name in ("delays", "pauses", "robots_awaited", "robots_fetched", "feeds", "stats"):
            if len(stored) <= MAX_REPORT:
                break
            del parts[name]
            stored = _packed(parts)
        return stored

    @classmethod
    def of_json(cls, stored: bytes) -> Self:
        """Return the report that *stored* is. What is not as :meth:`to_json` writes it is left
        out: whoever can write to Redis may have written it."""
        try:
            found = json.loads(stored[: MAX_REPORT + 1])
        except (ValueError, RecursionError):
            found = None
        parts: dict[str, Any] = found if isinstance(found, dict) else {}
        state, rate = parts.get("state"), parts.get("rate")
        return cls(
            host=shown(parts.get("host", "")),
            pid=_count(parts.get("pid")),
            state=cast("State", state) if state in ("running", "stopping", "ended") else "running",
            reason=shown(parts.get("reason", "")),
            every=_seconds(parts.get("every")) or cls().every,
            stats=counts(parts.get("stats")),
            rate=None if rate is None else _seconds(rate),
            active=_count(parts.get("active")),
            waiting=_count(parts.get("waiting")),
            robots_fetched=names(parts.get("robots_fetched")),
            robots_awaited=names(parts.get("robots_awaited")),
            delays=longest(parts.get("delays")),
            pauses=longest(parts.get("pauses")),
            feeds=names(parts.get("feeds")),
        )


def _packed(parts: dict[str, Any]) -> bytes:
    return json.dumps(parts, separators=(",", ":")).encode()


def shown(text: object) -> str:
    """Return *text* as a report has it: a short line without secrets."""
    return redact_parameters(one_line(text, _MAX_TEXT))


def names(found: object) -> list[str]:
    """Return the first :data:`MAX_NAMES` of the texts *found*, as :func:`shown`."""
    return [shown(name) for name in found[:MAX_NAMES]] if isinstance(found, list) else []


def longest(found: object) -> dict[str, float]:
    """Return the longest :data:`MAX_SITES` of the times *found*, by site, longest first."""
    times = found if isinstance(found, dict) else {}
    ordered = sorted(times.items(), key=lambda item: (-_seconds(item[1]), str(item[0])))
    return {shown(site): round(_seconds(time), 2) for site, time in ordered[:MAX_SITES]}


def counts(found: object) -> dict[str, int]:
    """Return the first :data:`MAX_STATS` of the counts *found*, by name."""
    named = list(found.items())[:MAX_STATS] if isinstance(found, dict) else []
    return {str(name)[:_MAX_TEXT]: _count(count) for name, count in named}


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        return 0
    return min(max(0, value), _LARGEST)


def _seconds(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value < _LARGEST:
        return 0.0
    return float(value)
