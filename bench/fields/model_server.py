"""The model's server on loopback: it counts what each program asks and gets.

Behind it is the scripted model, or a real one. All programs are asked the same way: temperature 0,
a fixed seed, no cache of prompts, and answers of at most :data:`MAX_ANSWER` tokens.
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from bench.fields import scripted
from tests.servers.openai_requests import count_tokens

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bench.fields.corpus import Page

KEY = "sk-bench"
MAX_ANSWER = 512
"""A small model that repeats itself would go on for ever."""
_SECONDS = 1800

Answer = tuple[int, dict[str, Any]]


@dataclass
class Counts:
    """Of one run of a program."""

    requests: int = 0
    failed: int = 0
    """Requests that were refused, for the most part as too long."""
    cut: int = 0
    """Answers that were cut off."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


def scripted_model(
    page: Callable[[], Page | None], *, invents: bool
) -> Callable[[dict[str, Any]], Answer]:
    """Return what answers by the labels of what *page* returns, or by rules if that is None. A
    token is four characters."""

    def complete(body: dict[str, Any]) -> Answer:
        try:
            text = scripted.answer(body, page(), invents=invents)
        except (ValueError, KeyError) as error:
            return 400, {"error": {"message": f"cannot read the prompt: {error}", "code": None}}
        sent = "\n".join(str(one.get("content")) for one in body["messages"])
        used = {"prompt_tokens": count_tokens(sent), "completion_tokens": count_tokens(text)}
        used["total_tokens"] = sum(used.values())
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return 200, {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": str(body.get("model")),
            "choices": [choice],
            "usage": used,
        }

    return complete


def real_model(base_url: str, key: str) -> Callable[[dict[str, Any]], Answer]:
    """Return what asks the server at *base_url*."""

    def complete(body: dict[str, Any]) -> Answer:
        limit = body.pop("max_completion_tokens", None) or body.get("max_tokens") or MAX_ANSWER
        body |= {
            "max_tokens": min(int(limit), MAX_ANSWER),
            "temperature": 0,
            "seed": 7,
            "cache_prompt": False,
        }
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
        url, data = f"{base_url}/chat/completions", json.dumps(body).encode()
        try:
            with urlopen(Request(url, data, headers), timeout=_SECONDS) as answer:  # noqa: S310
                return answer.status, json.load(answer)
        except HTTPError as error:
            return error.code, json.load(error)

    return complete


class ModelServer:
    """Context manager; listens on a free port of loopback.

    :param complete: answers the body of a request with a status and a body
    :param log: each exchange is written there, a line of JSON
    """

    def __init__(self, complete: Callable[[dict[str, Any]], Answer], log: Path) -> None:
        self._complete = complete
        self._log = log
        self._lock = threading.Lock()
        self.counts = Counts()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.model = self
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)
        self.base_url = f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def reset(self) -> None:
        """Begin to count."""
        self.counts = Counts()

    def answer(self, body: dict[str, Any]) -> Answer:
        """Return the answer to a request, and count it."""
        if body.get("stream"):
            return 400, {"error": {"message": "this server does not stream", "code": None}}
        status, answer = self._complete(body)
        used = answer.get("usage") or {}
        finish = (answer.get("choices") or [{}])[0].get("finish_reason")
        with self._lock:
            counts = self.counts
            counts.requests += 1
            counts.failed += status != 200
            counts.cut += finish == "length"
            counts.prompt_tokens += used.get("prompt_tokens", 0)
            counts.completion_tokens += used.get("completion_tokens", 0)
            with self._log.open("a", encoding="utf-8") as log:
                log.write(json.dumps({"asked": body, "status": status, "said": answer}) + "\n")
        return status, answer


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    model: ModelServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path.rstrip("/") == "/v1/chat/completions":
            status, answer = self.server.model.answer(json.loads(sent))
        else:
            status, answer = 404, {"error": {"message": "no such path", "code": None}}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write no log."""
