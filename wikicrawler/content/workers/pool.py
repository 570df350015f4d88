"""Conversion in processes that a page can kill without harm to the crawl.

No timer stops a C function, so a page that keeps libxml2 busy is stopped by the kernel: each worker
gets a CPU limit that is raised page by page, and a memory limit. The workers are plain child
processes that speak over pipes; ``multiprocessing`` would import the user's ``__main__`` again, and
forking beside a running reactor is not safe.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from scrapy import signals

from wikicrawler import options
from wikicrawler.content.workers.process import Job, Limits, WorkerProcess
from wikicrawler.content.workers.worker import convert_page
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.content.workers.worker import Page
    from wikicrawler.items import Content

logger = logging.getLogger(__name__)

MAX_WAITING = 32 * 2**20
"""Bytes of pages that may wait for their conversion before no more are asked for."""
_pools: WeakKeyDictionary[Crawler, ConversionPool] = WeakKeyDictionary()


class ConversionPool:
    """Worker processes. The first is started when a page is about to come (:meth:`room`), the
    others when one has to wait; all start beside the crawl, none before it.

    :param workers: how many; 0 converts in the caller's own thread, without any limit.
    :param cpu_seconds: of CPU a page may take, rounded up to whole seconds of its process.
    :param wall_seconds: after which a page is given up although it used no CPU.
    :param memory_mb: what a worker may allocate, the interpreter's 60 MB included.
    """

    def __init__(
        self, workers: int, cpu_seconds: float, wall_seconds: float, memory_mb: int
    ) -> None:
        self._limits = Limits(cpu_seconds, wall_seconds, memory_mb)
        self._size = workers
        self._workers: list[WorkerProcess] = []
        self._queue: deque[Job] = deque()
        self._starting: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._roomy = asyncio.Event()
        self._roomy.set()
        self._last: dict[str, asyncio.Event] = {}
        self._closed = False

    @classmethod
    def for_crawler(cls, crawler: Crawler) -> ConversionPool:
        """The one pool of *crawler*, closed when its engine has stopped."""
        pool = _pools.get(crawler)
        if pool is None:
            pool = _pools[crawler] = cls.from_crawler(crawler)
            crawler.signals.connect(pool.close, signals.engine_stopped)
        return pool

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        settings = crawler.settings
        workers = options.CONTENT_WORKERS.read(settings)
        return cls(
            workers=default_workers() if workers is None else workers,
            cpu_seconds=options.PAGE_CPU_SECONDS.read(settings),
            wall_seconds=options.PAGE_WALL_SECONDS.read(settings),
            memory_mb=options.PAGE_MEMORY_MB.read(settings),
        )

    async def room(self) -> None:
        """Wait until another page may be asked for: there is an end to what can lie here.

        A page that is asked for will come, so there is a worker from now on.
        """
        if not self._workers and self._size and not self._closed:
            self._start()
        await self._roomy.wait()

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
        """As :func:`wikicrawler.content.convert`; pages are taken in the order of the calls.

        :param site: those of one site are also given back in that order, however long each takes.
        :param sketch: whether to make the content's ``sketch`` too, unless it is a wiki's page that
            states its namespace.
        :raises ContentError: also ``CPU_LIMIT`` and ``MEMORY_LIMIT``, and ``CONVERSION`` where
            the page crashed its worker.
        """
        if self._closed:
            raise RuntimeError("the conversion pool is closed")
        page = (body, url, encoding, wiki, sketch)
        if not self._size:
            return _convert_here(page)
        job = Job(page)
        before, ended = self._last.get(site or ""), asyncio.Event()
        if site:
            self._last[site] = ended
        self._count(job.size)
        self._queue.append(job)
        self._feed()
        try:
            return await _in_turn(job, before)
        finally:
            self._count(-job.size)
            ended.set()
            if site and self._last[site] is ended:
                del self._last[site]
            if job.outcome.cancelled():
                for worker in self._workers:
                    worker.forget(job)

    async def close(self) -> None:
        """Ends the workers, which may convert the pages that they hold for a few seconds yet; what
        has not come to them, and what takes longer, fails with ``CONVERSION``."""
        self._closed = True
        self._fail_queue("the crawl has ended")
        await asyncio.gather(*self._starting)
        await asyncio.gather(*(worker.close() for worker in self._workers))

    def _count(self, size: int) -> None:
        self._waiting += size
        if self._waiting < MAX_WAITING:
            self._roomy.set()
        else:
            self._roomy.clear()

    def _feed(self) -> None:
        """Give what waits to the workers that have room, to idle ones first."""
        while self._queue:
            job = self._queue[0]
            if job.outcome.done():  # cancelled
                self._queue.popleft()
                continue
            worker = next((w for w in self._workers if w.is_idle), None)
            if worker is None:
                coming = sum(not w.was_ready for w in self._workers)
                if coming < len(self._queue) and len(self._workers) < self._size:
                    self._start()
                worker = next((w for w in self._workers if w.has_room(job.size)), None)
            if worker is None:
                return
            self._queue.popleft()
            worker.give(job)

    def _start(self) -> None:
        worker = WorkerProcess(self._limits, self._feed, self._ended)
        self._workers.append(worker)
        task = asyncio.ensure_future(self._run(worker))
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _run(self, worker: WorkerProcess) -> None:
        try:
            await worker.start()
        except OSError as error:
            logger.error("A conversion worker could not be started: %s", error)
            self._ended(worker, [])

    def _ended(self, worker: WorkerProcess, rest: list[Job]) -> None:
        self._workers.remove(worker)
        self._queue.extendleft(reversed(rest))
        if not worker.was_ready and not self._closed:
            logger.error("A conversion worker did not start; its output above says why")
            if not any(w.is_ready for w in self._workers):
                self._fail_queue("the conversion worker did not start")
        if self._closed:
            self._fail_queue("the crawl has ended")
        self._feed()

    def _fail_queue(self, detail: str) -> None:
        while self._queue:
            self._queue.popleft().fail(ContentError(Reason.CONVERSION, detail))


async def _in_turn(job: Job, before: asyncio.Event | None) -> Content:
    """The outcome of *job*, not before that of the page that came before it."""
    failure = None
    try:
        content = await job.outcome
    except ContentError as error:
        failure = error
    if before is not None:
        await before.wait()
    if failure is not None:
        raise failure
    return content


def default_workers() -> int:
    """The cores that this process may use, at most four: one crawl rarely feeds more."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores, 4)


def _convert_here(page: Page) -> Content:
    try:
        return convert_page(page)
    except MemoryError as error:
        raise ContentError(Reason.MEMORY_LIMIT) from error
