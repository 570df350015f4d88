"""``make watch``: the whole way of a source, on a site on this machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_it_stages_what_changed_and_proves_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "wikicrawler.demo.watch"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    visits = [line.partition(";")[0] for line in lines if " unchanged, " in line]
    assert visits == [
        "first visit: 51 new, 0 modified, 0 unchanged, 0 deleted",
        "second visit: 0 new, 0 modified, 51 unchanged, 0 deleted",
        "one section of 50 changed: 0 new, 1 modified, 50 unchanged, 0 deleted",
    ]
    (share,) = [line for line in lines if "of the bytes of the first visit" in line]
    assert float(share.split()[0]) <= 5
    assert sum("substantive: " in line for line in lines) == 1
    assert "scrapy staged verify: 52 envelopes: all valid" in lines
    assert any(line.startswith("scrapy audit verify: sound") for line in lines)
    assert any(line.startswith("scrapy prove --check: sound") for line in lines)
