"""How often one download slot may be asked: the arithmetic, without Scrapy.

Times are seconds of :func:`time.monotonic`.
"""

from __future__ import annotations

from dataclasses import dataclass

GROWTH = 2.0
"""The delay is multiplied by this when the server is busy."""
SMALLEST_RAISE = 0.1
"""Seconds; what a delay of nothing is taken for when it is to grow."""
RECOVERY = 0.9
"""A raised delay is multiplied by this after each good answer."""
SLOW = 3.0
"""An answer is slow when it takes this many times as long as is usual for the site."""
LEARNING = 0.3
"""Weight of the newest latency in what is usual."""
IDLE = 120.0
"""After so long a site at its base delay is forgotten."""
IDLE_RAISED = 3600.0
"""After so long any site is forgotten: what it was then says nothing now."""


@dataclass(slots=True)
class Budget:
    """State of one slot. :attr:`delay` is the rest it has after an answer."""

    default: float
    """Base delay where nothing is configured for the site."""
    max_delay: float
    """No raise goes above it; a base that is above it stands."""
    configured: float | None = None
    crawl_delay: float = 0.0
    """What robots.txt asks for."""
    concurrency: int | None = None
    raised: float = 0.0
    """The delay while it is above the base; else 0."""
    usual: float | None = None
    """Mean latency of the latest answers."""
    not_before: float = 0.0
    """The slot is paused until then."""
    last_end: float = 0.0
    """When the last answer (or failure) came."""
    last_used: float = 0.0
    raised_at: float = 0.0
    told_slow: bool = False
    told_pause: float = 0.0
    """The longest pause that was logged since all was well."""

    @property
    def base(self) -> float:
        """The floor under the delay."""
        own = self.default if self.configured is None else self.configured
        return max(own, self.crawl_delay)

    @property
    def delay(self) -> float:
        return max(self.base, self.raised)

    def configure(self, delay: float | None, concurrency: int | None) -> None:
        """Let what is configured for a host bear on the slot; the most careful host rules it."""
        if delay is not None:
            self.configured = max(delay, self.configured or 0.0)
        if concurrency is not None:
            self.concurrency = min(concurrency, self.concurrency or concurrency)

    def pause(self, seconds: float, now: float) -> None:
        self.not_before = max(self.not_before, now + seconds)

    def busy(self, now: float, latency: float = 0.0) -> None:
        """The server has too much to do: it said so, or took long to answer."""
        # Answers to requests that were on their way at the last raise say nothing new.
        if now - latency >= self.raised_at:
            self._raise(GROWTH * max(self.delay, SMALLEST_RAISE))
            self.raised_at = now

    def answered(self, latency: float, now: float, *, good: bool) -> None:
        """An answer came after *latency* seconds; only a *good* one lets the delay sink."""
        usual = self.usual
        slow = usual is not None and latency > max(SLOW * usual, self.base)
        if slow:
            self.busy(now, latency)
        if latency > self.delay:  # the server rests at least as long as it worked
            self._raise(latency)
        elif good and self.raised and not slow:
            self.raised = max(self.raised * RECOVERY, latency)
            if self.raised <= self.base * 1.05 + 0.01:
                self.raised = 0.0
        # A single outlier moves what is usual by little, a server that stays slow within a few.
        newest = latency if usual is None else min(latency, SLOW * usual)
        self.usual = newest if usual is None else usual + LEARNING * (newest - usual)

    def forgettable(self, now: float) -> bool:
        """Whether nothing would be lost but what it has learned of the latency."""
        idle = now - max(self.last_used, self.last_end, self.not_before) - self.delay
        return idle > (IDLE_RAISED if self.raised else IDLE)

    def _raise(self, delay: float) -> None:
        raised = min(delay, self.max_delay)
        self.raised = raised if raised > self.base else 0.0
