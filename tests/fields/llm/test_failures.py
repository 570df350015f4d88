"""A call that fails says what to do, after as many tries as make sense."""

from __future__ import annotations

import pytest

from tests.fields.llm.asking import ONE, TITLE, Asking
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.fields.errors import ConfigError, ExtractionError
from wikicrawler.fields.llm.errors import (
    ContextTooLongError,
    ModelNotFoundError,
)

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
    assert (error.details["reason"], error.details["requests"]) == ("timeout", 4)


def test_a_body_that_is_too_large_is_not_asked_for_again(model: ScriptedModel) -> None:
    model.always(twists.raw(200, b" " * (8 << 20) + b"{}"))
    assert Asking(model, ONE).fails(ExtractionError).details["reason"] == "response_too_large"


def test_a_request_that_is_refused_is_not_made_again(model: ScriptedModel) -> None:
    model.always(twists.error(400, message=f"bad: {ONE} \x1b[31m\n"))
    error = Asking(model, ONE).fails(ExtractionError)
    assert error.details["message"] == r"bad: *** \x1b[31m\n"
    assert len(model.requests) == 1
