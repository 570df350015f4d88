"""The table for a terminal fits it, and shows nothing that controls it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.fields.report.findings import URL, found_text, result_of
from tests.fields.report.test_highlights import TEXTS
from wikicrawler.fields.budget import Sums
from wikicrawler.fields.definitions.define import define_fields
from wikicrawler.fields.merging import update_state
from wikicrawler.fields.models import CrawlState, Evidence, Finding, Usage
from wikicrawler.fields.report.money import costs_of, format_cost
from wikicrawler.fields.report.table import LEAST_WIDTH, MAX_LINES, cut, field_table

BOOK = "# The Salt Road\n\nPrice: 14.50 EUR\n\n# 盐路 ✔ und Straße\n"
FIELDS = define_fields("title, price: number, isbn, sku")


def book_results() -> list[Finding]:
    path = Evidence(url=URL, start=0, end=0, text="", method="structured", path="json-ld[0].sku")
    return [
        found_text(BOOK, "title", "The Salt Road"),
        found_text(BOOK, "title", "盐路 ✔ und Straße", marks=("addressed",)),
        found_text(BOOK, "price", "14.50", value=14.5),
        Finding(field="isbn", url=URL, reason="value_not_found", rejected="978-3"),
        Finding(field="sku", value="SR-1", url=URL, evidence=path, marks=("hidden",)),
    ]


def test_the_table_says_what_was_found_where() -> None:
    usage = Usage(requests=2, cached=1, prompt_tokens=1204, completion_tokens=56, cost=0.000214)
    result = result_of(book_results(), FIELDS, usage=usage)
    assert field_table([result], FIELDS).split("\n") == [
        "Field  Value              Note                       Where",
        "title  The Salt Road                                 https://shop.example/books#2-15",
        "       盐路 ✔ und Straße  conflict, addressed        https://shop.example/books#37-52",
        "price  14.5                                          https://shop.example/books#24-29",
        "isbn   null               all answers were rejected: value_not_found (1)",
        "       978-3              rejected, value_not_found  https://shop.example/books",
        "sku    SR-1               hidden                     https://shop.example/books"
        " json-ld[0].sku",
        "",
        "Cost: 2 requests (1 answer from the cache), 1,204 tokens of prompts and 56 of answers,"
        " $0.000214",
    ]


@pytest.mark.parametrize("width", [1, 40, 55, 80, 120])
def test_each_line_fits_the_terminal(width: int) -> None:
    url = f"{URL}/{'x' * 500}"
    findings = [*book_results(), found_text(BOOK * 50, "title", "Price: 14.50 EUR", url)]
    sums = Sums(Usage(requests=10**9), by_url={url: Usage()}, by_model={"m" * 300: Usage()})
    table = field_table([result_of(findings, FIELDS)], FIELDS, sums=sums, width=width)
    assert max(map(cell_len, table.split("\n"))) <= max(width, LEAST_WIDTH)


def test_the_offsets_are_the_last_that_is_cut() -> None:
    url = f"{URL}/{'x' * 500}"
    findings = [found_text(BOOK, "title", "The Salt Road", url)]
    fields = define_fields("title")
    for width in (50, 80, None):
        line = field_table([result_of(findings, fields, url)], fields, width=width).split("\n")[1]
        assert line.endswith("…#2-15")


@given(TEXTS, st.one_of(st.none(), st.integers(40, 120)))
def test_what_strangers_say_is_one_printable_line(text: str, width: int | None) -> None:
    path = Evidence(url=text, start=0, end=0, text="", method="structured", path=text)
    findings = [
        found_text(text, "title", text, text),
        Finding(field="sku", value=text, url=text, evidence=path),
        Finding(field=text, url=text, reason=text, rejected=[text], marks=(text,)),
        Finding(field="isbn", value={text: text}, url=text, marks=(text,)),
    ]
    result = result_of([], FIELDS, text, error=text, partial=text)
    result = result.model_copy(update={"findings": tuple(findings)})
    by = {text: Usage()}
    sums = Sums(by_url=dict(by), by_model=dict(by), by_key=dict(by), by_field=dict(by))
    lines = field_table([result], FIELDS, sums=sums, width=width).split("\n")
    assert [line for line in lines if not line.isprintable()] == []
    # A heading, the fields without a value, four findings, an empty line, five of costs.
    assert len(lines) == 1 + 4 + (text not in {"title", "price", "isbn", "sku"}) + 4 + 1 + 5


def test_a_login_is_not_shown() -> None:
    url = "https://bob:word@shop.example/"
    findings = [found_text(BOOK, "title", "The Salt Road", url)]
    assert "word@" not in field_table([result_of(findings, FIELDS, url)], FIELDS)


def test_many_elements_are_counted() -> None:
    fields = define_fields("tags: list[string]")
    text = " ".join(f"tag{number:03}" for number in range(50))
    findings = [found_text(text, "tags", f"tag{number:03}") for number in range(50)]
    lines = field_table([result_of(findings, fields)], fields).split("\n")
    assert len(lines) == 1 + MAX_LINES + 1 + 2
    assert f"… and {50 - MAX_LINES} more" in lines[MAX_LINES + 1]


def test_a_crawl_shows_its_merged_values_first() -> None:
    fields = define_fields("title")
    state = CrawlState()
    results = []
    for number, text in enumerate(["One", "Two", "One"]):
        url = f"{URL}/{number}"
        results.append(result_of([found_text(text, "title", text, url)], fields, url))
        update_state(state, results[-1].findings, fields, url)
    lines = field_table(results, fields, state).split("\n")
    assert [line.split()[:-1] for line in lines[1:4]] == [
        ["title", "One"],
        ["One"],
        ["Two", "conflict"],
    ]


def test_a_run_without_results_is_a_table_too() -> None:
    assert field_table([], define_fields("title")).split("\n") == [
        "Field  Value  Note  Where",
        "title  null   stated on none of 0 pages",
        "",
        "Cost: 0 requests, 0 tokens of prompts and 0 of answers, $0",
    ]


def test_the_costs_are_by_page_field_model_and_key() -> None:
    one, two = Usage(requests=1, cost=0.25), Usage(requests=3, cost=1.5)
    sums = Sums(one + two, {"a": one, "b": two}, {"m": one + two}, {"key 1": one, "sk-x": two})
    table = field_table([], define_fields("title"), sums=sums)
    assert table.split("\n")[3:] == [
        "Cost: 4 requests, 0 tokens of prompts and 0 of answers, $1.75",
        "  by URL  b  3 requests, 0 tokens of prompts and 0 of answers, $1.50",
        "  by URL  a  1 request, 0 tokens of prompts and 0 of answers, $0.25",
        "  by model  m  4 requests, 0 tokens of prompts and 0 of answers, $1.75",
        "  by key  another key  3 requests, 0 tokens of prompts and 0 of answers, $1.50",
        "  by key  key 1  1 request, 0 tokens of prompts and 0 of answers, $0.25",
    ]


@given(st.lists(st.integers(0, 1000), max_size=30), st.integers(1, 10))
def test_lines_that_are_left_out_are_counted_in_one(costs: list[int], limit: int) -> None:
    table = {str(number): Usage(requests=1, cost=cost) for number, cost in enumerate(costs)}
    found = costs_of(Sums(by_url=table), limit)
    lines = found[0].lines if found else ()
    assert len(lines) == min(len(costs), limit + 1)
    assert sum(usage.requests for _, usage in lines) == len(costs)
    assert sum(usage.cost or 0 for _, usage in lines) == pytest.approx(sum(costs))
    kept = [usage.cost for _, usage in lines[:limit]]
    assert kept == sorted(costs, reverse=True)[:limit]


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (None, "unknown"),
        (0.0, "$0"),
        (4e-8, "< $0.000001"),
        (0.000214, "$0.000214"),
        (0.1, "$0.1"),
        (0.9999999, "$1.00"),
        (1234.5, "$1,234.50"),
    ],
)
def test_money_is_written_for_people(cost: float | None, text: str) -> None:
    assert format_cost(cost) == text


@given(TEXTS, st.integers(0, 20))
def test_a_cut_text_fits(text: str, width: int) -> None:
    shown = cut(text, width)
    assert cell_len(shown) <= width
    assert (shown == text) is (cell_len(text) <= width)
