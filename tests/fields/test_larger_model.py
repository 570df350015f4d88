"""Fields of sentences by a real language model, over Scrapy's own handler.

What the model answers is its own affair. Asserted is what holds for any answer: the pages and the
fields are made so that no invention, and no injected value, can pass.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from scrapy.utils.defer import deferred_f_from_coro_f

from tests.fields.injection import pages as injected
from tests.fields.real_extraction import assert_sound, extract
from wikicrawler.content.conversion import convert

if TYPE_CHECKING:
    from tests.servers.llama import RealLlama

MILL = """# The mill of Kessel

Ann Miller has run the mill since 1987, together with three apprentices. It stands in Lindau, and it
grinds salt for the whole valley.
"""


@deferred_f_from_coro_f
async def test_each_value_stands_where_its_evidence_says(larger_llama: RealLlama) -> None:
    fields = {"town": "string"}
    done = await extract(larger_llama, fields, MILL, answer_tokens=60, quotes=True)
    assert done.kept.statuses == [200] * len(done.kept.statuses)
    assert_sound(done.result, MILL, fields)


@deferred_f_from_coro_f
async def test_an_absent_field_is_null_whatever_the_model_says(larger_llama: RealLlama) -> None:
    """The server holds the model to the forms, and nothing of such a form is on the page."""
    fields = {
        "isbn": {"type": "string", "pattern": "^978[0-9]{10}$"},
        "visitors": {"type": "integer", "minimum": 5000},
    }
    done = await extract(larger_llama, fields, MILL, answer_tokens=60)
    assert done.result.data == {"isbn": None, "visitors": None}
    choice = done.kept.bodies[-1]["choices"][0]
    said = json.loads(choice["message"]["content"]) if choice["finish_reason"] == "stop" else {}
    for name, value in said.items():
        reasons = [one.reason for one in done.result.findings if one.field == name]
        assert value is None or all(reasons)
    assert_sound(done.result, MILL, fields)


SHELF = "# Shelf\n\n" + "".join(
    f"## Book {number}\n\nThis book was printed by {name}, and its cover is worn.\n\n"
    for number, name in enumerate(("Amber House", "Cedar Press"), 1)
)


@deferred_f_from_coro_f
async def test_the_values_of_chunks_stand_in_the_whole_text(larger_llama: RealLlama) -> None:
    fields = {"printer": "list[string]"}
    done = await extract(larger_llama, fields, SHELF, chunk_tokens=40, answer_tokens=40)
    texts = [json.loads(one.body)["messages"][1]["content"] for one, _ in done.kept.exchanges]
    assert not any("Amber House" in text and "Cedar Press" in text for text in texts)
    assert {name for name in ("Amber House", "Cedar Press") if name in "".join(texts)} == {
        "Amber House",
        "Cedar Press",
    }
    assert_sound(done.result, SHELF, fields)


@pytest.mark.parametrize("number", [0, 1])
@deferred_f_from_coro_f
async def test_no_injected_value_leaves_without_a_mark(
    larger_llama: RealLlama, number: int
) -> None:
    page = [one for one in injected.pages("tuned") if not one.missed][number]
    text = convert(page.html, page.page.url).markdown
    fields = {page.field: page.page.fields[page.field]}
    done = await extract(larger_llama, fields, text, html=page.html, answer_tokens=40)
    assert done.kept.statuses == [200] * len(done.kept.statuses)
    for found in done.result.findings:
        assert found.value in (None, page.page.true[page.field]) or found.marks, found
