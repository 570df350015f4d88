"""Verification of the audit log while its page is shown: one at a time, in a thread."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from threading import Event, Lock, Thread
from time import perf_counter, sleep, time
from typing import TYPE_CHECKING

from wikicrawler.audit.verification import verify
from wikicrawler.errors import StoreError
from wikicrawler.store.audit_chain import head

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wikicrawler.audit.anchor import Anchor
    from wikicrawler.audit.verification import Verification
    from wikicrawler.store.database import Database

logger = logging.getLogger(__name__)
_STOP_SECONDS = 2.0
_REST = 0.001
"""Seconds of rest every few thousand records, in which pages are served."""


class _StoppedError(Exception):
    """The server ends."""


@dataclass(frozen=True, slots=True)
class Work:
    """A verification that runs or is over."""

    by: str
    """Who started it."""
    began: float
    """Seconds since the epoch."""
    with_sums: bool
    anchors: int
    """Number of anchors that have to be in the chain."""
    done: int = 0
    """Records that were read."""
    total: int = 0
    """Records in the log."""
    seconds: float | None = None
    """How long it took; None while it runs."""
    result: Verification | None = None
    error: str = ""
    """Why it ended without a result."""

    @property
    def is_running(self) -> bool:
        return self.seconds is None


class Verifying:
    """Verifies the log of *database*. Threads may use it at once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._stop = Event()
        self._thread: Thread | None = None
        self._now: Work | None = None
        self._last: Work | None = None

    def state(self) -> tuple[Work | None, Work | None]:
        """Return the work that runs, and the last one that is over."""
        with self._lock:
            return self._now, self._last

    def start(self, by: str, anchors: Sequence[Anchor] = (), *, with_sums: bool = False) -> bool:
        """Start a verification; return whether it was: False while another one runs."""
        with self._lock:
            if self._now is not None or self._stop.is_set():
                return False
            self._now = Work(by, time(), with_sums, len(anchors))
            self._thread = Thread(
                target=self._run, args=(list(anchors), with_sums), name="verify", daemon=True
            )
            self._thread.start()
        return True

    def stop(self) -> None:
        """End what runs, for the end of the server."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(_STOP_SECONDS)

    def _run(self, anchors: list[Anchor], with_sums: bool) -> None:
        began = perf_counter()
        result, error = None, ""
        try:
            with self._database.read() as connection:
                total = head(connection).sequence
                self._note(0, total)
                result = verify(
                    connection,
                    anchors,
                    with_sums=with_sums,
                    progress=lambda records: self._follow(records, total),
                )
        except _StoppedError:
            error = "the dashboard was stopped"
        except StoreError as why:
            error = str(why)
        except Exception as why:
            logger.exception("The verification of the audit log failed")
            error = f"{type(why).__name__} (the log of the dashboard says more)"
        with self._lock:
            assert self._now is not None  # noqa: S101 - it runs
            self._last = replace(
                self._now, seconds=perf_counter() - began, result=result, error=error
            )
            self._now = None

    def _follow(self, records: int, total: int) -> None:
        if self._stop.is_set():
            raise _StoppedError
        self._note(records, total)
        sleep(_REST)

    def _note(self, done: int, total: int) -> None:
        with self._lock:
            assert self._now is not None  # noqa: S101 - it runs
            self._now = replace(self._now, done=done, total=total)
