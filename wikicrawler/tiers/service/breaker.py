"""Circuit breaker for a server that keeps failing."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

FAILURES = 5
"""Number of consecutive failures that opens the breaker."""
FIRST_PAUSE = 5.0
"""Seconds; doubled each time the trial after a pause fails."""
LONGEST_PAUSE = 300.0


OTHERS_TRIAL = 2.0
"""Seconds after which the outcome of another worker's trial is looked at."""


class BreakerNote(NamedTuple):
    """What a breaker has learned, for other workers with the same server."""

    failures: int = 0
    """Consecutive ones, in addition to those that were noted before."""
    pause: float = 0.0
    """Seconds for which the breaker is open from now on."""
    is_over: bool = False
    """The server answers: nothing counts any more."""
    ends_trial: bool = False
    """This worker's trial ends without an outcome."""


async def _always() -> bool:
    return True


class Breaker:
    """Circuit breaker. It is closed, open, or half open: then one trial decides.

    It counts consecutive failures, whoever reports them. *share* is called with what other workers
    are to know; they give it on by :meth:`take_over`.

    :param clock: returns the time in seconds
    :param longest: maximum length of a pause in seconds
    """

    def __init__(
        self, clock: Callable[[], float] = monotonic, longest: float = LONGEST_PAUSE
    ) -> None:
        self.longest = longest
        self.share: Callable[[BreakerNote], object] = lambda _: None
        self.may_try: Callable[[], Awaitable[bool]] = _always
        """Where the breaker is half open: returns True if this worker has the trial; False: another
        one has it."""
        self.trial_seconds = 30.0
        """Maximum time that a trial takes."""
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
            self.share(BreakerNote(failures=1))
            return False
        self._pause = min(2 * self._pause or FIRST_PAUSE, self.longest)
        self._open_until = self._clock() + self._pause
        self.share(BreakerNote(pause=self._pause))
        return True

    def succeeded(self) -> bool:
        """Count a success. Return True if it closed the breaker."""
        was_open = self._open_until is not None
        if was_open or self._failures:
            self.share(BreakerNote(is_over=True))
        self._failures, self._pause, self._open_until = 0, 0.0, None
        return was_open

    def take_over(self, failures: int, pause: float, remaining: float) -> None:
        """Take on what all workers know: the number of failures, and the length of the last pause
        (0: the breaker is closed) with the seconds that are left of it."""
        self._failures, self._pause = failures, pause
        self._open_until = self._clock() + min(remaining, self.longest) if pause else None
