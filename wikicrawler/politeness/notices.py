"""Which changes of a site's delay the log reports.

Times are seconds of :func:`time.monotonic`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

INTERVAL = 60.0
"""Seconds between two lines of a kind about one site."""


@dataclass(slots=True)
class Notices:
    """The lines about one site: slowed, paused, recovered; each at most once a minute, but a longer
    pause at once.

    A site whose delay rises and falls with every few responses would fill the log. A recovery is
    reported only after a line that it answers, so the last line about a site is not out of date.
    """

    is_slow: bool = False
    """True from the moment the delay has doubled until it is back at its base."""
    _was_paused: bool = False
    _is_open: bool = False  # a line was logged that the recovery will answer
    _slow_is_logged: bool = False  # of the present slow phase
    _slow_at: float = -inf
    _pause_at: float = -inf
    _longest_pause: float = 0.0

    def slow(self, now: float) -> bool:
        """Return True if the log is to report now that the site is slow; call it repeatedly."""
        self.is_slow = True
        if self._slow_is_logged or now - self._slow_at < INTERVAL:
            return False
        self._slow_is_logged = self._is_open = True
        self._slow_at = now
        return True

    def pause(self, seconds: float, now: float) -> bool:
        """Return True if the log is to report a pause of *seconds*: none as long was reported since
        the last recovery, nor within a minute."""
        if not self._was_paused and now - self._pause_at >= INTERVAL:
            self._longest_pause = 0.0
        self._was_paused = True
        if seconds <= self._longest_pause:
            return False
        self._longest_pause, self._pause_at = seconds, now
        self._is_open = True
        return True

    def recover(self) -> tuple[bool, bool]:
        """Return whether the site has recovered, and whether the log is to report it."""
        recovered, reported = self.is_slow or self._was_paused, self._is_open
        self.is_slow = self._was_paused = self._is_open = self._slow_is_logged = False
        return recovered, reported
