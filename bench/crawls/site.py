"""The site that is crawled: files, served by nginx on loopback with a folder of its own."""

from __future__ import annotations

import http.client
import os
import shutil
import subprocess
import time
from typing import TYPE_CHECKING
from urllib.parse import unquote

from bench.crawls.render import HOST
from tests.servers.mediawiki import _find as find_program
from tests.servers.ports import free_port

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

    from bench.crawls.corpus import Page

_FILE = ".page"  # in the folder of its path: /wiki/A and /wiki/A/B are both pages
_API = ".api"
_CONFIG = """daemon off;
{user}
worker_processes 1;  # one: an answer to /-/sync then says that all answers before it are logged
worker_rlimit_nofile 8192;
pid "{data}/nginx.pid";
error_log "{data}/error.log" warn;
events {{ worker_connections 4096; }}
http {{
  log_format times '$msec $status $request_uri';
  access_log "{data}/access.log" times;
  {temp}
  merge_slashes off;
  keepalive_requests 1000000;
  open_file_cache max=20000 inactive=10m;
  default_type text/html;
  charset utf-8;
  server {{
    listen 127.0.0.1:{port};
    root "{data}/root";
    location = /-/sync {{ access_log off; return 204; }}
    location = /robots.txt {{ default_type text/plain; return 200 "User-agent: *\\nDisallow:\\n"; }}
    {locations}
    location = /api.php {{
      default_type application/json;
      try_files "/{api}/$arg_action/$arg_page.json" =404;
    }}
    location / {{ try_files $uri/{file} =404; }}
  }}
}}
"""


class Site:
    """A site of *pages* (and of what *locations*, nginx's, answers) while the context lasts.

    *folder* is for its files, its log and its configuration.
    """

    def __init__(self, folder: Path, locations: str = "") -> None:
        self.folder = folder
        self._locations = locations
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    @property
    def pid(self) -> int:
        """Process group of nginx; 0 while it does not run."""
        return self._process.pid if self._process else 0

    @property
    def url(self) -> str:
        """``http://127.0.0.1:PORT``."""
        return f"http://127.0.0.1:{self.port}"

    def add(self, page: Page) -> None:
        """Serve *page*."""
        # nginx looks for the decoded path; titles have no "..", but a path could.
        folder = (self.folder / "root" / unquote(page.path).strip("/")).resolve()
        if not folder.is_relative_to(self.folder.resolve()):
            raise ValueError(f"{page.path!r} leaves the site's folder")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / _FILE).write_bytes(page.html)

    def add_api(self, answers: Path) -> None:
        """Answer what a wiki's API is asked from the folder *answers*, of :func:`render.rendered`.

        :raises ValueError: the site is not up, so it has no address that they could name
        """
        if not self.port:
            raise ValueError("answers of an API name the site's address: start the site first")
        host = self.url.removeprefix("http://").encode()
        for file in answers.glob("*/*.json"):
            target = self.folder / "root" / _API / file.relative_to(answers)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes().replace(HOST, host))

    def times(self) -> list[tuple[float, int, str]]:
        """Return UNIX time, status and path of each answer since the last :meth:`clear_log`."""
        self._sync()
        lines = (self.folder / "access.log").read_text("utf-8", "replace").splitlines()
        rows = (line.split(" ", 2) for line in lines)
        return [(float(when), int(status), path) for when, status, path in rows]

    def clear_log(self) -> None:
        """Forget what was asked until now."""
        self._sync()
        os.truncate(self.folder / "access.log", 0)

    def __enter__(self) -> Self:
        nginx = find_program("nginx")
        if nginx is None:
            raise SystemExit("bench: nginx is missing: run scripts/install-test-packages as root")
        (self.folder / "root").mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        names = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temp = "\n  ".join(f'{name}_temp_path "{self.folder}/temp/{name}";' for name in names)
        (self.folder / "temp").mkdir(exist_ok=True)
        config = self.folder / "nginx.conf"
        config.write_text(
            _CONFIG.format(
                user="user root;" if os.geteuid() == 0 else "",
                data=self.folder,
                temp=temp,
                port=self.port,
                locations=self._locations,
                file=_FILE,
                api=_API,
            ),
            "utf-8",
        )
        die_with_us = ["setpriv", "--pdeathsig", "TERM"] if shutil.which("setpriv") else []
        self._process = subprocess.Popen(
            [*die_with_us, str(nginx), "-c", str(config), "-e", str(self.folder / "error.log")],
            start_new_session=True,
        )
        self._wait_until_up()
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait()
            self._process = None

    def _wait_until_up(self) -> None:
        for _ in range(500):
            try:
                self._sync()
            except OSError:
                time.sleep(0.02)
            else:
                return
        self.__exit__()
        raise RuntimeError(f"nginx did not come up: {(self.folder / 'error.log').read_text()}")

    def _sync(self) -> None:
        """Wait until all that was answered is in the log.

        nginx logs a request after its answer. Its one worker finishes a request that has arrived
        before it reads the next connection.

        Raises:
            OSError: nginx does not answer, at the latest after 30 seconds.
        """
        if self._process is None:  # it has written everything
            return
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", "/-/sync")
            connection.getresponse().read()
        finally:
            connection.close()
