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
import pickle
import signal
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Self
from weakref import WeakKeyDictionary

from scrapy import signals

from wikicrawler.content.conversion import convert
from wikicrawler.content.worker import HEADER, Answer
from wikicrawler.errors import ContentError, Reason

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from wikicrawler.items import Content

logger = logging.getLogger(__name__)

_START_SECONDS = 60.0
_END_SECONDS = 5.0
_pools: WeakKeyDictionary[Crawler, ConversionPool] = WeakKeyDictionary()


class ConversionPool:
    """Worker processes, started when the first page needs them.

    :param workers: how many; 0 converts in the caller's own thread, without any limit.
    :param cpu_seconds: of CPU a page may take, rounded up to whole seconds of its process.
    :param wall_seconds: after which a page is given up although it used no CPU.
    :param memory_mb: what a worker may allocate, the interpreter's 60 MB included.
    """

    def __init__(
        self, workers: int, cpu_seconds: float, wall_seconds: float, memory_mb: int
    ) -> None:
        self._workers = [_Worker(cpu_seconds, wall_seconds, memory_mb) for _ in range(workers)]
        self._idle: asyncio.Queue[_Worker] | None = None
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
        return cls(
            workers=settings.getint("WIKICRAWLER_CONTENT_WORKERS", default_workers()),
            cpu_seconds=settings.getfloat("WIKICRAWLER_PAGE_CPU_SECONDS", 10.0),
            wall_seconds=settings.getfloat("WIKICRAWLER_PAGE_WALL_SECONDS", 60.0),
            memory_mb=settings.getint("WIKICRAWLER_PAGE_MEMORY_MB", 512),
        )

    async def convert(
        self,
        body: bytes | str,
        url: str,
        *,
        encoding: str | None = None,
        wiki: bool | None = None,
    ) -> Content:
        """As :func:`wikicrawler.content.convert`; pages are taken in the order of the calls.

        :raises ContentError: also ``CPU_LIMIT`` and ``MEMORY_LIMIT``, and ``CONVERSION`` where
            the page crashed its worker.
        """
        if self._closed:
            raise RuntimeError("the conversion pool is closed")
        if not self._workers:
            return _convert_here(body, url, encoding, wiki)
        if self._idle is None:
            self._idle = asyncio.Queue()
            for worker in self._workers:
                self._idle.put_nowait(worker)
        worker = await self._idle.get()
        try:
            return await worker.convert((body, url, encoding, wiki))
        finally:
            self._idle.put_nowait(worker)

    async def close(self) -> None:
        """Ends the workers; a page that is being converted fails with ``CONVERSION``."""
        self._closed = True
        await asyncio.gather(*(worker.close() for worker in self._workers))


def default_workers() -> int:
    """The cores that this process may use, at most four: one crawl rarely feeds more."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity else os.cpu_count() or 1
    return min(cores, 4)


def _convert_here(body: bytes | str, url: str, encoding: str | None, wiki: bool | None) -> Content:
    try:
        return convert(body, url, encoding=encoding, wiki=wiki)
    except MemoryError as error:
        raise ContentError(Reason.MEMORY_LIMIT) from error


class _Worker:
    """One place in the pool; its process is replaced whenever it is gone."""

    def __init__(self, cpu_seconds: float, wall_seconds: float, memory_mb: int) -> None:
        self._arguments = (str(cpu_seconds), str(memory_mb))
        self._wall_seconds = wall_seconds
        self._process: asyncio.subprocess.Process | None = None

    async def convert(self, job: tuple[bytes | str, str, str | None, bool | None]) -> Content:
        process = self._process or await self._start()
        try:
            answer = await asyncio.wait_for(_ask(process, job), self._wall_seconds)
        except TimeoutError:
            await self._kill()
            detail = f"no answer within {self._wall_seconds:g} s"
            raise ContentError(Reason.CPU_LIMIT, detail) from None
        except (asyncio.IncompleteReadError, ConnectionError):
            raise _why(await self._reap()) from None
        except BaseException:
            # Cancelled: the process still works on a page that nobody waits for.
            await self._kill()
            raise
        if answer.last:
            await self._reap()
        if answer.content is None:
            raise ContentError(answer.reason or Reason.CONVERSION, answer.detail)
        return answer.content

    async def close(self) -> None:
        process = self._process
        if process is None:
            return
        if process.stdin:
            process.stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _END_SECONDS)
        await self._kill()

    async def _start(self) -> asyncio.subprocess.Process:
        self._process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "wikicrawler.content.worker",
            *self._arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        try:
            await asyncio.wait_for(_receive(process), _START_SECONDS)
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            await self._kill()
            logger.error(
                "A conversion worker did not start (exit code %s); its output above says why",
                process.returncode,
            )
            raise ContentError(Reason.CONVERSION, "the conversion worker did not start") from None
        except BaseException:
            await self._kill()
            raise
        return process

    async def _reap(self) -> int:
        """Waits for a process that is ending by itself; its exit code."""
        process, self._process = self._process, None
        return await process.wait() if process else 0

    async def _kill(self) -> None:
        process, self._process = self._process, None
        if process:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _ask(
    process: asyncio.subprocess.Process, job: tuple[bytes | str, str, str | None, bool | None]
) -> Answer:
    frame = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
    if process.stdin is None:
        raise ConnectionError
    process.stdin.write(HEADER.pack(len(frame)))
    process.stdin.write(frame)
    await process.stdin.drain()
    answer = await _receive(process)
    if not isinstance(answer, Answer):
        raise ConnectionError
    return answer


async def _receive(process: asyncio.subprocess.Process) -> object:
    if process.stdout is None:
        raise ConnectionError
    (length,) = HEADER.unpack(await process.stdout.readexactly(HEADER.size))
    return pickle.loads(await process.stdout.readexactly(length))  # noqa: S301 - from our own child


def _why(exit_code: int) -> ContentError:
    """What the end of a worker says of its page."""
    if exit_code == -signal.SIGXCPU:
        return ContentError(Reason.CPU_LIMIT, "its CPU time was used up")
    if exit_code == -signal.SIGKILL:  # by the kernel, short of memory
        return ContentError(Reason.MEMORY_LIMIT, "the worker was killed")
    return ContentError(Reason.CONVERSION, f"the worker ended with exit code {exit_code}")
