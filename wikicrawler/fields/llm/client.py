"""A client of OpenAI's API for chats, as hosted and local servers have it.

Of the API it uses ``POST /chat/completions``, without streams and tools. What it does about errors:

================================  ==================================================================
400, 422 about the format         Asks with a weaker format, and remembers it for the server
400, 413 about the length         :class:`ContextTooLongError`
400 otherwise                     :class:`ExtractionError`
401, 403                          Retires the key and asks with the next one
402, 429 about money              The same; without another key :class:`QuotaExhaustedError`
404                               :class:`ModelNotFoundError`
429                               Lets the key cool down; asks with the next one, or waits
408, 409, 5xx, no connection      Asks again after a pause, a number of times
200 that is no answer of a chat   The same
================================  ==================================================================
"""

from __future__ import annotations

import asyncio
import random
from time import time
from typing import TYPE_CHECKING, Any

from wikicrawler.content.chunks import estimate_tokens
from wikicrawler.fields.answers.prompts import count_tokens
from wikicrawler.fields.errors import AllKeysExhaustedError, ExtractionError
from wikicrawler.fields.llm.calls import Call, Patience
from wikicrawler.fields.llm.errors import (
    ContextTooLongError,
    Failure,
    ModelNotFoundError,
    QuotaExhaustedError,
)
from wikicrawler.fields.llm.failures import Meaning, adapt, meaning_of, wait_of
from wikicrawler.fields.llm.requests import (
    Format,
    Habits,
    Question,
    TransportError,
    request_of,
)
from wikicrawler.fields.llm.responses import read_response

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from wikicrawler.fields.llm.calls import Keys
    from wikicrawler.fields.llm.requests import ChatEndpoint, Transport
    from wikicrawler.fields.llm.responses import Completion, ErrorBody, Reply

_MAX_ADAPTIONS = 4


