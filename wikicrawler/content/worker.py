"""The process that converts pages for :mod:`wikicrawler.content.pool`, started by it alone.

Frames on stdin and stdout are a length (8 bytes, big-endian) and a pickle. In: the arguments of
:func:`wikicrawler.content.convert` as a tuple. Out: ``None`` once when ready, then an
:class:`Answer` for each page. It ends when stdin does, or after an answer that says ``last``.
"""

from __future__ import annotations

import logging
import math
import os
import pickle
import resource
import signal
import struct
import sys
from pathlib import Path
from typing import BinaryIO, NamedTuple

from wikicrawler.content.conversion import convert
from wikicrawler.errors import ContentError, Reason
from wikicrawler.items import Content  # noqa: TC001

HEADER = struct.Struct(">Q")
PAGES = 1000
"""Pages after which a process is replaced, as libxml2 and Python give little memory back."""


class Answer(NamedTuple):
    """What became of a page: its *content*, or the *reason* for which there is none."""

    content: Content | None
    reason: Reason | None = None
    detail: str = ""
    last: bool = False
    """The process ends now, and another must take the next page."""


def main() -> None:
    """Serves pages until stdin ends; ``argv``: CPU seconds a page, and megabytes in all."""
    cpu_seconds, memory_mb = float(sys.argv[1]), int(sys.argv[2])
    # The parent decides when to end: it waits for pages that are being converted.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    logging.disable(logging.CRITICAL)
    frames_out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a stray print must not tear a frame
    frames_in = sys.stdin.buffer
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    limit = memory_mb * 2**20
    # The data segment counts what is written to; the address space would count every library.
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    _write(frames_out, pickle.dumps(None))
    for number in range(1, PAGES + 1):
        frame = _read(frames_in)
        if frame is None:
            return
        _allow_cpu(cpu_seconds)
        answer = _answer(frame, last=number == PAGES or _resident() > limit // 2)
        _write(frames_out, pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))
        if answer.last:
            return


def _answer(frame: bytes, *, last: bool) -> Answer:
    try:
        body, url, encoding, wiki = pickle.loads(frame)  # noqa: S301 - from our own parent
        return Answer(convert(body, url, encoding=encoding, wiki=wiki), last=last)
    except ContentError as error:
        return Answer(None, error.reason, error.detail, last)
    except MemoryError:
        return Answer(None, Reason.MEMORY_LIMIT, last=True)


def _allow_cpu(seconds: float) -> None:
    """Lets the process use *seconds* more; then SIGXCPU ends it, in libxml2's code too."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime + seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def _resident() -> int:
    """Resident memory in bytes; 0 where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _read(stream: BinaryIO) -> bytes | None:
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    (length,) = HEADER.unpack(header)
    return stream.read(length)


def _write(stream: BinaryIO, frame: bytes) -> None:
    stream.write(HEADER.pack(len(frame)))
    stream.write(frame)
    stream.flush()


if __name__ == "__main__":
    # As a module of its own name: answers are pickled by the name of their class.
    from wikicrawler.content.worker import main as _main

    _main()
