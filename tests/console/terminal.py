"""A command in a real pseudo-terminal, and what a person sees of it.

The terminal is the controlling terminal of the command: Ctrl-C is a key, and reaches the whole
foreground process group. The screen is rendered by pyte.
"""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from typing import TYPE_CHECKING

import pyte

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

CTRL_C = b"\x03"
_TAKE_TERMINAL = (
    "import fcntl, os, sys, termios; os.setsid(); fcntl.ioctl(2, termios.TIOCSCTTY, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)


class Terminal:
    """What a command wrote to a terminal of *columns* and *lines*, and its exit code."""

    def __init__(self, columns: int, lines: int) -> None:
        self.code: int | None = None
        self.raw = b""
        self.frames: list[list[str]] = []
        """The rows of the screen after each piece of output."""
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self._screen)

    def feed(self, output: bytes) -> None:
        self.raw += output
        self._stream.feed(output)
        self.frames.append(self.rows)

    @property
    def rows(self) -> list[str]:
        """The rows of the screen from the top, without the blanks at their ends."""
        return [row.rstrip() for row in self._screen.display]

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cursor, from 0."""
        return self._screen.cursor.y, self._screen.cursor.x

    @property
    def shows_cursor(self) -> bool:
        return not self._screen.cursor.hidden


def run_in_terminal(
    command: Sequence[str],
    folder: Path,
    *,
    columns: int = 80,
    lines: int = 24,
    keys: Callable[[Terminal], bytes] = lambda _: b"",
    **environment: str,
) -> Terminal:
    """Run *command* in *folder* to its end; *keys* returns what to type after each output."""
    terminal = Terminal(columns, lines)
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    inherited = {k: v for k, v in os.environ.items() if k not in {"COLUMNS", "LINES", "NO_COLOR"}}
    process = subprocess.Popen(
        [sys.executable, "-c", _TAKE_TERMINAL, *command],
        cwd=folder,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**inherited, "TERM": "xterm-256color", **environment},
    )
    os.close(slave)
    try:
        while True:
            try:
                output = os.read(master, 65536)
            except OSError:  # the other end is closed
                break
            if not output:
                break
            terminal.feed(output)
            if typed := keys(terminal):
                os.write(master, typed)
        terminal.code = process.wait(120)
    finally:
        process.kill()
        os.close(master)
    return terminal
