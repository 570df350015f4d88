"""Lists in text files, one entry a line."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_LINE = 65_536
"""Bytes of a line that are read; the rest of a longer one is skipped."""


class Line(NamedTuple):
    number: int
    """From 1."""
    text: str
    """Stripped of white space at both ends."""
    problem: str | None = None
    """What is wrong with the line itself: too long, or not UTF-8."""


def read_lines(path: Path) -> Iterator[Line]:
    """The lines of the UTF-8 file (or pipe) at *path* that are neither empty nor comments (``#``).

    A byte order mark and Windows' line ends are taken.

    :raises ConfigError: where it cannot be read, or is UTF-16.
    """
    if "\0" in str(path):
        raise ConfigError(f"{one_line(path)}: is not a file name")
    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise ConfigError(f"{one_line(path)}: is not a file (name a text file)")
        with path.open("rb") as file:
            for number, (raw, complete) in enumerate(_raw_lines(file), 1):
                if number == 1:
                    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
                        raise ConfigError(f"{one_line(path)}: is UTF-16 (save it as UTF-8)")
                    raw = raw.removeprefix(b"\xef\xbb\xbf")  # noqa: PLW2901
                if line := _line(number, raw, complete):
                    yield line
    except OSError as exc:
        raise ConfigError(
            f"{one_line(path)}: cannot be read: {exc.strerror} (name a text file)"
        ) from None


def _raw_lines(file: BinaryIO) -> Iterator[tuple[bytes, bool]]:
    """Each line with its end, and whether it is all of it."""
    while raw := file.readline(MAX_LINE):
        complete = len(raw) < MAX_LINE or raw.endswith(b"\n")
        yield raw, complete
        while not complete:
            rest = file.readline(MAX_LINE)
            complete = not rest or rest.endswith(b"\n")


def _line(number: int, raw: bytes, complete: bool) -> Line | None:
    raw = raw.strip()
    if not raw or raw.startswith(b"#"):
        return None
    if not complete:
        text = raw.decode(errors="replace")
        return Line(number, text, f"is longer than {MAX_LINE:,} bytes (one entry a line)")
    try:
        return Line(number, raw.decode().strip())
    except UnicodeDecodeError:
        text = raw.decode(errors="backslashreplace")
        return Line(number, text, "is not UTF-8 (save the file as UTF-8)")