class ChatClient:
    """Asks one model at one server. Calls may run at the same time.

    :param transport: sends the requests
    :param keys: None for a server that wants none
    :param clock: seconds since 1970, for the dates of servers
    :param jitter: a number from 0 to 1, by which pauses become shorter
    """

    def __init__(
        self,
        transport: Transport,
        endpoint: ChatEndpoint,
        keys: Keys | None = None,
        *,
        patience: Patience | None = None,
        clock: Callable[[], float] = time,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self.endpoint = endpoint
        self._transport = transport
        self._keys = keys
        self._patience = patience or Patience()
        self._clock = clock
        self._sleep = sleep
        self._jitter = jitter
        self._habits = Habits(endpoint.best_format)
        self._without_money = False  # a key was retired because its account is used up

    @property
    def shows_schema(self) -> bool:
        """Whether the server is given the schema beside the messages. Where it is not, the messages
        should have it. It may change with the first call."""
        return self._habits.best_format is Format.SCHEMA

    async def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        schema: Mapping[str, Any] | None = None,
        *,
        schema_name: str = "answer",
        strict: bool = True,
        max_tokens: int | None = None,
    ) -> Completion:
        """Ask the model.

        The answer may be refused, cut or empty: see
        :attr:`~wikicrawler.fields.llm.responses.Completion.fault`. Its usage counts the HTTP
        requests of the call, and estimates the tokens where the server does not give them.

        :param schema: JSON Schema of the answer; one of the messages must contain the word JSON
        :param max_tokens: limit of the answer
        :raises ContextTooLongError: the prompt is too long
        :raises ModelNotFoundError: the server does not have the model
        :raises QuotaExhaustedError: no key has money left
        :raises AllKeysExhaustedError: each key is refused, or limited for too long
        :raises ExtractionError: the server failed again and again, or refuses the request
        """
        question = Question(messages, schema, schema_name, strict, max_tokens)
        call = Call(question, self.endpoint)
        while True:
            key = await self._next_key(call)
            sent = self._habits.for_request(question)
            reply = await self._send(call, sent, key)
            if reply is None:
                continue
            if reply.completion is not None:
                return self._finished(call, reply.completion, key)
            if reply.error is None:
                await self._pause(call, Failure.BAD_ANSWER, reply.headers)
            else:
                await self._handle(call, reply, reply.error, sent, key)

    async def _send(self, call: Call, habits: Habits, key: str | None) -> Reply | None:
        """Return what the server says, or None after the pause that follows if it says nothing."""
        request = request_of(call.question, self.endpoint, habits, key)
        call.requests += 1
        call.last = {}
        failure = Failure.CONNECTION
        try:
            response = await self._transport.send(request)
        except TimeoutError:
            failure = Failure.TIMEOUT
        except (OSError, TransportError):
            pass
        else:
            call.last = {"status": response.status}
            if len(response.body) > request.max_body:
                raise call.error(ExtractionError, Failure.ANSWER_TOO_LARGE)
            return read_response(response)
        # Outside the handler: the exception of a transport might tell the key.
        await self._pause(call, failure, {})
        return None

    async def _handle(
        self, call: Call, reply: Reply, error: ErrorBody, sent: Habits, key: str | None
    ) -> None:
        """Prepare the next request after one that failed, or raise."""
        call.note(reply.status, error.message or error.code or error.type, key)
        meaning = meaning_of(reply.status, error)
        if meaning is Meaning.SHRINK:
            reason = Failure.TOO_LARGE if reply.status == 413 else Failure.CONTEXT
            raise call.error(ContextTooLongError, reason, **dict(error.numbers))
        if meaning is Meaning.MODEL:
            raise call.error(ModelNotFoundError, Failure.NO_MODEL)
        if meaning in {Meaning.KEY, Meaning.MONEY}:
            self._retire(call, key, money=meaning is Meaning.MONEY)
        elif meaning is Meaning.WAIT:
            await self._cool_down(call, key, wait_of(reply.headers, self._clock()))
        elif meaning is Meaning.RETRY:
            await self._pause(call, Failure.SERVER, reply.headers)
        elif call.adaptions < _MAX_ADAPTIONS and adapt(call.question, sent, self._habits, error):
            call.adaptions += 1
        else:
            raise call.error(ExtractionError, Failure.BAD_REQUEST)

    async def _next_key(self, call: Call) -> str | None:
        if self._keys is None:
            return None
        while True:
            try:
                ready = self._keys.next_ready()
            except AllKeysExhaustedError:
                ready = None
            if ready is None:
                kind, reason = AllKeysExhaustedError, Failure.KEYS_REFUSED
                if self._without_money:
                    kind, reason = QuotaExhaustedError, Failure.NO_QUOTA
                raise call.error(kind, reason)
            if isinstance(ready, str):
                return ready
            await self._wait(call, ready)

    def _retire(self, call: Call, key: str | None, *, money: bool) -> None:
        self._without_money |= money
        if self._keys is None or key is None:
            kind = QuotaExhaustedError if money else AllKeysExhaustedError
            raise call.error(kind, Failure.NO_QUOTA if money else Failure.KEYS_REFUSED)
        self._keys.retire(key)

    async def _cool_down(self, call: Call, key: str | None, wait: float | None) -> None:
        call.rate_limits += 1
        if call.rate_limits > self._patience.rate_limits:
            raise call.error(AllKeysExhaustedError, Failure.RATE_LIMITED)
        seconds = wait or self._backoff(call.rate_limits)
        if self._keys is None or key is None:
            await self._wait(call, seconds)
        else:
            self._keys.cool_down(key, seconds)

    async def _wait(self, call: Call, seconds: float) -> None:
        """Wait for a key to cool down."""
        if call.waited + seconds > self._patience.longest_wait:
            named = round(seconds, 3)
            raise call.error(AllKeysExhaustedError, Failure.RATE_LIMITED, retry_after=named)
        call.waited += seconds
        await self._sleep(seconds)

    async def _pause(self, call: Call, failure: Failure, headers: Mapping[str, str]) -> None:
        """Wait after a failure of the server or the connection, or raise if it was the last try."""
        call.failures += 1
        if call.failures > self._patience.retries:
            raise call.error(ExtractionError, failure)
        named = wait_of(headers, self._clock())
        if named is not None and named > self._patience.longest_wait:
            raise call.error(ExtractionError, failure, retry_after=round(named, 3))
        await self._sleep(named or self._backoff(call.failures))

    def _backoff(self, number: int) -> float:
        """Seconds of the pause before try *number*, from 1."""
        longest = self._patience.pause * 2.0 ** min(number - 1, 30)
        return min(longest, self._patience.longest_pause) * (1 - self._jitter() / 2)

    def _finished(self, call: Call, completion: Completion, key: str | None) -> Completion:
        spent: dict[str, int] = {"requests": call.requests}
        if completion.usage_estimated:
            spent["prompt_tokens"] = count_tokens(call.question.messages)
            spent["completion_tokens"] = estimate_tokens(completion.text)
        usage = completion.usage.model_copy(update=spent)
        if self._keys is None or key is None:
            return completion._replace(usage=usage)
        return completion._replace(usage=usage, key_name=self._keys.name_of(key))
