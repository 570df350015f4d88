"""Ctrl-C and SIGTERM: record the signal and make sure that the crawl ends."""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from time import monotonic, sleep
from typing import TYPE_CHECKING

from scrapy.utils.reactor import is_reactor_installed

from wikicrawler.process.stopping import STOP_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from scrapy.crawler import Crawler

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_GRACE = 1.5
"""Seconds to wait beyond the stop deadline before the process is ended."""
_FORCED_GRACE = 0.5
"""Seconds to wait after the second signal."""


before_forced_end: list[Callable[[], object]] = []
"""Called before a crawl that does not stop is ended: to leave the terminal as it was."""


class StopSignals:
    """Signal handlers that wrap Scrapy's own ones and end a crawl that does not stop.

    After the first signal Scrapy ends the crawl. If the event loop hangs, so that the deadline of
    :class:`~wikicrawler.process.stopping.StopDeadline` has no effect, a thread ends the process.
    After a second signal it does so soon. No data is lost: pages that are not committed are fetched
    again when the crawl is resumed.

    :param crawler: returns the crawler, or None if it does not exist yet
    """

    def __init__(self, crawler: Callable[[], Crawler | None]) -> None:
        self._crawler = crawler
        self.first: int | None = None
        """Number of the first signal."""
        self._end_at = 0.0
        self._forced = False

    def install(self) -> None:
        """Wrap Scrapy's handlers as soon as they are installed."""
        if not is_reactor_installed():  # importing reactor would install the default one
            return
        from twisted.internet import reactor  # noqa: PLC0415

        # Scrapy installs its handlers when the reactor starts, after the calls registered so far.
        # A trigger that is added then runs after them, and before the crawl begins.
        reactor.callWhenRunning(reactor.addSystemEventTrigger, "after", "startup", self._wrap)

    def _wrap(self) -> None:
        for number in _SIGNALS:
            handler = signal.getsignal(number)
            if callable(handler):
                signal.signal(number, self._before(handler))

    def _before(
        self, handler: Callable[[int, FrameType | None], object]
    ) -> Callable[[int, FrameType | None], None]:
        def handle(number: int, frame: FrameType | None) -> None:
            now = monotonic()
            if self.first is None:
                self.first = number
                self._end_at = now + STOP_SECONDS + _GRACE
                handler(number, frame)  # installs Scrapy's handler for the second signal
                self._wrap()
                threading.Thread(target=self._watch, daemon=True).start()
            else:
                self._forced = True
                self._end_at = now + _FORCED_GRACE
                handler(number, frame)

        return handle

    def _watch(self) -> None:
        """End the process at the deadline, but after a single signal not while components are
        closing: an upload may take long."""
        while monotonic() < self._end_at or (not self._forced and self._is_closing()):
            sleep(0.1)
        # In a thread of its own: a terminal that was stopped (Ctrl-S) would block it for ever.
        farewell = threading.Thread(target=_say_farewell, daemon=True)
        farewell.start()
        farewell.join(_FORCED_GRACE)
        os._exit(128 + (self.first or signal.SIGTERM))

    def _is_closing(self) -> bool:
        """Return whether the spider is closed, but not yet all of its components."""
        try:
            crawler = self._crawler()
            return bool(
                crawler and crawler.stats.get_value("finish_reason") and crawler.engine.spider
            )
        except RuntimeError:  # the engine does not exist yet
            return False


def _say_farewell() -> None:
    for action in before_forced_end:
        with suppress(Exception):
            action()
    sys.stderr.write("The crawl did not end in time: the process is terminated\n")
