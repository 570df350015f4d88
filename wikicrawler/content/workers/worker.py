"""The worker process that :mod:`wikicrawler.content.workers.process` starts to convert pages.

Stdin is a sequence of pickles, each a :data:`PageInput`. Stdout is a sequence of frames, each a
length (8 bytes, big-endian) and a pickle: first ``None`` when the worker is ready, then a
:class:`ConversionResult` for each page, in order.

The process ends when stdin ends, after a result with ``last`` set, or when its parent dies.
"""

from __future__ import annotations

import ctypes
import fcntl
import logging
import math
import os
import pickle
import resource
import signal
import struct
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from wikicrawler.content.conversion import convert
from wikicrawler.content.sketch import sketch_of
from wikicrawler.errors import ContentError, Reason
from wikicrawler.items import Content  # noqa: TC001

FRAME_HEADER = struct.Struct(">Q")
MAX_PAGES = 1000
"""Pages after which a process is replaced, as libxml2 and Python give little memory back."""
PIPE_BYTES = 2**20
"""What a pipe holds, where the system allows it: neither side then waits for the other to read."""

IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""What a worker leaves to its parent; blocked while it starts."""

_PR_SET_PDEATHSIG = 1  # of <sys/prctl.h>


class ConversionResult(NamedTuple):
    """What became of a page: its *content*, or the *reason* for which there is none."""

    content: Content | None
    reason: Reason | None = None
    detail: str = ""
    last: bool = False
    """The process ends now, and another must take the next page."""


PageInput = tuple[bytes | str, str, str | None, bool | None, bool]
"""``html``, ``url``, ``encoding`` and ``wiki`` of :func:`wikicrawler.content.convert`, and whether
the content is to have its sketch."""


def main() -> None:
    """Serves pages until stdin ends; ``argv``: CPU seconds a page, and megabytes in all."""
    cpu_seconds, memory_mb = float(sys.argv[1]), int(sys.argv[2])
    # The parent decides when to end: it waits for pages that are being converted.
    for ignored in IGNORED_SIGNALS:
        signal.signal(ignored, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, IGNORED_SIGNALS)
    _die_with_parent()
    logging.disable(logging.CRITICAL)
    pages = sys.stdin.buffer
    results = os.dup(1)
    os.dup2(2, 1)  # a stray print must not tear a frame
    _enlarge_pipe(pages.fileno())
    _enlarge_pipe(results)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The data segment counts what is written to, the address space would count every library: the
    # part of those that is in memory is counted here.
    limit = memory_mb * 2**20 - _memory_bytes(_SHARED)
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    _write(results, None)
    for number in range(1, MAX_PAGES + 1):
        try:
            page = pickle.load(pages)  # noqa: S301 - from our own parent
        except EOFError:
            return
        except MemoryError:  # and where the next one begins is not known
            _write(results, ConversionResult(None, Reason.MEMORY_LIMIT, last=True))
            return
        _allow_cpu(cpu_seconds)
        result = _convert(page)
        if number == MAX_PAGES or _memory_bytes(_RESIDENT) > limit // 2:
            result = result._replace(last=True)
        _write(results, result)
        if result.last:
            return


def convert_page(page: PageInput) -> Content:
    """Return the content of *page*, with its sketch where that is asked for.

    A page that states its namespace has none: it is a wiki's, and these are not compared.

    :raises ContentError: as :func:`wikicrawler.content.convert` does; so does ``MemoryError``.
    """
    body, url, encoding, wiki, with_sketch = page
    content = convert(body, url, encoding=encoding, wiki=wiki)
    if with_sketch and "namespace" not in content.metadata:
        content = replace(content, sketch=sketch_of(content.markdown))
    return content


def _convert(page: PageInput) -> ConversionResult:
    try:
        return ConversionResult(convert_page(page))
    except ContentError as error:
        return ConversionResult(None, error.reason, error.detail)
    except MemoryError:
        return ConversionResult(None, Reason.MEMORY_LIMIT, last=True)


def _die_with_parent() -> None:
    """Be killed with a parent that had no time to close our stdin, in the middle of a page too.

    Elsewhere than on Linux the page is converted first.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _enlarge_pipe(pipe: int) -> None:
    with suppress(OSError, AttributeError):  # no pipe, no Linux, or the user's share is used up
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


def _allow_cpu(seconds: float) -> None:
    """Lets the process use *seconds* more; then SIGXCPU ends it, in libxml2's code too."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = math.ceil(used.ru_utime + used.ru_stime + seconds)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


_RESIDENT, _SHARED = 1, 2


def _memory_bytes(column: int) -> int:
    """Bytes of memory by a column of proc(5)'s ``statm``; 0 where the system does not tell."""
    try:
        pages = Path("/proc/self/statm").read_text("ascii").split()[column]
        return int(pages) * resource.getpagesize()
    except OSError:
        return 0


def _write(pipe: int, result: ConversionResult | None) -> None:
    frame = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
    rest = memoryview(FRAME_HEADER.pack(len(frame)) + frame)
    while rest:
        rest = rest[os.write(pipe, rest) :]


if __name__ == "__main__":
    # As a module of its own name: results are pickled by the name of their class.
    from wikicrawler.content.workers.worker import main as _main

    _main()
