"""``scrapy merge`` in a process of its own."""

from __future__ import annotations

import gzip
import json
import os
from typing import TYPE_CHECKING

from tests import scrapy_runs

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path


def merge(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return scrapy_runs.run(["merge", *arguments], cwd=folder)


def write(file: Path, *records: dict[str, object]) -> None:
    file.write_text("".join(json.dumps(record) + "\n" for record in records))


def test_changes_are_applied_to_a_feed_in_its_place(tmp_path: Path) -> None:
    write(tmp_path / "pages.jsonl", {"url": "http://a/1"}, {"url": "http://a/2"})
    write(tmp_path / "changes.jsonl", {"url": "http://a/1", "change": "deleted"})
    (tmp_path / "pages.jsonl").chmod(0o640)
    done = merge(tmp_path, "pages.jsonl", "changes.jsonl", "-O", "pages.jsonl")
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert (tmp_path / "pages.jsonl").read_text() == '{"url": "http://a/2"}\n'
    assert (tmp_path / "pages.jsonl").stat().st_mode & 0o777 == 0o640
    assert sorted(file.name for file in tmp_path.iterdir()) == ["changes.jsonl", "pages.jsonl"]
    done = merge(tmp_path, "pages.jsonl")
    assert done.stdout == '{"url": "http://a/2"}\n'


def test_a_faulty_feed_leaves_the_output_as_it_was(tmp_path: Path) -> None:
    write(tmp_path / "pages.jsonl", {"url": "http://a/1"})
    (tmp_path / "changes.jsonl").write_text('{"url": "http://a/1", "chan')
    done = merge(tmp_path, "pages.jsonl", "changes.jsonl", "-O", "pages.jsonl")
    assert done.returncode == 2
    assert "changes.jsonl:1: is not JSON" in done.stderr
    assert (tmp_path / "pages.jsonl").read_text() == '{"url": "http://a/1"}\n'
    assert len(list(tmp_path.iterdir())) == 2


def test_wrong_arguments_are_reported_in_a_line(tmp_path: Path) -> None:
    assert "a feed is needed" in merge(tmp_path).stderr
    missing = merge(tmp_path, "nowhere.jsonl")
    assert (missing.returncode, "nowhere.jsonl: cannot be read" in missing.stderr) == (2, True)
    write(tmp_path / "pages.jsonl", {"url": "http://a/1"})
    done = merge(tmp_path, "pages.jsonl", "-O", "no/such/folder")
    assert (done.returncode, "cannot be written" in done.stderr) == (4, True)


def test_a_pipe_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "pages.jsonl", {"url": "http://a/1"})
    os.mkfifo(tmp_path / "pipe")
    done = merge(tmp_path, "pages.jsonl", "pipe", "-O", "all.jsonl")
    assert (done.returncode, "pipe is a pipe: name a file" in done.stderr) == (2, True)
    assert not (tmp_path / "all.jsonl").exists()


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write(tmp_path / "data" / "pages.jsonl", {"url": "http://a/1"})
    write(tmp_path / "changes.jsonl", {"url": "http://a/1", "change": "deleted"})
    (tmp_path / "pages.jsonl").symlink_to(tmp_path / "data" / "pages.jsonl")
    assert merge(tmp_path, "pages.jsonl", "changes.jsonl", "-O", "pages.jsonl").returncode == 0
    assert (tmp_path / "pages.jsonl").is_symlink()
    assert (tmp_path / "data" / "pages.jsonl").read_text() == ""


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    write(tmp_path / "pages.jsonl", {"url": "http://a/1"})
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert merge(tmp_path, "pages.jsonl", "-O", "pipe").returncode == 0
        assert os.read(reader, 1000) == b'{"url": "http://a/1"}\n'
    finally:
        os.close(reader)
    assert (tmp_path / "pipe").is_fifo()


def test_output_named_gz_is_compressed(tmp_path: Path) -> None:
    write(tmp_path / "pages.jsonl", {"url": "http://a/1"})
    assert merge(tmp_path, "pages.jsonl", "-O", "pages.jsonl.gz").returncode == 0
    assert gzip.decompress((tmp_path / "pages.jsonl.gz").read_bytes()) == (
        b'{"url": "http://a/1"}\n'
    )
