"""The fields of a page, by a model that reads it: chunks, repairs, evidence, budget, cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.fields.llm.wire import Clock, FixedKeys, SocketTransport, run
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.fields.asking import MAX_REPAIRS, ChunkReader
from wikicrawler.fields.budget import Budget
from wikicrawler.fields.cache import AnswerCache
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.errors import AllKeysExhaustedError, ExtractionError
from wikicrawler.fields.extraction import PageExtractor, PageReading, PageText
from wikicrawler.fields.llm.calls import Patience
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.prices import Price
from wikicrawler.fields.llm.requests import ChatEndpoint
from wikicrawler.fields.models import ScraperConfig

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wikicrawler.fields.models import Finding, ScrapeResult

URL = "https://shop.example/books"
FIELDS = {"title": "string", "price": "number", "in_stock": "boolean"}
PAGE = "# The Salt Road\n\nPrice: 14.50 EUR\n\nIn stock: yes\n"
LONG = "# Team\n\n" + "".join(
    f"## Person {number}\n\n{'They joined the company a long time ago. ' * 8}\n\n"
    f"Member: Name{number} Surname{number}\n\n"
    for number in range(12)
)


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel(["sk-one", "sk-two"]) as server:
        yield server


class Extracting:
    """Extracts fields by *model*."""

    def __init__(
        self,
        model: ScriptedModel,
        fields: Any,
        *,
        cache: Path | None = None,
        max_tokens: int | None = None,
        chunk_tokens: int = 2048,
        **config: Any,
    ) -> None:
        clock = Clock()
        client = ChatClient(
            SocketTransport(),
            ChatEndpoint(model.base_url, "any"),
            FixedKeys(["sk-one", "sk-two"], clock),
            patience=Patience(retries=1, rate_limits=2),
            clock=clock,
            sleep=clock.sleep,
        )
        self.budget = Budget(max_tokens)
        reader = ChunkReader(
            client,
            ScraperConfig(**config),
            self.budget,
            cache=AnswerCache(cache) if cache else None,
            price=Price(1e-6, 2e-6),
        )
        self._extractor = PageExtractor(define_fields(fields), reader, chunk_tokens=chunk_tokens)

    def read(self, text: str) -> PageReading:
        return run(self._extractor.read(PageText(URL, text)))

    def extract(self, text: str = PAGE, html: str | None = None) -> ScrapeResult:
        return run(self._extractor.extract(PageText(URL, text, html=html)))


def of(result: ScrapeResult, field: str) -> list[Finding]:
    return [one for one in result.findings if one.field == field]


@pytest.mark.parametrize("quotes", [True, False])
def test_each_value_stands_where_its_evidence_says(model: ScriptedModel, quotes: bool) -> None:
    result = Extracting(model, {"title": "string", "price": "number"}, quotes=quotes).extract()
    assert result.success
    assert result.data == {"title": "The Salt Road", "price": 14.5}
    for finding in result.findings:
        evidence = finding.evidence
        assert evidence is not None
        assert PAGE[evidence.start : evidence.end] == evidence.text
        assert evidence.url == finding.url == URL
        assert finding.marks == ()


def test_the_cost_is_that_of_the_server(model: ScriptedModel) -> None:
    extracting = Extracting(model, FIELDS)
    result = extracting.extract()
    spent = model.usage
    assert result.usage.prompt_tokens == spent.prompt_tokens > 0
    assert result.usage.completion_tokens == spent.completion_tokens > 0
    assert result.usage.cost == pytest.approx(
        spent.prompt_tokens * 1e-6 + spent.completion_tokens * 2e-6
    )
    assert extracting.budget.sums.total == result.usage
    assert extracting.budget.sums.by_url == {URL: result.usage}


def test_a_value_that_is_not_on_the_page_is_null_with_the_reason(model: ScriptedModel) -> None:
    model.always(twists.texts('{"title": {"value": "Another Book", "quote": "Another Book"}}'))
    result = Extracting(model, {"title": "string"}).extract()
    assert result.data == {"title": None}
    (finding,) = result.findings
    assert (finding.value, finding.rejected) == (None, "Another Book")
    assert finding.reason == "quote_not_found"


def test_a_derived_value_needs_no_evidence(model: ScriptedModel) -> None:
    model.always(twists.texts('{"genre": {"value": "travel", "quote": null}}'))
    fields = {"genre": {"type": "string", "derived": True}}
    result = Extracting(model, fields).extract()
    assert result.data == {"genre": "travel"}
    assert result.findings[0].evidence is None


def test_a_hidden_value_is_marked(model: ScriptedModel) -> None:
    text = "# Shop\n\nPrice: 99.00 EUR\n"
    html = '<h1>Shop</h1><p style="display:none">Price: 99.00 EUR</p>'
    result = Extracting(model, {"price": "number"}).extract(text, html)
    assert result.data == {"price": 99.0}
    assert of(result, "price")[0].marks == ("hidden",)


STATED = """<h1>The Salt Road</h1><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Product", "name": "The Salt Road",
"offers": {"@type": "Offer", "price": "14.50", "priceCurrency": "EUR"}, "sku": "SR-1"}
</script>"""


def test_the_model_is_not_asked_for_what_the_page_states_for_machines(model: ScriptedModel) -> None:
    result = Extracting(model, {"name": "string", "price": "number"}).extract(html=STATED)
    assert result.data == {"name": "The Salt Road", "price": 14.5}
    assert model.requests == []
    (price,) = of(result, "price")
    assert price.evidence is not None
    assert price.evidence.method == "structured"
    assert PAGE[price.evidence.start : price.evidence.end] == price.evidence.text
    assert price.marks == ()


def test_what_only_machines_see_is_marked(model: ScriptedModel) -> None:
    result = Extracting(model, {"sku": "string"}).extract(html=STATED)
    assert result.data == {"sku": "SR-1"}
    assert of(result, "sku")[0].marks == ("hidden",)


def test_the_model_is_asked_for_the_rest(model: ScriptedModel) -> None:
    fields = {"name": "string", "in_stock": "boolean"}
    result = Extracting(model, fields).extract(html=STATED)
    assert result.data == {"name": "The Salt Road", "in_stock": True}
    (request,) = model.requests
    assert "in_stock" in request.text
    assert "- name" not in request.text


def test_chunks_are_read_until_all_fields_have_a_value(model: ScriptedModel) -> None:
    text = PAGE + LONG
    result = Extracting(model, {"title": "string"}, chunk_tokens=200).extract(text)
    assert result.data == {"title": "The Salt Road"}
    assert len(model.requests) == 1


def test_a_list_is_united_over_all_chunks(model: ScriptedModel) -> None:
    result = Extracting(model, {"member": "list[string]"}, chunk_tokens=400).extract(LONG)
    assert result.data == {"member": [f"Name{n} Surname{n}" for n in range(12)]}
    assert len(model.requests) > 3
    starts = [one.evidence.start for one in result.findings if one.evidence]
    assert starts == sorted(starts)
    assert result.partial is None


def test_a_wrong_answer_is_sent_back_with_its_errors(model: ScriptedModel) -> None:
    wrong = '{"price": {"value": "cheap", "quote": "14.50"}}'
    model.always(twists.texts(wrong), None)
    result = Extracting(model, {"price": "number"}).extract()
    assert result.data == {"price": 14.5}
    assert len(model.requests) == 2
    assert result.usage.requests == 2


@pytest.mark.parametrize(
    ("text", "outcome"),
    [("I cannot find it.", "not_json"), ("", "empty"), ('{"other": 1}', "no_fields")],
)
def test_an_answer_that_stays_wrong_ends_with_its_outcome(
    model: ScriptedModel, text: str, outcome: str
) -> None:
    model.always(twists.texts(text))
    result = Extracting(model, {"price": "number"}).extract()
    assert not result.success
    assert result.error == f"part 1 of 1: {outcome}"
    assert result.data == {"price": None}
    assert len(model.requests) == MAX_REPAIRS + 1


def test_a_refusal_is_not_asked_again(model: ScriptedModel) -> None:
    model.always(twists.refused)
    result = Extracting(model, {"price": "number"}).extract()
    assert result.error == "part 1 of 1: refused"
    assert len(model.requests) == 1


def test_what_a_cut_answer_lacks_is_asked_for_again(model: ScriptedModel) -> None:
    cut = '{"title": {"value": "The Salt Road", "quote": "The Salt Road"}, "price": {"val'
    model.at(1, twists.texts(cut, "length"))
    result = Extracting(model, {"title": "string", "price": "number"}).extract()
    assert result.data == {"title": "The Salt Road", "price": 14.5}
    assert result.partial is None
    assert len(model.requests) == 2


def test_a_model_that_never_ends_an_answer_is_given_up(model: ScriptedModel) -> None:
    model.always(twists.texts('{"member": [{"value": "', "length"))
    result = Extracting(model, {"member": "list[string]"}).extract(LONG)
    assert not result.success
    assert "truncated" in str(result.error)
    assert len(model.requests) < 200


def test_a_chunk_that_is_too_long_for_the_model_is_divided() -> None:
    with ScriptedModel(["sk-one", "sk-two"], context=1200) as small:
        result = Extracting(small, {"member": "list[string]"}, chunk_tokens=4000).extract(LONG)
        assert 400 in small.statuses
    assert result.data == {"member": [f"Name{n} Surname{n}" for n in range(12)]}
    assert result.partial is None


def test_the_budget_ends_a_page_with_what_it_has(model: ScriptedModel) -> None:
    extracting = Extracting(
        model,
        {"member": "list[string]"},
        chunk_tokens=400,
        max_tokens=4000,
        max_answer_tokens=500,
    )
    result = extracting.extract(LONG)
    assert result.success
    assert result.partial == "max_tokens"
    assert 0 < len(result.data["member"]) < 12
    assert model.usage.prompt_tokens + model.usage.completion_tokens <= 4000


def test_an_answer_counts_that_the_budget_does_not_let_correct(model: ScriptedModel) -> None:
    title = '{"value": "The Salt Road", "quote": "The Salt Road"}'
    model.always(twists.texts(f'{{"title": {title}, "price": "cheap"}}'))
    extracting = Extracting(
        model, {"title": "string", "price": "number"}, max_tokens=900, max_answer_tokens=64
    )
    result = extracting.extract()
    assert len(model.requests) == 1
    assert result.data == {"title": "The Salt Road", "price": None}
    assert result.partial == "max_tokens"
    assert result.usage == extracting.budget.sums.total
    assert result.usage.prompt_tokens == model.usage.prompt_tokens > 0


def test_what_was_found_and_paid_before_an_error_counts(model: ScriptedModel) -> None:
    fails = twists.error(500)
    model.always(None, None, fails)
    extracting = Extracting(model, {"member": "list[string]"}, chunk_tokens=400)
    result, error = extracting.read(LONG)
    assert isinstance(error, ExtractionError)
    assert result.success
    assert 0 < len(result.data["member"]) < 12
    assert str(result.partial).startswith("part 3 of ")
    assert "the server failed each time" in str(result.partial)
    assert result.usage.prompt_tokens == model.usage.prompt_tokens > 0
    assert result.usage == extracting.budget.sums.total


def test_the_costs_of_the_fields_are_those_of_the_server(model: ScriptedModel) -> None:
    extracting = Extracting(model, {"title": "string", "member": "list[string]"})
    result = extracting.extract(LONG)
    shares = extracting.budget.sums.by_field
    spent = model.usage
    assert sum(one.prompt_tokens for one in shares.values()) == spent.prompt_tokens
    assert sum(one.completion_tokens for one in shares.values()) == spent.completion_tokens
    assert sum(one.cost or 0.0 for one in shares.values()) == pytest.approx(result.usage.cost)
    # A list of names is most of the answer; the prompt is the page, for both of them.
    assert shares["member"].completion_tokens > 3 * shares["title"].completion_tokens
    assert abs(shares["member"].prompt_tokens - shares["title"].prompt_tokens) <= 1


def test_a_result_has_the_text_in_which_its_evidence_stands(model: ScriptedModel) -> None:
    result = Extracting(model, {"title": "string"}).extract()
    assert result.content == PAGE
    assert "Salt" not in repr(result).partition("usage=")[2]


def test_an_unchanged_page_costs_nothing(model: ScriptedModel, tmp_path: Path) -> None:
    first = Extracting(model, FIELDS, cache=tmp_path / "answers").extract()
    asked = len(model.requests)
    again = Extracting(model, FIELDS, cache=tmp_path / "answers").extract()
    assert len(model.requests) == asked
    assert again.data == first.data
    assert again.findings == first.findings
    assert (again.usage.cached, again.usage.prompt_tokens, again.usage.cost) == (1, 0, 0.0)
    Extracting(model, FIELDS, cache=tmp_path / "answers").extract(PAGE + "\nMore.\n")
    assert len(model.requests) == asked + 1


def test_a_page_ends_where_no_key_is_accepted() -> None:
    with ScriptedModel(["sk-valid"]) as strict, pytest.raises(AllKeysExhaustedError):
        Extracting(strict, FIELDS).extract()
