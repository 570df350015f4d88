"""A real SMTP server that keeps what it receives."""

from __future__ import annotations

import socket
from email import message_from_bytes, policy
from typing import TYPE_CHECKING, Any, Self

from aiosmtpd.controller import Controller

if TYPE_CHECKING:
    from email.message import EmailMessage


class _FreePort(Controller):
    """Listens on a port that the kernel chooses."""

    def _create_server(self) -> Any:
        listening = socket.create_server((self.hostname, 0))
        self.port = listening.getsockname()[1]
        return self.loop.create_server(self._factory_invoker, sock=listening)


class Mailbox:
    """Context manager; listens on a free port of loopback."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self._controller = _FreePort(self, hostname="127.0.0.1")

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        """Keep a message. aiosmtpd calls it."""
        self.messages.append(message_from_bytes(envelope.content, policy=policy.default))
        self.recipients.append(list(envelope.rcpt_tos))
        return "250 OK"

    @property
    def url(self) -> str:
        """The URL by which apprise sends to ops@example.org."""
        place = f"127.0.0.1:{self._controller.port}"
        return f"mailto://{place}?from=crawl@example.org&to=ops@example.org&mode=insecure"

    def subjects(self) -> list[str]:
        """The subjects in the order of arrival."""
        return [message["Subject"] for message in self.messages]

    def __enter__(self) -> Self:
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._controller.stop()
