"""Requests that are not to be made before a moment of their own."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count
from math import ceil
from time import monotonic, time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """*moment* or up to a tenth of a second later: what waits for one event, though reckoned at
    different times, goes in its order."""
    return ceil(moment * 10) / 10


class DelayedRequests:
    """Requests in memory that wait for their moment; the one that comes first is the first out."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, Request]] = []  # by the monotonic clock
        self._order = count()

    def __len__(self) -> int:
        return len(self._heap)

    def __iter__(self) -> Iterator[Request]:
        return (request for _, _, request in self._heap)

    @property
    def wait(self) -> float:
        """Seconds until the first may go; 0 where there is none."""
        return max(0.0, self._heap[0][0] - monotonic()) if self._heap else 0.0

    def add(self, request: Request, seconds: float) -> None:
        """Delay *request* for so many seconds."""
        heappush(self._heap, (in_step(monotonic() + seconds), next(self._order), request))

    def pop_due(self) -> Request | None:
        """One whose moment has come; None where there is none."""
        if not self._heap or self._heap[0][0] > monotonic():
            return None
        return heappop(self._heap)[2]
