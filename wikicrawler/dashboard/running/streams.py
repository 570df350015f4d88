"""How many live streams a browser has.

Browsers open six connections to a server over HTTP/1.1, for all their pages: with six streams no
page would load any more.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_STREAMS = 3
"""Streams of a browser; the oldest one ends when there is another."""
MAX_BROWSERS = 200


@dataclass(eq=False)
class Stream:
    """A stream that is open."""

    end: anyio.Event = field(default_factory=anyio.Event)
    """Set when the stream has to end; also by the end of the server."""
    is_replaced: bool = False
    """Whether it has to end because its browser has others."""

    def replace(self) -> None:
        self.is_replaced = True
        self.end.set()


class Streams:
    """The streams that are open, by browser. For one event loop."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, deque[Stream]] = OrderedDict()

    @contextmanager
    def counted(self, browser: str, stream: Stream) -> Iterator[None]:
        """Count *stream* while it is open."""
        own = self._open.setdefault(browser, deque())
        own.append(stream)
        self._open.move_to_end(browser)
        if len(own) > MAX_STREAMS:
            own.popleft().replace()
        while len(self._open) > MAX_BROWSERS:
            for one in self._open.popitem(last=False)[1]:
                one.replace()
        try:
            yield
        finally:
            if stream in own:
                own.remove(stream)
            if not own and self._open.get(browser) is own:
                del self._open[browser]

    def count(self, browser: str) -> int:
        """Return the number of streams that *browser* has."""
        return len(self._open.get(browser, ()))
