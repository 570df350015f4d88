"""Conversion in worker processes, so that a page cannot crash or stall the crawl.

A timer cannot interrupt a C function. To stop a page that keeps libxml2 busy, the kernel enforces a
CPU limit, raised for each page, and a memory limit on each worker. The workers are plain child
processes that communicate over pipes: ``multiprocessing`` would import the user's ``__main__``
again, and forking is not safe while a reactor runs.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from typing import TYPE_CHECKING, Any, Self, TypeVar, TypeVarTuple
from weakref import WeakKeyDictionary

from scrapy import signals

from wikicrawler import options
from wikicrawler.content.form import DEFAULT, Form
from wikicrawler.content.workers.process import ConversionJob, PageLimits, WorkerProcess
from wikicrawler.content.workers.worker import PageInput, Task, convert_page
from wikicrawler.errors import ContentError, Reason
from wikicrawler.text.json_text import JSON_LINES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

    from wikicrawler.items import Content

logger = logging.getLogger(__name__)

MAX_WAITING_BYTES = 32 * 2**20
"""Maximum size in bytes of pages waiting for conversion; beyond it no more are requested."""
_MAX_KILLED_STARTS = 3
"""Workers in a row that may be killed from outside while they start."""
_ENDED = "the crawl has ended"
_NOT_STARTED = "the conversion worker did not start"
_pools: WeakKeyDictionary[Crawler, ConversionPool] = WeakKeyDictionary()
_T = TypeVar("_T")
_Arguments = TypeVarTuple("_Arguments")


class ConversionPool:
    """A pool of worker processes that convert pages, and call other functions (:meth:`run`).

    No worker starts before the crawl. The first starts when a page is requested
    (:meth:`wait_for_room`), each other when a page would have to wait. A page whose worker dies
    unexpectedly (killed by the kernel for want of memory, or from outside) is converted once more,
    alone in a new worker, because the page need not be the cause.

    :param workers: number of processes; 0 converts in the caller's thread, without limits.
    :param cpu_seconds: CPU time limit for a page, rounded up to whole seconds of the process.
    :param wall_seconds: wall time limit for a page, in case the worker hangs without using CPU.
    :param memory_mb: memory limit of a worker in MB, including the interpreter's 60 MB.
    :param form: of the Markdown of pages.
    :param json: whether contents have their Markdown as JSON, too.
    """

    def __init__(
        self,
        workers: int,
        cpu_seconds: float,
        wall_seconds: float,
        memory_mb: int,
        form: Form = DEFAULT,
        *,
        json: bool = False,
    ) -> None:
        self._form = form
        self._json = json
        self._limits = PageLimits(cpu_seconds, wall_seconds, memory_mb)
        self._size = workers
        self._workers: list[WorkerProcess] = []
        self._queue: deque[ConversionJob] = deque()
        self._starting: set[asyncio.Task[None]] = set()
        self._waiting_bytes = 0
        self._has_room = asyncio.Event()
        self._has_room.set()
        self._last_of_site: dict[str, asyncio.Event] = {}
        self._killed_starts = 0
        self._closed = False

    @classmethod
    def for_crawler(cls, crawler: Crawler) -> ConversionPool:
        """Return the pool of *crawler*, which is closed when its engine stops."""
        pool = _pools.get(crawler)
        if pool is None:
            pool = _pools[crawler] = cls.from_crawler(crawler)
            crawler.signals.connect(pool.close, signals.engine_stopped)
        return pool

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        return cls.from_settings(crawler.settings)

    @classmethod
    def from_settings(cls, settings: BaseSettings) -> Self:
        workers = options.CONTENT_WORKERS.read(settings)
        return cls(
            workers=default_workers() if workers is None else workers,
            cpu_seconds=options.PAGE_CPU_SECONDS.read(settings),
            wall_seconds=options.PAGE_WALL_SECONDS.read(settings),
            memory_mb=options.PAGE_MEMORY_MB.read(settings),
            form=Form.from_settings(settings),
            json=any(
                feed.get("format") in JSON_LINES for feed in settings.getdict("FEEDS").values()
            ),
        )

    async def wait_for_room(self) -> None:
        """Wait until the queue has room for another page.

        The caller is about to request a page, so this also starts the first worker.
        """
        if not self._workers and self._size and not self._closed:
            self._start()
        await self._has_room.wait()

    async def convert(
        self,
        body: bytes | str,
        url: str,
        *,
        encoding: str | None = None,
        wiki: bool | None = None,
        site: str | None = None,
        sketch: bool = False,
    ) -> Content:
        """Convert a page like :func:`wikicrawler.content.convert`. Pages start in call order.

        :param site: pages of the same site also return in call order, however long each takes.
        :param sketch: whether to compute the ``sketch`` of the content too. A wiki page that states
            its namespace never has one.
        :raises ContentError: also with ``CPU_LIMIT`` or ``MEMORY_LIMIT``, or with ``CONVERSION`` if
            the page crashed two workers or the pool is closed.
        """
        if self._closed:
            raise ContentError(Reason.CONVERSION, _ENDED)
        page = PageInput(body, url, encoding, wiki, self._form, sketch, self._json)
        if not self._size:
            return _convert_here(page)
        job = ConversionJob(page)
        before, ended = self._last_of_site.get(site or ""), asyncio.Event()
        if site:
            self._last_of_site[site] = ended
        try:
            content: Content = await self._outcome(job, before)
            return content
        finally:
            ended.set()
            if site and self._last_of_site[site] is ended:
                del self._last_of_site[site]

    async def run(
        self, about: str, function: Callable[[*_Arguments], _T], *arguments: *_Arguments
    ) -> _T:
        """Call *function* with *arguments* in a worker, with the time and the memory of a page.

        Without workers it is called in a thread, without limits.

        :param about: what it is for, in messages: a URL
        :param function: a function of a module, not a method or a nested one
        :raises ContentError: as :meth:`convert`
        """
        if self._closed:
            raise ContentError(Reason.CONVERSION, _ENDED)
        if not self._size:
            return await asyncio.to_thread(function, *arguments)
        result: _T = await self._outcome(ConversionJob(Task(function, arguments, about)))
        return result

    async def _outcome(self, job: ConversionJob, before: asyncio.Event | None = None) -> Any:
        """Queue *job* and return its outcome, after *before*."""
        self._add_waiting(job.size)
        self._queue.append(job)
        self._dispatch()
        try:
            return await _result_in_order(job, before)
        finally:
            self._add_waiting(-job.size)
            if job.outcome.cancelled():
                for worker in self._workers:
                    worker.abandon(job)

    async def close(self) -> None:
        """Stop the workers after a few seconds to convert the pages that they hold.

        All other waiting pages fail with ``CONVERSION``.
        """
        self._closed = True
        self._fail_queue(_ENDED)
        await asyncio.gather(*self._starting)
        await asyncio.gather(*(worker.close() for worker in self._workers))

    def _add_waiting(self, size: int) -> None:
        self._waiting_bytes += size
        if self._waiting_bytes < MAX_WAITING_BYTES:
            self._has_room.set()
        else:
            self._has_room.clear()

    def _dispatch(self) -> None:
        """Send waiting pages to workers with room, to idle workers first."""
        while self._queue:
            job = self._queue[0]
            if job.outcome.done():  # cancelled
                self._queue.popleft()
                continue
            worker = next((w for w in self._workers if w.is_idle), None)
            if worker is None:
                starting = sum(not w.was_ready and not w.only for w in self._workers)
                if starting < len(self._queue) and len(self._workers) < self._size:
                    self._start()
                worker = next((w for w in self._workers if w.has_room(job.size)), None)
            if worker is None:
                return
            self._queue.popleft()
            worker.send(job)

    def _start(self, only: ConversionJob | None = None) -> None:
        worker = WorkerProcess(self._limits, self._dispatch, self._on_worker_exit, only)
        self._workers.append(worker)
        task = asyncio.ensure_future(self._run(worker))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _run(self, worker: WorkerProcess) -> None:
        try:
            await worker.start()
        except OSError as error:
            logger.error("Could not start a conversion worker: %s", error)
            self._on_worker_exit(worker, [worker.only] if worker.only else [])

    def _on_worker_exit(self, worker: WorkerProcess, left: list[ConversionJob]) -> None:
        """Give the pages that *worker* left to other workers, each *retried* one to its own."""
        self._workers.remove(worker)
        self._killed_starts += 1 if worker.was_killed and not worker.was_ready else 0
        if worker.was_ready:
            self._killed_starts = 0
        retried = [job for job in left if job.retried]
        self._queue.extendleft(reversed([job for job in left if not job.retried]))
        if self._closed:
            _fail(retried, _ENDED)
            self._fail_queue(_ENDED)
        elif not worker.was_ready and not 0 < self._killed_starts < _MAX_KILLED_STARTS:
            logger.error("A conversion worker did not start; see its output above")
            _fail(retried, _NOT_STARTED)
            if not any(w.is_ready for w in self._workers):
                self._fail_queue(_NOT_STARTED)
        else:
            for job in retried:
                if not job.outcome.done():
                    self._start(job)
        self._dispatch()

    def _fail_queue(self, detail: str) -> None:
        _fail(self._queue, detail)
        self._queue.clear()


def _fail(jobs: Iterable[ConversionJob], detail: str) -> None:
    for job in jobs:
        job.fail(ContentError(Reason.CONVERSION, detail))


async def _result_in_order(job: ConversionJob, before: asyncio.Event | None) -> Any:
    """Return the outcome of *job* after that of the previous page of its site."""
    failure = result = None
    try:
        result = await job.outcome
    except ContentError as error:
        failure = error
    if before is not None:
        await before.wait()
    if failure is not None:
        raise failure
    return result


def default_workers() -> int:
    """Return the number of usable CPU cores, at most four: a crawl rarely keeps more busy."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores, 4)


def _convert_here(page: PageInput) -> Content:
    try:
        return convert_page(page)
    except MemoryError as error:
        raise ContentError(Reason.MEMORY_LIMIT) from error
