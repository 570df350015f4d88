"""A plain transport for tests: HTTP over a real socket by asyncio."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from wikicrawler.fields.errors import AllKeysExhaustedError
from wikicrawler.fields.llm.requests import HttpRequest, HttpResponse, TransportError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterable

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run *work* in a loop of its own, beside that of the reactor, which runs in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


class SocketTransport:
    """Sends each request over a connection of its own. Close to what any transport must do."""

    def __init__(self) -> None:
        self.sent: list[HttpRequest] = []

    async def send(self, request: HttpRequest) -> HttpResponse:
        self.sent.append(request)
        async with asyncio.timeout(request.timeout):
            return await self._send(request)

    async def _send(self, request: HttpRequest) -> HttpResponse:
        parts = urlsplit(request.url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        try:
            headers = {"Host": parts.netloc, "Connection": "close", **request.headers}
            headers["Content-Length"] = str(len(request.body))
            head = [f"{request.method} {parts.path} HTTP/1.1"]
            head += [f"{name}: {value}" for name, value in headers.items()]
            writer.write("\r\n".join((*head, "", "")).encode() + request.body)
            await writer.drain()
            return await self._receive(reader, request.max_body)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    @staticmethod
    async def _receive(reader: asyncio.StreamReader, max_body: int) -> HttpResponse:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            pairs = (line.partition(":") for line in head[1:] if line)
            headers = {name: value.strip() for name, _, value in pairs}
            length = min(int(headers["Content-Length"]), max_body + 1)
            body = await reader.readexactly(length)
        except (asyncio.IncompleteReadError, KeyError) as error:
            raise TransportError("the response is cut") from error
        return HttpResponse(int(head[0].split()[1]), headers, body)


class FixedKeys:
    """Keys in a fixed order, with the time of *clock*."""

    def __init__(self, keys: Iterable[str], clock: Clock) -> None:
        self.ready_at = dict.fromkeys(keys, 0.0)
        self._names = list(self.ready_at)
        self.retired: list[str] = []
        self.cooled: list[tuple[str, float]] = []
        self._clock = clock

    def next_ready(self) -> str | float:
        if not self.ready_at:
            raise AllKeysExhaustedError("no key is left")
        key = min(self.ready_at, key=lambda one: max(self.ready_at[one], self._clock()))
        wait = self.ready_at[key] - self._clock()
        return wait if wait > 0 else key

    def name_of(self, key: str) -> str:
        return f"key {self._names.index(key) + 1}"

    def cool_down(self, key: str, seconds: float) -> None:
        self.cooled.append((key, seconds))
        if key in self.ready_at:
            self.ready_at[key] = max(self.ready_at[key], self._clock() + seconds)

    def retire(self, key: str) -> None:
        if self.ready_at.pop(key, None) is not None:
            self.retired.append(key)


class Clock:
    """A time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.slept.append(round(seconds, 3))
        self.now += seconds
        await asyncio.sleep(0)
