"""What a server answered. Nothing here raises, whatever JSON a server sends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wikicrawler.fields.models import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wikicrawler.fields.llm.requests import HttpResponse

_REASONS = {
    "eos": "stop",
    "eos_token": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_length": "length",
    "safety": "content_filter",
    "refusal": "content_filter",
    "function_call": "tool_calls",
}
"""Reasons of servers that have their own names, by OpenAI's."""

Fault = Literal["truncated", "refused", "filtered", "tool_call", "empty"]
MAX_TOKENS = 1_000_000_000
"""A larger number of tokens is no usage."""
_MAX_SHORT = 200
_MAX_REFUSAL = 2000


class Completion(NamedTuple):
    """An answer of a model."""

    text: str
    finish_reason: str | None
    """``stop``, ``length``, ``content_filter``, ``tool_calls`` …, by these names whatever the
    server's own are; None if it gave none."""
    refusal: str | None
    usage: Usage
    """Its cost is None until somebody knows the price."""
    model: str
    """As the server calls it; empty if it does not say."""
    usage_estimated: bool = False
    """The server did not say what it used."""
    key_name: str = "none"
    """A name for the key that was used, which does not tell it."""

    @property
    def fault(self) -> Fault | None:
        """Why the text is not the whole answer; None if it is."""
        if self.refusal:
            return "refused"
        if self.finish_reason == "content_filter":
            return "filtered"
        if self.finish_reason == "length":
            return "truncated"
        if self.text.strip():
            return None
        return "tool_call" if self.finish_reason == "tool_calls" else "empty"


class ErrorBody(NamedTuple):
    """What a server says about an error, of any shape; texts that are absent are empty."""

    message: str = ""
    type: str = ""
    code: str = ""
    """Numbers as their digits."""
    param: str = ""
    numbers: tuple[tuple[str, int], ...] = ()
    """``n_prompt_tokens`` and ``n_ctx``, if they are given."""


def parse_json(body: bytes) -> Any:
    """Return the JSON of *body*, or None if it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):  # UnicodeDecodeError is a ValueError
        return None


def parse_completion(data: Any) -> Completion | None:
    """Return the answer in *data*, or None if it is no answer of a chat.

    Of several choices the first counts. A list of parts is joined. An answer that a server put into
    ``reasoning_content`` because of its parser is one if it is an object of JSON. Calls of tools
    are ignored. Without choices the text is empty.
    """
    if not isinstance(data, dict) or not isinstance(data.get("choices"), list):
        return None
    choice = next((one for one in data["choices"] if isinstance(one, dict)), {})
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    text = _text(message.get("content"))
    if not text.strip():
        reasoning = _text(message.get("reasoning_content") or message.get("reasoning"))
        text = reasoning if reasoning.lstrip().startswith("{") else text
    refusal = _text(message.get("refusal")) or _refusal_part(message.get("content"))
    usage = parse_usage(data.get("usage"))
    reason = _short(choice.get("finish_reason"))
    return Completion(
        text,
        _REASONS.get(reason.lower(), reason) or None,
        refusal[:_MAX_REFUSAL] or None,
        usage or Usage(requests=1, cost=None),
        _short(data.get("model")),
        usage_estimated=usage is None,
    )


def parse_usage(data: Any) -> Usage | None:
    """Return the usage of one request, without a cost; None if it is absent or cannot be.

    ``prompt_tokens`` must be there. ``completion_tokens`` may be absent if ``total_tokens`` is not.
    """
    if not isinstance(data, dict):
        return None
    prompt = _tokens(data.get("prompt_tokens"))
    completion = _tokens(data.get("completion_tokens"))
    total = _tokens(data.get("total_tokens"))
    if prompt is None:
        return None
    if completion is None:
        if total is None or total < prompt:
            return None
        completion = total - prompt
    details = data.get("prompt_tokens_details")
    cached = _tokens(details.get("cached_tokens")) if isinstance(details, dict) else None
    if cached is None:
        cached = _tokens(data.get("prompt_cache_hit_tokens"))  # DeepSeek
    return Usage(
        requests=1,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cached_tokens=min(cached or 0, prompt),
        cost=None,
    )


def parse_error(data: Any) -> ErrorBody:
    """Return the error in *data*: ``{"error": {…}}``, ``{"error": "text"}``, or flat, as of old
    vLLM, or ``{"detail": …}``, as of FastAPI."""
    if isinstance(data, list) and data:  # Gemini
        data = data[0]
    if not isinstance(data, dict):
        return ErrorBody()
    error = data.get("error", data)
    if isinstance(error, str):
        return ErrorBody(message=error[:_MAX_REFUSAL])
    if not isinstance(error, dict):
        return ErrorBody()
    message = error.get("message") or error.get("detail") or ""
    if not isinstance(message, str):
        message = _details(message)
    numbers = ((name, _tokens(error.get(name))) for name in ("n_prompt_tokens", "n_ctx"))
    return ErrorBody(
        message[:_MAX_REFUSAL],
        _short(error.get("type")) or _short(error.get("status")),
        _short(error.get("code")),
        _short(error.get("param")),
        tuple((name, number) for name, number in numbers if number is not None),
    )


def _text(content: Any) -> str:
    """The text of a content: a string, or a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") if isinstance(part, dict) else part for part in content)
    return "".join(text for text in texts if isinstance(text, str))


def _details(content: Any) -> str:
    """The text of FastAPI's list of what is wrong."""
    faults = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    texts = [(_path(one.get("loc")), _short(one.get("msg"))) for one in faults[:10]]
    return "; ".join(f"{place}: {text}" for place, text in texts)


def _path(place: Any) -> str:
    return ".".join(_short(part) for part in place[:10]) if isinstance(place, list) else ""


def _refusal_part(content: Any) -> str:
    parts = content if isinstance(content, list) else []
    texts = (part.get("refusal") for part in parts if isinstance(part, dict))
    return next((text for text in texts if isinstance(text, str)), "")


def _short(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < MAX_TOKENS:
        return str(value)
    return value[:_MAX_SHORT] if isinstance(value, str) else ""


def _tokens(value: Any) -> int | None:
    """A number of tokens, or None for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= MAX_TOKENS else None


class Reply(NamedTuple):
    """A response, read. Without an answer and an error it is none of an API for chats."""

    status: int
    """Of an error that came with the status 200, that of its code, or 500."""
    headers: Mapping[str, str]
    completion: Completion | None = None
    error: ErrorBody | None = None


def read_response(response: HttpResponse) -> Reply:
    """Return what a response says."""
    data, status, headers = parse_json(response.body), response.status, response.headers
    if not 200 <= status < 300:
        return Reply(status, headers, error=parse_error(data))
    if not (isinstance(data, dict) and data.get("error")):
        return Reply(status, headers, parse_completion(data))
    error = parse_error(data)  # OpenRouter
    coded = error.code.isdecimal() and len(error.code) == 3 and error.code >= "400"
    return Reply(int(error.code) if coded else 500, headers, error=error)
