"""A client gets the answer, or fails in the way that says what to do."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.fields.llm.wire import Clock, FixedKeys, SocketTransport, run
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.content.chunks import Chunk
from wikicrawler.fields.errors import AllKeysExhaustedError, ConfigError, ExtractionError
from wikicrawler.fields.llm.calls import Patience
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.errors import (
    ContextTooLongError,
    ModelNotFoundError,
    QuotaExhaustedError,
)
from wikicrawler.fields.llm.requests import ChatEndpoint, Format, HttpRequest, HttpResponse
from wikicrawler.fields.models import FieldDefinition
from wikicrawler.fields.prompts import count_tokens, messages

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    """A client of a scripted model, whose time passes only while it waits."""

    def __init__(self, model: ScriptedModel, *keys: str, **endpoint: Any) -> None:
        self.clock = Clock()
        self.transport = SocketTransport()
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


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel([ONE, TWO, THREE]) as server:
        yield server


def test_an_answer_has_its_text_and_usage(model: ScriptedModel) -> None:
    asking = Asking(model, ONE)
    answer = asking.ask(max_tokens=500, schema_name="book")
    assert (answer.text, answer.finish_reason, answer.fault) == (TITLE, "stop", None)
    assert (answer.model, answer.key_name) == ("m", "key 1")
    assert answer.usage.requests == 1
    assert answer.usage.prompt_tokens == model.usage.prompt_tokens
    assert answer.usage.completion_tokens == model.usage.completion_tokens
    assert (answer.usage.cost, answer.usage_estimated) == (None, False)
    (request,) = model.requests
    assert request.body == {
        "model": "m",
        "temperature": 0.0,
        "max_tokens": 500,
        "messages": MESSAGES,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "book", "strict": True, "schema": SCHEMA},
        },
    }
    assert request.headers["authorization"] == f"Bearer {ONE}"
    assert "secret" not in repr(asking.transport.sent)


def test_a_server_may_want_no_key() -> None:
    with ScriptedModel() as model:
        answer = Asking(model, temperature=None, extra={"seed": 1}).ask()
        assert (answer.text, answer.key_name) == (TITLE, "none")
        (request,) = model.requests
        assert "authorization" not in request.headers
        assert (request.body["seed"], "temperature" in request.body) == (1, False)


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": -1}, "many", {"prompt_tokens": "5"}])
def test_usage_that_is_not_given_is_estimated(model: ScriptedModel, usage: Any) -> None:
    model.always(twists.using(usage))
    answer = Asking(model, ONE).ask()
    assert answer.usage_estimated
    assert answer.usage.prompt_tokens == count_tokens(MESSAGES)
    assert answer.usage.completion_tokens > 0


@pytest.mark.parametrize(
    ("formats", "found"),
    [
        (["json_object"], ["json_schema", "json_object"]),
        ([], ["json_schema", "json_object", None]),
    ],
)
def test_a_server_without_schemas_is_asked_with_less_and_it_is_remembered(
    formats: list[str], found: list[str | None]
) -> None:
    with ScriptedModel(formats=formats) as model:
        asking = Asking(model)
        assert asking.client.shows_schema
        assert asking.ask().text == TITLE
        assert asking.ask().text == TITLE
        assert [request.format for request in model.requests] == [*found, found[-1]]
        assert not asking.client.shows_schema
        assert asking.clock.slept == []


def test_calls_at_once_agree_about_the_format() -> None:
    async def ask_all(asking: Asking) -> list[Completion]:
        return await asyncio.gather(*(asking.client.complete(MESSAGES, SCHEMA) for _ in range(5)))

    with ScriptedModel(formats=["json_object"]) as model:
        asking = Asking(model)
        assert {one.text for one in run(ask_all(asking))} == {TITLE}
        asking.ask()
        assert model.requests[-1].format == "json_object"


def test_a_schema_that_is_refused_does_not_condemn_others(model: ScriptedModel) -> None:
    asking = Asking(model, ONE)
    model.at(1, twists.error(400, message="Invalid schema for response_format 'answer'"))
    assert asking.ask().text == TITLE
    other = {**SCHEMA, "description": "another"}
    run(asking.client.complete(MESSAGES, other))
    asking.ask()
    forms = [request.format for request in model.requests]
    assert forms == ["json_schema", "json_object", "json_schema", "json_object"]


def test_an_old_vllm_is_understood(model: ScriptedModel) -> None:
    flat = {"object": "error", "message": "extra_forbidden: ('body', 'response_format', 'type')"}
    model.at(1, twists.raw(400, json.dumps(flat | {"type": "BadRequestError", "code": 400})))
    detail = [{"loc": ["body", "response_format"], "msg": "Extra inputs are not permitted"}]
    model.at(2, twists.raw(422, json.dumps({"detail": detail})))
    assert Asking(model, ONE).ask().text == TITLE
    assert [r.format for r in model.requests] == ["json_schema", "json_object", None]


def test_parameters_that_a_model_refuses_are_left_out(model: ScriptedModel) -> None:
    name = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    model.at(1, twists.error(400, "unsupported_parameter", message=name))
    model.at(2, twists.error(400, "unsupported_value", message="'temperature' does not support 0"))
    asking = Asking(model, ONE)
    assert asking.ask(max_tokens=300).text == TITLE
    asking.ask(max_tokens=300)
    assert len(model.requests) == 4
    assert model.requests[-1].body["max_completion_tokens"] == 300
    assert "temperature" not in model.requests[-1].body


LONG = {
    "openai": twists.error(400, "context_length_exceeded"),
    "llama.cpp": twists.raw(
        400,
        '{"error": {"code": 400, "type": "exceed_context_size_error", "message": "too long", '
        '"n_prompt_tokens": 5000, "n_ctx": 4096}}',
    ),
    "vllm": twists.error(400, message="This model's maximum context length is 10 tokens"),
    "ollama": twists.raw(400, '{"error": "prompt is too long"}'),
    "proxy": twists.raw(413, "<html>Request Entity Too Large</html>"),
}


@pytest.mark.parametrize("twist", LONG.values(), ids=LONG)
def test_a_long_prompt_is_not_asked_again(model: ScriptedModel, twist: twists.Twist) -> None:
    model.always(twist)
    error = Asking(model, ONE).fails(ContextTooLongError)
    assert len(model.requests) == 1
    if "n_ctx" in error.details:
        assert (error.details["n_prompt_tokens"], error.details["n_ctx"]) == (5000, 4096)


def test_the_servers_context_is_respected() -> None:
    with ScriptedModel(context=10) as model:
        error = Asking(model).fails(ContextTooLongError)
    assert error.details["reason"] == "context_length_exceeded"


def test_a_model_that_is_not_there_is_named_with_the_server() -> None:
    with ScriptedModel(models=["other"]) as model:
        error = Asking(model).fails(ModelNotFoundError)
        assert isinstance(error, ConfigError)
        assert f"model m at {model.base_url}" in str(error)


@pytest.mark.parametrize("number", range(1, 6))
def test_each_refused_key_is_tried_once(number: int) -> None:
    keys = [f"sk-{n}-secret" for n in range(number)]
    with ScriptedModel([]) as model:
        asking = Asking(model, *keys)
        error = asking.fails(AllKeysExhaustedError)
        assert error.details["status"] == 401
        assert [request.key for request in model.requests] == keys
        with pytest.raises(AllKeysExhaustedError):
            asking.ask()
        assert len(model.requests) == number


def test_the_next_key_is_used_for_good(model: ScriptedModel) -> None:
    model.for_key(ONE, twists.error(403, message="no rights"))
    asking = Asking(model, ONE, TWO)
    assert asking.ask().key_name == "key 2"
    assert asking.ask().usage.requests == 1
    assert [request.key for request in model.requests] == [ONE, TWO, TWO]


def test_a_missing_key_is_told(model: ScriptedModel) -> None:
    assert Asking(model).fails(AllKeysExhaustedError).details["reason"] == "keys_refused"


def test_a_key_without_money_is_retired_and_without_another_the_run_ends(
    model: ScriptedModel,
) -> None:
    model.for_key(ONE, twists.no_quota())
    asking = Asking(model, ONE, TWO)
    assert asking.ask().key_name == "key 2"
    model.for_key(TWO, twists.error(429, "project_spend_limit_exceeded"))
    with pytest.raises(QuotaExhaustedError, match="used up"):
        asking.ask()
    with pytest.raises(QuotaExhaustedError):
        asking.ask()
    assert len(model.requests) == 3
    assert asking.clock.slept == []


@pytest.mark.parametrize(
    "twist", [twists.no_quota(), twists.raw(402, '{"error": "Insufficient Balance"}')]
)
def test_a_server_without_keys_may_want_money(twist: twists.Twist) -> None:
    with ScriptedModel() as model:
        model.always(twist)
        assert Asking(model).fails(QuotaExhaustedError).details["reason"] == "insufficient_quota"


def test_a_limited_key_cools_down_while_others_are_used(model: ScriptedModel) -> None:
    model.for_key(ONE, twists.rate_limited("30"), None)
    asking = Asking(model, ONE, TWO)
    assert asking.ask().key_name == "key 2"
    assert asking.keys
    assert asking.keys.cooled == [(ONE, 30.0)]
    assert asking.clock.slept == []
    model.for_key(TWO, twists.rate_limited("50"), None)
    answer = asking.ask()
    assert answer.key_name == "key 1"
    assert answer.usage.requests == 2
    assert asking.clock.slept == [30.0]


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"Retry_After": "7"}, 7),
        ({"retry_after_ms": "1500", "Retry_After": "7"}, 1.5),
        ({"Retry_After": "Tue, 14 Nov 2023 22:13:40 GMT"}, 20),
        ({"x_ratelimit_reset_requests": "12ms", "x_ratelimit_reset_tokens": "1m3s"}, 63),
        ({}, 1),
        ({"Retry_After": "soon"}, 1),
        ({"Retry_After": "0"}, 1),
        ({"Retry_After": "-5"}, 1),
    ],
)
def test_the_only_key_waits_as_long_as_the_server_says(
    model: ScriptedModel, headers: dict[str, str], wait: float
) -> None:
    model.at(1, twists.error(429, "rate_limit_exceeded", **headers))
    asking = Asking(model, ONE)
    assert asking.ask().text == TITLE
    assert asking.clock.slept == [wait]


def test_a_long_wait_is_an_error(model: ScriptedModel) -> None:
    model.always(twists.rate_limited("3600"))
    error = Asking(model, ONE).fails(AllKeysExhaustedError)
    assert (error.details["reason"], error.details["retry_after"]) == ("rate_limited", 3600.0)


def test_limits_that_never_end_are_an_error(model: ScriptedModel) -> None:
    model.always(twists.rate_limited("0"))
    asking = Asking(model, ONE, TWO)
    assert asking.fails(AllKeysExhaustedError).details["reason"] == "rate_limited"
    assert len(model.requests) == 6


HTML = "<html><body>Bad gateway, please log in</body></html>"
FAILURES = {
    "503": (twists.error(503, "server_is_overloaded"), "server_error"),
    "html": (twists.raw(502, HTML), "server_error"),
    "cut": (twists.cut_off, "connection"),
    "html with 200": (twists.raw(200, HTML), "unreadable_response"),
    "empty body": (twists.raw(200, ""), "unreadable_response"),
    "no choices": (twists.raw(200, '{"object": "list"}'), "unreadable_response"),
    "nested": (twists.raw(200, "[" * 100_000), "unreadable_response"),
    "error with 200": (twists.raw(200, '{"error": {"code": 502, "message": "x"}}'), "server_error"),
}


@pytest.mark.parametrize(("twist", "reason"), FAILURES.values(), ids=FAILURES)
def test_a_failure_is_tried_again(model: ScriptedModel, twist: twists.Twist, reason: str) -> None:
    model.at(1, twist)
    model.at(2, twist)
    asking = Asking(model, ONE)
    answer = asking.ask()
    assert (answer.text, answer.usage.requests) == (TITLE, 3)
    assert asking.clock.slept == [1.0, 2.0]
    model.always(twist)
    failing = Asking(model, ONE)
    assert failing.fails(ExtractionError).details["reason"] == reason
    assert failing.clock.slept == [1.0, 2.0, 4.0]


def test_a_server_that_is_not_there_is_tried_again() -> None:
    with ScriptedModel() as model:
        asking = Asking(model)
    error = asking.fails(ExtractionError)
    assert (error.details["reason"], error.details["requests"]) == ("connection", 4)


def test_a_server_that_hangs_is_left(model: ScriptedModel) -> None:
    model.always(twists.delayed(60))
    error = Asking(model, ONE, timeout=0.05).fails(ExtractionError)
    assert error.details["reason"] == "timeout"
    assert len(model.requests) == 4


def test_a_body_that_is_too_large_is_not_asked_for_again(model: ScriptedModel) -> None:
    model.always(twists.raw(200, b" " * (8 << 20) + b"{}"))
    assert Asking(model, ONE).fails(ExtractionError).details["reason"] == "response_too_large"


def test_a_request_that_is_refused_is_not_made_again(model: ScriptedModel) -> None:
    model.always(twists.error(400, message=f"bad: {ONE} \x1b[31m\n"))
    error = Asking(model, ONE).fails(ExtractionError)
    assert error.details["message"] == r"bad: *** \x1b[31m\n"
    assert len(model.requests) == 1


@pytest.mark.parametrize(
    ("twist", "fault"),
    [
        (twists.truncated, "truncated"),
        (twists.refused, "refused"),
        (twists.filtered, "filtered"),
        (twists.empty, "empty"),
        (twists.calling_a_tool, "tool_call"),
        (twists.texts(" \n"), "empty"),
    ],
)
def test_an_answer_that_is_none_says_why(
    model: ScriptedModel, twist: twists.Twist, fault: str
) -> None:
    model.always(twist)
    answer = Asking(model, ONE).ask()
    assert answer.fault == fault
    assert answer.usage.prompt_tokens > 0
    assert len(model.requests) == 1


@pytest.mark.parametrize("twist", [twists.in_parts, twists.in_reasoning])
def test_an_answer_is_found_where_servers_put_it(model: ScriptedModel, twist: twists.Twist) -> None:
    model.always(twist)
    assert Asking(model, ONE).ask().text == TITLE


def test_a_call_that_is_cancelled_ends() -> None:
    class Hanging:
        async def send(self, request: HttpRequest) -> HttpResponse:
            await asyncio.Event().wait()
            raise AssertionError(request)

    async def cancel() -> None:
        client = ChatClient(Hanging(), ChatEndpoint("http://127.0.0.1:9/v1", "m"))
        task = asyncio.create_task(client.complete(MESSAGES))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    run(cancel())


@pytest.mark.parametrize("url", ["", "ftp://a/v1", "http://", "http://u:p@a/v1", "http://a:x/v1"])
def test_a_base_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="base_url") as raised:
        ChatEndpoint(url, "m")
    assert "u:p" not in str(raised.value)
    assert ChatEndpoint("http://a/v1/", "m").url == "http://a/v1/chat/completions"


@pytest.mark.parametrize("key", ["sk\r\nHost: x", "sk secret", "schlüssel"])
def test_a_key_that_cannot_be_sent_is_refused(model: ScriptedModel, key: str) -> None:
    with pytest.raises(ConfigError, match="no API key has"):
        Asking(model, key).ask()
    assert model.requests == []


def test_a_page_with_lone_surrogates_is_sent(model: ScriptedModel) -> None:
    asking = Asking(model, ONE, best_format=Format.PLAIN)
    sent = [*MESSAGES, {"role": "user", "content": "\ud800"}]
    answer = run(asking.client.complete(sent))
    assert answer.text == TITLE
