"""Parent side of a worker process: its pages, its time limit and its end."""

from __future__ import annotations

import asyncio
import logging
import os
import pickle
import signal
import sys
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from wikicrawler.content.workers.worker import (
    FRAME_HEADER,
    IGNORED_SIGNALS,
    ConversionResult,
    Task,
)
from wikicrawler.errors import ContentError, Reason
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.content.workers.worker import PageInput

logger = logging.getLogger(__name__)

_START_SECONDS = 60.0
_CLOSE_SECONDS = 5.0
_MAX_HELD_BYTES = 512 * 1024
_MAX_HELD_PAGES = 4


@dataclass(eq=False, slots=True)
class ConversionJob:
    """A page to convert or a task, and the future of its outcome."""

    page: PageInput | Task
    retried: bool = False
    """True if a worker died while it converted the page, so that it gets a worker of its own."""
    outcome: asyncio.Future[Any] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    @property
    def size(self) -> int:
        """Size of the page in bytes, or in characters if it is text; of all texts of a task."""
        if isinstance(self.page, Task):
            return sum(len(one) for one in self.page.arguments if isinstance(one, (bytes, str)))
        return len(self.page.html)

    @property
    def about(self) -> str:
        """The URL of the page."""
        return self.page.about if isinstance(self.page, Task) else self.page.url

    def fail(self, error: ContentError) -> None:
        """Set *error* as the outcome, unless the job is already done."""
        if not self.outcome.done():
            self.outcome.set_exception(error)


@dataclass(frozen=True, slots=True)
class PageLimits:
    """Limits for the conversion of a page: CPU and wall time in seconds, memory in MB."""

    cpu_seconds: float
    wall_seconds: float
    memory_mb: int


