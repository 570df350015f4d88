"""What is kept of robots.txt, and for whom."""

from __future__ import annotations

import pytest

from wikicrawler.politeness import robots_cache
from wikicrawler.politeness.robots_cache import Rules, RulesCache


class Parser:
    """Stands for a parser: the cache only keeps it."""


def load(cache: RulesCache, origin: str, size: int) -> Rules:
    rules = Rules()
    cache.add(origin, rules)
    rules.body, rules.parser, rules.expires = b"a" * size, Parser(), 1.0  # type: ignore[assignment]
    cache.loaded(origin, rules)
    return rules


def test_the_parsers_of_those_used_least_recently_go_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(robots_cache, "MAX_PARSED", 25)
    cache = RulesCache()
    first, second = load(cache, "first", 10), load(cache, "second", 10)
    cache.use("first")
    load(cache, "third", 10)
    assert (first.parser is None, second.parser is None) == (False, True)
    assert cache.parsed_bytes == 20
    second.parser = Parser()  # type: ignore[assignment]
    cache.loaded("second", second)
    cache.loaded("second", second)  # two requests parsed it
    assert first.parser is None
    assert cache.parsed_bytes == 20
    assert cache.get("first") is first


@pytest.mark.parametrize(("bound", "most"), [("MAX_HOSTS", 2), ("MAX_CACHED", 25)])
def test_the_rules_used_least_recently_go_first_but_for_those_in_flight(
    monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    monkeypatch.setattr(robots_cache, bound, most)
    cache = RulesCache()
    in_flight = Rules()
    if bound == "MAX_CACHED":
        cache.add("in flight", in_flight)
    load(cache, "first", 10)
    load(cache, "second", 10)
    cache.use("first")
    load(cache, "third", 10)
    kept = [origin for origin in ("first", "second", "third") if cache.get(origin)]
    assert kept == ["first", "third"]
    assert cache.parsed_bytes == 20
    if bound == "MAX_CACHED":
        assert cache.get("in flight") is in_flight


def test_rules_that_were_replaced_are_not_counted() -> None:
    cache = RulesCache()
    old = load(cache, "a", 10)
    new = load(cache, "a", 5)
    old.parser = Parser()  # type: ignore[assignment]
    cache.loaded("a", old)
    assert cache.get("a") is new
    assert cache.parsed_bytes == 5
