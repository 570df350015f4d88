"""The benchmark of fields counts what is right, and reads each program's prompt."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.request import Request, urlopen

import pytest

from bench.fields import corpus, report, scripted
from bench.fields.corpus import Field, Page
from bench.fields.model_server import Counts, ModelServer, scripted_model
from bench.fields.programs import PROGRAMS, Run
from bench.fields.reader import find
from bench.fields.score import Score, is_nothing, is_right, score
from wikicrawler.content.conversion import convert

if TYPE_CHECKING:
    from pathlib import Path

NAME = Field("name", "string", "name of the mill", ("The Salt Mill", "Salt Mill"))
PRICE = Field("price", "number", "price in euros", ("14.5",))
MEMBERS = Field("members", "integer", "number of members", ("12",))
PHONE = Field("phone", "string", "telephone number", ())
PAGE = Page("mill", "demo", (NAME, PRICE, MEMBERS, PHONE), b"", 1)
TEXT = "# The Salt  Mill\n\nTwelve members sell it for 14.50 EUR, since 1987."
ASKED = [{"name": one.name, "type": one.type, "description": one.description} for one in PAGE[2]]


@pytest.mark.parametrize(
    ("field", "value", "right"),
    [
        (NAME, " the  salt mill. ", True),
        (NAME, "Mill", False),
        (Field("day", "string", "", ("2019-11-20",)), "2019-11-20T08:00:00Z", True),
        (Field("day", "string", "", ("2019-11-20",)), "2019-11-21T08:00:00Z", False),
        (PRICE, 14.5, True),
        (PRICE, "EUR 14.50", True),
        (PRICE, 145, False),
        (PRICE, True, False),
        (PRICE, "free", False),
        (Field("people", "integer", "", ("1200",)), "1,200 people", True),
    ],
)
def test_a_value_is_right_in_any_spelling(field: Field, value: Any, right: bool) -> None:
    assert is_right(field, value) is right


@pytest.mark.parametrize("value", [None, "", " ", "NA", "N/A", "Not stated.", "null", [], {}])
def test_words_for_nothing_are_nothing(value: Any) -> None:
    assert is_nothing(value)


def test_each_field_counts_once() -> None:
    values = {"name": "Salt Mill", "price": 99, "phone": "123-456-7890"}
    counted = score([PAGE], {PAGE.path: {"values": values, "shown": ["name", "price"]}})
    assert counted == Score(right=1, wrong=1, missed=1, invented=1, rightly_null=0, shown=1)
    assert score([PAGE], {}) == Score(missed=3, rightly_null=1), "a page without an answer"


def test_the_reader_finds_what_the_text_has() -> None:
    assert find(NAME, TEXT) == ("The Salt Mill", "The Salt  Mill", "# The Salt  Mill")
    price, members = find(PRICE, TEXT), find(MEMBERS, TEXT)
    assert price is not None
    assert (price.value, price.text) == (14.5, "14.50")
    assert members is not None
    assert (members.value, members.text) == (12, "Twelve")
    assert find(PHONE, TEXT) is None
    assert find(MEMBERS, "1,212 members, 12.5 and 112") is None


SCHEMA = {
    "type": "object",
    "properties": {
        one["name"]: {"anyOf": [{"type": one["type"]}, {"type": "null"}]} for one in ASKED
    },
}
LISTED = "\n".join(f"- {one['name']} ({one['type']}): {one['description']}" for one in ASKED)
PROMPTS = {
    "ours": f'Extract these fields:\n{LISTED}\n\nGive {{"value": ..., "quote": "..."}}\n\n'
    f"<page-0123456789abcdef>\nText:\n{TEXT}\n</page-0123456789abcdef>",
    "crawl4ai": f"<url_content>\n{json.dumps(TEXT)[1:-1]}\n</url_content>\n<user_request>\n…\n"
    f"</user_request>\n<schema_block>\n{json.dumps(SCHEMA, indent=2)}\n</schema_block>",
    "scrapegraphai": f"OUTPUT INSTRUCTIONS: Here is the schema:\n```\n{json.dumps(SCHEMA)}\n```\n\n"
    f"USER QUESTION: Which?\n\nWEBSITE CONTENT:  {[TEXT]!r}\n",
    "langextract": f"Extract these fields.\n{LISTED}\n\nExamples\nQ: A text.\nA: "
    f'{{"extractions": []}}\n\nQ: {TEXT}\nA: ',
}


def said(program: str, **options: Any) -> dict[str, Any]:
    """The values that the model answers to a program's prompt."""
    body = {"messages": [{"role": "user", "content": PROMPTS[program]}]}
    assert scripted.read(body).program == program
    text = scripted.answer(body, PAGE, **options)
    if program == "crawl4ai":
        (value,) = json.loads(text.partition("<blocks>")[2].partition("</blocks>")[0])
    else:
        value = json.loads(text)
    if program == "langextract":
        return {name: found for one in value["extractions"] for name, found in one.items()}
    if program == "ours":
        return {name: one["value"] for name, one in value.items()}
    return dict(value)


