"""A real PostgreSQL on loopback.

::

    with RealPostgres() as postgres:
        postgres.empty_database()   # postgresql://postgres@127.0.0.1:PORT/postgres
        postgres.stop()             # it is gone, in the middle of whatever was under way
        postgres.start()            # and is back, with all that was committed

Tests use the fixture ``postgres``.
"""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from tests.servers.ports import free_port

if TYPE_CHECKING:
    from typing import Self


def _program(name: str) -> str | None:
    """Debian keeps the servers of each version in a place of its own; the newest."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(found[-1]) if found else shutil.which(name)


def missing() -> list[str]:
    """The programs that are not there."""
    return [name for name in ("initdb", "postgres", "psql", "setpriv") if _program(name) is None]


class RealPostgres:
    """Debian's PostgreSQL on 127.0.0.1 and a free port, that trusts everyone there.

    Its process is a child of this one and dies with it, however it ends; for that, start it from
    the main thread. It refuses to run as root, and runs as another user there.
    """

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="wikicrawler-postgres-"))
        self._as: list[str] = []
        if os.geteuid() == 0:
            user = _somebody()
            os.chown(self._folder, user.pw_uid, user.pw_gid)
            self._as = [f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    def start(self) -> None:
        """Start it, at the port that it had, and return when it answers.

        :raises RuntimeError: it did not come up; the message has the end of its log
        """
        data = self._folder / "data"
        if not data.exists():
            self._run("initdb", "-D", str(data), "-U", "postgres", "-A", "trust", "-N")
            self._port = free_port()
        options = {
            "listen_addresses": "127.0.0.1",
            "port": str(self._port),
            "unix_socket_directories": "",
            "fsync": "off",
        }
        chosen = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        atexit.register(self.stop)
        with (self._folder / "log").open("ab") as log:
            # In a session of its own, so that Ctrl-C reaches pytest alone, which then stops it.
            self._process = subprocess.Popen(
                [*self._other_user(), str(_program("postgres")), "-D", str(data), *chosen],
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait_until_up()

    def stop(self) -> None:
        """Stop it at once: connections break, what was not committed is gone."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(signal.SIGQUIT)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
            process.kill()
            process.wait()
        atexit.unregister(self.stop)

    @property
    def is_up(self) -> bool:
        return self._process is not None

    def empty_database(self) -> str:
        """The URL of its one database, in which nothing is left of what was there."""
        self._psql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND usename = 'postgres'"
        )
        self._psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return f"postgresql://postgres@127.0.0.1:{self._port}/postgres"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    # Inside

    def _other_user(self) -> list[str]:
        return ["setpriv", *self._as, "--pdeathsig", "QUIT"]

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*self._other_user(), str(_program(program)), *arguments],
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr[-1000:]}")

    def _psql(self, statement: str) -> None:
        here = ("-h", "127.0.0.1", "-p", str(self._port), "-U", "postgres")
        self._run("psql", *here, "-q", "-X", "-c", statement)

    def _wait_until_up(self) -> None:
        give_up = time.monotonic() + 30
        said = "nothing"
        while time.monotonic() < give_up and self._process and self._process.poll() is None:
            try:
                self._psql("SELECT 1")
            except RuntimeError as error:
                said = str(error)
                time.sleep(0.05)
            else:
                return
        self.stop()
        log = (self._folder / "log").read_text("utf-8", "replace")[-1000:]
        raise RuntimeError(f"PostgreSQL did not come up ({said}):\n{log}")


def _somebody() -> pwd.struct_passwd:
    """A user that is not root: the server's own, where the package has made one."""
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")
