"""The delay of one download slot: pure arithmetic, independent of Scrapy.

Times are seconds of :func:`time.monotonic`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from wikicrawler.politeness.notices import Notices

GROWTH = 2.0
"""Factor of the delay when the server is busy."""
MIN_GROWN_FROM = 0.1
"""Seconds; a shorter delay grows from this value."""
RECOVERY = 0.9
"""Factor of a raised delay after each good response."""
SLOW = 3.0
"""A response is slow if it takes this many times the usual latency of the site."""
SMOOTHING = 0.3
"""Weight of the newest latency in the usual latency (exponential moving average)."""
IDLE = 120.0
"""Seconds after which an idle site at its base delay is forgotten."""
IDLE_RAISED = 3600.0
"""Seconds after which any idle site is forgotten: its raised delay is out of date."""

_ROUNDING = 1e-5  # seconds


@dataclass(slots=True)
class Budget:
    """State of one slot. :attr:`delay` is the pause after a response."""

    default: float
    """Base delay if none is configured for the site."""
    max_delay: float
    """Limit of a raised delay. A longer base delay is not shortened."""
    configured: float | None = None
    crawl_delay: float = 0.0
    """Delay that robots.txt asks for."""
    concurrency: int | None = None
    raised: float = 0.0
    """The delay while it is above the base, else 0."""
    usual: float | None = None
    """Moving average of the latency."""
    not_before: float = 0.0
    """End of the pause of the slot."""
    last_end: float = 0.0
    """Time of the last response or failure."""
    last_used: float = 0.0
    raised_at: float = 0.0
    notices: Notices = field(default_factory=Notices)

    @property
    def base(self) -> float:
        """The minimum delay."""
        base = self.default if self.configured is None else self.configured
        return max(base, self.crawl_delay)

    @property
    def delay(self) -> float:
        return max(self.base, self.raised)

    def configure(self, delay: float | None, concurrency: int | None) -> None:
        """Add the configuration of a host of the slot; the strictest host decides."""
        if delay is not None:
            self.configured = max(delay, self.configured or 0.0)
        if concurrency is not None:
            self.concurrency = min(concurrency, self.concurrency or concurrency)

    def pause(self, seconds: float, now: float) -> None:
        self.not_before = max(self.not_before, now + seconds)

    def record_busy(self, now: float, latency: float = 0.0) -> None:
        """Raise the delay, because the server is overloaded (it said so, or was slow)."""
        # Responses to requests that were in flight at the last raise are not new evidence.
        if now - latency >= self.raised_at:
            self._raise(GROWTH * max(self.delay, MIN_GROWN_FROM))
            self.raised_at = now

    def record_response(self, latency: float, now: float, *, good: bool) -> None:
        """Adjust the delay to a response after *latency* seconds; only a *good* one lowers it."""
        usual = self.usual
        slow = usual is not None and latency > max(SLOW * usual, self.base)
        if slow:
            self.record_busy(now, latency)
        if latency > self.delay:  # pause at least as long as the server worked
            self._raise(latency)
        elif good and self.raised and not slow:
            self.raised = max(self.raised * RECOVERY, latency)
            if self.raised <= self.base * 1.05 + 0.01:
                self.raised = 0.0
        # Capped, so that one outlier changes the average little; a server that stays slow changes
        # it within a few responses.
        newest = latency if usual is None else min(latency, SLOW * usual)
        self.usual = newest if usual is None else usual + SMOOTHING * (newest - usual)

    def set_raised(self, delay: float, now: float) -> bool:
        """Set the raised delay, which others found right; 0 if it is not raised. Return True if
        that changes it by more than a rounding."""
        before = self.raised
        self._raise(delay)
        if self.raised > before:
            self.raised_at = now
        return abs(self.raised - before) > _ROUNDING

    def is_idle(self, now: float) -> bool:
        """Return whether the state can be dropped; only the latency would have to be relearned."""
        idle = now - max(self.last_used, self.last_end, self.not_before) - self.delay
        return idle > (IDLE_RAISED if self.raised else IDLE)

    def _raise(self, delay: float) -> None:
        raised = min(delay, self.max_delay)
        self.raised = raised if raised > self.base else 0.0
