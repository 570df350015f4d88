"""Which of several due sources is visited first.

Priorities take turns: of each eight visits, five are for sources with the priority ``high``, two
for ``medium`` and one for ``low``. A visit for which no source of its priority is due is for the
highest one that has any. Within a priority, the source that has been due for the longest comes
first. Hence a due source with the priority ``low``, before which *k* others of that priority became
due, waits for fewer than 8 × (k + 1) visits, however many sources of higher priorities there are.
"""

from __future__ import annotations

from collections import deque
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


class Priority(StrEnum):
    """The priorities of a manifest."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


_H, _M, _L = Priority.HIGH, Priority.MEDIUM, Priority.LOW
TURNS = (_H, _H, _M, _H, _H, _M, _H, _L)
"""The priorities of consecutive visits; they repeat."""


class Due(NamedTuple):
    """A source that is due."""

    source_id: str
    priority: Priority
    due: datetime
    """Since when, as :func:`~wikicrawler.sources.schedule.due.next_due` returns it."""


def order(due: Iterable[Due], *, turn: int = 0, at_most: int | None = None) -> list[Due]:
    """Return the sources in the order in which they are visited.

    :param turn: number of visits that have started before, in all; it decides whose turn is next.
        A caller that takes few sources at a time must count, or ``low`` has no turn.
    :param at_most: maximum number of sources to return; default: all
    """
    queues: dict[Priority, deque[Due]] = {
        priority: deque()
        for priority in Priority  # from the highest to the lowest
    }
    for found in sorted(due, key=lambda found: (found.due, found.source_id)):
        queues[Priority(found.priority)].append(found)
    total = sum(map(len, queues.values()))
    count = total if at_most is None else min(max(at_most, 0), total)
    ordered = []
    for number in range(turn, turn + count):
        queue = queues[TURNS[number % len(TURNS)]]
        queue = queue or next(filter(None, queues.values()))
        ordered.append(queue.popleft())
    return ordered
