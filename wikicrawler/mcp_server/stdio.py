"""The transport of the protocol: lines of JSON on two file descriptors, without threads.

The SDK's own reads standard input in a thread, which nothing can interrupt: the process could not
end before its client says something.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

MAX_LINE = 4 * 2**20
"""Bytes of a message of the client."""

Incoming = "MemoryObjectReceiveStream[SessionMessage | Exception]"
Outgoing = "MemoryObjectSendStream[SessionMessage]"


class _Output(asyncio.BaseProtocol):
    """Says when the pipe takes more, and that it is closed."""

    def __init__(self) -> None:
        self._has_room = asyncio.Event()
        self._has_room.set()
        self.is_lost = False

    def pause_writing(self) -> None:
        self._has_room.clear()

    def resume_writing(self) -> None:
        self._has_room.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_lost = True
        self._has_room.set()

    async def room(self) -> None:
        """Wait until the pipe takes more.

        :raises BrokenPipeError: the client has closed it
        """
        await self._has_room.wait()
        if self.is_lost:
            raise BrokenPipeError


@asynccontextmanager
async def message_streams(
    source: int, sink: int
) -> AsyncIterator[
    tuple[
        MemoryObjectReceiveStream[SessionMessage | Exception],
        MemoryObjectSendStream[SessionMessage],
    ]
]:
    """Yield the streams of the messages from and to the client, and close the file descriptors
    *source* and *sink* at the end.

    :raises ValueError: one is a file, not a pipe, a socket or a terminal
    """
    loop = asyncio.get_running_loop()
    lines = asyncio.StreamReader(limit=MAX_LINE)
    reading, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(lines), os.fdopen(source, "rb", buffering=0)
    )
    output = _Output()
    writing, _ = await loop.connect_write_pipe(lambda: output, os.fdopen(sink, "wb", buffering=0))
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read, lines, to_server)
            tasks.start_soon(_write, from_server, writing, output, reading)
            yield incoming, outgoing
            tasks.cancel_scope.cancel()
    finally:
        reading.close()
        writing.close()


async def _read(
    lines: asyncio.StreamReader, to_server: MemoryObjectSendStream[SessionMessage | Exception]
) -> None:
    """Hand on the messages until the client closes the pipe."""
    async with to_server:
        while True:
            try:
                line = await lines.readline()
            except ValueError:  # longer than MAX_LINE: what has come of it is dropped
                await to_server.send(ValueError(f"a message is longer than {MAX_LINE:,} bytes"))
                continue
            except OSError:
                return
            if not line:
                return
            if not line.strip():
                continue
            try:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except Exception as error:
                await to_server.send(error)
            else:
                await to_server.send(SessionMessage(message))


async def _write(
    from_server: MemoryObjectReceiveStream[SessionMessage],
    writing: asyncio.WriteTransport,
    output: _Output,
    reading: asyncio.ReadTransport,
) -> None:
    """Send the messages of the server. If the client is gone, end its input, too."""
    try:
        async with from_server:
            async for sent in from_server:
                line = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                writing.write(line.encode("utf-8", "backslashreplace") + b"\n")
                await output.room()
    except BrokenPipeError:
        reading.close()
