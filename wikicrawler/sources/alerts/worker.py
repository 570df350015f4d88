"""The thread of a crawl that delivers messages about alerts."""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.sources.alerts.outbox import Delivered, Outbox


class DeliveryThread:
    """Delivers what is queued when it starts, at each :meth:`wake`, and at the end.

    Messages whose delivery has failed are tried again at the end only. The thread does not keep
    the process alive.

    :param tell: called in the thread with what came of deliveries
    :param warn: called in the thread with an error, which ends nothing
    """

    def __init__(
        self,
        outbox: Outbox,
        tell: Callable[[list[Delivered]], object],
        warn: Callable[[Exception], object],
    ) -> None:
        self._outbox = outbox
        self._tell = tell
        self._warn = warn
        self._jobs: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="alerts", daemon=True)

    @property
    def is_done(self) -> bool:
        """Whether the thread has ended, or never started."""
        return not self._thread.is_alive()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def wake(self) -> None:
        """Deliver what is queued."""
        self.do(lambda: None)

    def do(self, job: Callable[[], object]) -> None:
        """Call *job* in the thread, then deliver what is queued."""
        self._jobs.put(job)

    def finish(self) -> None:
        """Let the thread deliver what waits, and end."""
        self._jobs.put(None)

    def _run(self) -> None:
        job: Callable[[], object] | None = lambda: None  # noqa: E731
        while job is not None:
            self._try(job)
            self._try(lambda: self._tell(self._outbox.deliver(again=False)))
            job = self._jobs.get()
        self._try(lambda: self._tell(self._outbox.deliver(again=True)))

    def _try(self, work: Callable[[], object]) -> None:
        try:
            work()
        except Exception as error:  # alerts never end a crawl, and a mistake not those that follow
            self._warn(error)
