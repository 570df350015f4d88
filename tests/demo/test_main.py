"""``python -m wikicrawler.demo``: serve the wiki, and run a crawl that can be interrupted."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from wikicrawler.demo import DemoWiki

PROJECT = Path(__file__).resolve().parents[2]
DEMO = [sys.executable, "-m", "wikicrawler.demo"]
RUN = "import sys; from wikicrawler.demo.__main__ import run; sys.exit(run(sys.argv[1:]))"
# A child that prints each Ctrl-C, and exits with 70 + their number on SIGTERM.
COUNT_INTERRUPTS = """
import signal, sys
had = []
def interrupted(*_):
    had.append(1)
    print("interrupt", len(had), flush=True)
signal.signal(signal.SIGINT, interrupted)
signal.signal(signal.SIGTERM, lambda *_: sys.exit(70 + len(had)))
signal.alarm(20)
print("ready", flush=True)
while True:
    signal.pause()
"""


def test_serve_prints_its_url_and_exits_on_ctrl_c() -> None:
    with subprocess.Popen([*DEMO, "serve"], stdout=subprocess.PIPE, text=True) as serving:
        try:
            assert serving.stdout is not None
            url = serving.stdout.readline().split()[0]
            with urlopen(url, timeout=120) as page:  # noqa: S310
                assert b"Apiary Handbook" in page.read()
            serving.send_signal(signal.SIGINT)
            assert serving.wait(120) == 0
        finally:
            serving.kill()


def test_serve_reports_a_port_in_use() -> None:
    with DemoWiki() as wiki:
        port = wiki.url.rpartition(":")[2]
        result = subprocess.run(
            [*DEMO, "serve", "--port", port],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert result.returncode == 1
    assert result.stderr.startswith(f"demo: port {port}: Address already in use")


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("import sys; sys.exit(0)", 0),
        ("import sys; sys.exit(3)", 3),
        ("import os; os.kill(os.getpid(), 9)", 137),
    ],
)
def test_run_returns_the_childs_exit_code(code: str, expected: int) -> None:
    command = [sys.executable, "-c", RUN, sys.executable, "-c", code]
    assert subprocess.run(command, timeout=120, check=False).returncode == expected


@pytest.mark.parametrize("whole_group", [False, True])
def test_every_ctrl_c_reaches_the_child_once(whole_group: bool) -> None:
    command = [sys.executable, "-c", RUN, sys.executable, "-c", COUNT_INTERRUPTS]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        for count in (1, 2):
            if whole_group:
                os.killpg(running.pid, signal.SIGINT)
            else:
                running.send_signal(signal.SIGINT)
            assert running.stdout.readline() == f"interrupt {count}\n"
        running.terminate()
        assert running.wait(120) == 72


def test_ctrl_c_typed_at_a_terminal_reaches_the_child_once() -> None:
    child, terminal = pty.fork()
    if child == 0:
        command = [sys.executable, "-c", RUN, sys.executable, "-c", COUNT_INTERRUPTS]
        os.execv(sys.executable, command)  # noqa: S606
    with os.fdopen(terminal, "r+b", buffering=0) as screen:
        text = b""

        def read_until(word: bytes) -> None:
            nonlocal text
            while word not in text:
                text += screen.read(100) or b""

        read_until(b"ready")
        screen.write(b"\x03")
        read_until(b"interrupt 1")
        screen.write(b"\x03")
        read_until(b"interrupt 2")
        os.kill(child, signal.SIGTERM)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 72


@pytest.mark.parametrize(
    ("arguments", "output"), [([], "pages.jsonl"), (["-O", "other.jsonl"], "other.jsonl")]
)
def test_crawl_runs_the_wiki_spider_of_the_current_directory(
    tmp_path: Path, arguments: list[str], output: str
) -> None:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = little\n")
    (tmp_path / "little.py").write_text("SPIDER_MODULES = ['spider']\n")
    (tmp_path / "spider.py").write_text(
        "from scrapy import Spider, Request\n"
        "class Wiki(Spider):\n"
        "    name = 'wiki'\n"
        "    async def start(self):\n"
        "        yield Request(self.seeds)\n"
        "    def parse(self, response):\n"
        "        limit = self.settings.get('DOMAIN_THROTTLE_REQUESTS_PER_MINUTE')\n"
        "        yield {'title': response.css('h1 ::text').get(), 'limit': limit,\n"
        "               'more': self.settings.get('MORE')}\n"
    )
    result = subprocess.run(
        [*DEMO, "crawl", "--", "-s", "MORE=1", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": f"{tmp_path}:{PROJECT}"},
        timeout=120,
        check=False,
    )
    assert result.returncode == 0
    assert [file.name for file in tmp_path.glob("*.jsonl")] == [output]
    assert (tmp_path / output).read_text() == (
        '{"title": "Main Page", "limit": "1200", "more": "1"}\n'
    )
