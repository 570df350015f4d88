"""The daemon: it wakes when a source is due, and starts a crawl."""

from __future__ import annotations

import logging
import os
import signal
from datetime import UTC, datetime, timedelta
from math import inf
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from apscheduler.schedulers.background import BackgroundScheduler

from wikicrawler.errors import ConfigError, StoreError
from wikicrawler.process.exit_codes import ExitCode
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

    from wikicrawler.sources.agenda.agenda import Entry
    from wikicrawler.sources.scheduler.outlook import Outlook

logger = logging.getLogger(__name__)

ALERTS_SECONDS = 3600.0
"""Seconds after which alerts are looked after again, while nothing is due."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Crawls(Protocol):
    """What starts crawls."""

    def start(self) -> int:
        """Start a crawl; return 0, or an exit code."""

    def stop(self) -> None:
        """Have a crawl end that runs, and start no other."""

    def kill(self) -> None:
        """End a crawl at once."""


class Daemon:
    """Starts crawls by *crawls* when a source is due.

    The first SIGINT or SIGTERM ends it with its crawl, a second one ends both at once.

    :param look: returns what is due; called at each wake, so that changes take effect
    :param every: maximum number of seconds between two wakes
    :param check_alerts: called while nothing is due, about once an hour: then no crawl looks after
        alerts
    """

    def __init__(
        self,
        crawls: Crawls,
        look: Callable[[], Outlook],
        every: float,
        check_alerts: Callable[[Sequence[Entry]], None],
    ) -> None:
        self._crawls = crawls
        self._look = look
        self._every = timedelta(seconds=every)
        self._check_alerts = check_alerts
        self._checked = -inf
        self._pause = ""
        self._signal = 0
        self._code = 0
        # A signal handler may not use a lock that the main thread holds: it writes to a pipe.
        self._ended, self._end = os.pipe()
        self._scheduler = BackgroundScheduler(timezone=UTC)
        logging.getLogger("apscheduler").setLevel(logging.WARNING)

    def run(self) -> int:
        """Run until a signal, and return the exit code."""
        before = [signal.signal(number, self._signalled) for number in _SIGNALS]
        try:
            self._wake_at(datetime.now(UTC))
            self._scheduler.start()
            self._wait()
            self._scheduler.shutdown(wait=True)  # for the crawl
        finally:
            for number, handler in zip(_SIGNALS, before, strict=True):
                signal.signal(number, handler)
        logger.info("The scheduler has ended")
        return ExitCode.OK

    def run_once(self) -> int:
        """Start one crawl if a source is due; return its exit code."""
        before = [signal.signal(number, self._signalled) for number in _SIGNALS]
        try:
            crawl = Thread(target=self._start_once)
            crawl.start()
            self._wait()
            crawl.join()
        finally:
            for number, handler in zip(_SIGNALS, before, strict=True):
                signal.signal(number, handler)
        return self._code

    def _wait(self) -> None:
        os.read(self._ended, 1)
        if self._signal:
            logger.info("Received %s: stopping", signal.Signals(self._signal).name)
            self._crawls.stop()

    def _signalled(self, number: int, _: FrameType | None) -> None:
        if self._signal:
            self._crawls.kill()
            os._exit(128 + number)
        self._signal = number
        os.write(self._end, b"s")

    def _start_once(self) -> None:
        self._code = ExitCode.FAILED
        try:
            outlook = self._look()
            if outlook.is_due:
                self._code = self._crawls.start()
            else:
                self._code = ExitCode.OK
                logger.info("%s", _why_nothing(outlook))
                self._look_after_alerts(outlook)
        except (ConfigError, StoreError) as error:
            logger.error("The scheduler cannot see what is due: %s", one_line(error, 1000))
        except Exception:
            logger.exception("The scheduler could not start a crawl")
        finally:
            os.write(self._end, b"d")

    def _look_after_alerts(self, outlook: Outlook) -> None:
        if monotonic() - self._checked < ALERTS_SECONDS:
            return
        self._checked = monotonic()
        try:
            self._check_alerts(outlook.entries)
        except (ConfigError, StoreError) as error:
            logger.error("Alerts cannot be stored or delivered: %s", one_line(error, 1000))
        except Exception:
            logger.exception("Alerts cannot be stored or delivered")

    def _tell_pause(self, pause: str) -> None:
        """Log that the scheduler was paused, or resumed, once."""
        if pause == self._pause:
            return
        self._pause = pause
        if pause:
            logger.info("The scheduler is %s: it starts nothing until it is resumed", pause)
        else:
            logger.info("The scheduler is resumed")

    def _wake_at(self, at: datetime) -> None:
        self._scheduler.add_job(self._wake, "date", run_date=at, misfire_grace_time=None)

    def _wake(self) -> None:
        outlook = None
        try:
            outlook = self._look()
            self._tell_pause(outlook.pause)
            if outlook.is_due:
                self._crawls.start()
                outlook = self._look()
            else:
                self._look_after_alerts(outlook)
        except (ConfigError, StoreError) as error:
            logger.error("The scheduler cannot see what is due: %s", one_line(error, 1000))
        except Exception:  # the daemon goes on, whatever has happened
            logger.exception("The scheduler could not start a crawl")
        if self._signal:
            return
        now = datetime.now(UTC)
        latest = now + self._every
        following = outlook.next_at if outlook is not None else None
        # What is due still could not be visited: it waits for the next wake, too.
        self._wake_at(max(now, min(following or latest, latest)))


def _why_nothing(outlook: Outlook) -> str:
    if outlook.pause:
        return f"The scheduler is {outlook.pause}: it starts nothing"
    if outlook.next_at is None:
        return "Nothing is due"
    return f"Nothing is due; next: {outlook.next_id} on {outlook.next_at:%Y-%m-%d %H:%M} UTC"
