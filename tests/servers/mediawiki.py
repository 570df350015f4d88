"""A real MediaWiki on loopback, with switches for what goes wrong with real ones.

::

    with RealMediaWiki(directory) as wiki:
        wiki.api                       # http://127.0.0.1:PORT/api.php
        wiki.article_url("AT&T")       # http://127.0.0.1:PORT/wiki/AT%26T
        wiki.maxlag(times=2)           # the next two API requests that send maxlag get the error
        ...
        wiki.access_log()              # what was asked, in the order in which it arrived

Its pages are those in ``pages/``; :attr:`RealMediaWiki.expected` says which of them a crawl from
the Main Page should find. Tests use the fixture ``mediawiki``.
"""

from __future__ import annotations

import atexit
import http.client
import os
import shutil
import signal
import string
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from tests.servers import mediawiki_build as build
from tests.servers.mediawiki_links import Expected, expected_of
from tests.servers.mediawiki_log import LogEntry, read_log
from tests.servers.ports import free_port

if TYPE_CHECKING:
    from typing import Self

ALLOW_ALL = "User-agent: *\nDisallow:\n"
_ALWAYS = 10**9  # more requests than any test makes


class RealMediaWiki:
    """Debian's MediaWiki with nginx, php-fpm and SQLite on 127.0.0.1 and a free port.

    Where nginx or php-fpm is missing (or *builtin* is true) ``php -S`` serves the pages and the
    API, without pictures, scripts and style sheets.

    The server processes are children of this one and die with it, however it ends; for that,
    start them from the main thread.

    *data* is a directory for the database, the logs and the switches; it is filled on the first
    start. *script_path* is where the API is: empty as with Fandom and wiki.gg, ``/w`` as with
    Wikipedia.
    """

    def __init__(
        self,
        data: Path,
        *,
        script_path: str = "",
        builtin: bool | None = None,
        cache: Path = build.CACHE,
    ) -> None:
        self._data = data.resolve()
        self._script_path = script_path
        self._cache = cache
        self._nginx, self._fpm = _find("nginx"), _find("php-fpm*")
        self._builtin = not (self._nginx and self._fpm) if builtin is None else builtin
        self._processes: list[subprocess.Popen[bytes]] = []
        self._port = 0
        self._sockets = ""

    # Where it is

    @property
    def host(self) -> str:
        """``127.0.0.1:PORT``."""
        return f"127.0.0.1:{self._port}"

    @property
    def url(self) -> str:
        """``http://127.0.0.1:PORT``, without a slash at its end."""
        return f"http://{self.host}"

    @property
    def api(self) -> str:
        """The URL of api.php."""
        return f"{self.url}{self._script_path}/api.php"

    def article_url(self, title: str) -> str:
        """The URL of a page, encoded as MediaWiki itself links to it."""
        return f"{self.url}/wiki/{quote(title.replace(' ', '_'), safe=';@$!*(),/~:')}"

    @cached_property
    def expected(self) -> Expected:
        """What a crawl from the Main Page should find."""
        return expected_of(self._data / "db" / "wiki.sqlite")

    # Start and stop

    def start(self) -> None:
        """Start it, and return when the API answers.

        :raises RuntimeError: it did not come up; the message has the end of its logs
        """
        for name in ("run", "log", "switches"):
            (self._data / name).mkdir(parents=True, exist_ok=True)
        if not (self._data / "db").is_dir():
            build.install(self._data, self._cache)
        (self._data / "log" / "access.log").touch()
        self.reset()
        self._port = free_port()
        atexit.register(self.stop)
        if self._builtin:
            self._spawn(*_PHP_SERVER, "-S", self.host, str(build.ETC / "router.php"))
        else:
            # Not in the data directory: the path of a socket has at most 107 bytes.
            self._sockets = tempfile.mkdtemp(prefix="mediawiki-")
            root = os.geteuid() == 0
            fpm_conf = self._configure("php-fpm.conf", user="user = root" if root else "")
            nginx_conf = self._configure("nginx.conf", user="user root;" if root else "")
            self._spawn(str(self._fpm), *_PHP_FPM, *(["-R"] if root else []), "-y", fpm_conf)
            error_log = str(self._data / "log" / "nginx.log")
            self._spawn(str(self._nginx), "-c", nginx_conf, "-e", error_log)
        self._wait_until_up()

    def stop(self) -> None:
        """Stop it. A stopped wiki can be started again, at another port."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
            _kill_group(process.pid)
        self._processes.clear()
        if self._sockets:
            shutil.rmtree(self._sockets, ignore_errors=True)
        atexit.unregister(self.stop)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    # Switches: they work at once, until used up or reset

    def reset(self) -> None:
        """All switches off, and a robots.txt that allows everything."""
        for file in (self._data / "switches").iterdir():
            file.unlink()
        self.robots(ALLOW_ALL)

    def robots(self, text: str | None) -> None:
        """Serve *text* as robots.txt; None: there is none (404)."""
        self._switch("robots.txt", text)

    def readonly(self, reason: str) -> None:
        """Refuse edits with the error ``readonly``. As in any MediaWiki, reading goes on."""
        self._switch("readonly", reason)

    def maxlag(self, times: int = _ALWAYS, *, lag: float = 7.5) -> None:
        """The databases lag by *lag* seconds for the next *times* API requests that say how much
        they bear: the error ``maxlag`` (status 200, Retry-After) where that is less."""
        self._switch("maxlag", f"{times} {lag}")

    def ratelimited(self, times: int = _ALWAYS) -> None:
        """The error ``ratelimited`` (status 200) for the next *times* API requests."""
        self._switch("ratelimited", f"{times} ")

    def too_many_requests(self, times: int = _ALWAYS, retry_after: int | str | None = None) -> None:
        """Status 429 for the next *times* requests of pages and of the API, never of robots.txt;
        *retry_after* is the header's value, None leaves it out."""
        self._switch("too-many-requests", f"{times} {'' if retry_after is None else retry_after}")

    def api_off(self, kind: Literal["html", "403", "404", "500", "disabled"]) -> None:
        """The API answers a page of HTML, with status 200 or that of *kind*; ``disabled``: its
        modules answer the error ``moduledisabled``."""
        self._switch("api-off", kind)

    def php(self, code: str) -> None:
        """Run *code* (without ``<?php``) at the end of LocalSettings.php, on every request."""
        self._switch("php", code)

    # What was asked

    def access_log(self) -> list[LogEntry]:
        """Every answered request since the last :meth:`clear_log`, in order of arrival."""
        self._sync()
        return read_log(self._data / "log" / "access.log")

    def clear_log(self) -> None:
        """Forget what was asked until now."""
        self._sync()
        os.truncate(self._data / "log" / "access.log", 0)

    # Inside

    def _switch(self, name: str, text: str | None) -> None:
        file = self._data / "switches" / name
        if text is None:
            file.unlink(missing_ok=True)
            return
        fresh = self._data / "run" / f"{name}.new"
        fresh.write_text(text, "utf-8")
        fresh.replace(file)

    def _configure(self, name: str, user: str) -> str:
        template = _Template((build.ETC / name).read_text("utf-8"))
        text = template.substitute(
            data=self._data,
            etc=build.ETC,
            port=self._port,
            script_path=self._script_path,
            sockets=self._sockets,
            source=build.SOURCE,
            user=user,
        )
        target = self._data / "run" / name
        target.write_text(text, "utf-8")
        return str(target)

    def _spawn(self, *command: str) -> None:
        # In a session of its own, so that Ctrl-C reaches pytest alone, which then stops it.
        with (self._data / "log" / "processes.log").open("ab") as log:
            process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", *command],
                cwd=self._data,
                env=build.environment(self._data, self.url, self._script_path),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._processes.append(process)

    def _wait_until_up(self) -> None:
        path = self.api.removeprefix(self.url) + "?action=query&meta=siteinfo&format=json"
        status: int | str = "nothing"
        give_up = time.monotonic() + 30
        while time.monotonic() < give_up and all(p.poll() is None for p in self._processes):
            try:
                status = self._get(path)
            except OSError as error:
                status = str(error)
            if status == 200:
                self.clear_log()
                return
            time.sleep(0.02)
        self.stop()
        logs = "".join(
            file.read_text("utf-8", "replace")[-1000:] for file in (self._data / "log").iterdir()
        )
        raise RuntimeError(f"MediaWiki did not come up ({status}):\n{logs}")

    def _sync(self) -> None:
        """Return when all that was answered is in the log."""
        if self._processes:
            self._get("/-/sync")

    def _get(self, path: str) -> int:
        connection = http.client.HTTPConnection(self.host, timeout=120)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            return response.status
        finally:
            connection.close()


class _Template(string.Template):
    delimiter = "@"


_PHP_FPM = ("-d", "opcache.memory_consumption=128", "-d", "apc.shm_size=64M")
_PHP_SERVER = (
    # Its workers would outlive it: timeout, here without a limit, passes a signal on to them all.
    *("env", "PHP_CLI_SERVER_WORKERS=4", "timeout", "0", "php", "-d", "memory_limit=512M"),
    *("-d", "opcache.enable_cli=1", "-d", "apc.enable_cli=1", "-d", "apc.shm_size=64M"),
)


def _find(name: str) -> Path | None:
    """The program of that name (a glob), also where only root has its directory in the PATH."""
    found = [file for place in ("/usr/sbin", "/usr/local/sbin") for file in Path(place).glob(name)]
    plain = shutil.which(name)
    return Path(plain) if plain else max(found, default=None)


def _kill_group(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
