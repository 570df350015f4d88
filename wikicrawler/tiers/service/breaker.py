"""When a server that keeps failing is left alone, and when it is tried again."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FAILURES = 5
"""So many in a row open the breaker."""
FIRST_PAUSE = 30.0
"""Seconds; doubled each time that the trial after a pause fails."""
LONGEST_PAUSE = 300.0


class Breaker:
    """Circuit breaker: closed, open, or half open, when one trial decides.

    It counts failures in a row, whoever reports them; times are of *clock*, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._failures = 0
        self._pause = 0.0
        self._open_until: float | None = None

    @property
    def state(self) -> str:
        """``closed``; ``open``, when nothing is to be sent; ``half_open``, when one trial is."""
        if self._open_until is None:
            return "closed"
        return "open" if self._clock() < self._open_until else "half_open"

    @property
    def remaining(self) -> float:
        """Seconds until the next trial."""
        return max(0.0, (self._open_until or 0.0) - self._clock())

    @property
    def is_last_chance(self) -> bool:
        """Whether the next failure opens it."""
        return self._open_until is None and self._failures + 1 >= FAILURES

    def failed(self) -> bool:
        """Count a failure; whether it opened the breaker (again)."""
        self._failures += 1
        state = self.state
        if state == "open" or (state == "closed" and self._failures < FAILURES):
            return False  # an answer to what was under way when it opened is no news
        self._pause = min(2 * self._pause or FIRST_PAUSE, LONGEST_PAUSE)
        self._open_until = self._clock() + self._pause
        return True

    def succeeded(self) -> bool:
        """Note an answer; whether it closed the breaker."""
        was_open = self._open_until is not None
        self._failures, self._pause, self._open_until = 0, 0.0, None
        return was_open