@pytest.mark.parametrize("program", PROMPTS)
def test_each_program_is_told_the_same(program: str) -> None:
    values = said(program)
    assert is_right(NAME, values["name"])
    assert is_right(PRICE, values["price"])
    assert is_right(MEMBERS, values["members"]) or values["members"] == "Twelve"
    assert is_nothing(values.get("phone"))
    lies = said(program, invents=True)
    assert lies["phone"] == scripted.INVENTED["string"]
    assert is_right(NAME, lies["name"])


def test_a_prompt_that_is_not_understood_is_refused_and_counted(tmp_path: Path) -> None:
    complete = scripted_model(lambda: PAGE, invents=False)
    with ModelServer(complete, tmp_path / "log") as server:
        assert post(server, PROMPTS["ours"])["usage"]["prompt_tokens"] > 20
        with pytest.raises(OSError, match="400"):
            post(server, "What is the weather?")
        assert (server.counts.requests, server.counts.failed) == (2, 1)
        assert server.counts.prompt_tokens == len(PROMPTS["ours"]) // 4 + 1
    assert len((tmp_path / "log").read_text("utf-8").splitlines()) == 2


def post(server: ModelServer, prompt: str) -> Any:
    data = json.dumps({"model": "any", "messages": [{"role": "user", "content": prompt}]}).encode()
    with urlopen(Request(f"{server.base_url}/chat/completions", data)) as answer:  # noqa: S310
        return json.load(answer)


def test_labels_of_the_demo_stand_on_its_pages_and_both_halves_have_some() -> None:
    read = corpus.read(None)
    pages = [page for page in read.pages if page.source == "demo"]
    assert {page.half for page in pages} == {1, 2}
    assert any(name.startswith("articles/") for name in read.missing), "they are not here"
    for page in pages:
        # JSON-LD is not in the text.
        text = f"{convert(page.html, 'http://x.example/wiki/X').markdown}\n{page.html.decode()}"
        for field in page.fields:
            assert bool(find(field, text)) == bool(field.right), f"{page.name}: {field.name}"


def test_the_report_has_ratios_to_ours() -> None:
    def done(requests: int, **counts: int) -> Run:
        counted = Score(**counts)
        shown = Score(right=counted.shown, missed=counted.right - counted.shown)
        return Run(Counts(requests, prompt_tokens=1000 * requests), counted, shown, 9.0, 3.0, [])

    runs = {"ours": done(2, right=3, shown=3), "langextract": done(9, right=2, wrong=1, shown=1)}
    table = report.Table("perfect", 1, [PAGE], runs)
    programs = [one for one in PROGRAMS if one.name == "ours"]
    text = report.section([table], programs, ["Without x: no."], "python -m x", {"perfect": "…"})
    assert "| **ours** | 2 | 2,000 | 0 | 3 | 0 | 0 | 0 | 3 | 3.0 |" in text
    assert "Without x: no." in text
    assert "3 fields that they state, 1 that they do not" in text
    rows = report._table(table, PROGRAMS).splitlines()
    assert rows[3].startswith("| langextract | 9 (4.5×) | 9,000 (4.5×) |")
    assert rows[4] == "| langextract, aligned ones only | | | | 1 | 0 | 0 | 1 | 0 | |"
