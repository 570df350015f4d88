"""Ctrl-C and SIGTERM at a crawl: which came, and that they end it."""

from __future__ import annotations

import os
import signal
import sys
import threading
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
"""Seconds after which a crawl that was to end by itself is ended."""
_AT_ONCE = 0.5
"""The same after the second signal."""


class StopSignals:
    """Notes the signals that stop the crawl of a ``scrapy`` command, beside Scrapy's own handlers.

    The first lets Scrapy end the crawl; where even the deadline of
    :class:`~wikicrawler.process.stopping.StopDeadline` does not end it, because its loop hangs,
    the process is ended. It is ended soon after the second. Nothing is lost by that: what is not
    committed is fetched again when the crawl goes on.

    :param crawler: the crawl, once there is one
    """

    def __init__(self, crawler: Callable[[], Crawler | None]) -> None:
        self._crawler = crawler
        self.first: int | None = None
        self._end_at = 0.0
        self._at_once = False

    def install(self) -> None:
        """Stand before Scrapy's handlers as soon as they are there."""
        if not is_reactor_installed():  # and importing it would install another than is wanted
            return
        from twisted.internet import reactor  # noqa: PLC0415

        # Scrapy's come with the start of the reactor, after what was registered before.
        reactor.callWhenRunning(reactor.callLater, 0, self._wrap)

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
                handler(number, frame)  # installs Scrapy's for the second
                self._wrap()
                threading.Thread(target=self._watch, daemon=True).start()
            else:
                self._at_once = True
                self._end_at = now + _AT_ONCE
                handler(number, frame)

        return handle

    def _watch(self) -> None:
        """End the process when its time is up. Components that close are given theirs: an upload
        may take long."""
        while monotonic() < self._end_at or (not self._at_once and self._is_closing()):
            sleep(0.1)
        sys.stderr.write("The crawl did not end in time: its process is ended\n")
        os._exit(128 + (self.first or signal.SIGTERM))

    def _is_closing(self) -> bool:
        """Whether the spider is closed and its components are not."""
        try:
            crawler = self._crawler()
            return bool(
                crawler and crawler.stats.get_value("finish_reason") and crawler.engine.spider
            )
        except RuntimeError:  # the crawl has not come so far
            return False
