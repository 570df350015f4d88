"""``make dashboard``: the dashboard over sources that change, fail and refuse."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import requests

ROOT = Path(__file__).parents[2]


def test_it_has_something_to_show_until_ctrl_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "wikicrawler.demo.dashboard", "--port", "0"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        url = next(line.split()[1] for line in lines if line.startswith("Dashboard: "))
        overview = requests.get(url, timeout=60).text
        for status in ("changed", "failed", "paused", "ok"):
            assert f"badge-{status}" in overview
        assert "fields.jsonl" in requests.get(f"{url}fields", timeout=60).text
        assert "reports.jsonl" in requests.get(f"{url}reports", timeout=60).text
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert (process.returncode, errors) == (0, "")
