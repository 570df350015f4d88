"""Values of a page's parts and of pages are merged, each with where it comes from."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wikicrawler.fields.errors import ConfigError
from wikicrawler.fields.merging import (
    MAX_CONFLICTS,
    MAX_SOURCES,
    FindingMerger,
    identity,
    merge_results,
    update_state,
)
from wikicrawler.fields.models import CrawlState, Evidence, FieldDefinition, Finding

TITLE = FieldDefinition(name="title")
PRICE = FieldDefinition(name="price", type="number")
NEW = FieldDefinition(name="new", type="boolean")
MAKER = FieldDefinition(name="maker", type="object", properties={"name": "string"})
TAGS = FieldDefinition(name="tags", type="list[string]")
SIZES = FieldDefinition(name="sizes", type="list[number]")
FLAGS = FieldDefinition(name="flags", type="list[boolean]")
ROWS = FieldDefinition(name="rows", type="list[object]")
FEW = FieldDefinition(name="few", type="list[number]", max_items=2)
SCALARS = [TITLE, PRICE, NEW, MAKER]
LISTS = [TAGS, SIZES, FLAGS, ROWS]
FIELDS = [*SCALARS, *LISTS, FEW]

RAW = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([0, 1, 1.0, 2, -1.5, "1", "1.0", "a", " a", "true", "", "b"]),
    st.sampled_from([{"name": "m"}, {"name": None}, {"a": 1}, {"a": 1.0}, {"b": 2, "a": 1}]),
)
DATA = st.dictionaries(
    st.sampled_from([field.name for field in FIELDS]), RAW | st.lists(RAW, max_size=4)
)


def finding(field: str, value: Any, url: str = "https://a.org/", at: int | None = None) -> Finding:
    evidence = None if at is None else Evidence(url=url, start=at, end=at + 1, text="x")
    return Finding(field=field, value=value, url=url, evidence=evidence)


def as_sets(merged: dict[str, Any], fields: list[FieldDefinition]) -> dict[str, Any]:
    return {field.name: set(map(identity, merged[field.name] or ())) for field in fields}


def identities(merged: dict[str, Any]) -> dict[str, Any]:
    return {name: None if one is None else identity(one) for name, one in merged.items()}


@pytest.mark.parametrize(
    ("field", "existing", "new", "merged"),
    [
        (TITLE, "a", "b", "a"),
        (TITLE, None, "b", "b"),
        (TITLE, "", "b", "b"),
        (TITLE, ["a"], "b", "b"),
        (PRICE, 0, 5, 0),
        (PRICE, True, 5, 5),
        (NEW, False, True, False),
        (NEW, 0, True, True),
        (MAKER, None, {"name": "m", "x": 1}, {"name": "m"}),
        (MAKER, {"name": "m"}, {"name": "n"}, {"name": "m"}),
        (TAGS, ["b", "a"], ["a", "c", "A"], ["b", "a", "c", "A"]),
        (TAGS, None, None, None),
        (TAGS, [], None, []),
        (TAGS, None, "a", ["a"]),
        (SIZES, [1], [1.0, "1", 2, True], [1, 2]),
        (FLAGS, [True], [1, False, "yes"], [True, False]),
        (ROWS, [{"a": 1, "b": 2}], [{"b": 2, "a": 1.0}, {"a": 1}], [{"a": 1, "b": 2}, {"a": 1}]),
        (FEW, [1, 1.0, 2], [3], [1, 2]),
    ],
)
def test_a_scalar_keeps_the_first_value_and_lists_are_united(
    field: FieldDefinition, existing: Any, new: Any, merged: Any
) -> None:
    result = merge_results({field.name: existing}, {field.name: new}, [field])
    assert result == {field.name: merged}


def test_the_result_has_the_keys_of_the_fields_alone() -> None:
    assert merge_results({"other": 1}, {"title": "t"}, [TITLE, TAGS]) == {
        "title": "t",
        "tags": None,
    }


def test_the_arguments_stay_as_they_are() -> None:
    existing: dict[str, Any] = {"tags": ["a"]}
    merged = merge_results(existing, {"tags": ["b"]}, [TAGS])
    merged["tags"].append("c")
    assert existing == {"tags": ["a"]}


@given(DATA)
def test_merging_is_idempotent(data: dict[str, Any]) -> None:
    once = merge_results({}, data, FIELDS)
    assert merge_results(once, data, FIELDS) == once
    assert merge_results(once, once, FIELDS) == once
    assert merge_results(once, {}, FIELDS) == once


@given(DATA, DATA, DATA)
def test_merging_is_associative(one: dict[str, Any], two: dict[str, Any], three: Any) -> None:
    left = merge_results(merge_results(one, two, FIELDS), three, FIELDS)
    right = merge_results(one, merge_results(two, three, FIELDS), FIELDS)
    assert left == right


@given(st.lists(DATA, max_size=5), st.randoms(use_true_random=False))
def test_the_order_of_pages_affects_scalars_only(pages: list[dict[str, Any]], random: Any) -> None:
    shuffled = list(pages)
    random.shuffle(shuffled)
    results = []
    for ordered in (pages, shuffled):
        merged: dict[str, Any] = merge_results({}, {}, FIELDS)
        for page in ordered:
            merged = merge_results(merged, page, FIELDS)
        results.append(merged)
    one, other = results
    assert as_sets(one, LISTS) == as_sets(other, LISTS)
    for field in SCALARS:  # one is found in any order, or in none
        assert (one[field.name] is None) == (other[field.name] is None)


@given(st.lists(DATA, max_size=4))
def test_findings_are_merged_as_values_are(pages: list[dict[str, Any]]) -> None:
    merger, merged = FindingMerger(FIELDS), merge_results({}, {}, FIELDS)
    for page in pages:
        merged = merge_results(merged, page, FIELDS)
        for field in FIELDS:
            unlimited = field.model_copy(update={"max_items": None})
            value = merge_results({}, page, [unlimited])[field.name]
            values = (value or []) if field.is_list else [value]
            merger.add(finding(field.name, one) for one in values)
    expected = {name: one if one != [] else None for name, one in merged.items()}
    assert identities(merger.data) == identities(expected)
    for name, one in merger.data.items():
        values = one if isinstance(one, list) else [] if one is None else [one]
        sources = {identity(source.value) for source in merger.sources.get(name, ())}
        assert sources == set(map(identity, values))


def test_the_first_value_wins_and_a_different_one_is_a_conflict() -> None:
    first, other = finding("price", 14.5), finding("price", 15, "https://b.org/")
    merger = FindingMerger([PRICE])
    merger.add([finding("price", None), first, other])
    assert merger.data == {"price": 14.5}
    assert merger.sources == {"price": [first]}
    assert merger.conflicts == [other]


def test_an_equal_value_adds_its_evidence() -> None:
    first, second = finding("price", 1, at=3), finding("price", 1.0, at=9)
    merger = FindingMerger([PRICE])
    merger.add([first, second, finding("price", 1, at=3)])
    assert merger.sources == {"price": [first, second]}
    assert merger.conflicts == []


def test_elements_have_their_own_sources_and_no_conflicts() -> None:
    merger = FindingMerger([TAGS])
    findings = [finding("tags", "a", at=1), finding("tags", "b", at=2), finding("tags", "a", at=3)]
    merger.add(findings)
    assert merger.data == {"tags": ["a", "b"]}
    assert merger.sources == {"tags": findings}
    assert merger.conflicts == []


def test_elements_behind_the_maximum_are_left_out() -> None:
    merger = FindingMerger([FEW])
    merger.add(finding("few", value, at=at) for at, value in enumerate([1, 1.0, 2, 3, 2]))
    assert merger.data == {"few": [1, 2]}
    assert [one.value for one in merger.sources["few"]] == [1, 1, 2, 2]


def test_findings_of_other_fields_and_without_values_are_passed_over() -> None:
    merger = FindingMerger([PRICE])
    merger.add([finding("other", 1), Finding(field="price", reason="no_evidence", rejected=3)])
    assert merger.data == {"price": None}
    assert merger.sources == {}


def test_true_contradicts_no_boolean_and_is_no_number() -> None:
    merger = FindingMerger([PRICE, NEW])
    merger.add([finding("new", True), finding("new", False), finding("price", 1)])
    assert [one.value for one in merger.conflicts] == [False]
    assert identity(True) != identity(1)
    assert identity(1) == identity(1.0)


def test_sources_and_conflicts_are_bounded() -> None:
    merger = FindingMerger([PRICE])
    merger.add(finding("price", 1, f"https://a.org/{n}") for n in range(50))
    merger.add(finding("price", 1 + n % 30, f"https://b.org/{n}") for n in range(90))
    assert len(merger.sources["price"]) == MAX_SOURCES
    assert len(merger.conflicts) == MAX_CONFLICTS
    assert len({one.value for one in merger.conflicts}) == MAX_CONFLICTS


def test_the_state_of_a_crawl_follows_its_pages() -> None:
    state = CrawlState(start_url="https://a.org/")
    fields = [TITLE, PRICE]
    update_state(state, [finding("title", "t")], fields, "https://a.org/")
    assert not state.is_complete
    update_state(state, [finding("title", "u"), finding("price", 1)], fields, "https://a.org/b")
    update_state(state, [finding("price", 1)], fields, "https://a.org/b")
    assert state.is_complete
    assert state.merged_data == {"title": "t", "price": 1}
    assert [one.value for one in state.conflicts] == ["u"]
    assert state.visited_urls == {"https://a.org/", "https://a.org/b"}
    assert state.pages_scraped == 2


def test_a_state_that_was_stored_goes_on_where_it_was() -> None:
    pages = [
        [finding("tags", "a", at=1), finding("tags", "b", at=2)],
        [finding("tags", "b", "https://a.org/2"), finding("tags", "c", "https://a.org/2")],
        [finding("tags", "b", "https://a.org/2"), finding("tags", "c", "https://a.org/3")],
    ]
    straight, stored = CrawlState(), CrawlState()
    for number, page in enumerate(pages):
        update_state(straight, page, [TAGS], f"https://a.org/{number}")
        stored = CrawlState.model_validate_json(stored.model_dump_json())
        update_state(stored, page, [TAGS], f"https://a.org/{number}")
    assert stored == straight
    assert not straight.is_complete


def test_a_state_without_fields_is_refused_and_stays() -> None:
    state = CrawlState()
    with pytest.raises(ConfigError):
        update_state(state, [finding("title", "t")], [], "https://a.org/")
    assert state == CrawlState()
