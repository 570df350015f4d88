"""A process that asks models by litellm. It is run as a file, and imports nothing of this package.

Arguments: the folder in which litellm is. Each line of standard input is a question, as JSON:
``number``, ``body`` (of a request of OpenAI's API), ``key``, ``base_url``, ``timeout`` in seconds
and ``max_body``. Each line of standard output is what such a server would have answered:
``number``, ``status``, ``headers`` and ``body``, a text of at most ``max_body`` characters and one.
The first line is ``{}``, or ``{"error": …}`` if litellm cannot be imported. The end of its input
ends the process.

litellm has keys in its exceptions, prints to the terminal, and keeps what it sends in logs. So only
these lines leave the process, without the key and the secrets of the environment.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import logging
import os
import re
import sys
import threading
from typing import Any

_SETTINGS = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else the import downloads the prices
    "LITELLM_MODE": "PRODUCTION",  # else the import reads a file .env of the working directory
    "LITELLM_TELEMETRY": "False",
}
_CALLBACKS = (
    *("callbacks", "input_callback", "success_callback", "failure_callback", "service_callback"),
    *("_async_input_callback", "_async_success_callback", "_async_failure_callback"),
)
_HEADERS = re.compile(r"retry-after(-ms)?|x-ratelimit-[a-z-]{1,40}", re.IGNORECASE)
"""Names of the headers that say how long to wait."""
_SECRET = re.compile(r"KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL", re.IGNORECASE)
"""Names of environment variables that may have a key."""
_MIN_SECRET = 6
_MAX_MESSAGE = 10_000
_MAX_CHAIN = 10


def main() -> None:
    """Answer questions until the input ends."""
    out = os.dup(1)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)  # for whatever litellm prints
    os.dup2(nothing, 2)
    try:
        litellm = _litellm(sys.argv[1])
    except Exception as error:
        _write(out, {"error": f"{type(error).__name__}: {_hidden(str(error), None)[:500]}"})
        return
    asyncio.run(_serve(litellm, out))


def _litellm(folder: str) -> Any:
    """Import litellm from *folder*, without what it does beside its task."""
    os.environ.update(_SETTINGS)
    os.environ.pop("LITELLM_LOG", None)
    if folder not in sys.path:
        sys.path.append(folder)
    litellm: Any = importlib.import_module("litellm")
    logging.disable(logging.CRITICAL)
    litellm.telemetry = False
    litellm.suppress_debug_info = True
    litellm.turn_off_message_logging = True
    litellm.drop_params = False  # what a model does not support is an error, which is understood
    litellm.num_retries = 0
    for name in _CALLBACKS:
        setattr(litellm, name, [])
    return litellm


async def _serve(litellm: Any, out: int) -> None:
    questions: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    loop = asyncio.get_running_loop()
    _write(out, {})
    threading.Thread(target=_read, args=(loop, questions), daemon=True).start()
    tasks = set()
    while True:
        task = asyncio.create_task(_answer(litellm, await questions.get(), out))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


def _read(loop: asyncio.AbstractEventLoop, questions: asyncio.Queue[dict[str, Any]]) -> None:
    """Read the input in a thread, so that its end is noticed whatever litellm does."""
    for line in sys.stdin.buffer:
        loop.call_soon_threadsafe(questions.put_nowait, json.loads(line))
    os._exit(0)


async def _answer(litellm: Any, question: dict[str, Any], out: int) -> None:
    key = question["key"]
    try:
        async with asyncio.timeout(question["timeout"]):
            found = await _completion(litellm, question)
    except Exception as error:
        found = _failure(litellm, error, key)
    found["body"] = json.dumps(found["body"])[: question["max_body"] + 1]
    _write(out, {"number": question["number"], **found})


async def _completion(litellm: Any, question: dict[str, Any]) -> dict[str, Any]:
    response = await litellm.acompletion(
        **question["body"],
        api_key=question["key"],
        api_base=question["base_url"],
        timeout=question["timeout"],
        num_retries=0,
        max_retries=0,
    )
    body = response.model_dump(mode="json")
    usage = body.get("usage")
    if isinstance(usage, dict) and not usage.get("prompt_tokens"):
        del body["usage"]  # litellm has zeros where the server says nothing
    return {"status": 200, "headers": {}, "body": body}


def _failure(litellm: Any, error: Exception, key: str | None) -> dict[str, Any]:
    """Return the response of a server of OpenAI's API that says what *error* does."""
    if isinstance(error, litellm.ContentPolicyViolationError):
        choice = {"message": {"content": ""}, "finish_reason": "content_filter"}
        return {"status": 200, "headers": {}, "body": {"choices": [choice]}}
    chain = _chain(error)
    own = next((one for one in map(_body, chain) if one), {})
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) and 400 <= status <= 599 else 500
    message, code = str(getattr(error, "message", None) or error), own.get("code")
    if isinstance(error, TimeoutError):
        status, message = 408, "the time is up"
    elif isinstance(error, litellm.ContextWindowExceededError):
        code = "context_length_exceeded"
    elif "LLM Provider NOT provided" in message:
        status, code, message = 404, "model_not_found", "litellm knows no such provider"
    names = {"type": own.get("type"), "code": code, "param": own.get("param")}
    said: dict[str, Any] = {name: _name(value, key) for name, value in names.items()}
    said["message"] = _hidden(message, key)[:_MAX_MESSAGE]
    return {"status": status, "headers": _waits(chain, key), "body": {"error": said}}


def _chain(error: BaseException) -> list[BaseException]:
    """Return *error* and those that led to it: litellm's, and that of the provider's client."""
    found: list[BaseException] = []
    while error not in found and len(found) < _MAX_CHAIN:
        found.append(error)
        error = error.__cause__ or error.__context__ or error
    return found


def _body(error: BaseException) -> dict[str, Any]:
    """Return what the server said about the error; nothing if that is not known."""
    body: Any = getattr(error, "body", None)
    if not isinstance(body, dict):
        text = str(getattr(error, "message", ""))[:_MAX_MESSAGE]
        try:
            body = json.JSONDecoder().raw_decode(text, text.find("{"))[0] if "{" in text else {}
        except (ValueError, RecursionError):
            return {}
    own = body.get("error", body)
    return own if isinstance(own, dict) else {}


def _waits(chain: list[BaseException], key: str | None) -> dict[str, str]:
    """Return the headers that say how long to wait."""
    for error in chain:
        headers = getattr(getattr(error, "response", None), "headers", None) or {}
        found = {
            str(name): _hidden(str(value), key)[:100]
            for name, value in headers.items()
            if _HEADERS.fullmatch(str(name))
        }
        if found:
            return found
    return {}


def _name(value: Any, key: str | None) -> str | None:
    return None if value is None else _hidden(str(value), key)[:200]


def _hidden(text: str, key: str | None) -> str:
    """Return *text* without the key and the secrets of the environment."""
    values = {value for name, value in os.environ.items() if _SECRET.search(name)}
    for secret in sorted({key or "", *values}, key=len, reverse=True):
        if len(secret) >= _MIN_SECRET or (secret and secret == key):
            text = text.replace(secret, "***")
    return text


def _write(out: int, message: dict[str, Any]) -> None:
    line = json.dumps(message).encode() + b"\n"
    while line:
        line = line[os.write(out, line) :]


if __name__ == "__main__":
    main()
