"""A call uses each key that may work, and waits for one no longer than it should."""

from __future__ import annotations

import pytest

from tests.fields.llm.asking import ONE, TITLE, TWO, Asking
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.fields.errors import AllKeysExhaustedError
from wikicrawler.fields.llm.errors import QuotaExhaustedError


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
