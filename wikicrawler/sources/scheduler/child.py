"""Crawls that run as child processes, one at a time."""

from __future__ import annotations

import logging
import signal
import subprocess
from threading import Lock, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

logger = logging.getLogger(__name__)

STOP_SECONDS = 20.0
"""Seconds that a crawl has to end after SIGINT; it takes up to 10 itself."""


class ChildCrawl:
    """Runs *command* as a child process, whose output is that of this process.

    :param longest: number of seconds after which a crawl is stopped; its sources stay due
    """

    def __init__(self, command: Sequence[str], longest: float) -> None:
        self._command = list(command)
        self._longest = longest
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._stopped = False

    def start(self) -> int:
        """Run a crawl to its end, and return its exit code, 128 and the number of the signal for
        one that was killed; 0 if the daemon is being stopped."""
        with self._lock:
            if self._stopped:
                return 0
            # In a session of its own: Ctrl-C in a terminal reaches this process alone.
            self._process = subprocess.Popen(self._command, start_new_session=True)  # noqa: S603 - our own
        process = self._process
        logger.info("Started the crawl %d", process.pid)
        code = self._wait(process)
        if code < 0:
            code = 128 - code
        if code and not self._stopped:
            logger.warning("The crawl %d ended with the exit code %d", process.pid, code)
        else:
            logger.info("The crawl %d has ended", process.pid)
        return code

    def _wait(self, process: subprocess.Popen[bytes]) -> int:
        try:
            return process.wait(self._longest)
        except subprocess.TimeoutExpired:
            logger.warning(
                "The crawl %d takes more than %.4g s: it is stopped", process.pid, self._longest
            )
        return self._interrupt(process)

    def _interrupt(self, process: subprocess.Popen[bytes]) -> int:
        """End the crawl, at the latest in :data:`STOP_SECONDS`, and return its exit code."""
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            logger.error("The crawl %d does not stop: it is killed", process.pid)
        process.kill()
        return process.wait()

    def stop(self) -> None:
        """Have the crawl end, and start no other; its sources stay due."""
        with self._lock:
            self._stopped = True
            if self._process is not None and self._process.poll() is None:
                # In a thread: this one is to be free for a second signal.
                Thread(target=self._interrupt, args=(self._process,), daemon=True).start()

    def kill(self) -> None:
        """End the crawl at once."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
