"""A status line at the bottom of a terminal, below the log."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.segment import Segment
from rich.text import Text

from wikicrawler.console.fitting import Form, fit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wikicrawler.console.fitting import Part

_ECHO = 4
"""Columns left free at the end of the line, where the terminal shows ``^C``, perhaps twice: a line
that wraps would not be erased."""


class LiveLine:
    """A status line on the terminal of ``sys.stderr``, from :meth:`start` to :meth:`stop`.

    Meanwhile, output to ``sys.stdout`` and ``sys.stderr``, log handlers of either included, is
    printed above the line, unchanged: neither wrapped nor coloured.
    """

    def __init__(self) -> None:
        # Not Console(stderr=True): it would follow sys.stderr to _StreamAbove and recurse.
        self._console = Console(file=sys.stderr)
        # The event loop redraws, not a thread of Live; _StreamAbove redirects the streams.
        self._live = Live(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._undo: list[Callable[[], None]] = []

    @staticmethod
    def is_possible() -> bool:
        """Return whether the terminal of ``sys.stderr`` can redraw a line."""
        console = Console(file=sys.stderr)
        return console.is_interactive and not console.is_dumb_terminal

    def start(self) -> None:
        self._live.start()
        # Live hides the cursor; a killed crawl would leave the shell without one.
        self._console.show_cursor(True)
        self._redirect()

    def show(self, parts: Sequence[Part]) -> None:
        """Redraw the line with those of the *parts* that fit the terminal, as it is now."""
        shown = [tuple(Form(self._encodable(text), rank) for text, rank in part) for part in parts]
        text = fit(shown, self._console.width - _ECHO)
        self._live.update(Text(text, no_wrap=True, overflow="crop"), refresh=True)

    def stop(self) -> None:
        """Erase the line and restore the streams. May be called more than once."""
        try:
            self._live.stop()  # before a stream writes an incomplete line behind it
        finally:
            while self._undo:
                with suppress(OSError):  # the terminal is gone; restore the other streams too
                    self._undo.pop()()

    def _encodable(self, text: str) -> str:
        encoding = self._console.encoding
        return text.encode(encoding, "backslashreplace").decode(encoding)

    def _redirect(self) -> None:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None or not stream.isatty():
                continue
            above = _StreamAbove(self._console, stream)
            setattr(sys, name, above)
            self._undo.append(lambda n=name, a=above, s=stream: _restore(n, a, s))  # type: ignore[misc]
            for handler in logging.root.handlers:
                if isinstance(handler, logging.StreamHandler) and handler.stream is stream:
                    handler.setStream(cast("TextIO", above))
                    self._undo.append(lambda h=handler, s=stream: h.setStream(s))  # type: ignore[misc]


def _restore(name: str, above: _StreamAbove, stream: TextIO) -> None:
    if getattr(sys, name) is above:
        setattr(sys, name, stream)
    above.finish()


class _Verbatim:
    """Text that rich prints unchanged."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Segment(self._text)


class _StreamAbove:
    """Replacement of a terminal stream that prints complete lines above the live line."""

    def __init__(self, console: Console, stream: TextIO) -> None:
        self._console = console
        self._stream = stream
        self._partial = ""
        self._finished = False

    def write(self, text: str) -> int:
        if self._finished:
            return self._stream.write(text)
        lines, newline, rest = text.rpartition("\n")
        if not newline:
            self._partial += text
            return len(text)
        complete, self._partial = self._partial + lines + "\n", rest
        self._console.print(_Verbatim(complete), end="", soft_wrap=True)
        return len(text)

    def flush(self) -> None:
        if self._partial and not self._finished:  # a prompt must be visible before its answer
            self.write("\n")
        self._stream.flush()

    def finish(self) -> None:
        """Write directly to the stream from now on; others may still hold this object."""
        self._finished = True
        self._stream.write(self._partial)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
