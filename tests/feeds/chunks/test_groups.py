"""A group of lines that a kill has torn is cut, and nothing else."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wikicrawler.feeds.chunks.groups import mend_groups


def group(name: str, count: int, *, lines: int | None = None) -> bytes:
    """The first *lines* of the chunks of a page."""
    found = [
        {"url": name, "index": index, "count": count, "content_hash": "h", "start": 0, "text": "é"}
        for index in range(count if lines is None else lines)
    ]
    return b"".join(json.dumps(line).encode() + b"\n" for line in found)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (group("a", 3) + group("b", 4, lines=2), group("a", 3)),
        (group("a", 3) + group("b", 4, lines=3) + b'{"url": "b", "ind', group("a", 3)),
        (group("b", 4, lines=1), b""),
        (group("a", 1) + group("b", 9, lines=1) + b"\0\0\0", group("a", 1)),
        (group("a", 3) + group("b", 4), group("a", 3) + group("b", 4)),
        (group("a", 3) + group("b", 4)[:-1], group("a", 3) + group("b", 4)),
        (group("a", 3)[:-1], group("a", 3)),
        (group("a", 0, lines=1), group("a", 0, lines=1)),
        (b'{"n": 1}\n' + group("b", 3, lines=2), b'{"n": 1}\n'),
        (b"[]\n7\nnotes\n", b"[]\n7\nnotes\n"),
        (b'{"index": 1, "count": 5}\n', b'{"index": 1, "count": 5}\n'),
        (b"", b""),
        # Two crawls that were killed without a state folder: only the last group is this crawl's.
        (group("b", 4, lines=2) + group("b", 4, lines=2), group("b", 4, lines=2)),
    ],
)
def test_a_torn_last_group_is_cut_and_nothing_else(
    tmp_path: Path, before: bytes, after: bytes
) -> None:
    path = tmp_path / "chunks.jsonl"
    path.write_bytes(before)
    mend_groups(path)
    assert path.read_bytes() == after


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_wherever_it_is_torn_the_groups_before_it_stay(tmp_path: Path, share: float) -> None:
    whole, torn = group("a", 20), group("b", 3000)
    path = tmp_path / "chunks.jsonl"
    path.write_bytes(whole + torn[: int(len(torn) * share)])
    mend_groups(path)
    assert path.read_bytes() == whole


_WRITER = """
import sys
from pathlib import Path
from wikicrawler.feeds.line_file import LineFile

group = Path(sys.argv[1]).read_bytes()
file = LineFile(Path(sys.argv[2]))
while True:
    file.write(group)
"""


def test_a_kill_while_a_group_is_written_leaves_whole_groups(tmp_path: Path) -> None:
    whole = group("a", 80_000)
    (tmp_path / "group").write_bytes(whole)
    path = tmp_path / "chunks.jsonl"
    torn = 0
    for _ in range(20):
        path.write_bytes(b"")
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path / "group"), str(path)],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        )
        until = random.uniform(0, 4) * len(whole)  # noqa: S311
        while path.stat().st_size <= until and writer.poll() is None:
            time.sleep(0.001)
        writer.kill()
        writer.wait(60)
        size = path.stat().st_size
        mend_groups(path)
        left = path.stat().st_size
        assert left == size // len(whole) * len(whole)
        torn += size > left
    assert torn
