"""The scripted model reads pages by rules, and fails as it is told."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from time import sleep
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from tests.servers.openai_reading import answer_to, read_request
from wikicrawler.content.chunks import Chunk
from wikicrawler.fields.answers.prompts import messages
from wikicrawler.fields.models import FieldDefinition

PAGE = """# The Salt Road

**Author:** Ada Quill
Pages: 1,320
- In stock: yes

| Property | Value |
| --- | --- |
| Weight | 250 g |
| Price | 14.50 EUR |

## Tags

- history
- trade

## Offers

| Shop | Cost |
|---|---|
| North | 12 |
| South | 15.5 |

Write to [us](mailto:books@salt.example). It costs $20 elsewhere.
"""
FIELDS = [
    FieldDefinition(name="title"),
    FieldDefinition(name="author"),
    FieldDefinition(name="pages", type="integer"),
    FieldDefinition(name="in_stock", type="boolean"),
    FieldDefinition(name="weight", type="number"),
    FieldDefinition(name="price", type="number"),
    FieldDefinition(name="tags", type="list[string]"),
    FieldDefinition(name="contactEmail"),
    FieldDefinition(name="shop", type="list[string]"),
    FieldDefinition(name="publisher"),
]
VALUES = {
    "title": "The Salt Road",
    "author": "Ada Quill",
    "pages": 1320,
    "in_stock": True,
    "weight": 250,
    "price": 14.5,
    "tags": ["history", "trade"],
    "contactEmail": "books@salt.example",
    "shop": ["North", "South"],
    "publisher": None,
}


def body(*, quotes: bool = False, **more: Any) -> dict[str, Any]:
    page = Chunk(PAGE, 0, len(PAGE))
    return {"model": "m", "messages": messages(FIELDS, page, quotes=quotes), **more}


def nullable(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def schema_of(**properties: Any) -> dict[str, Any]:
    schema = {"type": "object", "properties": properties}
    form = {"name": "answer", "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": form}}


def ask(model: ScriptedModel, sent: dict[str, Any], key: str = "") -> tuple[int, Any]:
    headers = {"Content-Type": "application/json"}
    headers |= {"Authorization": f"Bearer {key}"} if key else {}
    url = f"{model.base_url}/chat/completions"
    try:
        with urlopen(Request(url, json.dumps(sent).encode(), headers), timeout=30) as got:  # noqa: S310
            return got.status, json.loads(got.read())
    except HTTPError as failed:
        return failed.code, json.loads(failed.read())


def content(model: ScriptedModel, sent: dict[str, Any]) -> Any:
    return ask(model, sent)[1]["choices"][0]["message"]["content"]


def test_the_model_reads_a_page() -> None:
    with ScriptedModel() as model:
        assert json.loads(content(model, body())) == VALUES


def test_quotes_stand_on_the_page() -> None:
    with ScriptedModel() as model:
        found = json.loads(content(model, body(quotes=True)))
    assert found["price"] == {"value": 14.5, "quote": "14.50 EUR"}
    assert found["author"] == {"value": "Ada Quill", "quote": "**Author:** Ada Quill"}
    assert found["tags"][1] == {"value": "trade", "quote": "trade"}
    assert found["publisher"] == {"value": None, "quote": None}
    for given in found.values():
        for one in given if isinstance(given, list) else [given]:
            assert one["quote"] is None or one["quote"] in PAGE


def test_the_schema_says_what_is_asked_for() -> None:
    quoted = {"value": {"type": "number"}, "quote": {"type": "string"}}
    shop = {
        "type": "object",
        "properties": {"shop": {"type": "string"}, "cost": {"type": "number"}},
    }
    form = schema_of(
        price=nullable({"type": "object", "properties": quoted}),
        pages={"type": ["string", "null"]},
        offers=nullable({"type": "array", "items": shop}),
    )
    expected = {
        "price": {"value": 14.5, "quote": "14.50 EUR"},
        "pages": "1,320",
        "offers": [{"shop": "North", "cost": 12}, {"shop": "South", "cost": 15.5}],
    }
    assert answer_to(read_request(body(**form))) == expected
    schema = form["response_format"]["json_schema"]["schema"]
    page = Chunk(PAGE, 0, len(PAGE))
    shown = {"messages": messages(FIELDS, page, quotes=True, schema_in_prompt=schema)}
    assert answer_to(read_request(shown)) == expected


def test_what_is_not_there_is_null_or_empty_as_the_schema_allows() -> None:
    quoted = {"type": "object", "properties": {"value": {"type": "string"}, "quote": {}}}
    form = schema_of(
        isbn=quoted,
        cover={"anyOf": [quoted, {"type": "null"}]},
        awards={"type": "array", "items": quoted},
        prizes={"type": ["array", "null"], "items": quoted},
    )
    nothing = {"value": None, "quote": None}
    found = answer_to(read_request(body(**form)))
    assert found == {"isbn": nothing, "cover": None, "awards": [], "prizes": None}


def test_tokens_are_counted_for_each_key() -> None:
    with ScriptedModel(["one", "two"]) as model:
        for key in ("one", "two", "two"):
            status, answer = ask(model, body(), key)
            assert status == 200
        assert ask(model, body(), "three")[0] == 401
        assert ask(model, body())[0] == 401
        assert model.usage_of("two").requests == 2
        assert model.usage.prompt_tokens == 3 * answer["usage"]["prompt_tokens"]
        assert model.statuses == [200, 200, 200, 401, 401]
        assert model.calls_by_key == {"one": 1, "two": 2, "three": 1, None: 1}


def test_a_repeated_beginning_is_cached() -> None:
    sent = body()
    sent["messages"][1]["content"] = "x" * 5000
    with ScriptedModel() as model:
        details = [ask(model, sent)[1]["usage"]["prompt_tokens_details"] for _ in range(2)]
    assert details[0]["cached_tokens"] == 0
    assert details[1]["cached_tokens"] >= 1024
    assert details[1]["cached_tokens"] % 128 == 0


def test_requests_in_flight_are_counted() -> None:
    together = Barrier(4)

    def wait(_: twists.Answer) -> None:
        together.wait(60)

    with ScriptedModel() as model, ThreadPoolExecutor(4) as pool:
        model.always(wait)
        assert [one[0] for one in pool.map(lambda _: ask(model, body()), range(4))] == [200] * 4
        assert model.most_in_flight == 4


def test_answers_are_twisted_by_number_key_and_text() -> None:
    with ScriptedModel() as model:
        model.at(2, twists.error(503))
        model.for_key("one", twists.rate_limited("7"), None)
        model.for_text("Salt Road", twists.using(None))
        assert ask(model, body(), "one")[0] == 429
        assert ask(model, body(), "two")[0] == 503
        status, answer = ask(model, body(), "one")
        assert (status, "usage" in answer) == (200, False)
        model.reset()
        assert ask(model, body(), "one")[1]["usage"]
        assert len(model.requests) == 1


CONTENT = {
    twists.fenced: "```json\n{",
    twists.in_prose: "Here is",
    twists.empty: "",
    twists.in_array: "[{",
    twists.wrapped: '{"result": {',
    twists.thinking: "<think>",
    twists.with_extra_keys: '{"note": "an extra key"',
    twists.with_wrong_types: '{"title": {"unexpected": "The Salt Road"}',
    twists.changed(title="Lies"): '{"title": "Lies"',
}


@pytest.mark.parametrize(("twist", "begin"), CONTENT.items(), ids=range(len(CONTENT)))
def test_a_twist_changes_the_content(twist: twists.Twist, begin: str) -> None:
    with ScriptedModel() as model:
        model.always(twist)
        assert content(model, body()).startswith(begin)


def test_twists_change_more_than_the_content() -> None:
    with ScriptedModel() as model:
        model.at(1, twists.truncated)
        model.at(2, twists.refused)
        model.at(3, twists.calling_a_tool)
        model.at(4, twists.in_parts)
        model.at(5, twists.in_reasoning)
        model.at(6, twists.with_nan)
        model.at(7, twists.with_duplicate_keys)
        model.at(8, twists.invented_quotes)
        answers = [ask(model, body(quotes=n == 7))[1]["choices"][0] for n in range(8)]
    said = [answer["message"]["content"] for answer in answers]
    assert (answers[0]["finish_reason"], answers[2]["finish_reason"]) == ("length", "tool_calls")
    assert answers[1]["message"]["refusal"]
    assert said[3][0]["type"] == "text"
    assert json.loads(answers[4]["message"]["reasoning_content"]) == VALUES
    assert "NaN" in said[5]
    assert said[6].count('"title"') == 2
    assert "is known to be" in said[7]


def test_the_server_has_limits() -> None:
    with ScriptedModel(formats=["json_object"], context=2000, models=["m"]) as model:
        assert ask(model, body())[0] == 200
        assert ask(model, body(response_format={"type": "json_object"}))[0] == 200
        assert "not supported" in ask(model, body(**schema_of()))[1]["error"]["message"]
        assert ask(model, body() | {"model": "other"})[1]["error"]["code"] == "model_not_found"
        long = {"messages": [{"role": "user", "content": "x" * 10_000}], "model": "m"}
        assert ask(model, long)[1]["error"]["code"] == "context_length_exceeded"
        short = ask(model, body(max_tokens=10))[1]["choices"][0]
        assert (short["finish_reason"], len(short["message"]["content"])) == ("length", 40)


def test_a_server_may_ignore_the_format() -> None:
    with ScriptedModel(ignores_format=True) as model:
        assert content(model, body(**schema_of())).startswith("Sure! {")


def test_a_hanging_answer_does_not_outlive_the_server() -> None:
    with ThreadPoolExecutor(1) as pool:
        with ScriptedModel() as model:
            model.always(twists.delayed(600))
            waiting = pool.submit(ask, model, body())
            while not model.requests:
                sleep(0.01)
        with pytest.raises(ConnectionError):
            waiting.result(timeout=30)
