"""What a project's own code breaks is shown as stock Scrapy shows it, with the exit code that
``docs/operations.md`` lists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.process.broken_projects import ADDON, COMMANDS, WAYS, Breakage

if TYPE_CHECKING:
    from pathlib import Path

_FRAME = re.compile(r'File "PROJECT/(\S+)", line (\d+)(?:, in (\w+))?')
_RAISED = re.compile(r"^ *([\w.]+(?:Error|Exception): .*)$", re.MULTILINE)
_ENTRY = re.compile(r"^\S+ \S+ \[[\w.]+\] (?:WARNING|ERROR|CRITICAL): (.*)$", re.MULTILINE)
_NEVER_RETRIEVED = "Task exception was never retrieved"  # of the crawl, which asyncio logs
_OURS = "The crawl failed with an unhandled error"


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_a_broken_project_shows_what_stock_scrapy_shows(way: Breakage, tmp_path: Path) -> None:
    stock = _start(way.write(tmp_path / "stock"))
    ours = _start(way.write(tmp_path / "ours", ADDON + COMMANDS))
    expected, found = _output(stock), _output(ours)
    assert way.shown in expected
    assert way.shown in found
    assert _facts(found) == _facts(expected)
    assert ours.returncode == way.code, found


@pytest.mark.parametrize(
    "way", [w for w in WAYS if w.name in {"spider: __init__", "spider: start"}]
)
def test_the_add_on_alone_keeps_the_exit_code_of_scrapy(way: Breakage, tmp_path: Path) -> None:
    stock = _start(way.write(tmp_path / "stock"))
    ours = _start(way.write(tmp_path / "ours", ADDON))
    assert _facts(_output(ours)) == _facts(_output(stock))
    assert ours.returncode == stock.returncode


def _start(project: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "scrapy", "crawl", "pages"],
        cwd=project,
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _output(process: subprocess.Popen[str]) -> str:
    output, _ = process.communicate(timeout=120)
    output = re.sub(r"/\S+/(?:stock|ours)/", "PROJECT/", output)
    # The class that stands in the place of Scrapy's.
    return output.replace(
        "wikicrawler.feeds.feed_settings.RequiredFeedExporter",
        "scrapy.extensions.feedexport.FeedExporter",
    )


def _facts(output: str) -> tuple[list[str], list[tuple[str, ...]], list[str]]:
    """What is raised, where in the project, and what warnings and errors there are."""
    entries = [entry for entry in _ENTRY.findall(output) if entry not in (_NEVER_RETRIEVED, _OURS)]
    return (
        _RAISED.findall(output),
        [match.groups() for match in _FRAME.finditer(output)],
        [re.sub(r"0x[0-9a-f]+", "0x", entry) for entry in entries],
    )
