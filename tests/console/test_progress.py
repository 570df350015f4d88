"""The progress line, with and without a real pseudo-terminal."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from wikicrawler.console.fitting import fit
from wikicrawler.console.progress import progress_parts

ROOT = Path(__file__).parent.parent.parent
CRAWL = """
import logging, sys
import scrapy
from scrapy.crawler import AsyncCrawlerProcess

settings = {
    "EXTENSIONS": {"wikicrawler.console.progress.ProgressLine": 500},
    "FEEDS": {sys.argv[1]: {"format": "jsonlines"}},
    "LOG_FORMAT": "%(name)s: %(message)s",
    "LOG_LEVEL": "INFO",
    "TELNETCONSOLE_ENABLED": False,
    "REMOTE_CONTROL_ENABLED": False,
    "MEMUSAGE_ENABLED": False,
    "LOG_VERSIONS": [],
}

class Pages(scrapy.Spider):
    name = "pages"

    async def start(self):
        self.print()
        for i in range(3):
            yield scrapy.Request(f"data:,{i}")

    def print(self):
        print("printed", file=sys.stderr)

    def parse(self, response):
        self.logger.info("got %s", "x" * 200 + response.text)
        yield {"page": response.text}

EXTRA
process = AsyncCrawlerProcess(settings)
process.crawl(Pages)
process.start()
handlers = [h for h in logging.root.handlers if hasattr(h, "stream")]
print("streams", *{type(s).__name__ for s in (sys.stderr, handlers[0].stream)}, file=sys.stderr)
logging.getLogger("end").info("logged")
"""

LIVE = re.compile(r"\d:\d\d:\d\d \| \d+ pages")


class Outcome:
    def __init__(self, code: int, screen: str, feed) -> None:
        self.code = code
        self.screen = screen
        assert feed.exists(), screen
        self.pages = [json.loads(line)["page"] for line in feed.read_text().splitlines()]

    def lines(self) -> list[str]:
        """Return the final lines of the screen; wide lines are not wrapped."""
        shown: list[str] = []
        for line in self.screen.replace("\r\n", "\n").split("\n"):
            # \x1b[1A\x1b[2K moves up and erases a line; \r\x1b[2K erases the current line.
            for part in re.split(r"(\x1b\[1A)", line):
                if part == "\x1b[1A":
                    shown.pop()
                    continue
                last = part.rpartition("\x1b[2K")[2]
            shown.append(re.sub(r"\x1b\[\?25[lh]|\r", "", last))
        return shown


@pytest.fixture
def crawl(tmp_path):
    def crawl(extra: str = "", hang_up: bool = False, tty: bool = True, **env: str) -> Outcome:
        feed = tmp_path / "feed.jsonl"
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        process = subprocess.Popen(
            [sys.executable, "-c", CRAWL.replace("EXTRA", extra), str(feed)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=slave if tty else subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color", **env},
        )
        os.close(slave)
        if not tty:
            os.close(master)
            return Outcome(0, process.communicate(timeout=120)[1].decode(), feed)
        screen = b""
        while True:
            try:
                screen += (got := os.read(master, 65536))
            except OSError:  # the other end is closed
                break
            if not got or (hang_up and LIVE.search(screen.decode())):
                break
        os.close(master)
        return Outcome(process.wait(120), screen.decode(), feed)

    return crawl


def test_log_lines_appear_above_the_live_line_and_the_terminal_is_restored(crawl):
    outcome = crawl()
    assert outcome.code == 0
    assert sorted(outcome.pages) == ["0", "1", "2"]
    assert LIVE.search(outcome.screen)
    shown = outcome.lines()
    for i in range(3):
        assert f"pages: got {'x' * 200}{i}" in shown
    assert "printed" in shown
    assert not [line for line in shown if LIVE.search(line)]
    assert outcome.screen.rindex("\x1b[?25h") > outcome.screen.rindex("\x1b[?25l")
    assert outcome.lines()[-3:] == ["streams TextIOWrapper", "end: logged", ""]


def test_with_a_log_file_only_the_line_is_on_the_terminal(crawl, tmp_path):
    outcome = crawl(f"settings['LOG_FILE'] = {str(tmp_path / 'log')!r}")
    assert LIVE.search(outcome.screen)
    assert [line for line in outcome.lines() if line] == ["printed", "streams TextIOWrapper"]
    log = (tmp_path / "log").read_text()
    assert log.count("pages: got xxx") == 3
    assert "\x1b" not in log


@pytest.mark.parametrize(
    ("extra", "options"),
    [
        ("", {"tty": False}),
        ("settings['WIKICRAWLER_PROGRESS_ENABLED'] = False", {}),
        ("", {"TERM": "dumb"}),
    ],
    ids=["no terminal", "switched off", "dumb terminal"],
)
def test_no_line_is_shown_without_a_capable_terminal_or_if_disabled(crawl, extra, options):
    outcome = crawl(extra, **options)
    assert outcome.code == 0
    assert sorted(outcome.pages) == ["0", "1", "2"]
    assert not LIVE.search(outcome.screen)
    assert "\x1b" not in outcome.screen
    assert "pages: got xxx" in outcome.screen


def test_a_closed_terminal_ends_the_line_but_not_the_crawl(crawl, tmp_path):
    outcome = crawl(
        f"settings |= {{'LOG_FILE': {str(tmp_path / 'log')!r}, 'DOWNLOAD_DELAY': 0.5}}\n"
        "Pages.print = lambda self: None\n"
        "print = lambda *args, file: None",
        hang_up=True,
    )
    assert outcome.code == 0
    assert sorted(outcome.pages) == ["0", "1", "2"]
    log = (tmp_path / "log").read_text()
    assert log.count("The progress line is switched off") == 1
    assert "end: logged" in log


def test_an_error_of_the_line_switches_it_off_but_does_not_end_the_crawl(crawl):
    outcome = crawl("""
