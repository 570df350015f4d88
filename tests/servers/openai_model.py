"""A server with OpenAI's API for chats, whose model reads the page it is sent by rules.

::

    with ScriptedModel(keys=["sk-one", "sk-two"]) as model:
        model.at(2, rate_limited("1"))          # the second request
        model.for_key("sk-one", error(401))     # each request with this key
        model.for_text("/about", truncated)     # each request whose messages contain this
        ...base_url=model.base_url, model="any"...
        assert model.usage.prompt_tokens == ...

The twists are those of :mod:`tests.servers.openai_twists`. For a key and a text several twists are
for the first requests in turn, and the last one for all that follow; None is the true answer.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

from tests.servers.openai_reading import answer_to, read_request
from tests.servers.openai_requests import (
    Log,
    Received,
    Spent,
    common_length,
    count_tokens,
    total_of,
)
from tests.servers.openai_twists import Answer, completion_of, error
from tests.servers.serving import Serving

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tests.servers.openai_twists import Twist


@dataclass
class _Script:
    applies: Callable[[Received], bool]
    twists: list[Twist | None]
    used: int = 0

    def next(self) -> Twist | None:
        twist = self.twists[min(self.used, len(self.twists) - 1)]
        self.used += 1
        return twist


class ScriptedModel(Serving):
    """Context manager; listens on a free port of loopback.

    :param keys: the API keys that are valid; None: any, or none
    :param formats: types of ``response_format`` that it takes; it rejects others with 400
    :param ignores_format: it takes any ``response_format``, and answers in prose
    :param context: tokens of the longest prompt; None: any
    :param models: names of its models; None: any
    """

    def __init__(
        self,
        keys: Iterable[str] | None = None,
        *,
        formats: Iterable[str] = ("text", "json_object", "json_schema"),
        ignores_format: bool = False,
        context: int | None = None,
        models: Iterable[str] | None = None,
    ) -> None:
        self.keys = None if keys is None else list(keys)
        self.formats = set(formats)
        self.ignores_format = ignores_format
        self.context = context
        self.models = None if models is None else list(models)
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._scripts: list[_Script] = []
        self._state = Log()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.model = self
        self.base_url = f"http://127.0.0.1:{self._http.server_port}/v1"

    def __exit__(self, *exc: object) -> None:
        self.closing.set()
        super().__exit__(*exc)

    def at(self, number: int, twist: Twist) -> None:
        """Twist the answer to request *number*, from 1."""
        self._scripts.append(_Script(lambda request: request.number == number, [twist]))

    def for_key(self, key: str, *twists: Twist | None) -> None:
        """Twist the answers to requests with *key*."""
        self._scripts.append(_Script(lambda request: request.key == key, list(twists)))

    def for_text(self, marker: str, *twists: Twist | None) -> None:
        """Twist the answers to requests whose messages contain *marker*."""
        self._scripts.append(_Script(lambda request: marker in request.text, list(twists)))

    def always(self, *twists: Twist | None) -> None:
        """Twist all answers."""
        self._scripts.append(_Script(lambda _: True, list(twists)))

    def reset(self) -> None:
        """Forget the requests and the twists."""
        with self._lock:
            in_flight = self._state.in_flight
            self._state = Log(in_flight=in_flight)
            self._scripts.clear()

    @property
    def requests(self) -> list[Received]:
        """All requests in the order of their arrival."""
        return self._state.requests

    @property
    def statuses(self) -> list[int | None]:
        return [request.status for request in self.requests]

    @property
    def most_in_flight(self) -> int:
        """The largest number of requests that were there at once."""
        return self._state.most_in_flight

    @property
    def usage(self) -> Spent:
        """The sum over all answers."""
        return total_of(self.requests)

    def usage_of(self, key: str | None) -> Spent:
        """The sum over the answers to requests with *key*."""
        return total_of(request for request in self.requests if request.key == key)

    @property
    def calls_by_key(self) -> Counter[str | None]:
        return Counter(request.key for request in self.requests)

    def answer(self, request: Received) -> Answer:
        """Note *request* and return the answer to it."""
        with self._lock:
            state = self._state
            request.number = len(state.requests) + 1
            state.requests.append(request)
            state.in_flight += 1
            state.most_in_flight = max(state.most_in_flight, state.in_flight)
            prompt = request.text
            cached = common_length(prompt, state.last_prompt) // 4
            state.last_prompt = prompt
            applying = [script for script in self._scripts if script.applies(request)]
            twists = [script.next() for script in applying]
        answer = self._true_answer(request, cached)
        if answer.body is None:
            for twist in filter(None, twists):
                twist(answer)
        return answer

    def done(self, request: Received, answer: Answer) -> None:
        """Note that *request* is being answered with *answer*."""
        with self._lock:
            self._state.in_flight -= 1
            if answer.cut or self.closing.is_set():
                return
            request.status = answer.status
            if answer.status == 200 and answer.body is None:
                usage = answer.usage if isinstance(answer.usage, dict) else {}
                details = usage.get("prompt_tokens_details") or {}
                used = (usage.get("prompt_tokens"), usage.get("completion_tokens"))
                counts = [*used, details.get("cached_tokens")]
                known = (count if isinstance(count, int) else 0 for count in counts)
                request.spent = Spent(1, *known)

    def _true_answer(self, request: Received, cached: int) -> Answer:
        body, answer = request.body, Answer({})
        prompt = count_tokens(request.text)
        refusal = self._refusal(request, prompt)
        if refusal:
            refusal(answer)
            return answer
        answer.data = answer_to(read_request(body))
        if self.ignores_format:
            answer.text = f"Sure! {answer.content} Let me know if I can do more."
        limit = body.get("max_tokens") or body.get("max_completion_tokens")
        if limit and count_tokens(answer.content) > limit:
            answer.text, answer.finish_reason = answer.content[: limit * 4], "length"
        completion = count_tokens(answer.content)
        answer.usage = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
            # In steps of 128 from 1,024, as OpenAI does.
            "prompt_tokens_details": {
                "cached_tokens": cached // 128 * 128 if cached >= 1024 else 0
            },
        }
        return answer

    def _refusal(  # noqa: PLR0911 - a list
        self, request: Received, prompt: int
    ) -> Twist | None:
        form, name = request.format, request.body.get("model")
        if self.keys is not None and request.key not in self.keys:
            text = f"Incorrect API key provided: {request.key}"
            return error(401, "invalid_api_key", "invalid_request_error", text)
        if request.path != "/v1/chat/completions":
            return error(404, None, "invalid_request_error", "Invalid URL")
        if self.models is not None and name not in self.models:
            text = f"The model `{name}` does not exist"
            return error(404, "model_not_found", "invalid_request_error", text)
        if form is not None and form not in self.formats and not self.ignores_format:
            text = f"response_format.type '{form}' is not supported"
            return error(400, None, "invalid_request_error", text)
        if form == "json_object" and "json" not in request.text.lower():
            text = "'messages' must contain the word 'json' to use 'response_format'"
            return error(400, None, "invalid_request_error", text)
        if self.context is not None and prompt > self.context:
            text = f"This model's maximum context length is {self.context} tokens"
            return error(400, "context_length_exceeded", "invalid_request_error", text)
        return None


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 1024
    model: ScriptedModel

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body in one segment
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        model = self.server.model
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            body = json.loads(sent)
        except ValueError:
            body = {}
        key = (self.headers.get("Authorization") or "").removeprefix("Bearer ") or None
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Received(0, self.path, key, headers, body)
        answer = model.answer(request)
        if answer.delay:
            model.closing.wait(answer.delay)
        # Before the client can have it, so that what a test reads after it is there.
        model.done(request, answer)
        if model.closing.is_set():
            self.close_connection = True
            return
        with suppress(OSError):  # the client is gone
            self._send(answer, str(body.get("model")), request.number)

    def do_GET(self) -> None:
        self._send(Answer({}, body=b'{"object": "list", "data": []}'), "", 0)

    def _send(self, answer: Answer, model: str, number: int) -> None:
        body = answer.body
        if body is None:
            body = json.dumps(completion_of(answer, model, number)).encode()
        self.send_response(answer.status)
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        for name, value in (headers | answer.headers).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if answer.cut else body)
        self.wfile.flush()
        if answer.cut:
            self.close_connection = True
            linger = struct.pack("ii", 1, 0)
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """The requests are the log."""
