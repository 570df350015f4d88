"""Sends one message to a channel, in a thread with a deadline."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING, Any

from wikicrawler.sources.alerts.channels import open_channel
from wikicrawler.text.safe import one_line
from wikicrawler.text.url_secrets import hide_parts

if TYPE_CHECKING:
    from wikicrawler.sources.alerts.channels import Channel

_TYPES = {"high": "failure", "warning": "warning", "info": "info"}
"""What apprise calls the severities."""


def send(channel: Channel, title: str, body: str, severity: str, timeout: float) -> str:
    """Send a message; return why it was not delivered, an empty string if it was.

    After *timeout* seconds the message counts as not delivered, though it may arrive yet.
    """
    result: list[str] = []

    def work() -> None:
        result.append(_send(channel, title, body, severity))

    thread = threading.Thread(target=work, name="alert", daemon=True)
    thread.start()
    thread.join(timeout)
    return result[0] if result else f"no answer in {timeout:g} s"


def _send(channel: Channel, title: str, body: str, severity: str) -> str:
    from apprise import NotifyFormat, NotifyType  # noqa: PLC0415 - most crawls have no channel

    with _Heard() as heard:
        try:
            # A new service for each message, because it remembers what it has delivered. The
            # service itself sends in this thread; apprise's list of services has threads of its
            # own, for which the end of the process would wait.
            service: Any = open_channel(channel.url)[0]
            done = service.notify(
                body=body,
                title=title,
                notify_type=NotifyType(_TYPES[severity]),
                body_format=NotifyFormat.TEXT,
            )
        except Exception as error:  # whatever the module of a service raises
            return _shown(f"{type(error).__name__}: {error}", channel)
    if done:
        return ""
    return _shown("; ".join(heard.messages) or "apprise reports no reason", channel)


def _shown(reason: str, channel: Channel) -> str:
    return one_line(hide_parts(reason, channel.url), 300)


class _Heard(logging.Handler):
    """The warnings of apprise in this thread.

    The log gets none of its records: at the level DEBUG they have the URLs of channels.
    """

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.messages: list[str] = []
        self._thread = threading.get_ident()

    def emit(self, record: logging.LogRecord) -> None:
        if record.thread == self._thread:
            self.messages.append(record.getMessage())

    def __enter__(self) -> _Heard:
        logger = logging.getLogger("apprise")
        logger.propagate = False
        logger.addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("apprise").removeHandler(self)
