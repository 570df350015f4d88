"""A client of the scripted model, whose time passes only while it waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.fields.llm.wire import Clock, FixedKeys, SocketTransport, run
from wikicrawler.content.chunks import Chunk
from wikicrawler.fields.answers.prompts import messages
from wikicrawler.fields.llm.calls import Patience
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.requests import ChatEndpoint
from wikicrawler.fields.models import FieldDefinition

if TYPE_CHECKING:
    from tests.servers.openai_model import ScriptedModel
    from wikicrawler.fields.errors import ScraperError
    from wikicrawler.fields.llm.responses import Completion

ONE, TWO, THREE = "sk-one-secret", "sk-two-secret", "sk-three-secret"
PAGE = "# The Salt Road\n\nPrice: 14.50 EUR\n"
MESSAGES = messages([FieldDefinition(name="title")], Chunk(PAGE, 0, len(PAGE)), quotes=False)
SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": ["string", "null"]}},
    "required": ["title"],
    "additionalProperties": False,
}
TITLE = '{"title": "The Salt Road"}'


class Asking:
    """A client of a scripted model.

    :param transport: sends the requests, which it keeps in ``sent``
    """

    def __init__(
        self, model: ScriptedModel, *keys: str, transport: Any = None, **endpoint: Any
    ) -> None:
        self.clock = Clock()
        self.transport = transport or SocketTransport()
        self.keys = FixedKeys(keys, self.clock) if keys else None
        self.client = ChatClient(
            self.transport,
            ChatEndpoint(model.base_url, endpoint.pop("name", "m"), **endpoint),
            self.keys,
            patience=Patience(retries=3, rate_limits=5),
            clock=self.clock,
            sleep=self.clock.sleep,
            jitter=lambda: 0.0,
        )

    def ask(self, **more: Any) -> Completion:
        return run(self.client.complete(MESSAGES, SCHEMA, **more))

    def fails(self, kind: type[ScraperError], **more: Any) -> ScraperError:
        """Ask, and return the exception, which has no key."""
        with pytest.raises(kind) as raised:
            self.ask(**more)
        error = raised.value
        assert type(error) is kind
        assert error.__context__ is None
        assert "secret" not in f"{error!r} {error} {error.details} {self.transport.sent}"
        assert error.details["requests"] == len(self.transport.sent)
        return error
