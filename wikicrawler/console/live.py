"""One line at the bottom of a terminal that log lines pass above."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO, cast

from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.segment import Segment
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable


class LiveLine:
    """A line of text on the terminal behind ``sys.stderr``, from :meth:`start` to :meth:`stop`.

    In between, what is written to ``sys.stdout``, ``sys.stderr`` and by the log handlers that hold
    either goes above the line as it is: it is neither wrapped nor coloured.
    """

    def __init__(self) -> None:
        # The stream itself: Console(stderr=True) would follow sys.stderr to _Above, and that back.
        self._console = Console(file=sys.stderr)
        # No thread of its own: the crawl's loop redraws. The whole screen is the caller's.
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
        """Whether ``sys.stderr`` is a terminal on which a line can be redrawn."""
        if sys.stderr is None or not sys.stderr.isatty():
            return False
        console = Console(file=sys.stderr)
        return console.is_interactive and not console.is_dumb_terminal

    def start(self) -> None:
        self._live.start()
        # Live hides the cursor; a killed crawl would leave the shell without one.
        self._console.show_cursor(True)
        self._redirect()

    def show(self, text: str) -> None:
        """Redraw the line, cut at the width of the terminal."""
        self._live.update(Text(text, no_wrap=True, overflow="ellipsis"), refresh=True)

    def stop(self) -> None:
        """Give the terminal back; harmless when called again."""
        while self._undo:
            with suppress(
                OSError
            ):  # the terminal is gone; the others must be put back all the same
                self._undo.pop()()
        self._live.stop()

    def _redirect(self) -> None:
        for name in ("stdout", "stderr"):
            stream = getattr(sys, name)
            if stream is None or not stream.isatty():
                continue
            above = _Above(self._console, stream)
            setattr(sys, name, above)
            self._undo.append(lambda n=name, a=above, s=stream: _restore(n, a, s))  # type: ignore[misc]
            for handler in logging.root.handlers:
                if isinstance(handler, logging.StreamHandler) and handler.stream is stream:
                    handler.setStream(cast("TextIO", above))
                    self._undo.append(lambda h=handler, s=stream: h.setStream(s))  # type: ignore[misc]


def _restore(name: str, above: _Above, stream: TextIO) -> None:
    if getattr(sys, name) is above:
        setattr(sys, name, stream)
    above.finish()


class _Raw:
    """Text that rich writes as it is."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Segment(self._text)


class _Above:
    """Stands in for a stream of the terminal: whole lines go above the live line."""

    def __init__(self, console: Console, stream: TextIO) -> None:
        self._console = console
        self._stream = stream
        self._begun = ""
        self._finished = False

    def write(self, text: str) -> int:
        if self._finished:
            return self._stream.write(text)
        lines, newline, rest = text.rpartition("\n")
        if not newline:
            self._begun += text
            return len(text)
        whole, self._begun = self._begun + lines + "\n", rest
        self._console.print(_Raw(whole), end="", soft_wrap=True)
        return len(text)

    def flush(self) -> None:
        if self._begun and not self._finished:  # a prompt: it must be seen before it is answered
            self.write("\n")
        self._stream.flush()

    def finish(self) -> None:
        """From now on write to the stream itself: somebody may have kept this object."""
        self._finished = True
        self._stream.write(self._begun)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
