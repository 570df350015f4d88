"""The access log of the tests' MediaWiki."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from pathlib import Path


class LogEntry(NamedTuple):
    """One request, as the server logged it."""

    time: float
    """When it arrived: seconds since the epoch, to the millisecond."""
    duration: float
    """Seconds until it was answered, to the millisecond."""
    method: str
    path: str
    """As the client sent it, percent-encoded."""
    query: str
    status: int
    user_agent: str

    @classmethod
    def parse(cls, line: str) -> LogEntry:
        """The entry of one line of the log, as ``etc/nginx.conf`` has it written."""
        logged = json.loads(line)
        path, _, query = logged["uri"].partition("?")
        return cls(
            time=round(logged["end"] - logged["duration"], 3),
            duration=round(logged["duration"], 3),
            method=logged["method"],
            path=path,
            query=query,
            status=logged["status"],
            user_agent=logged["user_agent"],
        )

    @property
    def params(self) -> dict[str, str]:
        """The query, decoded."""
        return dict(parse_qsl(self.query, keep_blank_values=True))


def read_log(file: Path) -> list[LogEntry]:
    """The requests in *file*, in order of arrival: servers log a request when it is answered."""
    lines = file.read_text("utf-8", "replace").splitlines()
    return sorted(LogEntry.parse(line) for line in lines)
