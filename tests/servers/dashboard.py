"""The dashboard as users start it: ``scrapy dashboard`` in a process of its own.

::

    with RealDashboard(folder) as dashboard:
        dashboard.get("/")

*folder* becomes a Scrapy project with the add-on; its database is ``folder/crawl.sqlite`` unless
the settings name another one.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import requests

from wikicrawler import options

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SETTINGS = """
BOT_NAME = "watcher"
SPIDER_MODULES = ["wikicrawler.spiders"]
ADDONS = {"wikicrawler.addon.WikiCrawler": 500}
LOG_LEVEL = "WARNING"
"""
_ADDRESS = re.compile(r"Dashboard: (http://\S+)/ ")
_TIMEOUT = 60
_CSRF = re.compile(r'name="csrf" (?:value|content)="([^"]+)"')


def make_project(folder: Path) -> Path:
    """Make *folder* a Scrapy project with the add-on."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = watcher_settings\n")
    (folder / "watcher_settings.py").write_text(SETTINGS)
    return folder


class RealDashboard:
    """Context manager.

    :param settings: Scrapy settings, as for ``-s``
    :param arguments: of the command
    :param environment: variables beside those of the tests
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, Any] | None = None,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = make_project(folder)
        self.settings = {
            options.DATABASE_URL.name: f"sqlite:///{folder / 'crawl.sqlite'}",
            options.STAGING.name: str(folder / "staged"),
            **(settings or {}),
        }
        self._arguments = arguments
        self.environment = {**os.environ, **(environment or {})}
        self.url = ""
        self.session = requests.Session()
        self.session.trust_env = False

    def __enter__(self) -> RealDashboard:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.session.close()
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(_TIMEOUT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def start(self, port: int = 0) -> None:
        """Start the process, and wait until it serves."""
        log = self.folder / "dashboard.log"
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                self.command("dashboard", "--port", str(port), *self._arguments),
                cwd=self.folder,
                env=self.environment,
                stdout=subprocess.PIPE,
                stderr=file,
                text=True,
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = _ADDRESS.match(line)
        assert found, f"the dashboard did not start: {line!r}\n{log.read_text()[-4000:]}"
        self.url = found[1]

    def command(self, *arguments: str) -> list[str]:
        """The command line of ``scrapy`` with *arguments* and with the settings of this project."""
        given = [part for item in self.settings.items() for part in ("-s", "{}={}".format(*item))]
        return [sys.executable, "-m", "scrapy", *arguments, *given]

    def scrapy(self, *arguments: str, code: int = 0) -> str:
        """Run a command of the project, and return what it printed."""
        done = subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT * 2,
            check=False,
        )
        assert done.returncode == code, done.stderr[-4000:]
        return done.stdout

    def get(self, path: str, **how: Any) -> requests.Response:
        """The answer to a GET of *path*, by the session of one browser."""
        how.setdefault("allow_redirects", False)
        return self.session.get(self.url + path, timeout=_TIMEOUT, **how)

    def csrf(self, path: str = "/") -> str:
        """The CSRF token of the page at *path*."""
        found = _CSRF.search(self.get(path).text)
        assert found, "the page has no CSRF token"
        return found[1]

    def post(
        self, path: str, fields: Mapping[str, Any] | None = None, **how: Any
    ) -> requests.Response:
        """The answer to a form, as the dashboard's own pages send it."""
        how.setdefault("allow_redirects", False)
        headers = {"Origin": self.url, **how.pop("headers", {})}
        form = dict(fields or {})
        if "csrf" not in form:
            form["csrf"] = self.csrf()
        return self.session.post(
            self.url + path, data=form, headers=headers, timeout=_TIMEOUT, **how
        )
