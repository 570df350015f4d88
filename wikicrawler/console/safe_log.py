"""A log without forged entries and without secrets.

URLs, titles, headers and errors from outside also appear in the messages of Scrapy and of other
libraries. So the record of :mod:`logging` is made safe, whatever logger, handler, file and format
the project uses.
"""

from __future__ import annotations

import logging
import re
from logging import LogRecord
from typing import TYPE_CHECKING, Any

from scrapy.settings import default_settings

from wikicrawler import options
from wikicrawler.text.safe import escaped, hide_logins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy.settings import BaseSettings

_NAME = r"(?:(?:\w*_)?(?:TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS|APIKEY)|\w+_KEY(?:_ID)?)"
_SECRET_NAME = re.compile(_NAME)
# A secret of any length in a dump of settings or arguments.
_ASSIGNMENT = re.compile(
    rf"""(\b{_NAME}['"]?\s?[:=]\s?)('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""",
    re.IGNORECASE,
)
_MIN_LENGTH = 6
"""Minimum length of a secret to hide anywhere in the text; shorter ones match ordinary words."""


class _Secrets:
    """The values to hide in the log."""

    def __init__(self) -> None:
        self._values: set[str] = set()
        self._pattern: re.Pattern[str] | None = None

    def add(self, values: set[str]) -> None:
        if values <= self._values:
            return
        self._values |= values
        longest_first = sorted(self._values, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def hide(self, text: str) -> str:
        text = hide_logins(text)
        if "'" in text or '"' in text:
            text = _ASSIGNMENT.sub(r"\1'***'", text)
        return self._pattern.sub("***", text) if self._pattern else text


_secrets = _Secrets()


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

    Secrets are the values of settings whose names end in ``_TOKEN``, ``_SECRET``, ``_PASSWORD``,
    ``_PASS``, ``_KEY`` and the like, and ``CRAWL4AI_API_TOKEN`` of the environment.
    """
    _secrets.add(set(_secret_values(settings)))
    factory = logging.getLogRecordFactory()
    if not isinstance(factory, _SafeRecordFactory):
        logging.setLogRecordFactory(_SafeRecordFactory(factory))


def _secret_values(settings: BaseSettings) -> Iterator[str]:
    named = {name: value for name, value in settings.items() if _SECRET_NAME.fullmatch(str(name))}
    token = options.CRAWL4AI_API_TOKEN
    named.setdefault(token.name, token.variable())
    for name, value in named.items():
        if not isinstance(value, str) or value == getattr(default_settings, str(name), None):
            continue
        if len(value.strip()) >= _MIN_LENGTH:
            yield value.strip()
