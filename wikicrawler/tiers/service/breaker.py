"""Circuit breaker for a server that keeps failing."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FAILURES = 5
"""Number of consecutive failures that opens the breaker."""
FIRST_PAUSE = 5.0
"""Seconds; doubled each time the trial after a pause fails."""
LONGEST_PAUSE = 300.0


class Breaker:
    """Circuit breaker. It is closed, open, or half open: then one trial decides.

    It counts consecutive failures, whoever reports them.

    :param clock: returns the time in seconds
    :param longest: maximum length of a pause in seconds
    """

    def __init__(
        self, clock: Callable[[], float] = monotonic, longest: float = LONGEST_PAUSE
    ) -> None:
        self.longest = longest
        self._clock = clock
        self._failures = 0
        self._pause = 0.0
        self._open_until: float | None = None

    @property
    def state(self) -> str:
        """``closed``; ``open``: send nothing; ``half_open``: send one trial."""
        if self._open_until is None:
            return "closed"
        return "open" if self._clock() < self._open_until else "half_open"

    @property
    def remaining(self) -> float:
        """Seconds until the next trial."""
        return max(0.0, (self._open_until or 0.0) - self._clock())

    def failed(self, *, at_once: bool = False) -> bool:
        """Count a failure. Return True if it opened the breaker (again).

        :param at_once: open the breaker after this failure, whatever the number
        """
        self._failures += 1
        state = self.state
        if state == "open":
            return False  # a request in flight when the breaker opened does not extend the pause
        if state == "closed" and self._failures < FAILURES and not at_once:
            return False
        self._pause = min(2 * self._pause or FIRST_PAUSE, self.longest)
        self._open_until = self._clock() + self._pause
        return True

    def succeeded(self) -> bool:
        """Count a success. Return True if it closed the breaker."""
        was_open = self._open_until is not None
        self._failures, self._pause, self._open_until = 0, 0.0, None
        return was_open
