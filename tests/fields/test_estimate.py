"""What a run uses is within what was estimated before it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.fields.llm.wire import Clock, FixedKeys, SocketTransport, run
from tests.servers import openai_twists as twists
from tests.servers.openai_model import ScriptedModel
from wikicrawler.fields.answers.prompts import count_tokens
from wikicrawler.fields.asking import MAX_REPAIRS, ChunkReader
from wikicrawler.fields.budget import Budget, tokens_of
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.estimate import estimate
from wikicrawler.fields.extraction import PageExtractor, PageText
from wikicrawler.fields.llm.calls import Patience
from wikicrawler.fields.llm.client import ChatClient
from wikicrawler.fields.llm.prices import Price, price_of
from wikicrawler.fields.llm.requests import ChatEndpoint, Format
from wikicrawler.fields.models import FieldDefinition, ScraperConfig, Usage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wikicrawler.fields.estimate import Estimate

PRICE = Price(1e-6, 10e-6, 1e-7)
BOOK = "# The Salt Road\n\nPrice: 14.50 EUR\n\nIn stock: yes\n"
TEAM = "# Team\n\n" + "".join(
    f"## Person {number}\n\n{'They joined the company a long time ago. ' * 8}\n\n"
    f"Member: Name{number} Surname{number}\n\n"
    for number in range(12)
)
FIGURES = "# Prices\n\n| Item | Price |\n| --- | --- |\n" + "".join(
    f"| {number:06} | 1{number:05}.00 |\n" for number in range(200)
)
GERMAN = "# Über die Straße\n\n" + "Größere Flüsse führen süßes Wasser. " * 60 + "\n\nPreis: 3 €\n"
STATED = """<h1>The Salt Road</h1><script type="application/ld+json">
{"@context": "https://schema.org", "@type": "Product", "name": "The Salt Road",
"offers": {"@type": "Offer", "price": "14.50", "priceCurrency": "EUR"}, "sku": "SR-1"}
</script>"""
PAGES = [
    PageText(f"https://shop.example/{number}", text, title="A page", html=html)
    for number, (text, html) in enumerate(
        [(BOOK, None), (TEAM, None), (FIGURES, None), (GERMAN, None), (BOOK, STATED), ("", None)]
    )
]
SCALARS = {"title": "string", "price": "number", "phone": "string"}
LISTS = {"price": "number", "member": "list[string]", "items": "list[object]"}


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as server:
        yield server


def spent(
    model: ScriptedModel,
    fields: Sequence[FieldDefinition],
    config: ScraperConfig,
    pages: Sequence[PageText] = PAGES,
    form: Format = Format.SCHEMA,
) -> Usage:
    """Extract *fields* from *pages* and return what it used, as the server counts."""
    clock = Clock()
    client = ChatClient(
        SocketTransport(),
        ChatEndpoint(model.base_url, "any", best_format=form),
        FixedKeys(["sk-one"], clock),
        patience=Patience(retries=1, rate_limits=1),
        clock=clock,
        sleep=clock.sleep,
    )
    budget = Budget(config.max_tokens, config.max_cost)
    reader = ChunkReader(client, config, budget, price=PRICE)
    extractor = PageExtractor(fields, reader, chunk_tokens=config.chunk_token_threshold)

    async def extract() -> None:
        for page in pages:
            await extractor.extract(page)

    run(extract())
    used = budget.sums.total
    assert (used.requests, used.prompt_tokens, used.completion_tokens) == model.usage[:3]
    return used


def figures(usage: Usage) -> tuple[float, ...]:
    assert usage.cost is not None
    return (usage.requests, usage.prompt_tokens, usage.completion_tokens, usage.cost)


def assert_within(used: Usage, found: Estimate) -> None:
    rows = zip(*map(figures, (found.least, used, found.most)), strict=True)
    assert [row for row in rows if not row[0] <= row[1] <= row[2]] == []


LONG_LIE = '{"price": {"value": "' + "cheap " * 1200 + '", "quote": "14.50"}}'
WRONG_LIST = '{"member": [' + ", ".join(['{"value": [1], "quote": "x"}'] * 60) + "]}"


@pytest.mark.parametrize("fields", [SCALARS, LISTS], ids=["scalars", "lists"])
@pytest.mark.parametrize(
    "twist",
    [
        None,
        twists.texts("I cannot find it."),
        twists.texts(LONG_LIE),
        twists.texts(WRONG_LIST),
        twists.in_prose,
        twists.with_wrong_types,
        twists.invented_quotes,
    ],
    ids=["true", "prose", "long lie", "wrong list", "in prose", "wrong types", "invented"],
)
def test_the_true_usage_is_within_the_bounds(
    model: ScriptedModel, fields: dict[str, Any], twist: twists.Twist | None
) -> None:
    if twist:
        model.always(twist)
    wanted = define_fields(fields)
    config = ScraperConfig(chunk_token_threshold=400)
    found = estimate(PAGES, wanted, config, PRICE)
    assert_within(spent(model, wanted, config), found)


@pytest.mark.parametrize("quotes", [True, False])
@pytest.mark.parametrize("form", list(Format))
def test_the_bounds_hold_however_the_model_is_asked(
    model: ScriptedModel, form: Format, quotes: bool
) -> None:
    wanted = define_fields(LISTS)
    config = ScraperConfig(chunk_token_threshold=1000, quotes=quotes)
    found = estimate(PAGES, wanted, config, PRICE)
    assert_within(spent(model, wanted, config, form=form), found)


def test_the_most_holds_for_a_vocabulary_that_needs_as_many_tokens_as_are_estimated(
    model: ScriptedModel,
) -> None:
    model.always(twists.texts("I cannot find it."))
    enum = [f"A choice of many, number {number}" for number in range(200)]
    wanted = [FieldDefinition(name="choice", enum=tuple(enum))]
    config = ScraperConfig(chunk_token_threshold=400, max_answer_tokens=16)
    found = estimate(PAGES, wanted, config, PRICE)
    spent(model, wanted, config, form=Format.PLAIN)
    counted = [count_tokens(request.body["messages"]) for request in model.requests]
    assert found.most.prompt_tokens * 0.9 < sum(counted) <= found.most.prompt_tokens


def test_the_most_is_reached_by_a_model_that_never_answers(model: ScriptedModel) -> None:
    model.always(twists.texts("I cannot find it."))
    wanted = define_fields(LISTS)
    config = ScraperConfig(chunk_token_threshold=400)
    found = estimate(PAGES, wanted, config, PRICE)
    used = spent(model, wanted, config)
    assert used.requests == found.most.requests == found.chunks * (MAX_REPAIRS + 1)


def test_the_least_is_reached_where_the_first_chunk_has_all(model: ScriptedModel) -> None:
    text = BOOK + TEAM
    wanted = define_fields({"title": "string", "price": "number"})
    config = ScraperConfig(chunk_token_threshold=200)
    pages = [PageText("https://shop.example/", text)]
    found = estimate(pages, wanted, config, PRICE)
    assert found.chunks > 5
    assert spent(model, wanted, config, pages).requests == found.least.requests == 1


def test_the_chunks_are_those_that_are_read(model: ScriptedModel) -> None:
    wanted = define_fields({"member": "list[string]"})
    config = ScraperConfig(chunk_token_threshold=300)
    pages = [PageText("https://shop.example/", TEAM)]
    found = estimate(pages, wanted, config, PRICE)
    used = spent(model, wanted, config, pages)
    assert used.requests == found.chunks == found.likely.requests == found.least.requests > 3


def test_the_likely_use_is_near_the_true_one_for_ordinary_pages(model: ScriptedModel) -> None:
    wanted = define_fields({"member": "list[string]", "title": "string"})
    config = ScraperConfig()
    pages = [PageText(f"https://shop.example/{number}", TEAM * 4) for number in range(3)]
    likely, used = (
        estimate(pages, wanted, config, PRICE).likely,
        spent(model, wanted, config, pages),
    )
    assert used.prompt_tokens / 2 < likely.prompt_tokens < used.prompt_tokens * 2
    assert used.completion_tokens / 4 < likely.completion_tokens < used.completion_tokens * 4


def test_what_pages_state_for_machines_costs_nothing() -> None:
    wanted = define_fields({"name": "string", "price": "number"})
    pages = [PageText("https://shop.example/", BOOK, html=STATED)]
    found = estimate(pages, wanted, ScraperConfig(), PRICE)
    assert (found.pages, found.asked_pages, found.chunks) == (1, 0, 0)
    assert figures(found.most) == (0, 0, 0, 0.0)
    asked = estimate([pages[0]._replace(html=None)], wanted, ScraperConfig(), PRICE)
    assert asked.asked_pages == 1
    assert asked.least.requests == 1


@pytest.mark.parametrize("limit", [{"max_tokens": 6000}, {"max_cost": 0.004}])
def test_the_limits_of_the_run_bound_it(model: ScriptedModel, limit: dict[str, Any]) -> None:
    wanted = define_fields(LISTS)
    config = ScraperConfig(chunk_token_threshold=400, max_answer_tokens=200, **limit)
    free = ScraperConfig(chunk_token_threshold=400, max_answer_tokens=200)
    found, unlimited = (estimate(PAGES, wanted, one, PRICE) for one in (config, free))
    used = spent(model, wanted, config)
    assert 0 < used.requests < unlimited.least.requests
    assert_within(used, found)
    assert found.likely.cost is not None
    assert figures(found.likely) <= figures(found.most)
    if config.max_tokens:
        assert tokens_of(found.likely) <= config.max_tokens
    if config.max_cost:
        assert found.most.cost == config.max_cost
    assert any(next(iter(limit)) in reason for reason in found.reasons)


def test_without_a_price_no_call_fits_a_limit_of_money() -> None:
    found = estimate(PAGES, define_fields(LISTS), ScraperConfig(max_cost=1.0), None)
    assert (found.most.requests, found.most.cost) == (0, None)
    assert any("No call is made" in reason for reason in found.reasons)


def test_an_unknown_price_is_not_0() -> None:
    found = estimate(PAGES, define_fields(SCALARS), ScraperConfig(), None)
    assert (found.least.cost, found.likely.cost, found.most.cost) == (None, None, None)
    assert any("price of the model is unknown" in reason for reason in found.reasons)


def test_a_prompt_beyond_the_context_of_the_model_is_said() -> None:
    config = ScraperConfig(model="openai/gpt-4o-mini", chunk_token_threshold=200_000)
    text = "# All\n\n" + "Some words of a page. " * 12_000
    found = estimate(
        [PageText("https://shop.example/", text)],
        define_fields(SCALARS),
        config,
        price_of(config.model),
    )
    assert any("chunk_token_threshold" in reason for reason in found.reasons)
    usual = estimate(PAGES, define_fields(SCALARS), ScraperConfig(), PRICE)
    assert not any("chunk_token_threshold" in reason for reason in usual.reasons)


def test_pages_are_read_once_and_not_kept() -> None:
    def pages() -> Iterator[PageText]:
        yield from PAGES

    found = estimate(pages(), define_fields(SCALARS), ScraperConfig(), PRICE)
    assert found == estimate(PAGES, define_fields(SCALARS), ScraperConfig(), PRICE)


def test_no_pages_cost_nothing_and_no_fields_are_an_error() -> None:
    assert figures(estimate([], define_fields(SCALARS), ScraperConfig(), PRICE).most)[:1] == (0,)
    with pytest.raises(ConfigError, match="no fields"):
        estimate(PAGES, [], ScraperConfig(), PRICE)
