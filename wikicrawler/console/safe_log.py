"""A log that nobody can write into: one event, one entry, and no secret in it.

URLs, titles, headers and errors that others sent are in the messages of Scrapy and of libraries as
well as in ours, so it is the record of :mod:`logging` that is made safe, once for whoever logs and
whatever handler, file or format the project has.
"""

from __future__ import annotations

import logging
import re
from logging import LogRecord
from typing import TYPE_CHECKING, Any

from scrapy.settings import default_settings

from wikicrawler import options
from wikicrawler.text.safe import escaped, without_logins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrapy.settings import BaseSettings

_NAME = r"(?:(?:\w*_)?(?:TOKEN|SECRET|PASSWORD|PASSWD|PASS|CREDENTIALS|APIKEY)|\w+_KEY(?:_ID)?)"
_SECRET_NAME = re.compile(_NAME)
# What a dump of settings or arguments shows of one, be it as short as it may.
_SHOWN = re.compile(
    rf"""(\b{_NAME}['"]?\s?[:=]\s?)('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""",
    re.IGNORECASE,
)
_SHORTEST = 6
"""Characters of a secret that is looked for wherever it stands; shorter ones are also words."""


class _Secrets:
    """The values that no log may show."""

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
        text = without_logins(text)
        if "'" in text or '"' in text:
            text = _SHOWN.sub(r"\1'***'", text)
        return self._pattern.sub("***", text) if self._pattern else text


_secrets = _Secrets()


class SafeRecord(LogRecord):
    """A log record whose text is one line of what prints; where the message is of several lines by
    its template, or has a traceback, all lines are indented but the first, so that none looks like
    an entry of its own."""

    def getMessage(self) -> str:  # noqa: N802 - logging's
        message = _secrets.hide(super().getMessage())
        if message.isprintable():
            return message
        # A line end in the arguments, or in an exception that is the message, is another's.
        ours = isinstance(self.msg, str) and "\n" in self.msg
        return _lines(message) if ours else escaped(message)

    @property
    def exc_text(self) -> str | None:
        """The traceback as a formatter made it."""
        return self.__dict__.get("exc_text")

    @exc_text.setter
    def exc_text(self, text: str | None) -> None:
        self.__dict__["exc_text"] = text and _indented(list(map(escaped, _hidden_lines(text))))


def _lines(message: str) -> str:
    first, *more = map(escaped, message.rstrip("\n").split("\n"))
    return f"{first}\n{_indented(more)}" if more else first


def _hidden_lines(text: str) -> list[str]:
    return _secrets.hide(text).split("\n")


def _indented(lines: list[str]) -> str:
    pad = "" if all(line.startswith(" ") for line in lines) else "  "
    return "\n".join(pad + line for line in lines)


class _Factory:
    """Makes the records of :mod:`logging` safe, also where somebody has a factory of their own."""

    def __init__(self, behind: Callable[..., LogRecord]) -> None:
        self._behind = behind
        self._safe: dict[type[LogRecord], type[LogRecord]] = {LogRecord: SafeRecord}

    def __call__(self, *args: Any, **kwargs: Any) -> LogRecord:
        record = self._behind(*args, **kwargs)
        kind = type(record)
        if kind not in self._safe:
            self._safe[kind] = type(kind.__name__, (SafeRecord, kind), {})
        record.__class__ = self._safe[kind]
        return record


def protect_log(settings: BaseSettings) -> None:
    """From now on make each log record of the process safe, and hide the secrets of *settings*: the
    values of those whose names end in ``_TOKEN``, ``_SECRET``, ``_PASSWORD``, ``_PASS``, ``_KEY``
    and the like, and the environment's ``CRAWL4AI_API_TOKEN``."""
    _secrets.add(set(_values(settings)))
    factory = logging.getLogRecordFactory()
    if not isinstance(factory, _Factory):
        logging.setLogRecordFactory(_Factory(factory))


def _values(settings: BaseSettings) -> Iterator[str]:
    named = {name: value for name, value in settings.items() if _SECRET_NAME.fullmatch(str(name))}
    token = options.CRAWL4AI_API_TOKEN
    named.setdefault(token.name, token.variable())
    for name, value in named.items():
        if not isinstance(value, str) or value == getattr(default_settings, str(name), None):
            continue
        if len(value.strip()) >= _SHORTEST:
            yield value.strip()
