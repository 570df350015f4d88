"""The end of the log of a crawl."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from wikicrawler.control.jobs import Job

MAX_BYTES = 32_768
MAX_LINES = 200


class LogTail(NamedTuple):
    """The last lines of a log. They are foreign text."""

    lines: tuple[str, ...]
    is_cut: bool
    """Whether there are lines before them."""
    why_not: str = ""
    """Why there are none."""


def log_tail(job: Job) -> LogTail:
    """Return the end of the log of *job*. The file is the one that the crawl itself has noted."""
    if job.log_file is None:
        return _none("It writes no log file: its log is where it was started.")
    if job.host is not None and job.host != socket.gethostname():
        return _none("Its log is on another machine.")
    if not Path(job.log_file).is_absolute():
        return _none("Its log is in a folder that only the crawl knows.")
    try:
        data, is_cut = _end_of(job.log_file)
    except FileNotFoundError:
        return _none("Its log does not exist yet, or was removed.")
    except (OSError, ValueError) as error:
        return _none(f"Its log cannot be read: {getattr(error, 'strerror', None) or 'no file'}.")
    lines = data.decode("utf-8", "replace").split("\n")
    if is_cut:
        del lines[0]  # a part of a line
    if lines and not lines[-1]:
        del lines[-1]
    kept = tuple(lines[-MAX_LINES:])
    return LogTail(kept, is_cut or len(kept) < len(lines))


def _end_of(path: str) -> tuple[bytes, bool]:
    """Return the last bytes of the file at *path*, and whether there are others before them."""
    # What is not a file, like a pipe, must not keep the page waiting.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise ValueError
        start = max(0, found.st_size - MAX_BYTES)
        file.seek(start)
        return file.read(MAX_BYTES), start > 0


def _none(why: str) -> LogTail:
    return LogTail((), False, why)
