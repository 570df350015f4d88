"""SQLAlchemy is imported only by what needs a database, in real processes."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.servers.scripted import Reply, ScriptedServer

if TYPE_CHECKING:
    from pathlib import Path

RUN = """
import atexit, sys
atexit.register(lambda: print("loaded" if "sqlalchemy" in sys.modules else "not loaded"))
from scrapy.cmdline import execute
execute()
"""
LEARNED, STATIC = "WIKICRAWLER_TIER_POLICY=learned", "WIKICRAWLER_TIER_POLICY=static"


def run(folder: Path, *arguments: str) -> str:
    """Return the last line that ``scrapy`` with *arguments* prints: whether it was loaded."""
    (folder / "scrapy.cfg").write_text("[settings]\ndefault = wikicrawler.settings\n")
    command = [sys.executable, "-c", RUN, *arguments]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


def test_scrapy_list_does_not_import_it(tmp_path: Path) -> None:
    assert run(tmp_path, "list") == "not loaded"


@pytest.mark.parametrize(
    ("setting", "loaded"),
    [
        (STATIC, "not loaded"),
        (LEARNED, "loaded"),
        ("WIKICRAWLER_RECORD_ATTEMPTS=True", "loaded"),
    ],
)
def test_a_crawl_imports_it_only_for_a_database(tmp_path: Path, setting: str, loaded: str) -> None:
    with ScriptedServer() as site:
        site.on("/robots.txt", Reply(404)).on("/", Reply(body=f"<p>{'Some text. ' * 99}"))
        seeds = f"seeds={site.url('/')}"
        found = run(tmp_path, "crawl", "wiki", "-a", seeds, "-s", setting, "-O", "pages.jsonl")
    assert (tmp_path / "pages.jsonl").stat().st_size
    assert found == loaded
