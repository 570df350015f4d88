"""A real Scrapyd on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.servers.ports import free_port

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

CONF = """
[scrapyd]
bind_address = 127.0.0.1
http_port = {port}
max_proc = 1
poll_interval = 0.2
items_dir = items
"""


class Scrapyd:
    """A Scrapyd in *folder*, on a free port.

    :param environment: variables beside those of the tests
    """

    def __init__(
        self, folder: Path, packages: Path, environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder = folder
        port = free_port()
        self.url = f"http://127.0.0.1:{port}/"
        module = "wikicrawler.settings"
        cfg = f"[settings]\ndefault = {module}\nwikicrawler = {module}\n"
        (folder / "scrapy.cfg").write_text(cfg)
        (folder / "scrapyd.conf").write_text(CONF.format(port=port))
        self._log = (folder / "scrapyd.log").open("w+")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd"],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(packages), **(environment or {})},
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        self.wait_for(self._is_up)

    def run(self, spider: str = "wiki", settings: Iterable[str] = (), **arguments: str) -> str:
        """Run a job of *spider* to its end, and return its name.

        :param settings: ``NAME=VALUE``
        """
        job = self.schedule(spider, settings, **arguments)
        self.wait_for(lambda: self.is_over(job))
        return job

    def schedule(self, spider: str = "wiki", settings: Iterable[str] = (), **arguments: str) -> str:
        """Have a job of *spider* run, and return its name."""
        form = {"project": "wikicrawler", "spider": spider, "setting": [*settings], **arguments}
        return str(self.ask("schedule.json", urlencode(form, doseq=True).encode())["jobid"])

    def is_over(self, job: str) -> bool:
        return job in (one["id"] for one in self.ask("listjobs.json")["finished"])

    def log(self) -> str:
        return (self.folder / "scrapyd.log").read_text()

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(60)
        self._log.close()

    def ask(self, path: str, data: bytes | None = None) -> Any:
        with urlopen(self.url + path, data, timeout=60) as answer:  # noqa: S310 - its own port
            return json.load(answer)

    def _is_up(self) -> bool:
        try:
            return bool(self.ask("daemonstatus.json"))
        except URLError:
            return False

    def wait_for(self, condition: Any) -> None:
        give_up = time.monotonic() + 240
        while not condition():
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < give_up, self.log()
            time.sleep(0.2)
