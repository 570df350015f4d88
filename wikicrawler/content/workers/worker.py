"""The worker process that :mod:`wikicrawler.content.workers.process` starts to convert pages.

Stdin is a sequence of pickles, each a :data:`PageInput` or a :class:`Task`. Stdout is a sequence of
frames, each a length (8 bytes, big-endian) and a pickle: first ``None`` when the worker is ready,
then a :class:`ConversionResult` for each page, in order.

The process ends when stdin ends, after a result with ``last`` set, or when its parent dies.
"""

from __future__ import annotations

import ctypes
import fcntl
import gc
import math
import os
import pickle
import resource
import signal
import struct
import sys
import time
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from wikicrawler.content.sketch import sketch_of, text_key
from wikicrawler.errors import ContentError, Reason
from wikicrawler.items import hash_text
from wikicrawler.text.json_text import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from wikicrawler.content.form import Form
    from wikicrawler.items import Content

FRAME_HEADER = struct.Struct(">Q")
MAX_PAGES = 1000
"""Pages after which a process is replaced, because libxml2 and Python release little memory."""
PIPE_BYTES = 2**20
"""Size of the pipes' buffers, if the system allows it, so that neither side waits for the other."""

IGNORED_SIGNALS = (signal.SIGINT, signal.SIGTERM)
"""Signals that a worker ignores and its parent handles; blocked while the worker starts."""

_PR_SET_PDEATHSIG = 1  # from <sys/prctl.h>


class ConversionResult(NamedTuple):
    """The result of a conversion or a task: its *value*, or the *reason* why there is none."""

    value: Any
    """A :class:`~wikicrawler.items.Content`, or what the function of a task returned."""
    reason: Reason | None = None
    detail: str = ""
    last: bool = False
    """True if the process now exits, so that another must convert the next page."""


class PageInput(NamedTuple):
    """A page to convert."""

    html: bytes | str
    url: str
    encoding: str | None
    wiki: bool | None
    form: Form
    """With the above, the arguments of :func:`wikicrawler.content.convert`."""
    sketch: bool
    """Whether to compute the sketch."""
    json: bool
    """Whether to write the Markdown as JSON, too."""


class Task(NamedTuple):
    """A call of a function in a worker process, which imports the function's module."""

    function: Callable[..., Any]
    """A function of a module. Its pickle is its name, so this room does not import its users."""
    arguments: tuple[Any, ...]
    about: str
    """What the call is for, in messages: a URL."""


def main() -> None:
    """Convert pages until stdin ends. Arguments: CPU seconds for each page, memory limit in MB."""
    cpu_seconds, memory_mb = float(sys.argv[1]), int(sys.argv[2])
    # The conversion is loaded here, so that its time is not that of the first page. The collector
    # would look at what it loads again and again, also later, and finds nothing in it.
    gc.disable()
    import_module("wikicrawler.content.conversion")
    gc.freeze()
    gc.enable()
    # The parent decides when to exit: it waits for pages that are being converted.
    for ignored in IGNORED_SIGNALS:
        signal.signal(ignored, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, IGNORED_SIGNALS)
    _die_with_parent()
    pages = sys.stdin.buffer
    results = os.dup(1)
    os.dup2(2, 1)  # a stray print must not corrupt a frame
    _enlarge_pipe(pages.fileno())
    _enlarge_pipe(results)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # RLIMIT_DATA counts private writable memory only; RLIMIT_AS would count every mapped library.
    # Subtract the shared memory in use, so that the limit includes the libraries in memory, and
    # some for what is not in use yet: most pages need no browser's parser.
    memory = _Memory()
    limit = memory_mb * 2**20 - memory.column(_SHARED) - _LATER_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    _reserve.append(bytearray(_RESERVE_BYTES))
    cpu = _CpuLimit(cpu_seconds)
    _write(results, None)
    for number in range(1, MAX_PAGES + 1):
        cpu.renew()  # a task may import its module
        try:
            page = pickle.load(pages)  # noqa: S301 - from our own parent
        except (
            EOFError,
            pickle.UnpicklingError,
        ):  # in the middle of a page if the parent is killed
            return
        except MemoryError:  # the start of the next pickle is unknown
            _reserve.clear()
            _write(results, ConversionResult(None, Reason.MEMORY_LIMIT, last=True))
            return
        cpu.renew()
        result = _convert(page)
        if number == MAX_PAGES or memory.column(_RESIDENT) > limit // 2:
            result = result._replace(last=True)
        try:
            _write(results, result)
        except MemoryError:  # of the pickle, of which nothing has been written
            _reserve.clear()
            result = ConversionResult(None, Reason.MEMORY_LIMIT, last=True)
            _write(results, result)
        if result.last:
            return


