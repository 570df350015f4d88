"""A background writer of the audit log: a thread that appends batches to the chain.

Unlike :class:`~wikicrawler.store.writer.AttemptWriter` it drops nothing: when the database stays
unavailable it reports a failure, and the crawl stops.
"""

from __future__ import annotations

import logging
from collections import deque
from functools import partial
from itertools import islice
from threading import Condition, Thread
from time import monotonic
from typing import TYPE_CHECKING

from sqlalchemy.exc import SQLAlchemyError

from wikicrawler.errors import StoreError
from wikicrawler.store.audit_chain import append
from wikicrawler.store.database import told

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.store.audit_chain import Entry
    from wikicrawler.store.database import Database

logger = logging.getLogger(__name__)

BATCH = 200
"""Maximum number of records in a transaction."""
SECONDS = 1.0
"""Maximum time in seconds that a record waits for its batch."""
_PAUSE = 0.25  # seconds between two tries at a database that is away
_GRACE = 0.1  # seconds for the last try


class AuditWriter:
    """The writer of one crawl. Its methods are called in one thread; only :meth:`close` blocks.

    :param run: identifies the crawl
    :param patience: seconds for which writing is retried
    :param tell: called in the writer's thread with a function that logs a message
    :param failed: called in the writer's thread, once, with the reason why the log cannot be
        written. No record is written after that.
    """

    def __init__(
        self,
        database: Database,
        run: str,
        *,
        patience: float,
        tell: Callable[[partial[None]], object],
        failed: Callable[[str], object],
    ) -> None:
        self.written = 0
        """Number of records written to the database."""
        self._database = database
        self._run = run
        self._patience = patience
        self._tell = tell
        self._failed = failed
        self._put = 0
        self._changed = Condition()
        self._waiting: deque[Entry] = deque()
        self._until: float | None = None  # when it is to end, once it is
        self._thread = Thread(target=self._work, name="audit", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def unwritten(self) -> int:
        """Number of records that were not written; final after :meth:`close`."""
        return self._put - self.written

    def put(self, entry: Entry) -> None:
        """Queue a record for writing."""
        self._put += 1
        with self._changed:
            self._waiting.append(entry)
            if len(self._waiting) in {1, BATCH}:
                self._changed.notify()

    def finish(self, seconds: float) -> None:
        """Write the queued records and stop after at most *seconds*."""
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

    # In the thread

    def _work(self) -> None:
        try:
            while batch := self._next_batch():
                self._insist(batch)
                self.written += len(batch)
                with self._changed:
                    for _ in batch:
                        self._waiting.popleft()
        except StoreError as error:
            self._failed(str(error))
        except SQLAlchemyError as error:
            self._failed(f"{self._database}: {told(error)}")
        except Exception as error:  # a thread's traceback would miss the log
            self._tell(partial(logger.error, "The audit log cannot be written", exc_info=error))
            self._failed(f"{self._database}: {type(error).__name__}")
        self._database.close()

    def _next_batch(self) -> list[Entry]:
        """Wait for the next batch and return it; an empty list at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._until is not None)
            self._changed.wait_for(
                lambda: len(self._waiting) >= BATCH or self._until is not None, SECONDS
            )
            return list(islice(self._waiting, BATCH))

    def _insist(self, batch: list[Entry]) -> None:
        """Retry to write *batch* until the patience, or the time of the writer, has ended.

        :raises StoreError, SQLAlchemyError: the last failure
        """
        since = monotonic()
        warned = False
        while True:
            try:
                with self._database.write() as connection:
                    append(connection, self._run, batch)
            except (StoreError, SQLAlchemyError) as error:
                ends = [since + self._patience, *([self._until] if self._until else [])]
                if monotonic() + _PAUSE >= min(ends):
                    raise
                if not warned:
                    why = error if isinstance(error, StoreError) else told(error)
                    message = "The audit log cannot be written at the moment: %s"
                    self._tell(partial(logger.warning, message, why))
                warned = True
            else:
                if warned:
                    message = "The audit log can be written again: %s"
                    self._tell(partial(logger.info, message, self._database))
                return
            with self._changed:
                self._changed.wait(_PAUSE)
