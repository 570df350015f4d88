"""A thread that exchanges a crawl's progress for the orders of operators."""

from __future__ import annotations

import json
import logging
from functools import partial
from threading import Condition, Thread
from time import time
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from wikicrawler.errors import StoreError
from wikicrawler.store.database import told
from wikicrawler.store.jobs import beat, begin_job, end_job, find_job
from wikicrawler.store.site_holds import current_holds
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wikicrawler.store.database import Database
    from wikicrawler.store.jobs import JobRow

logger = logging.getLogger(__name__)


class Orders(NamedTuple):
    """What operators want of a crawl."""

    stop: bool
    held: Mapping[str, float]
    """Ends of the pauses of sites, in seconds since the epoch."""
    released: tuple[str, ...]
    """Sites that were released since the last orders."""


_NONE = Orders(stop=False, held={}, released=())


class JobWriter:
    """The thread of one crawl, which closes *database* at its end. Its methods are called in the
    event loop, and do not block.

    :param job: what is stored when the crawl is reported first
    :param obey: called in the thread with the orders, after each report
    :param log: called in the thread with a function that logs a message
    :param must_exist: report nothing until the database has tables: none is created for jobs
    """

    def __init__(
        self,
        database: Database,
        job: JobRow,
        obey: Callable[[Orders], object],
        log: Callable[[partial[None]], object],
        *,
        must_exist: bool,
    ) -> None:
        self._database = database
        self._job = job
        self._obey = obey
        self._log = log
        self._must_exist = must_exist
        self._has_begun = False
        self._told: dict[str, float] = {}
        self._has_failed = False
        self._progress: str | None = None
        self._end: str | None = None
        self._changed = Condition()
        self._thread = Thread(target=self._work, name="job", daemon=True)

    def start(self) -> None:
        self._thread.start()

    @property
    def is_done(self) -> bool:
        """Whether the thread has ended."""
        return not self._thread.is_alive()

    def report(self, figures: Mapping[str, Any]) -> None:
        """Have *figures* written; those before are not, if they still wait."""
        with self._changed:
            self._progress = json.dumps(figures)
            self._changed.notify()

    def finish(self, reason: str, figures: Mapping[str, Any]) -> None:
        """Have the end written, and end the thread."""
        with self._changed:
            self._end = one_line(reason, 200)
            self._progress = json.dumps(figures)
            self._changed.notify()

    # In the thread

    def _work(self) -> None:
        try:
            while True:
                with self._changed:
                    self._changed.wait_for(lambda: self._progress is not None)
                    progress, self._progress = self._progress or "{}", None
                    end = self._end
                if self._has_begun or not self._must_exist or self._exists():
                    self._try(progress, end)
                else:
                    self._obey(_NONE)
                if end is not None:
                    return
        except Exception as error:  # a thread's traceback would miss the log
            message = "The crawl is not reported any more"
            self._log(partial(logger.error, message, exc_info=error))
            self._obey(_NONE)
        finally:
            self._database.close()

    def _exists(self) -> bool:
        try:
            return self._database.has_tables()
        except StoreError as error:
            self._fail(str(error))
            return False

    def _try(self, progress: str, end: str | None) -> None:
        try:
            orders = self._exchange(progress, end)
        except StoreError as error:
            self._fail(str(error))
            return
        except SQLAlchemyError as error:
            self._fail(f"{self._database}: {told(error)}")
            return
        if self._has_failed:
            self._has_failed = False
            self._log(partial(logger.info, "The crawl is reported again to %s", self._database))
        self._obey(orders)

    def _fail(self, why: str) -> None:
        if not self._has_failed:
            self._has_failed = True
            message = "The crawl cannot be reported at the moment: %s"
            self._log(partial(logger.warning, message, why))

    def _exchange(self, progress: str, end: str | None) -> Orders:
        now = time()
        with self._database.write() as connection:
            is_taken = False
            if not self._has_begun:
                job = self._job._replace(heartbeat=now, progress=progress)
                if not begin_job(connection, job):
                    known = find_job(connection, job.id)
                    # Another crawl of this process has it, or it was stopped before it began.
                    is_taken = known is None or known.ended is None
                    if is_taken:
                        self._job = job._replace(id=str(uuid4()))
                        begin_job(connection, self._job)
            stop = beat(connection, self._job.id, now, progress)
            if end is not None:
                end_job(connection, self._job.id, now, end, progress)
            holds = current_holds(connection, now, self._job.requested_at)
        self._has_begun = True
        held = {hold.site: hold.held_until for hold in holds if hold.held_until is not None}
        released = {hold.site: hold.changed_at for hold in holds if hold.held_until is None}
        new = tuple(site for site, at in released.items() if self._told.get(site) != at)
        self._told = released
        return Orders(stop, held, new)
