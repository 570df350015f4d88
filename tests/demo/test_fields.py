"""``make fields``: values, evidence and costs by a real model on this machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lxml import html

if TYPE_CHECKING:
    from tests.servers.llama import RealLlama

ROOT = Path(__file__).parents[2]


def test_it_shows_values_with_their_places_and_costs(llama: RealLlama, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    done = subprocess.run(
        [sys.executable, "-m", "wikicrawler.demo.fields", str(report)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    product, wiki, site = done.stdout.split("Cost: ")[:3]
    assert "249.0" in product
    assert "AH-10" in product
    assert wiki.startswith("0 requests")
    assert "Lorenzo L. Langstroth" in wiki
    assert site.startswith("0 requests")
    # Which values the small model finds in the last site is its own affair.
    assert "founded" in site
    assert "Report:" in done.stdout
    page = html.fromstring(report.read_text())
    targets = {mark.get("id") for mark in page.iter("mark")}
    links = {link.get("href") for link in page.iter("a")}
    assert {f"#{target}" for target in targets if target} <= links
