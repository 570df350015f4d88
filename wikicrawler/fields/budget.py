"""The limits of a run: tokens and money of all calls of models together.

::

    reservation = await budget.acquire(estimate, url=url, model=model, fields=names)
    if reservation is None:
        ...budget.why_stopped...
    try:
        completion = ...
    finally:
        budget.settle(reservation, usage)
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Literal

from wikicrawler.fields.models import Usage

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WhyStopped = Literal["max_tokens", "max_cost", "price_unknown"]


@dataclass(eq=False, slots=True)
class Reservation:
    """Tokens and money that a call may use."""

    estimate: Usage
    url: str = ""
    model: str = ""
    fields: tuple[str, ...] = ()
    settled: bool = False

    @property
    def tokens(self) -> int:
        return tokens_of(self.estimate)

    @property
    def cost(self) -> float:
        return self.estimate.cost or 0.0


@dataclass(slots=True)
class Sums:
    """What was used, of all calls and by what they were for."""

    total: Usage = field(default_factory=Usage)
    by_url: dict[str, Usage] = field(default_factory=dict)
    by_model: dict[str, Usage] = field(default_factory=dict)
    by_key: dict[str, Usage] = field(default_factory=dict)
    """By the names of keys, never by the keys."""
    by_field: dict[str, Usage] = field(default_factory=dict)
    """A call's usage is divided equally among the fields it asks for. Their requests and cached
    answers are whole numbers, too: the first fields have the rest."""


class Budget:
    """Counts what calls use, and refuses the one that may exceed a limit.

    :meth:`reserve` and :meth:`settle` may be called by several threads; :meth:`acquire` by tasks of
    one event loop, in which :meth:`settle` must be called, too.

    :param max_tokens: of prompts and answers; None: no limit
    :param max_cost: US dollars; None: no limit
    """

    def __init__(self, max_tokens: int | None = None, max_cost: float | None = None) -> None:
        self.max_tokens = max_tokens
        self.max_cost = max_cost
        self.sums = Sums()
        self.why_stopped: WhyStopped | None = None
        """Why a call was refused for good."""
        self._open: set[Reservation] = set()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._lock = Lock()

    @property
    def in_flight(self) -> int:
        """Number of calls that are not settled."""
        return len(self._open)

    def reserve(
        self, estimate: Usage, *, url: str = "", model: str = "", fields: Sequence[str] = ()
    ) -> Reservation | None:
        """Reserve what a call may use at most; None if it does not fit.

        If it would not fit even if the calls in flight used nothing, :attr:`why_stopped` is set,
        and later calls are refused, too. A cost of None does not fit any :attr:`max_cost`.
        """
        with self._lock:
            reservation = Reservation(estimate, url, model, tuple(fields))
            if self.why_stopped is None:
                self.why_stopped = self._why_not(reservation, ())
            if self.why_stopped is not None or self._why_not(reservation, self._open):
                return None
            self._open.add(reservation)
            return reservation

    async def acquire(
        self, estimate: Usage, *, url: str = "", model: str = "", fields: Sequence[str] = ()
    ) -> Reservation | None:
        """Reserve as :meth:`reserve` does, but wait for the calls in flight if it may fit then.

        None is final.
        """
        while True:
            found = self.reserve(estimate, url=url, model=model, fields=fields)
            if found is not None or self.why_stopped is not None:
                return found
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            try:
                await waiting
            finally:
                if waiting in self._waiting:
                    self._waiting.remove(waiting)

    def settle(
        self, reservation: Reservation, usage: Usage | None = None, *, key: str = "none"
    ) -> None:
        """Count what a call used in place of its reservation. A second time it has no effect.

        :param usage: None if the call failed and costs nothing
        :param key: a name for the key, which does not tell it
        """
        with self._lock:
            if reservation.settled:
                return
            reservation.settled = True
            self._open.discard(reservation)
            if usage is not None:
                self._count(reservation, usage, key)
        waiting, self._waiting = self._waiting, deque()
        for one in waiting:
            if not one.done():
                one.set_result(None)

    def note_cached(
        self, usage: Usage, *, url: str = "", model: str = "", fields: Sequence[str] = ()
    ) -> None:
        """Count an answer of the own cache, which uses nothing of the limits."""
        with self._lock:
            free = Usage(cached=max(usage.cached, 1))
            self._count(Reservation(free, url, model, tuple(fields)), free, "cache")

    def _why_not(
        self, reservation: Reservation, others: Iterable[Reservation]
    ) -> WhyStopped | None:
        taken = [reservation, *others]
        spent = self.sums.total
        if self.max_tokens is not None:
            tokens = tokens_of(spent) + sum(one.tokens for one in taken)
            if tokens > self.max_tokens:
                return "max_tokens"
        if self.max_cost is not None:
            if spent.cost is None or reservation.estimate.cost is None:
                return "price_unknown"
            if spent.cost + sum(one.cost for one in taken) > self.max_cost:
                return "max_cost"
        return None

    def _count(self, call: Reservation, usage: Usage, key: str) -> None:
        sums = self.sums
        sums.total += usage
        for table, name in (
            (sums.by_url, call.url),
            (sums.by_model, call.model),
            (sums.by_key, key),
        ):
            table[name] = table.get(name, Usage()) + usage
        for name, share in zip(call.fields, _shares(usage, len(call.fields)), strict=True):
            sums.by_field[name] = sums.by_field.get(name, Usage()) + share


def tokens_of(usage: Usage) -> int:
    """Return the tokens of the prompts and the answers."""
    return usage.prompt_tokens + usage.completion_tokens


def _shares(usage: Usage, number: int) -> list[Usage]:
    """Divide *usage* into *number* parts that add up to it."""

    def parts(total: int) -> list[int]:
        each, rest = divmod(total, number)
        return [each + (at < rest) for at in range(number)]

    if number == 0:
        return []
    cost = None if usage.cost is None else usage.cost / number
    columns = zip(
        parts(usage.requests),
        parts(usage.cached),
        parts(usage.prompt_tokens),
        parts(usage.completion_tokens),
        parts(usage.cached_tokens),
        strict=True,
    )
    names = ("requests", "cached", "prompt_tokens", "completion_tokens", "cached_tokens")
    return [Usage(**dict(zip(names, row, strict=True)), cost=cost) for row in columns]