def convert_page(page: PageInput) -> Content:
    """Return the content of *page* with what is computed here to spare the event loop: the hash of
    its Markdown, the key of its text, and its sketch and the Markdown as JSON if requested.

    A page that states its namespace is one of MediaWiki, whose pages are not compared: it gets no
    sketch, and the key only if it states a canonical URL.

    :raises ContentError: as :func:`wikicrawler.content.convert`.
    :raises MemoryError: as :func:`wikicrawler.content.convert`.
    """
    # Imported here because the parent process, which imports this module, converts nothing.
    from wikicrawler.content.conversion import convert_with_notes  # noqa: PLC0415

    converted = convert_with_notes(
        page.html, page.url, encoding=page.encoding, wiki=page.wiki, form=page.form
    )
    markdown, text = converted.markdown, converted.inline_markdown
    is_compared = "namespace" not in converted.metadata
    has_key = is_compared or "canonical" in converted.metadata
    return replace(
        converted,
        text_key=text_key(converted.title, text) if has_key else b"",
        sketch=sketch_of(text) if page.sketch and is_compared else None,
        markdown_hash=hash_text(markdown),
        markdown_json=json_text(markdown) if page.json else b"",
    )


def _convert(page: PageInput | Task) -> ConversionResult:
    try:
        if isinstance(page, Task):
            _silence_logging()
            return ConversionResult(page.function(*page.arguments))
        return ConversionResult(convert_page(page))
    except ContentError as error:
        return ConversionResult(None, error.reason, error.detail)
    except MemoryError:
        _reserve.clear()
        return ConversionResult(None, Reason.MEMORY_LIMIT, last=True)


def _silence_logging() -> None:
    # Imported here because pages of wikis need no library that logs.
    import logging  # noqa: PLC0415

    logging.disable(logging.CRITICAL)


_LATER_BYTES = 4 * 2**20
"""Shared memory that a worker may use beyond that of its start."""
_RESERVE_BYTES = 2**22
_reserve: list[bytearray] = []
"""Memory that is given back when there is no other, so that the worker can say so."""


def _die_with_parent() -> None:
    """Make the kernel kill this process when its parent dies, even in the middle of a page.

    A parent that is killed cannot close the stdin of its workers. On systems other than Linux the
    process finishes its page first.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _enlarge_pipe(pipe: int) -> None:
    with suppress(OSError, AttributeError):  # not a pipe, not Linux, or over the user's quota
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES)


class _CpuLimit:
    """The limit of the CPU time of this process, which is raised for each page."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._soft = 0
        _, self._hard = resource.getrlimit(resource.RLIMIT_CPU)

    def renew(self) -> None:
        """Allow the seconds from now on; then SIGXCPU kills the process, even inside libxml2."""
        soft = math.ceil(time.process_time() + self._seconds)
        if soft != self._soft:  # whole seconds: most pages end in the one in which they began
            resource.setrlimit(resource.RLIMIT_CPU, (soft, self._hard))
            self._soft = soft


_RESIDENT, _SHARED = 1, 2


class _Memory:
    """The memory of this process as ``/proc/self/statm`` states it, see proc(5)."""

    def __init__(self) -> None:
        self._page_bytes = resource.getpagesize()
        self._statm = None
        with suppress(OSError):  # systems without it
            # Kept open: to open it takes longer than to read it.
            self._statm = os.open("/proc/self/statm", os.O_RDONLY)

    def column(self, number: int) -> int:
        """Return a column in bytes; 0 on systems without the file."""
        if self._statm is None:
            return 0
        return int(os.pread(self._statm, 200, 0).split()[number]) * self._page_bytes


def _write(pipe: int, result: ConversionResult | None) -> None:
    frame = pickle.dumps(result, pickle.HIGHEST_PROTOCOL)
    rest = memoryview(FRAME_HEADER.pack(len(frame)) + frame)
    while rest:
        rest = rest[os.write(pipe, rest) :]


if __name__ == "__main__":
    # Import the module under its own name: pickles refer to classes by module and name.
    from wikicrawler.content.workers.worker import main as _main

    with suppress(BrokenPipeError):  # the parent is gone, or reads no more
        _main()
