"""A log without forged entries and without secrets.

URLs, titles, headers and errors from outside also appear in the messages of Scrapy and of other
libraries. So the record of :mod:`logging` is made safe, whatever logger, handler, file and format
the project uses.
"""

from __future__ import annotations

import logging
from logging import LogRecord
from typing import TYPE_CHECKING, Any

from wikicrawler.console.log_secrets import LogSecrets, secrets_of
from wikicrawler.text.safe import escaped

if TYPE_CHECKING:
    from collections.abc import Callable

    from scrapy.settings import BaseSettings

_secrets = LogSecrets()


class SafeRecord(LogRecord):
    """A log record with one line of printable text.

    If the message template has several lines, or there is a traceback, all lines but the first are
    indented, so that none looks like an entry of its own.
    """

    def getMessage(self) -> str:  # noqa: N802 - name of logging
        message = _secrets.hide(super().getMessage())
        if message.isprintable():
            return message
        # Only line ends of the template are trusted, not those of arguments or exceptions.
        has_lines = isinstance(self.msg, str) and "\n" in self.msg
        return _indent_below_first(message) if has_lines else escaped(message)

    @property
    def exc_text(self) -> str | None:
        """The formatted traceback."""
        return self.__dict__.get("exc_text")

    @exc_text.setter
    def exc_text(self, text: str | None) -> None:
        self.__dict__["exc_text"] = text and _indented(
            list(map(escaped, _secrets.hide(text).split("\n")))
        )


def _indent_below_first(message: str) -> str:
    first, *more = map(escaped, message.rstrip("\n").split("\n"))
    return f"{first}\n{_indented(more)}" if more else first


def _indented(lines: list[str]) -> str:
    pad = "" if all(line.startswith(" ") for line in lines) else "  "
    return "\n".join(pad + line for line in lines)


class _SafeRecordFactory:
    """Log record factory that makes the records of another factory safe."""

    def __init__(self, inner: Callable[..., LogRecord]) -> None:
        self._inner = inner
        self._safe: dict[type[LogRecord], type[LogRecord]] = {LogRecord: SafeRecord}

    def __call__(self, *args: Any, **kwargs: Any) -> LogRecord:
        record = self._inner(*args, **kwargs)
        cls = type(record)
        if cls not in self._safe:
            self._safe[cls] = type(cls.__name__, (SafeRecord, cls), {})
        record.__class__ = self._safe[cls]
        return record


def protect_log(settings: BaseSettings) -> None:
    """Make every log record of the process safe, and hide the secrets of *settings*.

    Secrets are those of :func:`~wikicrawler.console.log_secrets.secrets_of`.
    """
    _secrets.add(secrets_of(settings))
    factory = logging.getLogRecordFactory()
    if not isinstance(factory, _SafeRecordFactory):
        logging.setLogRecordFactory(_SafeRecordFactory(factory))


def hide_secrets(text: str) -> str:
    """Return *text* with ``***`` for the secrets of the settings, as in the log."""
    return _secrets.hide(text)
