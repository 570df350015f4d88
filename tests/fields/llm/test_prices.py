"""Costs are those of the price list, or of the operator, or unknown."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.llm.prices import Price, context_of, cost_of, price_of, with_cost
from wikicrawler.fields.models import ScraperConfig, Usage

USAGE = Usage(requests=1, prompt_tokens=1000, completion_tokens=100, cached_tokens=600, cost=None)


def test_the_list_has_its_date_and_source() -> None:
    data = json.loads(files("wikicrawler").joinpath("data/model_prices.json").read_bytes())
    assert data["source"].startswith("litellm 1.109.1")
    assert data["date"] == "2026-11-23"
    assert len(data["models"]) >= 40
    providers = {name.partition("/")[0] for name in data["models"]}
    assert providers == {"openai", "anthropic", "groq", "mistral", "deepseek", "gemini"}
    for name in data["models"]:
        price = price_of(name)
        assert price is not None
        assert 0 <= price.input <= price.output < 0.001


def test_the_default_model_has_a_price() -> None:
    model = ScraperConfig().model
    assert price_of(model) == price_of("gpt-4o-mini") == Price(1.5e-07, 6e-07, 7.5e-08)
    assert context_of(model) == 128_000


@pytest.mark.parametrize("model", ["", "mine", "openai/", "vllm/gpt-4o-mini", "gpt-oss-20b"])
def test_an_unknown_price_is_none(model: str) -> None:
    assert price_of(model) is None
    assert context_of(model) is None
    assert with_cost(USAGE, price_of(model)).cost is None


def test_cached_tokens_cost_less() -> None:
    price = Price(1e-6, 4e-6, 1e-7)
    assert cost_of(USAGE, price) == pytest.approx(400e-6 + 60e-6 + 400e-6)
    assert cost_of(USAGE, Price(1e-6, 4e-6)) == pytest.approx(1000e-6 + 400e-6)
    assert cost_of(USAGE, Price(1e-6, 4e-6, 0.0)) == pytest.approx(400e-6 + 400e-6)


def test_the_operators_prices_take_precedence() -> None:
    own = {"gpt-4o-mini": {"input": 0, "output": 0}, "mine": Price(1e-6, 2e-6)}
    assert price_of("openai/gpt-4o-mini", own) == Price(0, 0)
    assert context_of("openai/gpt-4o-mini", own) is None
    assert price_of("mine", own) == Price(1e-6, 2e-6)
    assert context_of("m", {"m": {"input": 0, "output": 0, "context": 4096}}) == 4096
    assert price_of("openai/gpt-4o", own) == price_of("gpt-4o")


@pytest.mark.parametrize(
    "wrong",
    [
        5,
        {"input": 1},
        {"input": 1, "output": 1, "other": 1},
        {"input": -1, "output": 1},
        {"input": "cheap", "output": 1},
        {"input": True, "output": 1},
        {"input": float("nan"), "output": 1},
        {"input": 1, "output": 10**400},
    ],
)
def test_a_price_that_is_none_is_refused(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="the price of 'm'"):
        price_of("m", {"m": wrong})
