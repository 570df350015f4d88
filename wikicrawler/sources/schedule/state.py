"""What is known of the visits to a source."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from wikicrawler.sources.schedule.zones import check_moment

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
"""When a source is due that was never visited: at once."""
MAX_FAILURES = 5
"""Number of scheduled visits that fail in a row until the source is paused."""
MAX_REDUCED = 3
"""Maximum number of steps by which the frequency is lowered."""
MAX_WAIT = timedelta(days=31)
"""Maximum time for which the server's Retry-After puts off the next scheduled visit."""


@dataclass(frozen=True, slots=True)
class State:
    """What is known of the visits to one source. Moments are in UTC, None means never."""

    since: datetime | None = None
    """When the source was added to the schedule."""
    last_started: datetime | None = None
    last_success: datetime | None = None
    last_changed: datetime | None = None
    """Start of the last visit that found a change."""
    interval: timedelta | None = None
    """With the frequency ``adaptive``; None: not adapted yet."""
    consecutive_failures: int = 0
    """Number of scheduled visits that failed since the last success."""
    reduced: int = 0
    """Number of steps by which the frequency is lowered because of HTTP 429."""
    successes: int = 0
    """Number of successes in a row while the frequency is lowered."""
    not_before: datetime | None = None
    """The server has asked for no request before this moment."""

    def __post_init__(self) -> None:
        """Convert the moments to UTC.

        :raises ValueError: a moment has no time zone, or a number is out of bounds
        """
        for name in ("since", "last_started", "last_success", "last_changed", "not_before"):
            if (moment := getattr(self, name)) is not None:
                object.__setattr__(self, name, check_moment(moment))
        if not 0 <= self.reduced <= MAX_REDUCED:
            raise ValueError(f"reduced: {self.reduced} is out of bounds (0 to {MAX_REDUCED})")

    @property
    def is_paused(self) -> bool:
        """Whether the source failed so often that a person has to look at it."""
        return self.consecutive_failures >= MAX_FAILURES
