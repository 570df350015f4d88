"""The server of commands runs them as a new interpreter does."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.scrapy_runs import ROOT, Running, run

if TYPE_CHECKING:
    from pathlib import Path

SPIDER = """
import os, sys, time
from scrapy import Spider

class PrintingSpider(Spider):
    name = "printing"
    start_urls = ["data:,"]

    def parse(self, response):
        print(os.getcwd(), os.environ["SAID"], sys.argv[1:], __name__)

class SleepingSpider(Spider):
    name = "sleeping"
    start_urls = ["data:,"]

    def parse(self, response):
        time.sleep(60)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = own\n")
    (tmp_path / "own.py").write_text('SPIDER_MODULES = ["spiders"]\nLOG_LEVEL = "WARNING"\n')
    (tmp_path / "spiders.py").write_text(SPIDER)
    return tmp_path


def test_folder_environment_and_arguments_are_as_in_a_new_interpreter(project: Path) -> None:
    command = ["crawl", "printing", "-s", "X=1"]
    env = os.environ | {"SAID": "é"}
    forked = run(command, cwd=project, env=env)
    started = subprocess.run(
        [sys.executable, "-m", "scrapy", *command],
        cwd=project,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{project} é ['printing', '-s', 'X=1'] spiders" in forked.stdout
    assert (forked.returncode, forked.stdout) == (started.returncode, started.stdout)


def test_an_error_has_its_exit_code_and_message(project: Path) -> None:
    done = run(["crawl", "nothing"], cwd=project)
    assert done.returncode != 0
    assert "nothing" in done.stdout + done.stderr


def test_a_process_with_thousands_of_open_files_can_run_commands(project: Path) -> None:
    code = (
        "import os, sys\n"
        "for _ in range(1200): os.open(os.devnull, os.O_RDONLY)\n"
        "from tests.scrapy_runs import run\n"
        "sys.exit(run(['version'], timeout=100).returncode)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False, timeout=120)
    assert done.returncode == 0


def test_a_command_can_be_killed_and_takes_no_longer_than_allowed(project: Path) -> None:
    with (project / "out").open("w") as out:
        running = Running(["crawl", "sleeping"], cwd=project, stdout=out, stderr=out)
    assert running.poll() is None
    running.kill()
    assert running.wait(30) == -signal.SIGKILL
    assert running.poll() == -signal.SIGKILL
    with pytest.raises(subprocess.TimeoutExpired):
        run(["crawl", "sleeping"], cwd=project, timeout=0.1)