class WorkerProcess(asyncio.SubprocessProtocol):
    """A process that runs :mod:`wikicrawler.content.workers.worker`.

    Further pages are sent while a page is converted, so that the process does not wait for its
    parent: several small ones, but no large one. If the process dies, the first of them may be the
    cause.

    :param on_ready: called when the process accepts pages: after its start and after each result.
    :param on_exit: called after its exit with the process and the pages that another process must
        convert: those that it did not start, and the page during which it died for a reason that
        may not be the page's own, with ``retried`` set.
    :param only: the page for which the process starts. It gets no other page before the result.
    """

    def __init__(
        self,
        limits: PageLimits,
        on_ready: Callable[[], object],
        on_exit: Callable[[WorkerProcess, list[ConversionJob]], object],
        only: ConversionJob | None = None,
    ) -> None:
        self._limits = limits
        self._on_ready = on_ready
        self._on_exit = on_exit
        self.only = only
        self._jobs: deque[ConversionJob] = deque()
        self._held_bytes = 0
        self._received = bytearray()
        self._transport: asyncio.SubprocessTransport | None = None
        self._timer: asyncio.TimerHandle | None = None
        # Error of the first page, if the parent killed the process.
        self._kill_error: ContentError | None = None
        self._exited = asyncio.Event()
        self._closing = False
        self._killed_by_parent = False
        self.is_ready = False
        self.was_ready = False
        self.was_killed = False
        """True if another process or the kernel killed the process."""

    async def start(self) -> None:
        """Start the process. It sets :attr:`is_ready` when its imports are done.

        :raises OSError: the system cannot create the process.
        """
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(_START_SECONDS, self.kill)
        # The child inherits blocked signals. Ctrl-C in a terminal must not reach the child before
        # it ignores the signal.
        signal.pthread_sigmask(signal.SIG_BLOCK, IGNORED_SIGNALS)
        try:
            await loop.subprocess_exec(
                lambda: self,
                sys.executable,
                "-P",  # do not import modules from the working directory
                "-m",
                "wikicrawler.content.workers.worker",
                str(self._limits.cpu_seconds),
                str(self._limits.memory_mb),
                stderr=None,
                env={
                    **os.environ,
                    "PYTHONPATH": os.pathsep.join(p or str(Path.cwd()) for p in sys.path),
                },
            )
        except BaseException:
            self._timer.cancel()
            raise
        finally:
            # Do not restore the previous mask: another worker that starts at the same time may have
            # blocked the signals in it.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, IGNORED_SIGNALS)

    @property
    def is_idle(self) -> bool:
        """True if the process would start a page at once."""
        return self.is_ready and not self._jobs

    def has_room(self, size: int) -> bool:
        """Return True if the process accepts a page of *size* now."""
        if not self.is_ready or self.only:
            return False
        fits = self._held_bytes + size <= _MAX_HELD_BYTES
        return not self._jobs or (len(self._jobs) < _MAX_HELD_PAGES and fits)

    def send(self, job: ConversionJob) -> None:
        """Send the page of *job*, to be converted after those that the process already holds."""
        self._jobs.append(job)
        self._held_bytes += job.size
        if len(self._jobs) == 1:
            self._restart_timer()
        stdin = self._transport and self._transport.get_pipe_transport(0)
        if stdin:
            frame = pickle.dumps(job.page, pickle.HIGHEST_PROTOCOL)
            cast("asyncio.WriteTransport", stdin).write(frame)

    def abandon(self, job: ConversionJob) -> None:
        """Kill the process if it is converting *job*, which the caller has cancelled."""
        if self._jobs and self._jobs[0] is job:
            self.kill()

    def kill(self) -> None:
        """Kill the process at once."""
        self.is_ready, self._killed_by_parent = False, True
        if self._transport:
            with suppress(ProcessLookupError):
                self._transport.kill()

    async def close(self) -> None:
        """Stop the process after a few seconds to convert the pages that it holds."""
        self.is_ready, self._closing = False, True
        stdin = self._transport and self._transport.get_pipe_transport(0)
        if stdin:
            stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._exited.wait(), _CLOSE_SECONDS)
        self._kill_error = ContentError(Reason.CONVERSION, "the crawl has ended")
        self.kill()
        await self._exited.wait()

    # Events of the process

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.SubprocessTransport", transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        received = self._received
        received += data
        while len(received) >= FRAME_HEADER.size:
            end = FRAME_HEADER.size + FRAME_HEADER.unpack_from(received)[0]
            if len(received) < end:
                return
            frame = received[FRAME_HEADER.size : end]
            del received[:end]
            self._handle_result(pickle.loads(frame))  # noqa: S301 - from our own child

    def _handle_result(self, result: ConversionResult | None) -> None:
        if result is None:
            self._restart_timer()
            self.was_ready = True
            self.is_ready = not self._closing
            if self.only and self.is_ready:
                self.send(self.only)
        else:
            job = self._jobs.popleft()
            self.only = None
            self._held_bytes -= job.size
            self._restart_timer()
            if result.reason is not None:
                job.fail(ContentError(result.reason, result.detail))
            elif not job.outcome.done():
                job.outcome.set_result(result.value)
            if result.last:  # the process does not convert its other pages
                self.is_ready, self._closing = False, True
        if self.is_ready:
            self._on_ready()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the exit of the process, after all its output has been read."""
        rest, self._jobs = self._jobs, deque()
        self._restart_timer()
        self.is_ready = False
        code = None
        if self._transport:
            code = self._transport.get_returncode()
            self._transport.close()  # it does not close itself at the exit
        if rest and not (self._closing and code == 0):
            if self._kill_error or rest[0].retried or code == -signal.SIGXCPU:
                rest.popleft().fail(self._kill_error or _exit_error(code))
            else:
                rest[0].retried = True
                self._report_retry(rest[0], code)
        elif self.only and not rest:  # the process has not received it
            rest.append(self.only)
        self.was_killed = code == -signal.SIGKILL and not self._killed_by_parent
        self._exited.set()
        self._on_exit(self, list(rest))

    def _report_retry(self, job: ConversionJob, code: int | None) -> None:
        if self._closing or job.outcome.done():
            return
        logger.warning(
            "The conversion worker of %s ended unexpectedly (%s): the page is converted once more",
            one_line(job.about),
            f"signal {-code}" if code and code < 0 else f"exit code {code}",
        )

    # Wall time limit

    def _restart_timer(self) -> None:
        """Restart the wall time limit for the first page, or stop it if there is none."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._jobs:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._limits.wall_seconds, self._time_out)

    def _time_out(self) -> None:
        detail = f"no result within {self._limits.wall_seconds:g} s"
        self._kill_error = ContentError(Reason.CPU_LIMIT, detail)
        self.kill()


def _exit_error(exit_code: int | None) -> ContentError:
    """Return the error of the page that the process was converting when it exited."""
    if exit_code == -signal.SIGXCPU:
        return ContentError(Reason.CPU_LIMIT, "the page exceeded its CPU time")
    if exit_code == -signal.SIGKILL:  # by the kernel, when out of memory
        return ContentError(Reason.MEMORY_LIMIT, "the worker was killed")
    return ContentError(Reason.CONVERSION, f"the worker ended with exit code {exit_code}")
