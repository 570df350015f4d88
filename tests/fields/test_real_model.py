"""Fields of small pages by a real language model, over Scrapy's own handler.

The model is weak, and what it answers is its own affair. Asserted is what holds for any answer, and
of the answers only what the model was seen to give each time: the temperature is 0, the seed is
fixed, and the server keeps nothing of earlier questions.
"""

from __future__ import annotations

import json
from functools import partial

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.fields import real_extraction
from tests.fields.real_extraction import TYPES, assert_sound
from tests.servers.llama import CONTEXT, KEY, RealLlama
from wikicrawler.fields.errors import AllKeysExhaustedError

BOOK = "# The Salt Road\n\nPrice: 14.50 EUR\n\nPages: 320\n\nPublisher: Amber House\n"
FIELDS = {"publisher": "string", "price": "number", "pages": "integer"}
VALUES = {"publisher": "Amber House", "price": 14.5, "pages": 320}
extract = partial(real_extraction.extract, text=BOOK)


@deferred_f_from_coro_f
async def test_plain_fields_are_found_with_their_types_and_evidence(llama: RealLlama) -> None:
    done = await extract(llama, FIELDS)
    assert done.result.data == VALUES
    assert done.result.partial is None
    assert [type(value) for value in done.result.data.values()] == [str, float, int]
    assert_sound(done.result, BOOK, FIELDS)


@pytest.mark.parametrize("quotes", [True, False])
@deferred_f_from_coro_f
async def test_the_answer_has_the_form_of_the_schema(llama: RealLlama, quotes: bool) -> None:
    fields = {"publisher": "string", "pages": "integer", "in_print": "boolean"}
    done = await extract(llama, fields, quotes=quotes)
    request, _ = done.kept.exchanges[0]
    sent = json.loads(request.body)["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert done.kept.statuses == [200] * len(done.kept.statuses)
    for body in done.kept.bodies:
        choice = body["choices"][0]
        if choice["finish_reason"] == "stop":
            values = json.loads(choice["message"]["content"])
            assert list(values) == list(sent["schema"]["properties"]) == list(fields)
            if quotes:
                assert all(set(one) == {"value", "quote"} for one in values.values())
                values = {name: one["value"] for name, one in values.items()}
            for name, value in values.items():
                assert value is None or isinstance(value, TYPES[fields[name]])
    assert_sound(done.result, BOOK, fields)


@deferred_f_from_coro_f
async def test_what_the_model_invents_is_null_with_the_reason(llama: RealLlama) -> None:
    """The page has no ISBN, and the server holds the model to the pattern of one."""
    fields = {"pages": "integer", "isbn": {"type": "string", "pattern": "^978[0-9]{10}$"}}
    done = await extract(llama, fields)
    (body,) = done.kept.bodies
    said = json.loads(body["choices"][0]["message"]["content"])["isbn"]
    assert done.result.data == {"pages": 320, "isbn": None}
    found = [one for one in done.result.findings if one.field == "isbn"]
    assert [(one.value, one.rejected, one.reason) for one in found] == (
        [] if said is None else [(None, said, "value_not_found")]
    )


@deferred_f_from_coro_f
async def test_the_usage_is_that_of_the_server(llama: RealLlama) -> None:
    usage = (done := await extract(llama, {"pages": "integer"})).result.usage
    reported = [body["usage"] for body in done.kept.bodies]
    assert usage.requests == len(reported)
    assert usage.prompt_tokens == sum(one["prompt_tokens"] for one in reported) > 0
    assert usage.completion_tokens == sum(one["completion_tokens"] for one in reported) > 0
    assert usage.cost == pytest.approx(usage.prompt_tokens * 1e-6 + usage.completion_tokens * 2e-6)


@deferred_f_from_coro_f
async def test_a_refused_key_is_followed_by_the_next(llama: RealLlama) -> None:
    done = await extract(llama, {"pages": "integer"}, keys=("sk-wrong", KEY))
    assert done.kept.statuses == [401, 200]
    assert done.result.data == {"pages": 320}
    assert done.result.usage.requests == 2


@deferred_f_from_coro_f
async def test_without_a_valid_key_there_is_an_error_that_tells_none(llama: RealLlama) -> None:
    with pytest.raises(AllKeysExhaustedError) as raised:
        await extract(llama, {"pages": "integer"}, keys=("sk-wrong", "sk-other"))
    assert "sk-" not in f"{raised.value!r} {raised.value} {raised.value.details}"


SHELF = "# Shelf\n\n" + "".join(
    f"## Book {number}\n\nThe cover is worn, and some pages have notes of a reader.\n\n"
    f"Publisher: {name}\n\n"
    for number, name in enumerate(("Amber House", "Cedar Press", "Old Mill Books"), 1)
)


@deferred_f_from_coro_f
async def test_a_long_page_is_read_in_chunks(llama: RealLlama) -> None:
    fields = {"publisher": "list[string]"}
    done = await extract(llama, fields, text=SHELF, chunk_tokens=64, answer_tokens=80)
    texts = [json.loads(one.body)["messages"][1]["content"] for one, _ in done.kept.exchanges]
    for name in ("Amber House", "Cedar Press", "Old Mill Books"):
        assert any(name in text for text in texts)
        assert not all(name in text for text in texts)
    assert_sound(done.result, SHELF, fields)
    parts = [one.evidence.start for one in done.result.findings if one.evidence]
    assert all(0 <= start < len(SHELF) for start in parts)


@deferred_f_from_coro_f
async def test_a_page_that_the_server_finds_too_long_is_divided(llama: RealLlama) -> None:
    filler = "The mill ground salt for the towns along the river for many years. " * 33
    text = f"{BOOK}\n{filler}\n\n{filler}\n"
    done = await extract(llama, {"pages": "integer"}, text=text, chunk_tokens=100_000)
    assert done.kept.statuses[0] == 400
    assert 200 in done.kept.statuses
    refused = json.loads(done.kept.exchanges[0][1].body)["error"]
    assert refused["n_prompt_tokens"] > refused["n_ctx"] == CONTEXT
    assert_sound(done.result, text, {"pages": "integer"})


@deferred_f_from_coro_f
async def test_an_answer_that_is_cut_off_is_asked_for_in_parts(llama: RealLlama) -> None:
    done = await extract(llama, FIELDS, answer_tokens=24)
    choices = [body["choices"][0] for body in done.kept.bodies]
    assert choices[0]["finish_reason"] == "length"
    assert len(choices) > 1
    asked_later = json.loads(done.kept.exchanges[1][0].body)["response_format"]["json_schema"]
    assert 0 < len(asked_later["schema"]["properties"]) < len(FIELDS)
    assert_sound(done.result, BOOK, FIELDS)
