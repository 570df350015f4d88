"""How the time of a function grows with its input."""

from __future__ import annotations

import gc
import time
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

FACTOR = 8
"""How much larger the larger input is."""
LIMIT = 3 * FACTOR
"""Linear time grows by the factor, quadratic time by its square. The limit is far from both."""
_LEAST = 0.005
"""Seconds of CPU that a measurement takes at least, or the clock's steps would count."""
_LONG = 1.0
"""Seconds of CPU; a large text that takes longer is not measured again."""
_RUNS = 5
_ROUNDS = 30


def growth(function: Callable[[str], object], text: Callable[[int], str], size: int) -> float:
    """Return how many times the CPU time of *function* for a text of *size* its time for one of
    :data:`FACTOR` times *size* is.

    CPU time is of this thread alone, without garbage collection, but others share its caches. So
    the shortest of several runs counts for the small size, and both sizes are measured again while
    the result exceeds :data:`LIMIT`.
    """
    small, large = text(size), text(FACTOR * size)
    fast = slow = inf
    for _ in range(_ROUNDS):
        fast = min(fast, *(_seconds(function, small) for _ in range(_RUNS)))
        slow = min(slow, _seconds(function, large))
        if slow < LIMIT * fast or slow > _LONG:
            break
    return slow / fast


def _seconds(function: Callable[[str], object], text: str) -> float:
    """CPU time of one call."""
    times = 1
    while (taken := _run(function, text, times)) < _LEAST:
        times *= 2
    return taken / times


def _run(function: Callable[[str], object], text: str, times: int) -> float:
    collects = gc.isenabled()
    gc.disable()
    try:
        start = time.thread_time()
        for _ in range(times):
            function(text)
        return time.thread_time() - start
    finally:
        if collects:
            gc.enable()
