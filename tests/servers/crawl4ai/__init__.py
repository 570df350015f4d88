"""A real crawl4ai on loopback: its own library behind its own REST contract, with a real browser.

::

    with RealCrawl4AI(directory) as server:
        server.url, server.token       # for CRAWL4AI_URL and CRAWL4AI_API_TOKEN
        ...
        server.journal().urls          # what it was asked to crawl, in order

``server.py`` runs in a virtual environment that ``scripts/install-test-browser`` makes. Tests use
the fixture ``crawl4ai``.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen

from tests.servers.ports import free_port

if TYPE_CHECKING:
    from typing import Self

VENV = Path(__file__).parents[3] / ".cache" / "crawl4ai" / "venv"
# The program itself: Debian's script in /usr/bin would outlive the server that started it.
BROWSER = Path("/usr/lib/chromium/chromium-headless-shell")
MAX_PAGES = 16
"""Pages that the server of the fixture ``crawl4ai`` renders at once."""


def missing() -> list[str]:
    """What is not installed, each with the script that installs it."""
    lacks = []
    if not any(VENV.glob(".installed-*")):
        lacks.append("crawl4ai (run scripts/install-test-browser)")
    if not BROWSER.exists():
        lacks.append("Debian's chromium-headless-shell (run scripts/install-test-packages)")
    return lacks


@dataclass(frozen=True)
class Journal:
    """What the server did since it was cleared."""

    requests: list[dict[str, Any]]
    """Of each request ``urls``, ``browser`` and ``crawler`` (the two configurations)."""
    most_in_flight: int
    browsers: int

    @property
    def urls(self) -> list[str]:
        """Everything it was asked to crawl, in order."""
        return [url for request in self.requests for url in request["urls"]]


class RealCrawl4AI:
    """crawl4ai on 127.0.0.1 and a free port; *data* is a directory for its home and its log.

    It dies with this process. *environment* is server.py's: ``VERSION``, ``MAX_PAGES``,
    ``REJECTED``, ``CRAWL4AI_ALLOW_INTERNAL_URLS`` (on unless switched off: tests crawl this
    machine).
    """

    token = "the-token-of-the-tests"  # noqa: S105

    def __init__(self, data: Path, **environment: str) -> None:
        self._data = data
        self._environment = {"CRAWL4AI_ALLOW_INTERNAL_URLS": "true"} | environment
        self._process: subprocess.Popen[bytes] | None = None
        self._port = free_port()

    @property
    def url(self) -> str:
        """``http://127.0.0.1:PORT``."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def settings(self) -> dict[str, str]:
        """The Scrapy settings by which a crawl uses it."""
        return {"CRAWL4AI_URL": self.url, "CRAWL4AI_API_TOKEN": self.token}

    def start(self) -> None:
        """Start it, and return when it answers.

        :raises RuntimeError: it did not come up; the message has the end of its log
        """
        command = [str(VENV / "bin" / "python"), str(Path(__file__).with_name("server.py"))]
        if setpriv := shutil.which("setpriv"):
            command = [setpriv, "--pdeathsig", "TERM", *command]
        environment = os.environ | {
            "HOME": str(self._data),
            "CRAWL4_AI_BASE_DIRECTORY": str(self._data),
            "CRAWL4AI_NO_CLOUD_NOTICE": "1",
            "CRAWL4AI_API_TOKEN": self.token,
            "BROWSER": str(BROWSER),
        }
        environment = {k: v for k, v in environment.items() if not k.lower().endswith("_proxy")}
        with (self._data / "server.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*command, str(self._port)],
                env=environment | self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,  # Ctrl-C reaches pytest alone, which then stops it
            )
        give_up = time.monotonic() + 60
        while time.monotonic() < give_up and self._process.poll() is None:
            with suppress(OSError):
                self._get("/health")
                return
            time.sleep(0.05)
        self.stop()
        log_end = (self._data / "server.log").read_text("utf-8", "replace")[-2000:]
        raise RuntimeError(f"crawl4ai did not come up:\n{log_end}")

    def stop(self) -> None:
        """Stop it and its browsers."""
        if self._process is None:
            return
        self._process.terminate()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(timeout=10)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.stop()

    def journal(self) -> Journal:
        """What it did since it was started or cleared."""
        told = json.loads(self._get("/-/journal"))
        return Journal(told["requests"], told["most_in_flight"], told["browsers"])

    def clear(self) -> None:
        """Forget what it did."""
        self._get("/-/journal?clear=1")

    def _get(self, path: str) -> bytes:
        with urlopen(self.url + path, timeout=120) as answer:  # noqa: S310
            body: bytes = answer.read()
        return body
