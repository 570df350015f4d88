"""Any JSON of a server is read, and none of it raises."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wikicrawler.fields.llm.failures import meaning_of, parse_duration, wait_of
from wikicrawler.fields.llm.requests import HttpResponse
from wikicrawler.fields.llm.responses import (
    Completion,
    ErrorBody,
    parse_completion,
    parse_error,
    parse_usage,
    read_response,
)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("choices", "message", "content", "refusal", "finish_reason", "usage", "text"),
                    *(
                        "prompt_tokens",
                        "completion_tokens",
                        "prompt_tokens_details",
                        "model",
                        "type",
                    ),
                    *(
                        "cached_tokens",
                        "error",
                        "code",
                        "param",
                        "detail",
                        "loc",
                        "msg",
                        "total_tokens",
                    ),
                ]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=30,
)


@settings(max_examples=300, deadline=None)
@given(data=JSON, status=st.integers(100, 599))
def test_any_json_is_read(data: Any, status: int) -> None:
    for given_data in (data, {"choices": [{"message": data}], "usage": data}, {"error": data}):
        body = json.dumps(given_data).encode()
        reply = read_response(HttpResponse(status, {}, body))
        assert reply.completion is None or isinstance(reply.completion.text, str)
        error = parse_error(given_data)
        assert len(error.message) <= 2000
        assert all(isinstance(one, str) for one in error[:4])
        meaning_of(status, error)
        usage = parse_usage(given_data)
        assert usage is None or 0 <= usage.cached_tokens <= usage.prompt_tokens <= 10**9


@given(body=st.binary(max_size=50), status=st.integers(100, 599))
def test_any_bytes_are_read(body: bytes, status: int) -> None:
    read_response(HttpResponse(status, {}, body))


def choice(message: Any, reason: Any = "stop", **more: Any) -> Completion:
    found = parse_completion({"choices": [{"message": message, "finish_reason": reason}], **more})
    assert found is not None
    return found


def test_the_first_choice_counts() -> None:
    choices = [None, {"message": {"content": "a"}}, {"message": {"content": "b"}}]
    found = parse_completion({"choices": choices})
    assert found is not None
    assert (found.text, found.finish_reason) == ("a", None)


def test_without_choices_the_answer_is_empty_and_without_a_list_there_is_none() -> None:
    empty = parse_completion({"choices": []})
    assert empty is not None
    assert (empty.text, empty.fault, empty.usage_estimated) == ("", "empty", True)
    assert parse_completion({"choices": None}) is None
    assert parse_completion([]) is None


def test_content_may_be_parts_or_reasoning() -> None:
    parts = [{"type": "text", "text": "{"}, {"type": "image"}, None, {"type": "text", "text": "}"}]
    assert choice({"content": parts}).text == "{}"
    assert choice({"content": None, "reasoning_content": ' {"a": 1}'}).text == ' {"a": 1}'
    assert choice({"content": None, "reasoning_content": "I think"}).text == ""
    assert choice({"content": "{}", "reasoning_content": '{"a": 1}'}).text == "{}"


@pytest.mark.parametrize(
    ("message", "reason", "fault"),
    [
        ({"content": "{}"}, "stop", None),
        ({"content": "{}"}, None, None),
        ({"content": '{"a'}, "length", "truncated"),
        ({"content": ""}, "length", "truncated"),
        ({"content": None, "refusal": "no"}, "stop", "refused"),
        ({"content": [{"type": "refusal", "refusal": "no"}]}, "stop", "refused"),
        ({"content": "x"}, "content_filter", "filtered"),
        ({"content": None, "tool_calls": []}, "tool_calls", "tool_call"),
        ({"content": " "}, "stop", "empty"),
        ("text", "stop", "empty"),
    ],
)
def test_an_answer_that_is_not_whole_has_a_fault(
    message: Any, reason: str | None, fault: str | None
) -> None:
    assert choice(message, reason).fault == fault


@pytest.mark.parametrize(
    ("given_usage", "found"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 2}, (10, 2, 0)),
        ({"prompt_tokens": 10, "total_tokens": 12}, (10, 2, 0)),
        ({"prompt_tokens": 10.0, "completion_tokens": 2}, (10, 2, 0)),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 2,
                "prompt_tokens_details": {"cached_tokens": 8},
            },
            (10, 2, 8),
        ),
        (
            {
                "prompt_tokens": 10,
                "completion_tokens": 2,
                "prompt_tokens_details": {"cached_tokens": 80},
            },
            (10, 2, 10),
        ),
        (
            {"prompt_tokens": 10, "completion_tokens": 2, "prompt_cache_hit_tokens": 4},
            (10, 2, 4),
        ),
        ({"prompt_tokens": 10, "completion_tokens": 2, "prompt_tokens_details": None}, (10, 2, 0)),
        ({"prompt_tokens": 10}, None),
        ({"prompt_tokens": 10, "total_tokens": 9}, None),
        ({"prompt_tokens": True, "completion_tokens": 2}, None),
        ({"prompt_tokens": 10**12, "completion_tokens": 2}, None),
        ({"prompt_tokens": -1, "completion_tokens": 2}, None),
        ({"prompt_tokens": float("inf"), "completion_tokens": 2}, None),
        (None, None),
    ],
)
def test_usage_is_what_the_server_says(given_usage: Any, found: tuple[int, ...] | None) -> None:
    usage = parse_usage(given_usage)
    if usage is None:
        assert found is None
    else:
        assert (usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) == found


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (
            {"error": {"message": "m", "type": "t", "param": "p", "code": "c"}},
            ErrorBody("m", "t", "c", "p"),
        ),
        ({"error": {"message": "m", "code": 429, "type": None}}, ErrorBody("m", "", "429")),
        ({"error": "text"}, ErrorBody("text")),
        (
            {"object": "error", "message": "m", "type": "BadRequestError", "code": 400},
            ErrorBody("m", "BadRequestError", "400"),
        ),
        ({"detail": "not found"}, ErrorBody("not found")),
        ({"detail": [{"loc": ["body", 0], "msg": "bad"}]}, ErrorBody("body.0: bad")),
        (
            [{"error": {"code": 429, "message": "m", "status": "RESOURCE_EXHAUSTED"}}],
            ErrorBody("m", "RESOURCE_EXHAUSTED", "429"),
        ),
        (None, ErrorBody()),
        ({"error": []}, ErrorBody()),
    ],
)
def test_errors_of_any_shape_are_read(data: Any, found: ErrorBody) -> None:
    assert parse_error(data) == found


GEMINI = "You exceeded your current quota, please check your plan. Please retry in 28s."
TPM = "Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000."
MEANINGS = [
    (400, ErrorBody(code="context_length_exceeded"), "SHRINK"),
    (400, ErrorBody("Please reduce the length of the messages"), "SHRINK"),
    (413, ErrorBody(TPM, code="rate_limit_exceeded"), "SHRINK"),
    (429, ErrorBody(TPM, code="rate_limit_exceeded"), "SHRINK"),
    (429, ErrorBody("Rate limit reached", code="rate_limit_exceeded"), "WAIT"),
    (429, ErrorBody(GEMINI, type="RESOURCE_EXHAUSTED"), "WAIT"),
    (429, ErrorBody(code="slow_down"), "WAIT"),
    (429, ErrorBody(type="insufficient_quota"), "MONEY"),
    (429, ErrorBody(code="credit_balance_exhausted"), "MONEY"),
    (429, ErrorBody(code="organization_usage_limit_exceeded"), "MONEY"),
    (402, ErrorBody(), "MONEY"),
    (401, ErrorBody(), "KEY"),
    (403, ErrorBody("no access"), "KEY"),
    (400, ErrorBody("API key not valid", code="invalid_api_key"), "KEY"),
    (404, ErrorBody(), "MODEL"),
    (400, ErrorBody("Model Not Exist"), "MODEL"),
    (400, ErrorBody("The model `x` does not exist"), "MODEL"),
    (400, ErrorBody("bad"), "BAD"),
    (301, ErrorBody(), "BAD"),
    (408, ErrorBody(), "RETRY"),
    (503, ErrorBody(code="server_is_overloaded"), "RETRY"),
    (529, ErrorBody(type="overloaded_error"), "RETRY"),
]


@pytest.mark.parametrize(("status", "error", "meaning"), MEANINGS)
def test_errors_mean_what_servers_mean(status: int, error: ErrorBody, meaning: str) -> None:
    assert meaning_of(status, error).name == meaning


@pytest.mark.parametrize(
    ("given_reason", "reason"),
    [("model_length", "length"), ("SAFETY", "content_filter"), ("eos", "stop"), ("new", "new")],
)
def test_reasons_have_the_names_of_openai(given_reason: str, reason: str) -> None:
    assert choice({"content": "{}"}, given_reason).finish_reason == reason


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("12ms", 0.012),
        ("1m3s", 63),
        ("6h0m1.5s", 21601.5),
        ("1d", 86400),
        ("2", 2),
        (" 7S ", 7),
        ("", None),
        ("soon", None),
        ("-1s", None),
        ("1s" * 31, None),
        ("9" * 30 + "s", None),
        ("nan", None),
    ],
)
def test_durations_are_read(text: str, seconds: float | None) -> None:
    assert parse_duration(text) == seconds


def test_the_reset_of_what_is_used_up_counts() -> None:
    resets = {"X-RateLimit-Reset-Requests": "5s", "x-ratelimit-reset-tokens": "50s"}
    assert wait_of(resets, 0) == 50
    assert wait_of({**resets, "x-ratelimit-remaining-requests": "0"}, 0) == 5
    assert wait_of({}, 0) is None
    assert wait_of({"Retry-After": "1e300"}, 0) == 86_400
    assert wait_of({"Retry-After": "Thu, 01 Jan 1970 00:00:05 GMT"}, 10) == 0
    assert wait_of({"Retry-After": "nan"}, 0) is None


@given(st.dictionaries(st.sampled_from(["retry-after", "retry-after-ms"]), st.text(max_size=60)))
def test_any_header_is_read(headers: dict[str, str]) -> None:
    wait = wait_of(headers, 0)
    assert wait is None or 0 <= wait <= 86_400
