"""Scrapy's interactive commands do not count as crawls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
SETTINGS = """
SPIDER_MODULES = ["spiders"]
EXTENSIONS = {
    "wikicrawler.console.skipped.SkippedPages": 500,
    "wikicrawler.console.summary.CrawlSummary": 500,
}
WIKICRAWLER_SKIPPED_FILE = "skipped.jsonl"
TELNETCONSOLE_ENABLED = False
"""
SPIDERS = """
import scrapy

class Pages(scrapy.Spider):
    name = "pages"
    start_urls = ["data:,x"]

    def parse(self, response):
        '''
        @url data:,x
        @returns requests 0 0
        '''
"""
LAST = b"of the last crawl\n"


@pytest.fixture
def scrapy(tmp_path):
    """Run a command in a small project. Return whether it logged a summary, and whether the file of
    skipped pages is unchanged."""
    (tmp_path / "scrapy.cfg").write_text("[settings]\ndefault = project\n")
    (tmp_path / "project.py").write_text(SETTINGS)
    (tmp_path / "spiders.py").write_text(SPIDERS)
    skipped = tmp_path / "skipped.jsonl"
    skipped.write_bytes(LAST)

    page = tmp_path / "page.html"
    page.write_text("x")

    def scrapy(*arguments: str) -> tuple[bool, bool]:
        named = [page.as_uri() if word == "PAGE" else word for word in arguments]
        done = subprocess.run(
            [sys.executable, "-m", "scrapy", *named, "-s", "LOG_ENABLED=True"],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            timeout=120,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        assert b"Spider opened" in done.stderr, done.stderr.decode()
        return b"pages written" in done.stderr, skipped.read_bytes() == LAST

    return scrapy


def test_crawl_has_a_summary_and_overwrites_the_file(scrapy):
    assert scrapy("crawl", "pages") == (True, False)


@pytest.mark.parametrize(
    "arguments",
    [
        ("shell", "PAGE", "-c", "response.text"),
        ("fetch", "PAGE"),
        ("parse", "--spider=pages", "PAGE"),
        ("check", "pages"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_other_commands_have_no_summary_and_keep_the_file(scrapy, arguments):
    assert scrapy(*arguments) == (False, True)
