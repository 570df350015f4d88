"""Limits how often somebody may try to log in."""

from __future__ import annotations

from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

_OF_ADDRESS = parse("10/5 minutes")
_OF_ALL = parse("60/5 minutes")


class LogInLimit:
    """Counts the tries of each address, and of all: a try takes 64 MB of memory."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def take(self, address: str) -> bool:
        """Count a try of *address*; return False if it is one too many."""
        return self._limiter.hit(_OF_ADDRESS, address) and self._limiter.hit(_OF_ALL, "all")
