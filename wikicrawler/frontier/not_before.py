"""Requests that are not to be made before a moment of their own."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from math import ceil
from time import monotonic, time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy import Request

NOT_BEFORE = "not_before"
"""Meta key (float, seconds since the epoch): the scheduler delays the request until then."""
LONGEST = 86_400.0
"""Seconds. A moment further off is taken for one that is so far off: a clock that was wrong when it
was written, or is now, keeps no page for years."""


def wait_of(request: Request) -> float:
    """Seconds for which *request* is to be delayed; 0 where it may go, or its moment is none."""
    moment = request.meta.get(NOT_BEFORE)
    if not isinstance(moment, (int, float)):
        return 0.0
    now = time()
    return max(0.0, min(moment, now + LONGEST) - now)  # in this order NaN is 0


def in_step(moment: float) -> float:
    """Return *moment* or up to a tenth of a second later. Requests that become due in the same step
    go in their order."""
    return ceil(moment * 10) / 10


def same_step(moment: float) -> float:
    """Return *moment* or up to 0.11 seconds later, as a value of ``not_before`` for several
    requests that are to go in their order.

    The value is near the start of a step: the time that a request takes to reach the queue cannot
    move it to the next step.
    """
    return in_step(moment) + 0.01


def steady_clock() -> Callable[[], float]:
    """Return a clock in seconds since the epoch that does not follow when the system's is set."""
    epoch = time() - monotonic()
    return lambda: epoch + monotonic()


class DelayedRequests:
    """Requests in memory that wait for their moment; the one that comes first is the first out."""

    def __init__(self) -> None:
        self._clock = steady_clock()
        self._heap: list[tuple[float, int, Request]] = []
        self._order = count()

    def __len__(self) -> int:
        return len(self._heap)

    def __iter__(self) -> Iterator[Request]:
        return (request for _, _, request in self._heap)

    @property
    def wait(self) -> float:
        """Seconds until the first may go; 0 where there is none."""
        return max(0.0, self._heap[0][0] - self._clock()) if self._heap else 0.0

    def add(self, request: Request, seconds: float) -> None:
        """Delay *request* for so many seconds."""
        heappush(self._heap, (in_step(self._clock() + seconds), next(self._order), request))

    def pop_due(self) -> Request | None:
        """One whose moment has come; None where there is none."""
        if not self._heap or self._heap[0][0] > self._clock():
            return None
        return heappop(self._heap)[2]
