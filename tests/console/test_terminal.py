"""What a person sees of a crawl: on terminals of several kinds, and in a pipe."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.console.terminal import CTRL_C, Terminal, run_in_terminal
from tests.servers.scripted import Reply, ScriptedServer
from wikicrawler.demo import DemoWiki

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CRAWL = [sys.executable, "-m", "scrapy", "crawl", "wiki"]
PART = re.compile(
    r"\d:\d\d:\d\d(\+? left)?"
    r"|[\d,]+ (of (about |up to )?[\d,]+\+? )?pages( \([a-z0-9, ]+\))?"
    r"|[\d,]+ skipped"
    r"|[\d,]+ queued( \([\d,]+ for later\))?(, \d+ active)?"
    r"|[\d,]+/min"
    r"|delay [\d.]+ s( \([\d.]+\))?"
)
LIVE = re.compile(r"\d:\d\d:\d\d \| \d")
SUMMARY_ROW = re.compile(r"  ([a-z][a-z ]+?)  +\S.*|  {8,}\S.*")


@pytest.fixture(scope="module")
def demo() -> Iterator[DemoWiki]:
    with DemoWiki() as wiki:
        yield wiki


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    return tmp_path


def command(seed: str, *more: str, rate: int = 3000) -> list[str]:
    pace = f"DOMAIN_THROTTLE_REQUESTS_PER_MINUTE={rate}"
    return [*CRAWL, "-a", f"seeds={seed}", "-s", pace, "-s", "LOG_LEVEL=INFO", *more]


def live_lines(terminal: Terminal) -> list[str]:
    """Return the live lines that were drawn, as they were drawn."""
    drawn = re.findall(r"(?:^|[\r\n]|\x1b\[2K|\x1b\[\?25h)([^\r\n\x1b]*)", terminal.raw.decode())
    return [text.removesuffix("^C").removesuffix("^C") for text in drawn if LIVE.match(text)]


def assert_clean(terminal: Terminal) -> None:
    """Assert that a prompt would start on an empty line, below the output."""
    row, column = terminal.cursor
    assert (column, terminal.rows[row]) == (0, "")
    assert terminal.shows_cursor
    assert not [text for text in terminal.rows if LIVE.match(text)]
    assert not any(terminal.rows[row:])


@pytest.mark.parametrize(("columns", "lines"), [(40, 10), (80, 24), (200, 50)])
def test_nothing_is_cut_or_wrapped(demo: DemoWiki, project: Path, columns: int, lines: int) -> None:
    seed = f"{demo.url}/wiki/Main_Page"
    seen = run_in_terminal(command(seed), project, columns=columns, lines=lines)
    assert seen.code == 0
    drawn = live_lines(seen)
    assert drawn
    for line in drawn:
        assert len(line) < columns
        assert all(map(PART.fullmatch, line.split(" | "))), line
    for frame in seen.frames:
        assert len([row for row in frame if LIVE.match(row)]) <= 1
    assert_clean(seen)
    rows = seen.rows[: seen.cursor[0]]
    shown = rows[next((i for i, row in enumerate(rows) if "INFO: Summary" in row), -1) + 1 :]
    assert all(map(SUMMARY_ROW.fullmatch, shown)), shown
    assert "longest delays" in "".join(shown)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {}])
def test_nothing_is_coloured(demo: DemoWiki, project: Path, environment: dict[str, str]) -> None:
    seen = run_in_terminal(command(f"{demo.url}/wiki/Main_Page"), project, **environment)
    assert live_lines(seen)
    assert not re.search(rb"\x1b\[[\d;]*m", seen.raw)


def test_a_dumb_terminal_gets_lines_only(demo: DemoWiki, project: Path) -> None:
    seen = run_in_terminal(command(f"{demo.url}/wiki/Main_Page"), project, TERM="dumb")
    assert b"INFO: Summary" in seen.raw
    assert b"\x1b" not in seen.raw
    assert_clean(seen)


def test_a_pipe_gets_neither_escape_codes_nor_a_live_line(demo: DemoWiki, project: Path) -> None:
    done = subprocess.run(
        command(f"{demo.url}/wiki/Main_Page"),
        cwd=project,
        capture_output=True,
        timeout=120,
        check=True,
    )
    assert b"\x1b" not in done.stderr + done.stdout
    assert not [line for line in done.stderr.decode().splitlines() if LIVE.search(line)]
    assert done.stderr.count(b"INFO: Summary\n") == 1


@pytest.mark.parametrize("pipe", [False, True])
def test_the_c_locale_gets_ascii_only(project: Path, pipe: bool) -> None:
    with ScriptedServer() as site:
        # The log shortens its URL, with an ellipsis.
        long = "/long/" + "long" * 200
        site.on("/robots.txt", Reply(404))
        site.on("/", Reply(body=f'<title>Größe</title><p>{"Größe " * 99}<a href="{long}">x</a>'))
        crawl = command(site.url("/"))
        if pipe:
            environment = os.environ | {"LC_ALL": "C"}
            output = subprocess.run(
                crawl, cwd=project, env=environment, capture_output=True, timeout=120, check=True
            ).stderr
        else:
            output = run_in_terminal(crawl, project, LC_ALL="C").raw
    assert b"long/" in output
    assert rb"\u2026: missing" in output
    assert output.isascii()


@pytest.mark.parametrize("presses", [1, 2])
def test_the_prompt_is_clean_after_ctrl_c(demo: DemoWiki, project: Path, presses: int) -> None:
    reactions = (b"SIGINT, shutting", b"SIGINT twice")
    pressed = 0

    def keys(terminal: Terminal) -> bytes:
        nonlocal pressed
        due = b" queued" if pressed == 0 else reactions[pressed - 1]
        if pressed < presses and due in terminal.raw:
            pressed += 1
            return CTRL_C
        return b""

    seed = f"{demo.url}/wiki/Main_Page"
    seen = run_in_terminal(command(seed, rate=30), project, keys=keys)
    assert pressed == presses
    assert seen.code == 130
    assert reactions[presses - 1] in seen.raw
    assert b"Traceback" not in seen.raw
    assert_clean(seen)


def test_a_crawl_that_hangs_leaves_a_clean_prompt_too(project: Path) -> None:
    """The process is ended by a thread, without any of its usual end."""
    (project / "hanging.py").write_text(
        "import threading\n"
        "from scrapy import Spider\n"
        "class Hanging(Spider):\n"
        "    name = 'hanging'\n"
        "    start_urls = ['data:,x']\n"
        "    def parse(self, response):\n"
        "        self.logger.info('hangs now')\n"
        "        threading.Event().wait()\n"
    )
    pressed = 0

    def keys(terminal: Terminal) -> bytes:
        nonlocal pressed
        if b"hangs now" in terminal.raw and pressed < 2 and terminal.raw.count(b"^C") == pressed:
            pressed += 1
            return CTRL_C
        return b""

    crawl = [sys.executable, "-m", "scrapy", "crawl", "hanging", "-s", "SPIDER_MODULES=hanging"]
    seen = run_in_terminal(crawl, project, keys=keys, PYTHONPATH=str(project))
    assert seen.code == 130
    assert b"The crawl did not end in time" in seen.raw
    assert_clean(seen)
