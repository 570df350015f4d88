"""A client gets the answer, whatever the server calls it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.fields.llm.asking import MESSAGES, ONE, SCHEMA, TITLE, Asking
from tests.fields.llm.wire import run
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.fields.answers.prompts import count_tokens
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.requests import ChatEndpoint, Format, HttpRequest, HttpResponse

if TYPE_CHECKING:
    from wikicrawler.fields.llm.responses import Completion


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
