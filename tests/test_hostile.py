"""Every fault alone, and all of them in one crawl."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.content.workers.running import children
from tests.crawling import project_settings, run
from tests.servers.hostile import ALL, Fault, HostileServer, judge
from tests.servers.hostile.certificates import trust
from tests.servers.watch import ShortTimeouts, Watch, peak_mb
from wikicrawler.spiders.wiki import WikiSpider

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
SETTINGS: dict[str, Any] = {
    "WIKICRAWLER_RETRY": {"429": [0.05], "503": [0.05], "timeout": [0.05], "network": [0.05]},
    "RETRY_TIMES": 1,
    "DOMAIN_THROTTLE_REQUESTS_PER_MINUTE": 60_000,
    "DOMAIN_THROTTLE_MAX_DELAY": 0,
    "DOMAIN_THROTTLE_MAX_RETRY_AFTER": 0.1,
    "WIKICRAWLER_PROGRESS_ENABLED": False,
    "WIKICRAWLER_CONFIG": "sources.yml",
    "WIKICRAWLER_SKIPPED_FILE": "skipped.jsonl",
}
PATIENCE = 120
"""Seconds for a row that answers at once, on however busy a machine."""
MAIN_MB, WORKER_MB, TURN_SECONDS = 400, 512, 0.5
TRIES = 3
"""Crawls of all faults: others on the machine make a turn of 0.3 s twice as long now and then, and
what holds the loop up holds it up each time."""


@pytest.fixture(scope="module", autouse=True)
def _trusted() -> Iterator[None]:
    """The authority of the rows' certificates is one that the machine trusts."""
    with trust():
        yield


def lines(file: Path) -> list[dict[str, Any]]:
    """What is in a file of JSON lines, all of them whole and valid UTF-8."""
    text = file.read_bytes().decode() if file.exists() else ""
    assert not text or text.endswith("\n")
    return [json.loads(line) for line in text.split("\n")[:-1]]


@pytest.mark.parametrize("fault", ALL, ids=str)
@deferred_f_from_coro_f
async def test_alone(
    fault: Fault,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    monkeypatch.chdir(tmp_path)
    with HostileServer([fault]) as server:
        (tmp_path / "sources.yml").write_text(server.sources())
        settings = SETTINGS | {
            "WIKICRAWLER_PRIVATE_HOSTS": [],
            "DOWNLOAD_TIMEOUT": 1 if fault.slow else PATIENCE,
            "FEEDS": {"pages.jsonl": {"format": "jsonlines"}},
            **fault.settings,
        }
        await run(WikiSpider, project_settings(**settings), seeds=server.url(fault))
        pages, skipped = lines(tmp_path / "pages.jsonl"), lines(tmp_path / "skipped.jsonl")
        problems = judge(fault, server, pages, skipped)
        assert not problems, "\n".join(problems)
        assert server.victim_hits == 0
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR] == []
    assert "Traceback" not in caplog.text


@pytest.mark.timeout(1200)
def test_all_in_one_crawl(tmp_path: Path) -> None:
    watched = [crawl_of_all(tmp_path / "1")]
    while watched[-1]["longest_turn"] > TURN_SECONDS and len(watched) < TRIES:
        watched.append(crawl_of_all(tmp_path / str(len(watched) + 1)))
    assert min(turns["longest_turn"] for turns in watched) <= TURN_SECONDS


def crawl_of_all(tmp_path: Path) -> dict[str, float]:
    """Crawl all faults from a folder of its own, and return what the crawl cost its process."""
    tmp_path.mkdir()
    with HostileServer(ALL) as server:
        seeds = tmp_path / "seeds.txt"
        seeds.write_text("".join(f"{server.url(fault)}\n" for fault in ALL))
        (tmp_path / "sources.yml").write_text(server.sources())
        slow = [server.netloc(fault) for fault in ALL if fault.slow]
        workers = crawl(tmp_path, slow)
        pages, skipped = lines(tmp_path / "pages.jsonl"), lines(tmp_path / "skipped.jsonl")
        problems = [p for fault in ALL for p in judge(fault, server, pages, skipped)]
        assert not problems, "\n".join(problems)
        assert server.victim_hits == 0
    log = (tmp_path / "log").read_bytes().decode()
    assert "Traceback" not in log
    assert "] ERROR: " not in log
    watched: dict[str, float] = json.loads((tmp_path / "watch.json").read_text())
    assert watched["peak_mb"] <= MAIN_MB
    assert max(workers.values()) <= WORKER_MB
    return watched


def name_of(cls: type) -> str:
    """The import path, as settings have it."""
    return f"{cls.__module__}.{cls.__name__}"


def crawl(folder: Path, slow: list[str]) -> dict[int, float]:
    """Run the real thing in *folder*, as a person would, with less patience for the hosts that are
    *slow*; the peak of each worker, in MB."""
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    settings = SETTINGS | {
        "DOWNLOADER_MIDDLEWARES": {name_of(ShortTimeouts): 300},
        "SLOW_HOSTS": ",".join(slow),
        "DOWNLOAD_TIMEOUT": PATIENCE,
        "EXTENSIONS": {name_of(Watch): 0},
        "WATCH_FILE": "watch.json",
    }
    command = [sys.executable, "-m", "scrapy", "crawl", "wiki", "-a", "seeds=seeds.txt"]
    for name, value in settings.items():
        text = json.dumps(value) if isinstance(value, dict) else str(value)
        command += ["-s", f"{name}={text}"]
    workers: dict[int, float] = {}
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [*command, "-O", "pages.jsonl"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=log,
            stderr=log,
        )
    try:
        while process.poll() is None:
            for pid in children(process.pid):
                workers[pid] = max(peak_mb(pid), workers.get(pid, 0.0))
            time.sleep(0.2)
    finally:
        process.kill()
        process.wait()
    return workers
