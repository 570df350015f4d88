"""Results that are asked for several times, each made once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import TYPE_CHECKING, Generic, TypeVar

from wikicrawler.reports.errors import DocumentNotFoundError
from wikicrawler.reports.providers.edgar.values import AnswerError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Hashable

V = TypeVar("V")


class Memory(Generic[V]):
    """The *size* results that were used last.

    Of several who ask for a result at the same time, one makes it and the others wait. That a
    document does not exist, or has the wrong shape, is a result as well; other failures are not.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Hashable, _Entry[V]] = OrderedDict()

    async def get(self, key: Hashable, make: Callable[[], Awaitable[V]]) -> V:
        """Return the result for *key*, made by *make* if it is not known."""
        entry = self._entries.setdefault(key, _Entry())
        self._entries.move_to_end(key)
        self._forget()
        async with entry.lock:
            if not entry.values and entry.failure is None:
                try:
                    entry.values.append(await make())
                except (DocumentNotFoundError, AnswerError) as error:
                    entry.failure = error
        if entry.failure is not None:
            raise type(entry.failure)(*entry.failure.args)  # each asker has a traceback of its own
        return entry.values[0]

    def _forget(self) -> None:
        for key, entry in list(self._entries.items())[: -self._size]:
            if not entry.lock.locked():
                del self._entries[key]


class _Entry(Generic[V]):
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.values: list[V] = []
        self.failure: DocumentNotFoundError | AnswerError | None = None
