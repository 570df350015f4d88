"""Jobs of a real Scrapyd."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TEXT = "Some words of a page that is worth reading. "
CONF = """
[scrapyd]
bind_address = 127.0.0.1
http_port = {port}
max_proc = 1
poll_interval = 0.2
items_dir = items
"""


class Scrapyd:
    """A Scrapyd in *folder*, on a free port."""

    def __init__(self, folder: Path, packages: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._url = f"http://127.0.0.1:{port}/"
        module = "wikicrawler.settings"
        cfg = f"[settings]\ndefault = {module}\nwikicrawler = {module}\n"
        (folder / "scrapy.cfg").write_text(cfg)
        (folder / "scrapyd.conf").write_text(CONF.format(port=port))
        self._log = (folder / "scrapyd.log").open("w+")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "scrapyd"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(packages)},
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        self._wait_for(self._is_up)

    def run(self, **arguments: str) -> str:
        """Run a job of the spider ``wiki`` to its end, and return its name."""
        form = {"project": "wikicrawler", "spider": "wiki", **arguments}
        job = self._ask("schedule.json", urlencode(form).encode())["jobid"]
        self._wait_for(lambda: job in (one["id"] for one in self._ask("listjobs.json")["finished"]))
        return str(job)

    def log(self) -> str:
        return (self.folder / "scrapyd.log").read_text()

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(60)
        self._log.close()

    def _ask(self, path: str, data: bytes | None = None) -> Any:
        with urlopen(self._url + path, data, timeout=60) as answer:  # noqa: S310 - its own port
            return json.load(answer)

    def _is_up(self) -> bool:
        try:
            return bool(self._ask("daemonstatus.json"))
        except URLError:
            return False

    def _wait_for(self, condition: Any) -> None:
        give_up = time.monotonic() + 240
        while not condition():
            assert self._process.poll() is None, self.log()
            assert time.monotonic() < give_up, self.log()
            time.sleep(0.2)


@pytest.fixture(scope="module")
def scrapyd(scrapyd_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scrapyd]:
    server = Scrapyd(tmp_path_factory.mktemp("scrapyd"), scrapyd_folder)
    yield server
    server.close()


def test_a_job_writes_its_records_to_items_dir(scrapyd: Scrapyd) -> None:
    page = f"<!doctype html><title>T</title><main><h1>T</h1><p>{TEXT * 20}</p></main>"
    with ScriptedServer() as server:
        server.on("/robots.txt", Reply(404)).on("/", Reply(body=page))
        job = scrapyd.run(seeds=server.url("/"))
    (line,) = (scrapyd.folder / f"items/wikicrawler/wiki/{job}.jl").read_text().splitlines()
    assert json.loads(line)["title"] == "T"


def test_a_wrong_argument_is_in_the_log_of_the_job_and_the_job_has_failed(scrapyd: Scrapyd) -> None:
    job = scrapyd.run(seed="https://x.example/")
    log = (scrapyd.folder / f"logs/wikicrawler/wiki/{job}.log").read_text()
    (error,) = (line for line in log.splitlines() if " ERROR: " in line)
    assert error.endswith("did you mean seeds?")
    (died,) = (line for line in scrapyd.log().splitlines() if "Process died" in line)
    assert f"exitstatus=2 project='wikicrawler' spider='wiki' job={job!r}" in died
