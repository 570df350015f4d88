"""A background writer of records: a thread that writes batches and survives database failures."""

from __future__ import annotations

import logging
import secrets
import sys
from collections import deque
from contextlib import suppress
from functools import partial
from itertools import islice
from threading import Condition, Thread
from time import monotonic, time
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from wikicrawler.errors import StoreError
from wikicrawler.store.attempts import FetchAttempt
from wikicrawler.store.counter import RunCounter, killed_runs
from wikicrawler.store.database import told
from wikicrawler.store.records import add_records, subject_of
from wikicrawler.store.rows import IF_NEW, insert_rows
from wikicrawler.store.sites import TierChange
from wikicrawler.store.tables import attempts, runs
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.store.counter import Killed
    from wikicrawler.store.database import Database
    from wikicrawler.store.records import Numbered, Record

logger = logging.getLogger(__name__)

BATCH = 200
"""Maximum number of records in a transaction."""
SECONDS = 1.0
"""Maximum time in seconds that a record waits for its batch."""
MOST_WAITING = 20_000
"""Maximum number of records that wait for an unavailable database; further ones are lost."""
_GRACE = 0.1  # seconds beyond those for the last try
_PAUSES = (0.5, 1.0, 2.0, 5.0, 10.0)  # seconds between two tries at a database that is away


