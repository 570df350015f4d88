"""The limits of a run: tokens and money of all calls of models together.

::

    reservation = await budget.acquire(estimate, url=url, model=model, fields=names)
    if reservation is None:
        ...budget.why_stopped...
    try:
        completion = ...
        budget.settle(reservation, completion.usage)
    finally:
        budget.settle(reservation)  # if it failed
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass, field
from math import floor
from threading import Lock
from typing import TYPE_CHECKING, Literal

from wikicrawler.fields.models import Usage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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
    """The shares of the fields add up to the total. Of a call, the fields that it asks for have the
    prompt in equal shares, because the page is the same for all, and the answer by its length."""


class Budget:
    """Counts what calls use, and refuses the one that may exceed a limit.

    :meth:`reserve` and :meth:`settle` may be called by several threads; :meth:`acquire` by tasks of
    one event loop, in which :meth:`settle` must be called, too.

    :param max_tokens: of prompts and answers; None: no limit
    :param max_cost: US dollars; None: no limit
    :param before: what earlier runs used, which counts for the limits and not for the sums
    :param noted: called with the model, the URL and the usage of each call
    """

    def __init__(
        self,
        max_tokens: int | None = None,
        max_cost: float | None = None,
        *,
        before: Usage | None = None,
        noted: Callable[[str, str, Usage], object] | None = None,
    ) -> None:
        self._noted = noted
        self._before = before or Usage()
        self.max_tokens = max_tokens
        self.max_cost = max_cost
        self.sums = Sums()
        self.why_stopped: WhyStopped | None = None
        """Why a call was refused for good."""
        self._open: set[Reservation] = set()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._lock = Lock()
        self._owed: dict[str, list[float]] = {}
        """What fields lack because their shares are whole numbers."""

    @property
    def spent(self) -> Usage:
        """What this run and earlier ones used."""
        return self._before + self.sums.total

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
        self,
        reservation: Reservation,
        usage: Usage | None = None,
        *,
        key: str = "none",
        sizes: Sequence[float] = (),
        answer_cost: float = 0.0,
    ) -> None:
        """Count what a call used in place of its reservation. A second time it has no effect.

        :param usage: None if the call failed and costs nothing
        :param key: a name for the key, which does not tell it
        :param sizes: how much of the answer each field has, in any unit; none: all alike
        :param answer_cost: the part of the cost that the answer has, in US dollars
        """
        with self._lock:
            if reservation.settled:
                return
            reservation.settled = True
            self._open.discard(reservation)
            if usage is not None:
                self._count(reservation, usage, key, sizes, answer_cost)
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
        spent = self.spent
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

    def _count(
        self,
        asked: Reservation,
        usage: Usage,
        key: str,
        sizes: Sequence[float] = (),
        answer_cost: float = 0.0,
    ) -> None:
        if self._noted is not None:
            self._noted(asked.model, asked.url, usage)
        sums = self.sums
        sums.total += usage
        for table, name in (
            (sums.by_url, asked.url),
            (sums.by_model, asked.model),
            (sums.by_key, key),
        ):
            table[name] = table.get(name, Usage()) + usage
        shares = self._shares(asked.fields, usage, sizes, answer_cost)
        for name, share in zip(asked.fields, shares, strict=True):
            sums.by_field[name] = sums.by_field.get(name, Usage()) + share

    def _shares(
        self, fields: Sequence[str], usage: Usage, sizes: Sequence[float], answer_cost: float
    ) -> list[Usage]:
        """Divide *usage* among *fields*, into parts that add up to it.

        What a field lacks because its part is a whole number, it gets with later calls.
        """
        if not fields:
            return []
        alike = [1 / len(fields)] * len(fields)
        whole = sum(sizes)
        sized = [size / whole for size in sizes] if whole else alike
        owed = [self._owed.setdefault(name, [0.0] * len(_COUNTS)) for name in fields]
        columns = [
            _whole_parts(
                getattr(usage, name),
                sized if name == "completion_tokens" else alike,
                [one[at] for one in owed],
            )
            for at, name in enumerate(_COUNTS)
        ]
        for at, (_, lacks) in enumerate(columns):
            for one, lack in zip(owed, lacks, strict=True):
                one[at] = lack
        answer = min(answer_cost, usage.cost or 0.0)
        costs = [
            None if usage.cost is None else (usage.cost - answer) * even + answer * share
            for even, share in zip(alike, sized, strict=True)
        ]
        rows = zip(*(given for given, _ in columns), strict=True)
        return [
            Usage(**dict(zip(_COUNTS, row, strict=True)), cost=cost)
            for row, cost in zip(rows, costs, strict=True)
        ]


def tokens_of(usage: Usage) -> int:
    """Return the tokens of the prompts and the answers."""
    return usage.prompt_tokens + usage.completion_tokens


_COUNTS = ("requests", "cached", "prompt_tokens", "completion_tokens", "cached_tokens")


def _whole_parts(
    total: int, shares: Sequence[float], owed: Sequence[float]
) -> tuple[list[int], list[float]]:
    """Divide *total* by *shares* and what is *owed* from before; return the parts, which are whole
    numbers from 0 and add up to it, and what is owed now."""
    exact = [total * share + before for share, before in zip(shares, owed, strict=True)]
    given = [max(floor(one), 0) for one in exact]
    while (rest := total - sum(given)) != 0:
        step = 1 if rest > 0 else -1
        order = sorted(range(len(exact)), key=lambda at: step * (given[at] - exact[at]))
        for at in [at for at in order if step > 0 or given[at]][: abs(rest)]:
            given[at] += step
    return given, [one - part for one, part in zip(exact, given, strict=True)]
