"""Text files with one entry a line."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from wikicrawler.errors import ConfigError
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_LINE = 65_536
"""Maximum number of bytes of a line; the rest of a longer line is skipped."""


class Line(NamedTuple):
    number: int
    """Line number, from 1."""
    text: str
    """Text without surrounding white space."""
    problem: str | None = None
    """Why the line is invalid (too long, not UTF-8), or None."""


def read_lines(path: Path) -> Iterator[Line]:
    """Yield the lines of the UTF-8 file (or pipe) at *path*, except empty ones and comments
    (``#``).

    A byte order mark and Windows line ends are accepted.

    :raises ConfigError: the file cannot be read, or is UTF-16
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
    """Yield at most :data:`MAX_LINE` bytes of each line, and whether they are the complete line."""
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
