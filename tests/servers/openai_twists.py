"""What can go wrong with the answer of a model. A twist changes an :class:`Answer`."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Answer:
    """An answer that is about to be sent."""

    data: dict[str, Any]
    """The true values; the text is their JSON unless :attr:`text` is set."""
    usage: Any = None
    text: Any = None
    finish_reason: Any = "stop"
    refusal: Any = None
    message: dict[str, Any] = field(default_factory=dict)
    """More members of the message."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    """Instead of everything above."""
    delay: float = 0.0
    """Seconds before it is sent."""
    cut: bool = False
    """The connection breaks in the middle of it."""

    @property
    def content(self) -> Any:
        return json.dumps(self.data, ensure_ascii=False) if self.text is None else self.text


if TYPE_CHECKING:
    Twist = Callable[[Answer], None]


def completion_of(answer: Answer, model: str, number: int) -> dict[str, Any]:
    """Return the body of the response to request *number*."""
    message = {"role": "assistant", "content": answer.content, "refusal": answer.refusal}
    choice = {
        "index": 0,
        "message": message | answer.message,
        "finish_reason": answer.finish_reason,
    }
    found = {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [choice],
    }
    return found if answer.usage is None else found | {"usage": answer.usage}


def error(
    status: int,
    code: Any = None,
    kind: str = "error",
    message: str = "as told",
    **headers: str,
) -> Twist:
    """An error of OpenAI's shape; *headers* have ``_`` for ``-``."""

    def twist(answer: Answer) -> None:
        body = {"error": {"message": message, "type": kind, "param": None, "code": code}}
        answer.status, answer.body = status, json.dumps(body).encode()
        answer.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    return twist


def rate_limited(retry_after: str = "1") -> Twist:
    return error(429, "rate_limit_exceeded", "requests", "Slow down", Retry_After=retry_after)


def no_quota() -> Twist:
    return error(429, "insufficient_quota", "insufficient_quota", "You exceeded your quota")


def raw(status: int, body: bytes | str, **headers: str) -> Twist:
    """Any response."""

    def twist(answer: Answer) -> None:
        answer.status, answer.body = status, body.encode() if isinstance(body, str) else body
        answer.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    return twist


def delayed(seconds: float) -> Twist:
    """The true answer, later. It hangs if that is longer than the client waits."""

    def twist(answer: Answer) -> None:
        answer.delay = seconds

    return twist


def cut_off(answer: Answer) -> None:
    answer.cut = True


def texts(text: Any, finish_reason: Any = "stop") -> Twist:
    """This content, whatever was asked."""

    def twist(answer: Answer) -> None:
        answer.text, answer.finish_reason = text, finish_reason

    return twist


def using(usage: Any) -> Twist:
    """The true answer with this usage; None: with none."""

    def twist(answer: Answer) -> None:
        answer.usage = usage

    return twist


def changed(**values: Any) -> Twist:
    """Lies: other values for some fields, in the form that is asked for, with the true quotes."""

    def twist(answer: Answer) -> None:
        for name, value in values.items():
            given = answer.data.get(name)
            is_quoted = isinstance(given, dict) and given.keys() == {"value", "quote"}
            answer.data[name] = {**given, "value": value} if is_quoted else value  # type: ignore[dict-item]

    return twist


def invented_quotes(answer: Answer) -> None:
    """Values with quotes that stand on no page."""
    for name, given in answer.data.items():
        for one in given if isinstance(given, list) else [given]:
            if isinstance(one, dict) and "quote" in one:
                one["quote"] = f"the {name} is known to be exactly this"


def fenced(answer: Answer) -> None:
    answer.text = f"```json\n{answer.content}\n```"


def in_prose(answer: Answer) -> None:
    answer.text = f"Here is the data you asked for:\n\n{answer.content}\n\nI hope this helps!"


def truncated(answer: Answer) -> None:
    answer.text, answer.finish_reason = answer.content[: len(answer.content) // 2], "length"


def refused(answer: Answer) -> None:
    answer.text, answer.refusal = "", "I cannot help with that."


def filtered(answer: Answer) -> None:
    answer.text, answer.finish_reason = "", "content_filter"


def empty(answer: Answer) -> None:
    answer.text = ""


def in_array(answer: Answer) -> None:
    answer.text = f"[{answer.content}]"


def wrapped(answer: Answer) -> None:
    answer.text = f'{{"result": {answer.content}}}'


def with_extra_keys(answer: Answer) -> None:
    answer.data = {"note": "an extra key", **answer.data, "confidence": 0.9}


def with_wrong_types(answer: Answer) -> None:
    """Lists for scalars, and texts for all else."""
    answer.data = {
        name: {"unexpected": value} if isinstance(value, str) else str(value)
        for name, value in answer.data.items()
    }


def with_duplicate_keys(answer: Answer) -> None:
    members = answer.content[1:-1]
    answer.text = f"{{{members}, {members}}}"


def with_nan(answer: Answer) -> None:
    answer.data = {
        name: float("nan") if isinstance(value, int | float) else value
        for name, value in answer.data.items()
    }


def in_parts(answer: Answer) -> None:
    """The content as a list of parts."""
    half = len(answer.content) // 2
    parts = (answer.content[:half], answer.content[half:])
    answer.text = [{"type": "text", "text": part} for part in parts]


def in_reasoning(answer: Answer) -> None:
    """The content where servers put a model's reasoning."""
    answer.message, answer.text = {"reasoning_content": answer.content}, None
    answer.message["content"] = None


def thinking(answer: Answer) -> None:
    answer.text = f'<think>Is it {{"a": 1}}?</think>\n{answer.content}'


def calling_a_tool(answer: Answer) -> None:
    call = {"id": "1", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    answer.message = {"tool_calls": [call], "content": None}
    answer.finish_reason = "tool_calls"


def obeying(**ordered: Any) -> Twist:
    """The answer of a model that does what a text in the page tells it: these values, by field."""

    def twist(answer: Answer) -> None:
        for name in answer.data.keys() & ordered.keys():
            value = ordered[name]
            quoted = isinstance(answer.data[name], dict)
            answer.data[name] = {"value": value, "quote": str(value)} if quoted else value

    return twist
