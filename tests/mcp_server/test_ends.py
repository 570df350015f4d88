"""How the server ends, and that nothing of it is left."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import pytest

from tests.fields.scraper.processes import SECONDS, soon
from tests.fields.scraper.scraping import page
from tests.mcp_server.serving import FAST, command, environment
from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator

CLIENT = """
import subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
print(server.pid, flush=True)
for line in sys.stdin.buffer:
    server.stdin.write(line)
    server.stdin.flush()
    print(server.stdout.readline().decode(), end="", flush=True)
"""


def request(number: int, method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


HELLO = request(
    1,
    "initialize",
    protocolVersion="2025-06-18",
    capabilities={},
    clientInfo={"name": "test", "version": "1"},
)
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def say(pipe: IO[bytes], *messages: object) -> None:
    for message in messages:
        pipe.write(json.dumps(message).encode() + b"\n")
    pipe.flush()


def read(pipe: IO[bytes]) -> dict[str, Any]:
    line = pipe.readline()
    assert line, "the server has ended"
    found: dict[str, Any] = json.loads(line)
    return found


def children_of(pid: int) -> list[int]:
    """The processes that *pid* has started."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            stat = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(stat[1]) == pid:
            found.append(int(entry.name))
    return found


def has_ended(pid: int) -> bool:
    """Whether the process ends soon; one that nobody has waited for has ended, too."""

    def ended() -> bool:
        try:
            stat = Path(f"/proc/{pid}/stat").read_text()
        except OSError:
            return True
        return stat.rpartition(")")[2].split()[0] == "Z"

    return soon(ended)


@contextmanager
def serving(tmp_path: Path, **settings: str) -> Iterator[subprocess.Popen[bytes]]:
    """A server that has been greeted."""
    with (tmp_path / "server.log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, *command(FAST | settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=tmp_path,
            env=environment(),
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            say(process.stdin, HELLO)
            assert read(process.stdout)["result"]["serverInfo"]["name"] == "wikicrawler"
            say(process.stdin, READY)
            yield process
        finally:
            process.kill()
            process.wait()
            process.stdin.close()
            process.stdout.close()


def call(pipe: IO[bytes], number: int, url: str) -> None:
    say(pipe, request(number, "tools/call", name="read_page", arguments={"url": url}))


@pytest.mark.parametrize("way", ["close", "interrupt", "terminate", "kill"])
def test_no_process_is_left_when_a_page_hangs(
    tmp_path: Path, site: ScriptedServer, way: str
) -> None:
    site.on("/", page("Home"))
    site.on("/hangs", Reply(delay=SECONDS))
    with serving(tmp_path) as process:
        call(process.stdin, 2, site.url("/"))
        assert read(process.stdout)["id"] == 2
        workers = children_of(process.pid)
        assert workers
        call(process.stdin, 3, site.url("/hangs"))
        assert soon(lambda: "/hangs" in site.paths())
        if way == "close":
            process.stdin.close()
            expected = 0
        else:
            number = {
                "interrupt": signal.SIGINT,
                "terminate": signal.SIGTERM,
                "kill": signal.SIGKILL,
            }[way]
            process.send_signal(number)
            expected = -number if number == signal.SIGKILL else 128 + number
        assert process.wait(SECONDS) == expected
        assert all(map(has_ended, workers))


def test_a_client_that_is_killed_ends_the_server(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/", page("Home"))
    client = subprocess.Popen(
        [sys.executable, "-c", CLIENT, sys.executable, *command(FAST)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
        env=environment(),
    )
    assert client.stdin is not None
    assert client.stdout is not None
    try:
        server = int(client.stdout.readline())
        say(client.stdin, HELLO)
        assert read(client.stdout)["id"] == 1
        call(client.stdin, 2, site.url("/"))
        assert read(client.stdout)["id"] == 2
        workers = children_of(server)
        assert workers
    finally:
        client.kill()
        client.communicate()
    assert all(map(has_ended, [server, *workers]))


def test_standard_output_has_the_protocol_alone(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/", page("Home"))
    chatter = '{"tests.mcp_server.chatter.Chatter": 500}'
    with serving(tmp_path, LOG_LEVEL="DEBUG", EXTENSIONS=chatter) as process:
        for number, path in ((2, "/"), (3, "/missing")):
            call(process.stdin, number, site.url(path))
            assert read(process.stdout)["id"] == number
        process.stdin.close()
        assert process.wait(SECONDS) == 0
        assert process.stdout.read() == b""
    log = (tmp_path / "server.log").read_text()
    for said in ("DEBUG", "a response is there", "it is there", "so says a child"):
        assert said in log


def test_lines_that_are_no_messages_are_passed_over(tmp_path: Path, site: ScriptedServer) -> None:
    site.on("/", page("Home"))
    with serving(tmp_path) as process:
        process.stdin.write(b"\n{\nnothing\n\xff\xfe\n[]\n" + b"x" * 5_000_000 + b"\n")
        process.stdin.flush()
        call(process.stdin, 2, site.url("/"))
        assert read(process.stdout)["id"] == 2


def test_a_session_whose_pages_all_failed_ends_well(tmp_path: Path) -> None:
    with serving(tmp_path) as process:
        call(process.stdin, 2, "http://10.0.0.1/")
        assert read(process.stdout)["result"]["isError"]
        process.stdin.close()
        assert process.wait(SECONDS) == 0
