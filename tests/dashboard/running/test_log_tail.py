"""The end of a log."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING, Any

from wikicrawler.control.jobs import Job
from wikicrawler.dashboard.running.log_tail import MAX_BYTES, MAX_LINES, log_tail

if TYPE_CHECKING:
    from pathlib import Path


def job(log_file: str | None, host: str | None = None) -> Job:
    unknown: dict[str, Any] = dict.fromkeys(
        ("requested_by", "via", "pid", "started", "heartbeat", "ended", "finish_reason")
    )
    unknown |= {"stop_requested_at": None, "stop_requested_by": None}
    return Job("id", "sources", {}, "ended", 1.0, log_file=log_file, host=host, **unknown)


def test_a_short_log_is_whole(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("one\ntwo\n")
    tail = log_tail(job(str(log), socket.gethostname()))
    assert (tail.lines, tail.is_cut, tail.why_not) == (("one", "two"), False, "")


def test_of_a_long_log_the_last_whole_lines_are_read(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("".join(f"line {number}\n" for number in range(100_000)))
    tail = log_tail(job(str(log)))
    assert tail.is_cut
    assert tail.lines == tuple(f"line {n}" for n in range(100_000 - MAX_LINES, 100_000))


def test_a_line_without_end_is_bounded(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"x" * (MAX_BYTES * 3) + b"\n\xff\x1b[2J")
    assert log_tail(job(str(log))).lines == ("�\x1b[2J",)


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    found = {
        name: log_tail(job(*where)).why_not
        for name, where in {
            "none": (None,),
            "elsewhere": (str(tmp_path / "log"), "another.example"),
            "relative": ("log.txt",),
            "missing": (str(tmp_path / "log"),),
            "folder": (str(tmp_path),),
            "pipe": (str(tmp_path / "pipe"),),
            "nul": (f"{tmp_path}/\0",),
        }.items()
    }
    assert "writes no log file" in found["none"]
    assert "another machine" in found["elsewhere"]
    assert "only the crawl knows" in found["relative"]
    assert "does not exist" in found["missing"]
    for name in ("folder", "pipe", "nul"):
        assert found[name].startswith("Its log cannot be read")
