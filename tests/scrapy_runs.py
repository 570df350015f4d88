"""``scrapy`` commands in processes of their own that do not import everything anew.

A command of the project takes a second and a half until it does something, nearly all of it for
imports, and the tests run hundreds of them. So a server, one for each process of pytest, imports
what commands need and forks for each of them. A test whose subject is the start of the interpreter
(its locale, its streams, its path) starts a new interpreter instead.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import weakref
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from scrapy.utils.misc import walk_modules_iter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Self

ROOT = Path(__file__).parents[1]
_PACKAGES = ("scrapy.commands", "wikicrawler.commands", "wikicrawler.spiders")
_MODULES = (
    *("scrapy.core.downloader.contextfactory", "scrapy.cmdline", "scrapy.crawler", "scrapy.shell"),
    *("wikicrawler.addon", "wikicrawler.store.manifests", "wikicrawler.sources.manifest.reader"),
    *("rich.console", "rich.table", "jsonschema", "unittest", "scrapy.contracts"),
)


class Running:
    """``scrapy`` with the arguments *command*, as :class:`subprocess.Popen` has a process.

    :param env: its environment; that of the tests, with the repository in ``PYTHONPATH``, if None
    :param stdout: a file that is open
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path = ROOT,
        env: Mapping[str, str] | None = None,
        stdout: IO[Any],
        stderr: IO[Any],
        start_new_session: bool = False,
    ) -> None:
        self.args = list(command)
        self.returncode: int | None = None
        environment = os.environ | {"PYTHONPATH": str(ROOT)} if env is None else dict(env)
        asked = {"command": self.args, "cwd": str(cwd), "env": environment}
        asked["own_session"] = start_new_session
        self._server = socket.socket(socket.AF_UNIX)
        weakref.finalize(self, self._server.close)
        self._lock = threading.Lock()
        self._server.connect(_server())
        with Path(os.devnull).open("rb") as nothing:
            streams = [nothing.fileno(), stdout.fileno(), stderr.fileno()]
            socket.send_fds(self._server, [b"."], streams)
        self._server.sendall(json.dumps(asked).encode())
        self._server.shutdown(socket.SHUT_WR)
        self.pid = int(self._line())

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            self.wait(0)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """
        :raises subprocess.TimeoutExpired: it still runs after *timeout* seconds
        """
        if self.returncode is None:
            if not _readable([self._server], timeout):
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            with self._lock:  # several threads may wait
                if self.returncode is None:
                    self.returncode = os.waitstatus_to_exitcode(int(self._line()))
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()

    def _line(self) -> bytes:
        line = b""
        while not line.endswith(b"\n"):
            if not (received := self._server.recv(1)):
                raise EOFError("the server of commands is gone")
            line += received
        return line


def run(
    command: Sequence[str],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    timeout: float = 300,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, and return its exit code and output.

    :param timeout: seconds
    :raises subprocess.TimeoutExpired: it was killed
    """
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = Running(command, cwd=cwd, env=env, stdout=out, stderr=err)
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise
        out.seek(0)
        err.seek(0)
        output, errors = out.read().decode(), err.read().decode()
    return subprocess.CompletedProcess(process.args, status, output, errors)


def _readable(files: Sequence[socket.socket | IO[str]], timeout: float | None) -> list[int]:
    """The descriptors of *files* that can be read within *timeout* seconds.

    :func:`select.select` knows no descriptor above 1023.
    """
    asked = select.poll()
    for file in files:
        asked.register(file, select.POLLIN)
    ready = asked.poll(None if timeout is None else max(0, timeout) * 1000)
    return [descriptor for descriptor, _ in ready]


@cache
def _server() -> str:
    """Start the server, and return the name of its socket."""
    folder = tempfile.mkdtemp(prefix="scrapy-runs-")
    name = f"{folder}/socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(name)
        listener.listen(64)
        process = subprocess.Popen(
            [sys.executable, "-c", "from tests.scrapy_runs import serve; serve()"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            env=os.environ | {"WIKICRAWLER_TEST_SOCKET": str(listener.fileno())},
            pass_fds=[listener.fileno()],
        )
    atexit.register(_stop, process, folder)
    return name


def _stop(process: subprocess.Popen[bytes], folder: str) -> None:
    assert process.stdin
    process.stdin.close()
    process.wait()
    with suppress(OSError):
        Path(folder, "socket").unlink()
        Path(folder).rmdir()


def serve() -> None:
    """Fork for each connection, until standard input ends."""
    for module in _MODULES:
        import_module(module)
    for package in _PACKAGES:
        list(walk_modules_iter(package))
    gc.freeze()  # a collection in a child would copy all pages of these modules
    listener = socket.socket(fileno=int(os.environ.pop("WIKICRAWLER_TEST_SOCKET")))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # the kernel buries what has served
    while True:
        if sys.stdin.fileno() in _readable([listener, sys.stdin], None):
            return
        connection, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _serve(connection)
            return
        connection.close()


def _serve(connection: socket.socket) -> None:
    _, streams, _, _ = socket.recv_fds(connection, 1, 3)
    text = b"".join(iter(lambda: connection.recv(65536), b""))
    pid = os.fork()
    if pid == 0:
        connection.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        _become(**json.loads(text))
        return
    connection.sendall(b"%d\n" % pid)
    _, status = os.waitpid(pid, 0)
    connection.sendall(b"%d\n" % status)
    os._exit(0)


def _become(command: list[str], cwd: str, env: dict[str, str], own_session: bool) -> None:
    """Do what ``python -m scrapy`` does."""
    if own_session:
        os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    path = env.get("PYTHONPATH", "").split(os.pathsep)
    sys.path[0:1] = [cwd, *(str(Path(folder).absolute()) for folder in path if folder)]
    sys.argv[1:] = command
    runpy.run_module("scrapy", run_name="__main__", alter_sys=True)
