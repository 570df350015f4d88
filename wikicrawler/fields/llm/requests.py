"""What a transport sends and returns, and the requests of chats."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from enum import IntEnum
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from urllib.parse import urlsplit

from wikicrawler.fields.errors import ConfigError
from wikicrawler.text.safe import one_line, without_surrogates

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_BODY = 8 << 20
"""Bytes of a response's body that are read."""


class HttpRequest(NamedTuple):
    """A request. Its ``repr`` has no headers, because one is the key."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes
    timeout: float
    """Seconds until the whole response is there."""
    max_body: int = MAX_BODY
    """Bytes; of a larger response a transport may return the first ones, but more than these."""

    def __repr__(self) -> str:
        return f"HttpRequest({self.method} {one_line(self.url)}, {len(self.body)} bytes)"


class HttpResponse(NamedTuple):
    """A response."""

    status: int
    headers: Mapping[str, str]
    """The last value of each; names in any case."""
    body: bytes


class TransportError(Exception):
    """No response came: the connection failed or broke."""


class Transport(Protocol):
    """Sends requests."""

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Return the response, whatever its status. It follows no redirects and retries nothing.

        :raises TimeoutError: the time was up
        :raises OSError: the connection failed or broke; :class:`TransportError` for what is none
        """


class Format(IntEnum):
    """How a server is told to answer in JSON, from the best way to none."""

    SCHEMA = 2
    OBJECT = 1
    PLAIN = 0


@dataclass(frozen=True)
class ChatEndpoint:
    """A model at a server.

    :param base_url: with its ``/v1``, without ``/chat/completions``; may be empty for litellm
    :raises ConfigError: the URL is not one of HTTP, or has a login or a query
    """

    base_url: str
    model: str
    """As the server calls it."""
    timeout: float = 600.0
    """Seconds: a model on a processor reads a long part of a page for minutes."""
    temperature: float | None = 0.0
    """None: that of the server."""
    best_format: Format = Format.SCHEMA
    extra: Mapping[str, Any] = field(default_factory=dict)
    """More members of the body."""
    by_litellm: bool = False
    """Its requests are sent by litellm."""

    def __post_init__(self) -> None:
        if self.by_litellm and not self.base_url:
            return
        try:
            parts = urlsplit(self.base_url)
            valid = parts.scheme in {"http", "https"} and bool(parts.hostname)
            _ = parts.port  # raises ValueError
        except ValueError:
            valid = False
        if not valid or "@" in self.base_url or "?" in self.base_url or "#" in self.base_url:
            raise ConfigError(
                f"base_url: {one_line(self.base_url, 200)} is not a URL like "
                "https://api.openai.com/v1, without a login and a query"
            )
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))

    @property
    def place(self) -> str:
        """Where it is, for messages and the cache."""
        if not self.by_litellm:
            return self.base_url
        return f"litellm, {self.base_url}" if self.base_url else "litellm"

    @property
    def url(self) -> str:
        return f"{self.base_url}/chat/completions"


@dataclass
class Habits:
    """What a server was found to accept; changed in place."""

    best_format: Format
    rejected_schemas: set[str] = field(default_factory=set)
    """Hashes of schemas that it does not take, though it takes others."""
    max_tokens_name: str = "max_tokens"
    takes_temperature: bool = True

    def for_request(self, question: Question) -> Habits:
        """Return a copy whose best format is the one for *question*."""
        return replace(self, best_format=question.format(self), rejected_schemas=set())


@dataclass(frozen=True)
class Question:
    """What a chat is asked."""

    messages: Sequence[Mapping[str, Any]]
    schema: Mapping[str, Any] | None = None
    """JSON Schema of the answer; None: text."""
    schema_name: str = "answer"
    strict: bool = True
    max_tokens: int | None = None

    def format(self, habits: Habits) -> Format:
        """Return how the server is told about the schema."""
        if self.schema is None:
            return Format.PLAIN
        if habits.best_format is Format.SCHEMA and self.schema_hash in habits.rejected_schemas:
            return Format.OBJECT
        return habits.best_format

    @property
    def schema_hash(self) -> str:
        return sha256(json.dumps(self.schema, sort_keys=True).encode()).hexdigest()


def request_of(
    question: Question, endpoint: ChatEndpoint, habits: Habits, key: str | None
) -> HttpRequest:
    """Return the request of a chat.

    :raises ConfigError: *key* has characters that cannot be sent
    """
    body: dict[str, Any] = {**endpoint.extra, "model": endpoint.model}
    if endpoint.temperature is not None and habits.takes_temperature:
        body["temperature"] = endpoint.temperature
    if question.max_tokens is not None:
        body[habits.max_tokens_name] = question.max_tokens
    body["messages"] = list(question.messages)
    form = question.format(habits)
    if form is Format.SCHEMA:
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {
                "name": question.schema_name,
                "strict": question.strict,
                "schema": question.schema,
            },
        }
    elif form is Format.OBJECT:
        body["response_format"] = {"type": "json_object"}
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if key:
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ConfigError("api_keys: one has characters that no API key has")
        headers["Authorization"] = f"Bearer {key}"
    text = without_surrogates(json.dumps(body, ensure_ascii=False))
    return HttpRequest("POST", endpoint.url, headers, text.encode(), endpoint.timeout)