class AttemptWriter:
    """The writer of one crawl. Its methods are called in one thread; only :meth:`close` blocks.

    :param tell: called in the writer's thread with a function that logs a message
    """

    def __init__(
        self,
        database: Database,
        spider: str,
        tell: Callable[[partial[None]], object] = partial.__call__,
    ) -> None:
        self.lost_before = 0
        """Number of attempts that earlier crawls had not written when they were killed."""
        self.written = 0
        """Number of attempts written to the database."""
        self.begun = 0
        """Number of attempts passed to :meth:`put`."""
        self._changes = 0
        self._database = database
        self._spider = spider
        self._tell = tell
        self._warned = False
        # Rises with time, and is no other's: no database has to be asked for it.
        self.run = int(time() * 1000) << 20 | secrets.randbits(20)
        """The number of the crawl in the database."""
        self._started = time()
        self._counter: RunCounter | None = None
        self._changed = Condition()
        self._waiting: deque[Numbered] = deque()
        self._until: float | None = None  # when it is to end, once it is
        self._thread = Thread(target=self._work, name="attempts", daemon=True)

    def start(self) -> None:
        try:
            self._counter = RunCounter.create(self._database.marks, self.run)
        except OSError as error:  # a kill cannot be counted then; the writer says the same soon
            logger.debug("%s: no counter beside it: %s", self._database, error.strerror)
        self._thread.start()

    @property
    def lost(self) -> int:
        """Number of attempts that were not written; final after :meth:`close`."""
        return self.begun - self.written

    def put(self, record: Record) -> None:
        """Queue *record* for writing. Never fails."""
        number = 0
        if isinstance(record, FetchAttempt):
            number = self.begun = self.begun + 1
            if self._counter is not None:
                with suppress(OSError):
                    self._counter.set(number)
        elif isinstance(record, TierChange):
            number = self._changes = self._changes + 1
        with self._changed:
            if len(self._waiting) < MOST_WAITING:
                self._waiting.append((number, record))
                if len(self._waiting) in {1, BATCH}:
                    self._changed.notify()

    def finish(self, seconds: float) -> None:
        """Write the queued records and stop after at most *seconds*. Call :meth:`close` then, or
        when :attr:`is_done`."""
        with self._changed:
            self._until = monotonic() + seconds
            self._changed.notify()

    @property
    def is_done(self) -> bool:
        """Whether the thread has ended."""
        return not self._thread.is_alive()

    def close(self, seconds: float = 0) -> None:
        """Write the queued records for at most *seconds*, and end."""
        self.finish(seconds)
        if not self.is_done:
            self._thread.join(seconds + _GRACE)
        if self._counter is not None:
            self._counter.remove()
        if self._waiting and not self._warned:
            waited = f"{self._database}: could not be written to at the end of the crawl"
            self._log(logging.WARNING, "%s: %d attempts are lost", waited, self.lost)

    # In the thread

    def _work(self) -> None:
        try:
            if self._insist(self._begin) and self._write_all():
                self._insist(self._end)
        except Exception:  # a thread's traceback would miss the log
            self._warned = True
            message = "%s: attempts are no longer recorded"
            self._tell(partial(logger.error, message, self._database, exc_info=sys.exc_info()))
        self._database.close()

    def _write_all(self) -> bool:
        """Write batches until the end; return False if the database is unavailable then."""
        while batch := self._next_batch():
            refused: set[int] = set()
            if not self._insist(partial(self._write, batch, refused)):
                return False
            of_attempts = sum(isinstance(record, FetchAttempt) for _, record in batch)
            self.written += of_attempts - len(refused)
            with self._changed:
                for _ in batch:
                    self._waiting.popleft()
        return True

    def _next_batch(self) -> list[Numbered]:
        """Wait for the next batch and return it; an empty list at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._until is not None)
            self._changed.wait_for(
                lambda: len(self._waiting) >= BATCH or self._until is not None, SECONDS
            )
            return list(islice(self._waiting, BATCH))

    def _insist(self, write: Callable[[], None]) -> bool:
        """Retry *write* until it succeeds; return False if the writer has to end before."""
        tries = 0
        while (error := self._try(write)) is not None:
            self._tell_of(error)
            pause = _PAUSES[min(tries, len(_PAUSES) - 1)]
            tries += 1
            with self._changed:
                if self._until is None:
                    self._changed.wait_for(lambda: self._until is not None, pause)
                elif monotonic() + _PAUSES[0] < self._until:
                    self._changed.wait(_PAUSES[0])
                else:
                    return False
        if tries:
            self._log(logging.INFO, "%s: can be used again, and is", self._database)
        return True

    def _log(self, level: int, message: str, *args: object) -> None:
        self._tell(partial(logger.log, level, message, *args))

    def _try(self, write: Callable[[], None]) -> StoreError | None:
        try:
            write()
        except StoreError as error:
            return error
        return None

    def _tell_of(self, error: StoreError) -> None:
        level = logging.DEBUG if self._warned else logging.WARNING
        self._warned = True
        self._log(level, "What tiers do is not recorded until the database can be used: %s", error)

    def _write(self, batch: list[Numbered], refused: set[int]) -> None:
        """Write *batch*, without records that the database rejects; add the numbers of rejected
        attempts to *refused*."""
        try:
            with self._database.write() as connection:
                add_records(connection, self.run, batch)
        except StoreError:
            raise
        except Exception as error:  # the rows' own fault: all but those can be kept
            if len(batch) > 1:
                for one in batch:
                    self._write([one], refused)
                return
            ((number, record),) = batch
            if isinstance(record, FetchAttempt):
                refused.add(number)
            self._log(
                logging.ERROR,
                "%s: %s cannot be written: %s",
                self._database,
                one_line(subject_of(record), 200),
                told(error),
            )

    # What became of runs

    def _begin(self) -> None:
        for killed in killed_runs(self._database.marks):
            try:
                self._settle(killed)
            except StoreError:
                killed.counter.leave()
                raise
            killed.counter.remove()
        row = (self.run, self._spider, self._started, None, None, None)
        with self._database.write() as connection:
            insert_rows(connection, runs, [row], IF_NEW)

    def _settle(self, killed: Killed) -> None:
        """Record the number of attempts that a killed run did not write."""
        with self._database.write() as connection:
            of_run = attempts.c.run == killed.run
            kept = connection.scalar(select(func.count()).select_from(attempts).where(of_run)) or 0
            lost = max(0, killed.begun - kept)
            connection.execute(
                update(runs)
                .where(runs.c.run == killed.run)
                .values(ended=time(), begun=killed.begun, lost=lost)
            )
        self.lost_before += lost
        if lost:
            self._log(
                logging.WARNING,
                "%s: a crawl that was killed had not written %d of its %d attempts",
                self._database,
                lost,
                killed.begun,
            )

    def _end(self) -> None:
        with self._database.write() as connection:
            connection.execute(
                update(runs)
                .where(runs.c.run == self.run)
                .values(ended=time(), begun=self.begun, lost=self.lost)
            )
