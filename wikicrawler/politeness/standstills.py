"""When this process stood still, so that what it waited for is not the fault of a site."""

from __future__ import annotations

from collections import deque
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

STEP = 0.5
"""Seconds between two calls of :meth:`Standstills.tick`, where the process works."""
LEAST = 2.0
"""Seconds. What is shorter is the ordinary work of the process."""
_KEPT = 16


class Standstills:
    """Notes when the event loop did not run: the process was stopped, or too busy.

    :param clock: returns seconds
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._last: float | None = None
        self._found: deque[tuple[float, float]] = deque(maxlen=_KEPT)

    def tick(self) -> None:
        """Note that the loop runs."""
        now = self._clock()
        if self._last is not None and now - self._last - STEP > LEAST:
            self._found.append((self._last + STEP, now))
        self._last = now

    def within(self, seconds: float) -> float:
        """Return for how many of the last *seconds* the process stood still."""
        if self._last is None:
            return 0.0
        self.tick()  # what has just ended counts too
        since = self._clock() - seconds
        return sum(max(0.0, end - max(begin, since)) for begin, end in self._found)
