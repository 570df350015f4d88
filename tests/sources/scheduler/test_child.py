"""Crawls as child processes: how they end."""

from __future__ import annotations

import sys
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING

import pytest

from wikicrawler.sources.scheduler import child
from wikicrawler.sources.scheduler.child import ChildCrawl

if TYPE_CHECKING:
    from pathlib import Path

STUBBORN = """
import pathlib, signal, sys, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
pathlib.Path(sys.argv[1]).touch()
time.sleep(120)
"""


@pytest.fixture(autouse=True)
def little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "STOP_SECONDS", 0.3)


def stubborn(tmp_path: Path, longest: float) -> ChildCrawl:
    return ChildCrawl([sys.executable, "-c", STUBBORN, str(tmp_path / "started")], longest)


def test_a_crawl_that_does_not_stop_is_killed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    crawl = stubborn(tmp_path, longest=86_400)
    codes: list[int] = []
    running = Thread(target=lambda: codes.append(crawl.start()))
    running.start()
    while not (tmp_path / "started").exists():
        sleep(0.02)
    crawl.stop()
    assert running.is_alive(), "stop() does not wait, so that a second signal can be noticed"
    running.join(30)
    assert codes == [137]
    assert "does not stop: it is killed" in caplog.text
    assert crawl.start() == 0


def test_a_crawl_that_takes_too_long_and_does_not_stop_is_killed(tmp_path: Path) -> None:
    assert stubborn(tmp_path, longest=1).start() in {130, 137}  # 130: it had not begun


def test_the_exit_code_is_that_of_the_crawl() -> None:
    assert ChildCrawl([sys.executable, "-c", "raise SystemExit(4)"], 60).start() == 4
