"""A crawl in a running event loop, as in a notebook: it is guarded, or it does not start."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

NOTEBOOK = """
import asyncio, logging, os, sys
import scrapy
from scrapy.crawler import AsyncCrawlerProcess, AsyncCrawlerRunner

SETTINGS = {
    "ADDONS": {"wikicrawler.WikiCrawler": 500},
    "TWISTED_REACTOR_ENABLED": @REACTOR@,
    "ROBOTSTXT_OBEY": False,
    "TELNETCONSOLE_ENABLED": False,
    "WIKICRAWLER_CONTENT_WORKERS": 0,
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60_000,
}

class Pages(scrapy.Spider):
    name = "pages"
    start_urls = ["@URL@"]

    def parse(self, response):
        print("fetched", response.url)
        for link in response.css("a"):
            yield response.follow(link, callback=self.parse)

logging.basicConfig(level=logging.WARNING)

async def cell():
    @BEFORE@
    await AsyncCrawlerRunner(SETTINGS).crawl(Pages)
    sys.stdout.flush()
    os._exit(0)  # the threads of the reactor run as long as the kernel of a notebook

@CELL@
"""
INSTALL = (
    "from twisted.internet import asyncioreactor\n"
    "    asyncioreactor.install(asyncio.get_running_loop())"
)
START = (
    f"{INSTALL}\n    from twisted.internet import reactor\n"
    "    reactor.startRunning(installSignalHandlers=False)"
)
RUN = "asyncio.run(cell())"
PROCESS = "process = AsyncCrawlerProcess(SETTINGS); process.crawl(Pages); process.start()"


def run(tmp_path: Path, url: str, **parts: str) -> str:
    text = NOTEBOOK.replace("@URL@", url)
    for name, part in {"REACTOR": "True", "BEFORE": "pass", "CELL": RUN, **parts}.items():
        text = text.replace(f"@{name}@", part)
    (tmp_path / "notebook.py").write_text(text)
    done = subprocess.run(
        [sys.executable, "notebook.py"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=240,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"REACTOR": "False"}, "ConfigError: TWISTED_REACTOR_ENABLED is False: wikicrawler needs"),
        (
            {"REACTOR": "False", "CELL": PROCESS},
            "ConfigError: TWISTED_REACTOR_ENABLED is False: wikicrawler needs",
        ),
        ({"BEFORE": INSTALL}, "ConfigError: The Twisted reactor is installed, but does not run."),
    ],
    ids=["no reactor", "no reactor, a process of Scrapy", "not started"],
)
def test_without_a_reactor_that_runs_nothing_is_fetched(
    tmp_path: Path, parts: dict[str, str], message: str
) -> None:
    with ScriptedServer() as server:
        server.on("/")
        output = run(tmp_path, server.url("/"), **parts)
        assert server.paths() == []
    (line,) = {line.strip() for line in output.splitlines() if "ConfigError: " in line}
    assert line.partition("errors.")[2].startswith(message)
    assert "In a notebook run the crawl as a command" in line


def test_with_a_reactor_on_the_running_loop_the_crawl_is_guarded(tmp_path: Path) -> None:
    text = "<p>Some words of a page that is worth reading.</p>" * 20
    with ScriptedServer() as server, ScriptedServer() as private:
        link = private.url("/secret")
        server.on("/", Reply(body=f'<title>T</title><main>{text}<a href="{link}">x</a></main>'))
        output = run(tmp_path, server.url("/"), BEFORE=START)
        assert f"fetched {server.url('/')}" in output
        assert private.paths() == []
    assert "is not crawled: its address 127.0.0.1 is private" in output
