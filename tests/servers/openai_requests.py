"""The requests that the scripted model has received, and what it counts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class Spent(NamedTuple):
    """Tokens of answers with the status 200, as the server counts them."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0


@dataclass
class Received:
    """A request."""

    number: int
    """From 1, in the order of arrival."""
    path: str
    key: str | None
    headers: dict[str, str]
    body: dict[str, Any]
    status: int | None = None
    """None while it is not answered, and where the connection was broken."""
    spent: Spent = field(default_factory=Spent)

    @property
    def text(self) -> str:
        """All messages."""
        return "\n".join(str(one.get("content")) for one in self.body.get("messages") or [])

    @property
    def format(self) -> str | None:
        return (self.body.get("response_format") or {}).get("type")


@dataclass
class Log:
    """What a server has received since it was last reset."""

    requests: list[Received] = field(default_factory=list)
    in_flight: int = 0
    most_in_flight: int = 0
    last_prompt: str = ""


def count_tokens(text: str) -> int:
    """The number of tokens of a text, as this server counts them."""
    return len(text) // 4 + 1


def total_of(requests: Iterable[Received]) -> Spent:
    """The sum over the answers to *requests*."""
    total = Spent()
    for request in list(requests):
        total = Spent(*(a + b for a, b in zip(total, request.spent, strict=True)))
    return total


def common_length(one: str, other: str) -> int:
    """Return the length of the common beginning."""
    if one.startswith(other):
        return len(other)
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
