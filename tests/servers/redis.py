"""A real Redis on loopback.

::

    with RealRedis() as redis:
        redis.url                       # redis://127.0.0.1:PORT/0
        redis.client().rpush("a", "b")
        redis.empty()

Tests use the fixture ``redis``.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tests.servers.ports import free_port

if TYPE_CHECKING:
    from typing import Self

    from redis import Redis


def missing() -> list[str]:
    """The programs that are not there."""
    return [name for name in ("redis-server", "setpriv") if shutil.which(name) is None]


class RealRedis:
    """Debian's Redis on 127.0.0.1 and a free port, which keeps everything in memory.

    Its process is a child of this one and dies with it, however it ends; for that, start it from
    the main thread. *options* are those of its configuration file, with ``_`` for ``-``.
    """

    def __init__(self, **options: str) -> None:
        self._options = {name.replace("_", "-"): value for name, value in options.items()}
        self._folder = Path(tempfile.mkdtemp(prefix="wikicrawler-redis-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    @property
    def port(self) -> int:
        return self._port

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self._port}/0"

    def client(self, *, decoded: bool = True) -> Redis:
        """A client of its first database; *decoded*: with strings instead of bytes."""
        from redis import Redis

        return Redis.from_url(self.url, decode_responses=decoded)

    def empty(self) -> None:
        """Remove all that is in it."""
        with self.client() as client:
            client.flushall()

    def start(self) -> None:
        """Start it, at the port that it had, and return when it answers.

        :raises RuntimeError: it did not come up; the message has the end of its log
        """
        self._port = self._port or free_port()
        options = {
            "bind": "127.0.0.1",
            "port": str(self._port),
            "save": "",
            "appendonly": "no",
            "dir": str(self._folder),
            **self._options,
        }
        chosen = [part for name, value in options.items() for part in (f"--{name}", value)]
        atexit.register(self.stop)
        with (self._folder / "log").open("ab") as log:
            # In a session of its own, so that Ctrl-C reaches pytest alone, which then stops it.
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "redis-server", *chosen],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_up()

    def kill(self) -> None:
        """Have it vanish as if its machine had, but for what it has written to files."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
            process.kill()
            process.wait()
        atexit.unregister(self.stop)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    # Inside

    def _wait_until_up(self) -> None:
        from redis.exceptions import RedisError

        give_up = time.monotonic() + 30
        while time.monotonic() < give_up and self._process and self._process.poll() is None:
            try:
                with self.client() as client:
                    client.ping()
            except RedisError:
                time.sleep(0.02)
            else:
                return
        self.stop()
        log = (self._folder / "log").read_text("utf-8", "replace")[-1000:]
        raise RuntimeError(f"Redis did not come up:\n{log}")
