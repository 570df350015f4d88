"""The child process that crawls for a scraper, as the scraper sees it."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections import deque
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.errors import ScraperError
from wikicrawler.fields.scraper import protocol
from wikicrawler.text.safe import safe_lines

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Sequence

    from wikicrawler.fields.models import FieldDefinition, ScraperConfig

START_SECONDS = 120.0
"""Time that the process has to be ready."""
_TAIL = 20_000
"""Bytes of its log that are kept."""
_TAIL_LINES = 20
_CHUNK = 65_536
# Not with -m: that would import modules from the working directory, and might not find this
# package, which a notebook or a test may have put on its own path.
_START = (
    "import sys; root = sys.argv.pop(1); root in sys.path or sys.path.insert(0, root); "
    "from importlib import import_module; import_module(sys.argv.pop(1)).main()"
)
_MODULE = "wikicrawler.spiders.field_process"


class Job:
    """Pages from which the same fields are extracted."""

    def __init__(self, service: FieldService, number: int) -> None:
        self._service = service
        self._number = number

    async def page(self, url: str, *, depth: int = 0, hosts: Iterable[str] = ()) -> protocol.Done:
        """Return the result of the page at *url*. The arguments are those of
        :class:`~wikicrawler.fields.scraper.protocol.Page`.

        If the task is cancelled, the page is no longer wanted.

        :raises ScraperError: an error that ends the job, as it was raised
        """
        return await self._service.ask(self._number, url, depth=depth, hosts=tuple(hosts))


class FieldService:
    """Starts the process, hands it pages, and ends it.

    :param config: of field extraction; its keys reach the process by a pipe
    :param settings: Scrapy settings, of values that JSON has
    :param module: has a function ``main()``, which the process calls
    :param close_seconds: time that it has to end before it is killed
    """

    def __init__(
        self,
        config: ScraperConfig,
        settings: dict[str, Any],
        *,
        module: str = _MODULE,
        close_seconds: float = 15.0,
    ) -> None:
        self._open = protocol.Open(config=config, settings=settings)
        self._module = module
        self._close_seconds = close_seconds
        self._verbose = config.verbose
        self._process: asyncio.subprocess.Process | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._pages: dict[int, asyncio.Future[protocol.Done]] = {}
        self._page_numbers, self._job_numbers = count(1), count(1)
        self._ready: asyncio.Future[None] | None = None
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._error: ScraperError | None = None

    async def start(self) -> None:
        """Start the process, and wait until its crawler runs.

        :raises ScraperError: it ended, with the end of its log
        """
        self._ready = asyncio.get_running_loop().create_future()
        try:
            await self._spawn()
            async with asyncio.timeout(START_SECONDS):
                await self._ready
        except TimeoutError:
            await self.close()
            raise ScraperError(f"the crawl did not start within {START_SECONDS:g} s") from None
        except BaseException:
            await self.close()
            raise

    async def _spawn(self) -> None:
        root = str(Path(__file__).parents[3])
        read, write = os.pipe()
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                "-c",
                _START,
                root,
                self._module,
                str(write),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=(write,),
                # Ctrl-C in a terminal reaches this process alone, which ends the other.
                start_new_session=True,
            )
        except OSError as error:
            os.close(read)
            raise ScraperError(f"the crawl cannot be started: {error.strerror}") from None
        except BaseException:
            os.close(read)
            raise
        finally:
            os.close(write)
        self._process = process
        reports = asyncio.StreamReader(limit=protocol.MAX_LINE)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reports), os.fdopen(read, "rb", buffering=0)
        )
        log = asyncio.create_task(self._keep_log(process))
        self._tasks = [log, asyncio.create_task(self._receive(process, reports, transport, log))]
        self._send(self._open)

    @asynccontextmanager
    async def job(self, fields: Sequence[FieldDefinition]) -> AsyncIterator[Job]:
        """Begin a job, and end it with the block.

        :raises ScraperError: the process has ended
        """
        number = next(self._job_numbers)
        self._send(protocol.Job(job=number, fields=tuple(fields)))
        try:
            yield Job(self, number)
        finally:
            self._send_if_alive(protocol.End(job=number))

    async def ask(self, job: int, url: str, *, depth: int, hosts: tuple[str, ...]) -> protocol.Done:
        """Return the result of a page: see :meth:`Job.page`."""
        number = next(self._page_numbers)
        self._send(protocol.Page(page=number, job=job, url=url, depth=depth, hosts=hosts))
        self._pages[number] = asyncio.get_running_loop().create_future()
        try:
            return await self._pages[number]
        except asyncio.CancelledError:
            self._send_if_alive(protocol.Drop(page=number))
            raise
        finally:
            del self._pages[number]

    def _send(self, message: protocol.Command) -> None:
        if self._error is not None:
            raise _copy(self._error)
        self._send_if_alive(message)

    def _send_if_alive(self, message: protocol.Command) -> None:
        """Send *message*. The end of the process is seen elsewhere."""
        if self._error is None and self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(protocol.encode(message))

    async def _keep_log(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        while chunk := await process.stdout.read(_CHUNK):
            if self._verbose:
                sys.stderr.write(chunk.decode("utf-8", "replace"))
            self._tail.append(chunk)
            self._tail_size += len(chunk)
            while self._tail_size - len(self._tail[0]) >= _TAIL:
                self._tail_size -= len(self._tail.popleft())

    async def _receive(
        self,
        process: asyncio.subprocess.Process,
        reports: asyncio.StreamReader,
        transport: asyncio.BaseTransport,
        log: asyncio.Task[None],
    ) -> None:
        """Hand the messages to those who wait for them, until the process ends."""
        why = "ended"
        try:
            while line := await reports.readline():
                self._take(protocol.read_report(line))
        except ValueError as error:
            why = f"sent what is no message ({error})"
            _kill(process)
        finally:
            transport.close()
        code = await self._ended(process)
        # A process of its own that has not ended yet may keep the log open.
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(log), 1.0)
        self._fail(self._death(why, code))

    def _take(self, report: protocol.Report) -> None:
        if isinstance(report, protocol.Ready):
            if self._ready is not None and not self._ready.done():
                self._ready.set_result(None)
        elif isinstance(report, protocol.Fatal):
            self._fail(report.error.to_exception())
        else:
            waiting = self._pages.get(report.page)  # none if it was dropped
            if waiting is None or waiting.done():
                return
            if isinstance(report, protocol.Done):
                waiting.set_result(report)
            else:
                waiting.set_exception(report.error.to_exception())

    def _fail(self, error: ScraperError) -> None:
        """Raise *error* for all who wait, and later, unless another one came first."""
        if self._error is None:
            self._error = error
        for waiting in (self._ready, *self._pages.values()):
            if waiting is not None and not waiting.done():
                waiting.set_exception(_copy(self._error))

    def _death(self, why: str, code: int) -> ScraperError:
        text = safe_lines(b"".join(self._tail).decode("utf-8", "replace").rstrip())
        lines = text.split("\n")[-_TAIL_LINES:] if text else []
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        message = f"the process that fetches the pages {why} ({how}): make a new Scraper"
        if lines:
            message += "\n" + "\n".join(f"  {line}" for line in lines)
        return ScraperError(message, {"exit_code": code, "log": "\n".join(lines)})

    async def close(self) -> None:
        """End the process, and wait until it has ended. A second time it does nothing."""
        self._fail(ScraperError("the scraper is closed"))
        process, self._process = self._process, None
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        await self._ended(process)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=1.0)
        for task in self._tasks:
            task.cancel()

    async def _ended(self, process: asyncio.subprocess.Process) -> int:
        """Wait until *process* has ended, and return its exit code. In the end it is killed."""
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._close_seconds):
                    await process.wait()
        finally:
            _kill(process)  # also if this task is cancelled, by a second Ctrl-C
        return await process.wait()


def _copy(error: ScraperError) -> ScraperError:
    """Return *error* for one more place that raises it, with a traceback of its own."""
    return type(error)(error.message, error.details)


def _kill(process: asyncio.subprocess.Process) -> None:
    """End *process* at once, with those that it started."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
