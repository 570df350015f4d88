"""The process that asks models by litellm, as the crawl sees it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.llm.requests import MAX_BODY, HttpResponse, TransportError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from wikicrawler.fields.llm.requests import HttpRequest

START_SECONDS = 120.0
"""Time for the import of litellm."""
_GRACE = 5.0
"""Seconds beyond the time of a question after which the process is taken to hang."""
_CHILD = Path(__file__).with_name("litellm_child.py")
_MAX_LINE = 8 * MAX_BODY


class LitellmProcess:
    """Asks models in a process of its own, which starts with the first question.

    litellm takes seconds to be imported, and its exceptions and logs have the keys. A process that
    hangs is killed; the next question starts another.

    :param folder: in which litellm is
    :param base_url: of the server; None: that of the provider
    :param child: the file that it runs, for tests
    """

    def __init__(
        self,
        folder: Path,
        base_url: str | None = None,
        *,
        child: Path = _CHILD,
        grace: float = _GRACE,
    ) -> None:
        self._folder = folder
        self._base_url = base_url
        self._child = child
        self._grace = grace
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[HttpResponse]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._receiving: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()

    async def ask(self, request: HttpRequest) -> HttpResponse:
        """Return what a server of OpenAI's API would answer to *request*.

        :raises TimeoutError: the time was up
        :raises TransportError: the process ended
        :raises ConfigError: litellm cannot be imported
        """
        async with self._starting:
            process = await self._started()
        number = next(self._numbers)
        answer = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await self._send(process, number, request)
            async with asyncio.timeout(request.timeout + self._grace):
                found: HttpResponse = await answer
                return found
        except TimeoutError:
            _kill(process)
            if self._process is process:
                self._process = None  # the next question waits for its end
            raise
        finally:
            del self._waiting[number]

    async def _started(self) -> asyncio.subprocess.Process:
        """Return the process, which is running."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        if self._receiving is not None:
            await self._receiving
        process = await self._spawn()
        try:
            async with asyncio.timeout(START_SECONDS):
                first = await _line(process)
        except BaseException:
            _kill(process)
            raise
        if first is None or "error" in first:
            _kill(process)
            await process.wait()
            said = one_line((first or {}).get("error", "the process ended"), 500)
            raise ConfigError(f"litellm cannot be used: {said}")
        self._process = process
        self._receiving = asyncio.create_task(self._receive(process))
        return process

    async def _spawn(self) -> asyncio.subprocess.Process:
        try:
            return await asyncio.create_subprocess_exec(
                sys.executable,
                "-P",
                str(self._child),
                str(self._folder),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_MAX_LINE,
                # Ctrl-C in a terminal is for the crawl, which ends the process.
                start_new_session=True,
            )
        except OSError as error:
            raise TransportError(f"the process cannot be started: {error.strerror}") from None

    async def _send(
        self, process: asyncio.subprocess.Process, number: int, request: HttpRequest
    ) -> None:
        authorization = request.headers.get("Authorization", "")
        question = {
            "number": number,
            "body": json.loads(request.body),
            "key": authorization.removeprefix("Bearer ") or None,
            "base_url": self._base_url,
            "timeout": request.timeout,
            "max_body": request.max_body,
        }
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        with suppress(ConnectionError):  # the end of the process is seen below
            process.stdin.write(json.dumps(question).encode() + b"\n")
            await process.stdin.drain()

    async def _receive(self, process: asyncio.subprocess.Process) -> None:
        """Hand the answers to those who wait for them, until the process ends."""
        try:
            while (found := await _line(process)) is not None:
                answer = self._waiting.get(found["number"])  # none if nobody waits any more
                if answer is not None and not answer.done():
                    body = found["body"].encode()
                    answer.set_result(HttpResponse(found["status"], found["headers"], body))
        finally:
            self._process = None
            _kill(process)
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(TransportError("the process of litellm ended"))
            await process.wait()

    async def close(self) -> None:
        """End the process."""
        if self._process is not None:
            _kill(self._process)
        if self._receiving is not None:
            with suppress(asyncio.CancelledError):
                await self._receiving


async def _line(process: asyncio.subprocess.Process) -> dict[str, Any] | None:
    """Return the next message of *process*; None if there is none any more."""
    assert process.stdout is not None  # noqa: S101 - it is a pipe
    try:
        line = await process.stdout.readline()
        found = json.loads(line) if line else None
    except ValueError:  # too long, or cut
        return None
    return found if isinstance(found, dict) else None


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
