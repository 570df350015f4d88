"""The state of a call of a model, and how long it may take."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from wikicrawler.fields.llm.errors import Failure
from wikicrawler.text.safe import one_line

if TYPE_CHECKING:
    from wikicrawler.fields.errors import ScraperError
    from wikicrawler.fields.llm.requests import ChatEndpoint, Question

MAX_MESSAGE = 300
"""Characters of a server's message that an exception has."""


class Keys(Protocol):
    """API keys, several calls at once."""

    def next_ready(self) -> str | float:
        """Return a key, or the seconds until one can be used.

        :raises AllKeysExhaustedError: each is retired
        """

    def cool_down(self, key: str, seconds: float) -> None:
        """Do not use *key* for a while; the longest of the times that calls gave."""

    def retire(self, key: str) -> None:
        """Do not use *key* again."""

    def name_of(self, key: str) -> str:
        """Return a name for *key* that does not tell it."""


@dataclass(frozen=True)
class Patience:
    """How long a call may take."""

    retries: int = 3
    """After failures of the server or the connection."""
    pause: float = 1.0
    """Seconds before the first of them; it doubles each time, and a random part is taken off."""
    longest_pause: float = 30.0
    longest_wait: float = 120.0
    """Seconds that a call waits for keys to cool down, together."""
    rate_limits: int = 20
    """Responses 429 to a call."""


@dataclass
class Call:
    """The state of a call."""

    question: Question
    endpoint: ChatEndpoint
    requests: int = 0
    failures: int = 0
    rate_limits: int = 0
    adaptions: int = 0
    waited: float = 0.0
    last: dict[str, Any] = field(default_factory=dict)
    """Details of the last failure."""

    def note(self, status: int, said: str, key: str | None) -> None:
        """Remember the last response that was no answer, without the key, which some repeat."""
        self.last = {"status": status}
        if said:
            self.last["message"] = one_line(said.replace(key, "***") if key else said, MAX_MESSAGE)

    def error(self, kind: type[ScraperError], reason: Failure, **more: Any) -> ScraperError:
        """Return the exception that ends the call."""
        facts: dict[str, Any] = {"reason": str(reason), "requests": self.requests}
        facts |= {"model": one_line(self.endpoint.model, 100)}
        facts |= {"base_url": one_line(self.endpoint.place, 200), **self.last, **more}
        status = f", status {facts['status']}" if "status" in facts else ""
        said = f": {facts['message']}" if "message" in facts else ""
        where = f"model {facts['model']} at {facts['base_url']}{status}"
        return kind(f"{_TEXTS[reason]} ({where}){said}", facts)


_TEXTS = {
    Failure.CONTEXT: "the prompt is longer than the model's context",
    Failure.TOO_LARGE: "the request is larger than the server accepts",
    Failure.BAD_REQUEST: "the server refuses the request",
    Failure.NO_MODEL: "the server has no such model, or no such API",
    Failure.KEYS_REFUSED: "the server refuses every API key",
    Failure.NO_QUOTA: "the account of every API key is used up",
    Failure.RATE_LIMITED: "every API key is limited for too long",
    Failure.SERVER: "the server failed each time",
    Failure.CONNECTION: "the connection to the server failed each time",
    Failure.TIMEOUT: "the server did not answer in time",
    Failure.BAD_ANSWER: "the server's response is no answer of a chat",
    Failure.ANSWER_TOO_LARGE: "the server's response is too large",
}
