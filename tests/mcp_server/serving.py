"""The server in a process of its own, and the SDK's client that talks to it."""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from mcp.types import CallToolResult

ROOT = Path(__file__).parents[2]
MODULE = "wikicrawler.mcp_server.command"
SECONDS = 120.0
"""How long a call may take on a busy machine."""
FAST = {
    "WIKICRAWLER_PRIVATE_HOSTS": "127.0.0.0/8",
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": "60000",
    "DOMAIN_THROTTLE_MAX_DELAY": "0",
    "WIKICRAWLER_RETRY": '{"timeout": [], "network": [], "503": []}',
    "WIKICRAWLER_CONTENT_WORKERS": "1",
}


class Session:
    """A client, and what its server has logged."""

    def __init__(self, client: Client, log: Path) -> None:
        self.client = client
        self._log = log
        self.progress: list[str] = []

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call *tool*, and check that a result is as its schema says."""

        async def note(_: float, __: float | None, message: str | None) -> None:
            self.progress.append(message or "")

        return await self.client.call_tool(
            tool, arguments, read_timeout_seconds=SECONDS, progress_callback=note
        )

    async def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured result of a call that is no error."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        listed = {one.name: one for one in (await self.client.list_tools()).tools}
        jsonschema.validate(result.structured_content, listed[tool].output_schema)
        found: dict[str, Any] = result.structured_content
        return found

    async def error(self, tool: str, **arguments: Any) -> str:
        """The message of a call that is an error."""
        result = await self.call(tool, **arguments)
        assert result.is_error, text_of(result)
        assert result.structured_content is None
        return text_of(result)

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8", "replace")


def text_of(result: CallToolResult) -> str:
    """The text of a result."""
    (block,) = result.content
    assert block.type == "text"
    return block.text


def command(settings: dict[str, str]) -> list[str]:
    """The arguments of the interpreter for a server with *settings*."""
    pairs = (("-s", f"{name}={value}") for name, value in settings.items())
    return ["-m", MODULE, *(one for pair in pairs for one in pair)]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


@asynccontextmanager
async def session(folder: Path, **settings: str) -> AsyncIterator[Session]:
    """A session with a server of its own, which runs in *folder*."""
    parameters = StdioServerParameters(
        command=sys.executable,
        args=command(FAST | settings),
        env=environment(),
        cwd=folder,
    )
    log = folder / "server.log"
    with log.open("w") as errors:
        async with Client(stdio_client(parameters, errlog=errors)) as client:
            yield Session(client, log)


async def until(condition: Callable[[], object]) -> None:
    """Wait until *condition* is true."""
    for _ in range(round(SECONDS / 0.02)):
        if condition():
            return
        await asyncio.sleep(0.02)
    raise AssertionError("it has not happened")


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run *work* to its end, in a thread: the tests' own has the loop of the reactor."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, work).result()