from scrapy.statscollectors import MemoryStatsCollector
class Stats(MemoryStatsCollector):
    def get_stats(self, spider=None):
        return {"item_scraped_count": "many"}
settings["STATS_CLASS"] = Stats
""")
    assert outcome.code == 0
    assert sorted(outcome.pages) == ["0", "1", "2"]
    assert outcome.screen.count("The progress line is switched off") == 1
    assert not LIVE.search(outcome.screen)
    assert outcome.lines()[-2] == "end: logged"


def test_only_one_of_two_crawls_in_a_process_shows_its_line(crawl):
    outcome = crawl("""
class Others(Pages):
    name = "others"
process = AsyncCrawlerProcess(settings)
process.crawl(Others)
AsyncCrawlerProcess = lambda settings: process
""")
    assert outcome.code == 0
    assert "switched off" not in outcome.screen
    assert LIVE.search(outcome.screen)
    assert not [line for line in outcome.lines() if LIVE.search(line)]


def line(*args, width=1000, **kwargs) -> str:
    return fit(progress_parts(*args, **kwargs), width)


def test_the_line_shows_counts_rate_and_delay():
    stats = {
        "item_scraped_count": 1_234,
        "tier/page_count/http": 34,
        "tier/page_count/mediawiki": 1_200,
        "wikicrawler/skipped/count": 5,
    }
    assert line(stats, 2_000, 3, 61.7, {"a.example": 0.5, "b.example": 12.25}) == (
        "1,234 pages (mediawiki 1,200, http 34) | 5 skipped | 2,000 queued, 3 active | 62/min"
        " | delay 12.2 s (b.example)"
    )
    assert line({}, None, 0, None, {}) == "0 pages | 0 active"
    assert line({}, 1_500, 0, None, {}, delayed=1_200) == (
        "0 pages | 1,500 queued (1,200 for later), 0 active"
    )


def test_control_characters_in_stats_are_escaped_in_the_line():
    stats = {"tier/page_count/\x1b[2J\n": 1}
    assert line(stats, 0, 0, None, {"\x1b[2J\n": 1.0}).isprintable()
