"""Circuit breakers of services in a Redis, which workers share."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

from wikicrawler.frontier.redis.exchange import as_text, micro
from wikicrawler.politeness.fleet.script import SharedScript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.tiers.service.breaker import BreakerNote

PREFIX = "{wikicrawler:breakers}:"
"""What the keys begin with. No job has this name: its keys have a spider's."""

WINDOW = 200
"""Maximum number of services that a call returns."""


class KnownBreaker(NamedTuple):
    """What all workers know of a service."""

    service: str
    failures: int
    """Consecutive ones."""
    pause: float
    """Seconds of the last pause; 0: the breaker is closed."""
    remaining: float
    """Seconds that are left of it."""


class BreakerStore:
    """What one worker exchanges with the Redis at *url*. The methods block; call them in one
    thread."""

    def __init__(self, url: str) -> None:
        self._script = SharedScript(url, PREFIX, "tiers/service/breakers.lua")
        self._worker = secrets.token_hex(8)
        self._known = 0
        self.has_more = False
        """True if the last call of :meth:`exchange` did not return all that has changed."""

    def exchange(self, notes: Sequence[tuple[str, BreakerNote]]) -> list[KnownBreaker]:
        """Store *notes* on services, and return those of which anything has changed since the last
        call; at first all, some of them at a time.

        :raises StoreError: Redis is unavailable; *notes* may have been stored
        """
        arguments: list[bytes | int | str] = [self._worker, "exchange", self._known, len(notes)]
        for service, note in notes:
            arguments += [service, note.failures, micro(note.pause)]
            arguments += [int(note.is_over), int(note.ends_trial)]
        arguments.append(WINDOW)
        self._known, *changed = self._script.run(arguments)
        self.has_more = len(changed) >= WINDOW
        return [
            KnownBreaker(as_text(service), failures, pause / 1e6, remaining / 1e6)
            for service, failures, pause, remaining in changed
        ]

    def try_service(self, service: str, seconds: float) -> bool:
        """Return True if this worker may try *service*, which is half open: no other one does, for
        so long.

        :raises StoreError: Redis is unavailable
        """
        duration = max(1, round(seconds * 1000))
        return bool(self._script.run([self._worker, "try", service, duration])[0])

    def close(self) -> None:
        """Close the connection; harmless when called again."""
        self._script.close()
